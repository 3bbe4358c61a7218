//! The PMU of a Cortex-A9 in the Secure state, for QEMU's `vexpress-a9`: cycles are counted, and no event is.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod secure {
    use cortex_a9::{CortexA9Event, Cp15, Divider, Finding, Pmu, Selection};
    use firmware::Checks;
    use firmware::arm::spin;

    pub fn checks(checks: &mut Checks) {
        #[allow(unsafe_code)]
        // SAFETY: the image runs on one core, in a privileged mode, and makes no other bus.
        let bus = unsafe { Cp15::new() };
        let main_id = bus.main_id();
        let mut pmu = match Pmu::probe(bus, main_id) {
            Ok(pmu) => pmu,
            Err(refused) => return checks.check(refused.kind(), false),
        };
        let [cycles, instructions, increments, ..] = pmu.counters();
        cycles.count(CortexA9Event::CpuCycles);
        instructions.count(Selection::raw(0x08).expect("eight bits"));
        increments.count(CortexA9Event::SwIncr);
        pmu.cycle_counter().count(Divider::By1);
        let mut running = pmu.start();
        spin(1_000);
        running.increment();
        let mut pmu = running.stop();
        let [cycles, instructions, increments, ..] = pmu.counts().map(|count| count.exact());
        let events = [cycles, instructions, increments];
        checks.equal("event counters stand still", events, [Ok(0); 3]);
        checks.check("PMCCNTR counts", pmu.cycles().exact().is_ok_and(|count| count >= 2_000));
        let diagnosis = pmu.diagnose_processor(main_id, None, || spin(1_000));
        checks.note(format_args!("{diagnosis}"));
        checks.check("the diagnosis says why", diagnosis.has(Finding::DebugNotPermitted));
        checks.equal("and nothing else", diagnosis.findings().count(), 1);
    }
}

#[cfg(target_os = "none")]
firmware::image!(secure::checks);

#[cfg(not(target_os = "none"))]
fn main() {}
