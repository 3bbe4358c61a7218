//! Checks the PMUs of a Cortex-A8 and of a Cortex-A9, on QEMU's `realview-pb-a8` and `realview-pbx-a9`. Also runs
//! examples of `cortex-a8` and of `arm-pmu` on the Cortex-A8.
#![no_std]
#![no_main]

mod instructions_per_cycle;
/// The example `instructions_per_cycle`, from the file that users see.
#[path = "../../../../../crates/cortex-a8/examples/instructions_per_cycle/report.rs"]
mod report;
/// The function that runs on any PMU, from the example file `every_pmu` that users see.
#[path = "../../../../../crates/arm-pmu/examples/every_pmu/survey.rs"]
mod survey;

/// rustfmt does not find included files, so this module makes it format the checks.
#[cfg(any())]
mod checks;

mod checks_of_cortex_a8 {
    use cortex_a8 as product;
    use cortex_a8::is_cortex_a8 as is_product;

    include!("checks.rs");
}

mod checks_of_cortex_a9 {
    use cortex_a9 as product;
    use cortex_a9::is_cortex_a9 as is_product;

    include!("checks.rs");
}

firmware::image!(checks_of_the_core);

fn checks_of_the_core(checks: &mut firmware::Checks) {
    checks_of_cortex_a9::all(checks);
    if checks_of_cortex_a8::all(checks) {
        instructions_per_cycle::all(checks);
    }
}
