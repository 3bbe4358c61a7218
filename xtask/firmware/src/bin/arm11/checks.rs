//! The accesses to c15, c12 that an ARM11 driver makes are instructions that these cores have.
//!
//! QEMU does not model the registers behind them: values are printed, and not judged.

use arm_pmu_core::{Bus, CoreCp15, Cp15, Located, Operands};
use firmware::Checks;
use firmware::arm::undefined;

/// MRC and MCR p15, 0, Rt, c15, c12, OPC2: PMNC, CCNT, PMN0, PMN1.
struct Register<const OPC2: u8>;

impl<const OPC2: u8> Located for Register<OPC2> {
    type Space = Cp15;
    const KEY: Operands = Operands { opc1: 0, crn: 15, crm: 12, opc2: OPC2 };
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

pub fn all(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core in Supervisor mode, and has one bus.
    let bus = unsafe { CoreCp15::new() };
    access::<0>(&bus, "PMNC", checks);
    access::<1>(&bus, "CCNT", checks);
    access::<2>(&bus, "PMN0", checks);
    access::<3>(&bus, "PMN1", checks);
}

fn access<const OPC2: u8>(bus: &impl Bus<Space = Cp15>, name: &str, checks: &mut Checks) {
    let written = undefined(|| bus.store::<Register<OPC2>>(0, 0x10));
    checks.check(format_args!("{name}: a write is defined"), written.is_some());
    bus.synchronize();
    let read = undefined(|| bus.load::<Register<OPC2>>(0));
    checks.check(format_args!("{name}: a read is defined"), read.is_some());
    if let Some(value) = read {
        checks.note(format_args!("{name}: wrote 0x10, read {value:#x}; not modelled"));
    }
}
