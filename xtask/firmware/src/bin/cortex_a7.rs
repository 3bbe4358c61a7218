//! The PMU of the Cortex-A7, for QEMU's `virt`: the tests of all ARMv7 cores, and the filter by
//! mode.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod checks_of_cortex_a7 {
    use cortex_a7 as product;
    use cortex_a7::is_cortex_a7 as is_product;

    include!("armv7/checks.rs");
}

#[cfg(target_os = "none")]
mod filter {
    use cortex_a7::{CortexA7Event, Divider, Filter, Pmu};
    use firmware::arm::{bus, in_user_mode};
    use firmware::{Checks, TURN, spin};

    pub fn checks(checks: &mut Checks) {
        super::checks_of_cortex_a7::all(checks);
        let all = Filter::USER.and(Filter::PRIVILEGED);
        // On this machine, the core has no Secure state, and QEMU ignores NSK and NSU.
        for (name, modes, expected) in [
            ("all modes", all, 2_000 * TURN),
            ("no privileged mode", Filter::USER, 1_000 * TURN),
            ("not User mode", Filter::PRIVILEGED, 1_000 * TURN),
        ] {
            let [short, long] = [0, 1_000].map(|turns| counts(modes, turns));
            let found = [0, 1].map(|nth| long[nth].wrapping_sub(short[nth]));
            checks.check(format_args!("filter: {name}"), found == [expected; 2]);
        }
    }

    /// Returns instructions and cycles of `turns` iterations in a privileged mode, and again in
    /// User mode.
    fn counts(modes: Filter, turns: usize) -> [u32; 2] {
        let mut pmu = Pmu::new(bus());
        let [.., instructions] = pmu.counters();
        instructions.count(CortexA7Event::InstRetired);
        pmu.cycle_counter().count(Divider::By1);
        pmu.count_in(modes);
        let running = pmu.start();
        spin(turns);
        in_user_mode(|| spin(turns));
        let pmu = running.stop();
        let [.., instructions] = pmu.counts();
        [instructions, pmu.cycles()].map(|count| count.exact().unwrap_or(u32::MAX))
    }
}

#[cfg(target_os = "none")]
firmware::image!(filter::checks);

#[cfg(not(target_os = "none"))]
fn main() {}
