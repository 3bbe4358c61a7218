//! Checks the PMU of a Cortex-A9 in the Secure state on QEMU's `vexpress-a9`: it counts cycles, but no events. This
//! machine's L2C-310 has the registers of a cache, but no counters.
#![no_std]
#![no_main]

use cortex_a9::{CortexA9Event, Divider, Finding, Pmu, Selection};
use firmware::{Checks, bus, spin};
use l2c_310::Diagnose as _;

firmware::image!(secure);

fn secure(checks: &mut Checks) {
    let main_id = bus().main_id();
    let mut pmu = match Pmu::probe(bus(), main_id) {
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
    checks.equal("event counters do not count", events, [Ok(0); 3]);
    checks.check("PMCCNTR counts", pmu.cycles().exact().is_ok_and(|count| count >= 2_000));
    let diagnosis = pmu.diagnose_processor(main_id, None, || spin(1_000));
    checks.note(format_args!("{diagnosis}"));
    checks.check("the diagnosis says why", diagnosis.has(Finding::DebugNotPermitted));
    checks.equal("and nothing else", diagnosis.findings().count(), 1);
    cache(checks);
}

/// Address of the L2C-310, from QEMU's hw/arm/vexpress.c and Linux's vexpress-v2p-ca9.dts.
const L2C_310: usize = 0x1E00_A000;

/// QEMU identifies the L2C-310, reads its counter registers as zero, and ignores writes to them.
fn cache(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: the MMU is off, so the registers are at their physical address, and nothing else
    // uses them.
    let bus = unsafe { l2c_310::Mmio::new(L2C_310) };
    let mut pmu = match l2c_310::Pmu::probe(bus) {
        Ok(pmu) => pmu,
        Err(refused) => return checks.check(refused.kind(), false),
    };
    let diagnosis = pmu.diagnose_with(None, || spin(1_000));
    checks.note(format_args!("{diagnosis}"));
    checks.check("the diagnosis says why", diagnosis.has(l2c_310::Finding::WritesIgnored));
}
