//! Checks that no access of the ARM11 drivers is an undefined instruction on these cores.
//!
//! QEMU does not model these registers: they read as zero and ignore writes. The checks expect that
//! the drivers report an error for every count. Register values are printed, but not checked.

use arm_pmu_core::diagnose::Finding;
use arm11::{
    Core, CountError, Counters, Cp15, Divider, Pmu, Processor, arm1136, arm1176, identify,
};
use firmware::Checks;
use firmware::arm::undefined;

pub fn all(checks: &mut Checks) {
    let main_id = bus().main_id();
    checks.note(format_args!("Main ID Register: {main_id:#010x}"));
    match identify(main_id) {
        Some(Processor::Arm1136) => {
            registers_of_arm1136(checks);
            driver::<arm11::Arm1136>(main_id, checks);
        }
        Some(Processor::Arm1176) => {
            registers_of_arm1176(checks);
            driver::<arm11::Arm1176>(main_id, checks);
        }
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

macro_rules! registers {
    ($name:ident, $unit:ident) => {
        /// Each register is written and read separately.
        fn $name(checks: &mut Checks) {
            let mut bus = bus();
            let registers = $unit::registers::Registers::new(&mut bus);
            macro_rules! access {
                ($register:ident, |$w:ident| $written:expr) => {
                    access(
                        stringify!($register),
                        undefined(|| registers.$register().write(|$w| $written)),
                        undefined(|| registers.$register().read().bits()),
                        checks,
                    );
                };
            }
            access!(pmnc, |w| w.d().set_bit());
            access!(ccnt, |w| w.count().set(0x1234));
            access!(pmn0, |w| w.count().set(0x1234));
            access!(pmn1, |w| w.count().set(0x1234));
        }
    };
}
registers!(registers_of_arm1136, arm1136);
registers!(registers_of_arm1176, arm1176);

/// Checks that a write was defined, and then prints the result of a read.
fn access(name: &str, written: Option<()>, read: Option<u32>, checks: &mut Checks) {
    checks.check(format_args!("{name}: a write is defined"), written.is_some());
    checks.check(format_args!("{name}: a read is defined"), read.is_some());
    if let Some(value) = read {
        checks.note(format_args!("{name}: read {value:#x}; not modelled"));
    }
}

/// Runs a whole measurement.
fn driver<C: Core>(main_id: u32, checks: &mut Checks) {
    let Ok(mut pmu) = Pmu::<C, Cp15>::probe(bus(), main_id) else {
        return checks.check("probe accepts the core", false);
    };
    checks.check("probe accepts the core", true);
    for counter in pmu.counters() {
        counter.count(C::IDLE);
    }
    pmu.cycle_counter().count(Divider::By64);
    pmu.interrupts(Counters::NONE);
    let mut running = pmu.start();
    let _ = (running.counts(), running.cycles(), running.acknowledge());
    let pmu = running.stop().resume().stop();
    checks.check("start, read, acknowledge, stop and resume are defined", true);
    let lost = pmu.counts().map(|count| count.exact() == Err(CountError::Disturbed));
    checks.equal("registers that ignore writes give no count", lost, [true; 2]);
    let mut pmu = pmu;
    let diagnosis = pmu.diagnose_processor(main_id, None, || ());
    let mut found = diagnosis.findings().map(|found| found.finding.name());
    checks.equal(
        "the diagnosis says so",
        (found.next(), found.next()),
        (Some("WRITES_IGNORED"), None),
    );
}
