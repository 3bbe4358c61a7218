//! The example of the same name of `cortex-a8`, and the function of the example `every_pmu` that runs on
//! any PMU, for QEMU's `realview-pb-a8`.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod checks;
/// The file that users see.
#[cfg(target_os = "none")]
#[path = "../../../../../crates/cortex-a8/examples/instructions_per_cycle/report.rs"]
mod report;

/// The function of the example `every_pmu` of `arm-pmu`, in the file that users see.
#[cfg(target_os = "none")]
#[path = "../../../../../crates/arm-pmu/examples/every_pmu/survey.rs"]
mod survey;

#[cfg(target_os = "none")]
firmware::image!(checks::all);

#[cfg(not(target_os = "none"))]
fn main() {}
