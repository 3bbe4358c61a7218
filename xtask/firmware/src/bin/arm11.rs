//! Checks that no access of the ARM11 drivers causes an Undefined Instruction exception, which would end the image.
//! Runs on an ARM1136 and an ARM1176 of QEMU's `versatilepb`.
//!
//! QEMU does not model these registers: they read as zero and ignore writes. The checks expect that
//! the drivers report an error for every count.
#![no_std]
#![no_main]

use arm_pmu_core::diagnose::Finding;
use arm11::{Core, CountError, Counters, Cp15, Divider, Pmu, Processor, identify};
use firmware::Checks;

firmware::image!(all);

fn all(checks: &mut Checks) {
    let main_id = bus().main_id();
    checks.note(format_args!("Main ID Register: {main_id:#010x}"));
    match identify(main_id) {
        Some(Processor::Arm1136) => driver::<arm11::Arm1136>(main_id, checks),
        Some(Processor::Arm1176) => driver::<arm11::Arm1176>(main_id, checks),
        other => checks.check(format_args!("the core is known: {other:?}"), false),
    }
}

fn bus() -> Cp15 {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core in Supervisor mode, and has one bus at a time.
    unsafe {
        Cp15::new()
    }
}

/// Runs a whole measurement.
fn driver<C: Core>(main_id: u32, checks: &mut Checks) {
    let Ok(mut pmu) = Pmu::<C, Cp15>::probe(bus(), main_id) else {
        return checks.check("probe accepts the core", false);
    };
    for counter in pmu.counters() {
        counter.count(C::IDLE);
    }
    pmu.cycle_counter().count(Divider::By64);
    pmu.interrupts(Counters::NONE);
    let mut running = pmu.start();
    let _ = (running.counts(), running.cycles(), running.acknowledge());
    let mut pmu = running.stop().resume().stop();
    checks.check("start, read, acknowledge, stop and resume are defined", true);
    let lost = pmu.counts().map(|count| count.exact() == Err(CountError::Disturbed));
    checks.equal("registers that ignore writes give no count", lost, [true; 2]);
    let diagnosis = pmu.diagnose_processor(main_id, None, || ());
    let mut found = diagnosis.findings().map(|found| found.finding.name());
    checks.equal(
        "the diagnosis says so",
        (found.next(), found.next()),
        (Some("WRITES_IGNORED"), None),
    );
}
