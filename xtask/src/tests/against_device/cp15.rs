//! Registers in CP15.

use arm_pmu_core::bus::{Bus as _, Operands};
use arm_pmu_sim::{AnyOperands, Cp15Bus, Cp15Register, Noise, UserAccess};

use super::{ip, patterns};
use crate::generate::model::{Access, Content, Location, Register, Reserved, UserMode};

/// A simulated core, as far as this comparison needs it.
trait Device {
    const IP: &'static str;
    /// Which unit of the IP it is.
    const UNIT: Option<usize>;
    const REGISTERS: &'static [Cp15Register];
    /// Registers of the device that are not of the PMU.
    const NOT_OF_THE_PMU: usize;
    /// Bits that must be 1 and stay 1, if a write clears flags in the same register.
    const CLEARS_WHILE: u32;
    /// The register that selects counters, and what selects the first.
    const SELECTOR: Option<(Operands, u32)>;

    fn new() -> Self;
    fn bus(&self) -> Cp15Bus<'_, AnyOperands>;
    fn poke(&self, operands: Operands, value: u32);
    fn set_noise(&self, noise: Noise);
}

macro_rules! device {
    (
        $Of:ident($Device:ident): $ip:literal, unit: $unit:expr, registers: $registers:ident,
        not_of_the_pmu: $others:expr, clears_while: $clears_while:expr, selector: $selector:expr,
        new: $new:ident
    ) => {
        struct $Of(arm_pmu_sim::$Device);
        impl Device for $Of {
            const IP: &'static str = $ip;
            const UNIT: Option<usize> = $unit;
            const REGISTERS: &'static [Cp15Register] = arm_pmu_sim::$Device::$registers;
            const NOT_OF_THE_PMU: usize = $others;
            const CLEARS_WHILE: u32 = $clears_while;
            const SELECTOR: Option<(Operands, u32)> = $selector;

            fn new() -> Self {
                Self(arm_pmu_sim::$Device::$new())
            }
            fn bus(&self) -> Cp15Bus<'_, AnyOperands> {
                self.0.bus()
            }
            fn poke(&self, operands: Operands, value: u32) {
                self.0.poke(operands, value);
            }
            fn set_noise(&self, noise: Noise) {
                self.0.set_noise(noise);
            }
        }
    };
}

device!(
    OfArm1136(Arm11): "arm11", unit: Some(0), registers: ARM1136_REGISTERS, not_of_the_pmu: 0,
    clears_while: 1, selector: None, new: arm1136
);
device!(
    OfArm1156(Arm11): "arm11", unit: Some(1), registers: ARM1156_REGISTERS, not_of_the_pmu: 0,
    clears_while: 1, selector: None, new: arm1156
);
device!(
    OfArm1176(Arm11): "arm11", unit: Some(2), registers: ARM1176_REGISTERS, not_of_the_pmu: 0,
    clears_while: 1, selector: None, new: arm1176
);
macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $(
        mod $pmu {
            use super::*;

            device!(
                Core($Device): $name, unit: None, registers: $registers, not_of_the_pmu: 0, clears_while: 0,
                selector: Some((Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 }, 0)), new: new
            );
            compare!(registers: Core);
        }
    )* };
}

arm_pmu::for_each_pmu!(armv7_pmu => cores);

fn registers<D: Device>() -> Vec<(Register, &'static Cp15Register)> {
    let ip = ip(D::IP);
    let registers = match D::UNIT {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    assert_eq!(registers.len() + D::NOT_OF_THE_PMU, D::REGISTERS.len());
    let with_row = registers.into_iter().map(|register| {
        let at = operands(&register);
        let row = D::REGISTERS.iter().find(|row| row.operands == at);
        let row = row.unwrap_or_else(|| panic!("the device has nothing at {at:?}"));
        (register, row)
    });
    with_row.collect()
}

fn operands(register: &Register) -> Operands {
    let Location::Cp15 { operands, .. } = register.location else {
        panic!("{} is not in CP15", register.name)
    };
    let [opc1, crn, crm, opc2] = [operands.opc1, operands.crn, operands.crm, operands.opc2]
        .map(|operand| u8::try_from(operand).expect("an operand"));
    Operands { opc1, crn, crm, opc2 }
}

/// The bits of the fields selected by `which`.
fn mask(register: &Register, which: impl Fn(&Content) -> bool) -> u32 {
    let fields = register.fields.iter().filter(|field| which(&field.content));
    fields.fold(0, |mask, field| mask | field.bits.mask() as u32)
}

fn of(register: &Register, wanted: Access) -> u32 {
    mask(register, |content| matches!(content, Content::Named(named) if named.access == wanted))
}

fn the_maps_agree<D: Device>() {
    for (register, row) in registers::<D>() {
        let name = &register.name;
        assert_eq!(of(&register, Access::ReadWrite), row.read_write, "{name}");
        assert_eq!(of(&register, Access::ReadOnly), row.read_only, "{name}");
        assert_eq!(of(&register, Access::WriteOneActs), row.write_one_to_act, "{name}");
        assert_eq!(of(&register, Access::WriteOneClears), row.write_one_to_clear, "{name}");
        assert_eq!(of(&register, Access::WriteOneSets), row.write_one_to_set, "{name}");
        let reserved = |wanted| {
            mask(&register, |content| matches!(content, Content::Reserved(is) if *is == wanted))
        };
        assert_eq!(reserved(Reserved::One), 0, "{name}");
        let sbz = reserved(Reserved::ShouldBeZero);
        assert_eq!(sbz, row.should_be_zero, "{name}");
        let sbzp = reserved(Reserved::ShouldBeZeroOrPreserved);
        assert_eq!(sbzp, row.should_be_zero_or_preserved & row.unpredictable, "{name}");
        // A register that reads as zero has the value `zero`, even after writes.
        let acts = mask(
            &register,
            |content| matches!(content, Content::Named(named) if named.reads_unpredictably),
        );
        assert_eq!(sbz | sbzp | acts, row.unpredictable, "{name}");
        let [reset] = &register.resets[..] else { panic!("{name}: one unit, one reset") };
        match reset.value {
            // The spec infers bits that the device leaves open.
            Some(value) => {
                assert_eq!(value as u32 & !row.unknown, row.reset & !row.unknown, "{name}")
            }
            None => assert_ne!(row.unknown, 0, "{name}"),
        }
        let user = match register.user {
            Some(UserMode::Enabled) => UserAccess::Enabled,
            Some(UserMode::Never) => UserAccess::Never,
            Some(UserMode::Read) => UserAccess::Read,
            None => continue,
        };
        assert_eq!(user, row.user, "{name}");
    }
}

/// Every bit of every register, with noise of both polarities where it reads unpredictably.
fn every_bit_behaves_as_the_spec_says<D: Device>() {
    for (register, row) in registers::<D>() {
        let (name, at) = (&register.name, operands(&register));
        let held = of(&register, Access::ReadWrite)
            | of(&register, Access::ReadOnly)
            | of(&register, Access::WriteOneClears)
            | of(&register, Access::WriteOneSets);
        for noise in [Noise::Zeros, Noise::Ones] {
            for before in patterns() {
                for written in patterns() {
                    let device = D::new();
                    let bus = device.bus();
                    // Everything is off: written values stay.
                    let (selector, first) = D::SELECTOR.unwrap_or((at, before));
                    device.poke(selector, first);
                    if selector != at {
                        device.poke(at, before);
                    }
                    device.set_noise(noise);
                    let unpredictable = if noise == Noise::Ones { row.unpredictable } else { 0 };
                    let old = bus.mrc(at);
                    if selector != at || D::SELECTOR.is_none() {
                        assert_eq!(old, before & held | unpredictable, "{name}: width");
                    }
                    bus.mcr(at, written);
                    bus.synchronize();
                    let clears = old & written & D::CLEARS_WHILE == D::CLEARS_WHILE;
                    let cleared = if clears { written } else { 0 };
                    let expected = written & of(&register, Access::ReadWrite)
                        | old & of(&register, Access::ReadOnly)
                        | old & !cleared & of(&register, Access::WriteOneClears)
                        | (old | written) & of(&register, Access::WriteOneSets)
                        | unpredictable;
                    let found = bus.mrc(at);
                    assert_eq!(found, expected, "{name}: {before:#x}, then {written:#x}");
                }
            }
        }
    }
}

fn what_modify_and_write_start_from_harms_nothing<D: Device>() {
    for (register, row) in registers::<D>() {
        let preserved = row.should_be_zero_or_preserved & row.unpredictable;
        assert_eq!(register.keep(), u64::from(row.read_write | preserved), "{}", register.name);
        assert_eq!(register.keep() & u64::from(row.write_one_to_clear), 0, "{}", register.name);
        assert_eq!(register.initial() & !u64::from(row.read_write), 0, "{}", register.name);
    }
}

compare!(arm1136: OfArm1136);
compare!(arm1156: OfArm1156);
compare!(arm1176: OfArm1176);
