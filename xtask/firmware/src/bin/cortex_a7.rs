//! The PMU of the Cortex-A7, for QEMU's `virt`: the tests of all ARMv7 cores, and the filter by
//! mode.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod filter {
    use cortex_a7::{CortexA7Event, Divider, Filter, Pmu};
    use firmware::Checks;
    use firmware::arm::{Machine, in_user_mode, spin};
    use firmware::armv7::World as _;

    pub fn checks(checks: &mut Checks) {
        firmware::armv7::cortex_a7::all(&Machine, checks);
        let all = Filter::USER.and(Filter::PRIVILEGED);
        // On this machine, the core has no Secure state, and QEMU ignores NSK and NSU.
        for (name, modes, privileged, user) in [
            ("all modes", all, true, true),
            ("no privileged mode", Filter::USER, false, true),
            ("not User mode", Filter::PRIVILEGED, true, false),
        ] {
            let expected = 2_000 * (u32::from(privileged) + u32::from(user));
            let [instructions, cycles] = [0, 1].map(|which| {
                let [short, long] = [0, 1_000].map(|turns| counts(modes, turns)[which]);
                long.wrapping_sub(short)
            });
            checks.check(format_args!("filter: {name}: instructions"), instructions == expected);
            checks.check(format_args!("filter: {name}: cycles"), cycles == expected);
        }
        overflow_set(checks);
    }

    /// Returns instructions and cycles of `turns` iterations in a privileged mode, and again in
    /// User mode.
    fn counts(modes: Filter, turns: u32) -> [u32; 2] {
        let mut pmu = Pmu::new(Machine.bus());
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

    /// PMOVSSET sets flags that PMOVSR clears.
    fn overflow_set(checks: &mut Checks) {
        let mut pmu = Pmu::new(Machine.bus());
        pmu.registers().pmovsset().write(|w| w.p().set(0b0100));
        let mut bus = pmu.release();
        cortex_a7::Bus::synchronize(&bus);
        let registers = cortex_a7::registers::Registers::new(&mut bus);
        checks.equal("PMOVSSET sets a flag", registers.pmovsr().read().p().bits(), 0b0100);
        Pmu::new(bus).acknowledge_all();
    }
}

#[cfg(target_os = "none")]
firmware::image!(filter::checks);

#[cfg(not(target_os = "none"))]
fn main() {}
