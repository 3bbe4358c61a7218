//! `arm-pmu`.

use std::process::ExitCode;

fn main() -> ExitCode {
    arm_pmu_cli::main()
}
