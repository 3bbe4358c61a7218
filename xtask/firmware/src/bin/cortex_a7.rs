//! Checks the PMU of the Cortex-A7 on QEMU's `virt`: the checks for all ARMv7 cores, and the filter
//! by mode.
#![no_std]
#![no_main]

mod checks_of_cortex_a7 {
    use cortex_a7 as product;
    use cortex_a7::is_cortex_a7 as is_product;

    include!("armv7/checks.rs");
}

use checks_of_cortex_a7::Product;
use cortex_a7::Filter;
use firmware::arm::in_user_mode;
use firmware::counting::of_1000_turns;
use firmware::{Checks, TURN, spin};

firmware::image!(checks);

fn checks(checks: &mut Checks) {
    checks_of_cortex_a7::all(checks);
    /// Counts a loop in a privileged mode, and again in User mode.
    fn in_both_modes(turns: usize) {
        spin(turns);
        in_user_mode(|| spin(turns));
    }
    // On this machine, the core has no Secure state, and QEMU ignores NSK and NSU.
    for (name, modes, expected) in [
        ("filter: all modes", Filter::USER.and(Filter::PRIVILEGED), 2_000 * TURN),
        ("filter: no privileged mode", Filter::USER, 1_000 * TURN),
        ("filter: not User mode", Filter::PRIVILEGED, 1_000 * TURN),
    ] {
        let counts = of_1000_turns::<Product>(|pmu| pmu.count_in(modes), in_both_modes);
        checks.equal(name, counts, [expected; 3]);
    }
}
