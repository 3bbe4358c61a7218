//! AArch64 system registers.

use arm_pmu_core::bus::{Bus as _, SystemRegister};
use arm_pmu_sim::{AnySystemRegister, SysregBus, SysregRegister, UserAccess};

use super::ip;
use crate::generate::model::{Access, Content, Location, Register, Reserved, UserMode};

/// A simulated core, as far as this comparison needs it.
trait Device {
    const IP: &'static str;
    const REGISTERS: &'static [SysregRegister];

    fn new() -> Self;
    fn bus(&self) -> SysregBus<'_, AnySystemRegister>;
    fn poke(&self, register: SystemRegister, value: u64);
}

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $( core!($product $pmu $name $Device $registers); )* };
}

macro_rules! core {
    // The simulated device has the registers of any core, the spec only the common ones.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident $name:literal $Device:ident $registers:ident) => {
        mod $pmu {
            use super::*;

            struct Core(arm_pmu_sim::$Device);

            impl Device for Core {
                const IP: &'static str = $name;
                const REGISTERS: &'static [SysregRegister] = arm_pmu_sim::$Device::$registers;

                fn new() -> Self {
                    Self(arm_pmu_sim::$Device::new())
                }
                fn bus(&self) -> SysregBus<'_, AnySystemRegister> {
                    self.0.bus()
                }
                fn poke(&self, register: SystemRegister, value: u64) {
                    self.0.poke(register, value);
                }
            }

            compare!(registers: Core);
        }
    };
}

arm_pmu::for_each_pmu!(arm_pmuv3 => cores);

/// Each register of the spec with the device's register.
fn registers<D: Device>() -> Vec<(Register, &'static SysregRegister)> {
    let registers = ip(D::IP).registers;
    assert_eq!(registers.len(), D::REGISTERS.len());
    let with_row = registers.into_iter().map(|register| {
        let (at, _) = place(&register);
        let row = D::REGISTERS.iter().find(|row| row.register == at);
        let row = row.unwrap_or_else(|| panic!("the device has nothing at {at:?}"));
        (register, row)
    });
    with_row.collect()
}

fn place(register: &Register) -> (SystemRegister, usize) {
    let Location::System { register: of, count } = register.location else {
        panic!("{} is no system register", register.name)
    };
    let [op0, op1, crn, crm, op2] = [of.op0, of.op1, of.crn, of.crm, of.op2]
        .map(|number| u8::try_from(number).expect("a number of an encoding"));
    (SystemRegister { op0, op1, crn, crm, op2 }, count as usize)
}

/// The bits of the fields selected by `which`.
fn mask(register: &Register, which: impl Fn(&Content) -> bool) -> u64 {
    let fields = register.fields.iter().filter(|field| which(&field.content));
    fields.fold(0, |mask, field| mask | field.bits.mask())
}

fn of(register: &Register, wanted: Access) -> u64 {
    mask(register, |content| matches!(content, Content::Named(named) if named.access == wanted))
}

fn the_maps_agree<D: Device>() {
    for (register, row) in registers::<D>() {
        let name = &register.name;
        assert_eq!((name.as_str(), place(&register).1), (row.name, row.count));
        assert_eq!(of(&register, Access::ReadWrite), row.read_write, "{name}");
        assert_eq!(of(&register, Access::ReadOnly), row.read_only, "{name}");
        assert_eq!(of(&register, Access::WriteOneActs), row.write_one_to_act, "{name}");
        assert_eq!(of(&register, Access::WriteOneClears), row.write_one_to_clear, "{name}");
        assert_eq!(of(&register, Access::WriteOneSets), row.write_one_to_set, "{name}");
        let reserved = mask(&register, |content| matches!(content, Content::Reserved(_)));
        assert_eq!(reserved, !(row.readable() | row.write_one_to_act), "{name}");
        let other = |content: &Content| matches!(content, Content::Reserved(kind) if *kind != Reserved::Zero);
        assert_eq!(mask(&register, other), 0, "{name}: reserved bits read as zero");
        let [reset] = &register.resets[..] else { panic!("{name}: one core, one reset") };
        match reset.value {
            // The spec infers bits that the device leaves open.
            Some(value) => assert_eq!(value & !row.unknown, row.reset & !row.unknown, "{name}"),
            None => assert_ne!(row.unknown, 0, "{name}"),
        }
        let user = match register.user {
            Some(UserMode::Enabled) => UserAccess::Enabled,
            Some(UserMode::Never) => UserAccess::Never,
            Some(UserMode::Read) => UserAccess::Read,
            None => panic!("{name}: what can EL0 do?"),
        };
        assert_eq!(user, row.user, "{name}");
    }
}

/// Values that a register holds, each with a value that is written: each bit alone over zeros and
/// ones, and over each bit alone zeros, ones, the same and the opposite. Each bit meets all four
/// cases, and an effect of one bit on another is seen. All pairs of such values take eleven times
/// as long, and find no more.
fn held_and_written() -> impl Iterator<Item = (u64, u64)> {
    let patterns = || [0, u64::MAX].into_iter().chain((0..64).map(|bit| 1 << bit));
    let over_same = [0, u64::MAX]
        .into_iter()
        .flat_map(move |held| patterns().map(move |written| (held, written)));
    over_same.chain(
        patterns().flat_map(|held| [0, u64::MAX, held, !held].map(|written| (held, written))),
    )
}

/// Every bit of the first and the last element of every register.
fn every_bit_behaves_as_the_spec_says<D: Device>() {
    for (register, _) in registers::<D>() {
        let (name, (first, count)) = (&register.name, place(&register));
        let held = of(&register, Access::ReadWrite)
            | of(&register, Access::ReadOnly)
            | of(&register, Access::WriteOneClears)
            | of(&register, Access::WriteOneSets);
        for at in [first, first.plus(count - 1)] {
            for (before, written) in held_and_written() {
                let device = D::new();
                let bus = device.bus();
                device.poke(at, before);
                let old = bus.mrs(at);
                assert_eq!(old, before & held, "{name}: width");
                bus.msr(at, written);
                bus.synchronize();
                let expected = written & of(&register, Access::ReadWrite)
                    | old & of(&register, Access::ReadOnly)
                    | old & !written & of(&register, Access::WriteOneClears)
                    | (old | written) & of(&register, Access::WriteOneSets);
                assert_eq!(bus.mrs(at), expected, "{name}: {before:#x}, then {written:#x}");
            }
        }
    }
}

fn what_modify_and_write_start_from_harms_nothing<D: Device>() {
    for (register, row) in registers::<D>() {
        assert_eq!(register.keep(), row.read_write, "{}", register.name);
        assert_eq!(register.initial() & !row.read_write, 0, "{}", register.name);
    }
}
