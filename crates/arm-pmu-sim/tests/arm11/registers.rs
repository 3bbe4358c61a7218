//! Registers of an ARM11's performance monitor, and access rights to them.

use crate::cp15::{self, Mapped};
use crate::words::*;
use arm_pmu_core::bus::{Bus, Cp15Space, Location, Operands, RegisterSpec, Space};
use arm_pmu_sim::{Arm11, Cp15Register, Noise, UserAccess, Violation};

#[test]
fn the_maps_have_no_contradictions() {
    each(|device| cp15::check_map(device.registers()));
}

#[test]
fn each_core_has_its_own_map() {
    let maps = [Arm11::ARM1136_REGISTERS, Arm11::ARM1156_REGISTERS, Arm11::ARM1176_REGISTERS];
    let of_devices = [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()];
    assert_eq!(of_devices.map(|device| device.registers()), maps);
}

#[test]
fn the_registers_are_where_the_documents_say() {
    for (device, fast, unknown_counts, validation) in [
        (Arm11::arm1136(), 0, [u32::MAX, 0, 0], false),
        (Arm11::arm1156(), 0x7000_0000, [u32::MAX; 3], false),
        (Arm11::arm1176(), 0, [0; 3], true),
    ] {
        // Operands, bits that can be written and read, that clear, that act, that read as noise, that
        // should be zero, and that are unknown after reset.
        let mut expected = vec![(
            0x0FC0,
            0x0FFF_F879 | fast,
            0x700,
            0x6,
            0xF000_0086 & !fast,
            0xF000_0080 & !fast,
            0x0FFF_F000 | fast,
        )];
        for (nth, unknown) in unknown_counts.into_iter().enumerate() {
            expected.push((0x0FC1 + nth as u32, u32::MAX, 0, 0, 0, 0, unknown));
        }
        if validation {
            expected.push((0x0F90, 1, 0, 0, u32::MAX - 1, 0, 0));
        }
        let found: Vec<_> = device
            .registers()
            .iter()
            .map(|row| {
                let Cp15Register { read_write, write_one_to_clear, write_one_to_act, .. } = *row;
                let Cp15Register { unpredictable, should_be_zero, unknown, .. } = *row;
                let at = cp15::number(row.operands);
                (
                    at,
                    read_write,
                    write_one_to_clear,
                    write_one_to_act,
                    unpredictable,
                    should_be_zero,
                    unknown,
                )
            })
            .collect();
        assert_eq!(found, expected);
        for row in device.registers() {
            assert_eq!((row.reset, row.read_only, row.write_one_to_set, row.count), (0, 0, 0, 1));
            let at_validation = row.operands == VALIDATION;
            let preserved = if at_validation { u32::MAX - 1 } else { 0 };
            assert_eq!(row.should_be_zero_or_preserved, preserved);
            let user = if at_validation { UserAccess::Never } else { UserAccess::Enabled };
            assert_eq!((row.user, row.held_at), (user, row.operands));
            let known = !row.unknown & !row.unpredictable;
            assert_eq!(device.peek(row.operands) & known, 0, "{}", row.name);
        }
    }
}

#[test]
fn bits_behave_as_their_masks_say() {
    each(|device| {
        Mapped {
            registers: device.registers(),
            bus: device.bus(),
            peek: &|operands| device.peek(operands),
            poke: &|operands, value| device.poke(operands, value),
            set_noise: &|noise| device.set_noise(noise),
            enable_everything: &|| {},
            clears: &|_, before, value| before & value & E != 0,
        }
        .check_every_bit();
    });
}

#[test]
fn everything_else_is_undefined() {
    for make in [Arm11::arm1136, Arm11::arm1156, Arm11::arm1176] {
        for operands in cp15::all_operands() {
            let device = make();
            device.set_user_access(true);
            let contents = || -> Vec<u32> {
                device.registers().iter().map(|row| device.peek(row.operands)).collect()
            };
            let before = contents();
            let defined = |at: &Operands| device.registers().iter().any(|row| row.operands == *at);
            for operands in operands.into_iter().filter(|at| !defined(at)) {
                let (load, store, user) = (device.bus(), device.bus(), device.user_bus());
                assert_eq!(load.mrc(operands), 0);
                store.mcr(operands, u32::MAX);
                user.mcr(operands, u32::MAX);
                for bus in [load, store, user] {
                    assert!(bus.error().is_some(), "{operands:?}");
                }
            }
            assert_eq!(contents(), before);
        }
    }
}

#[test]
fn each_mode_reaches_the_registers_of_the_manual() {
    each(|device| {
        device.set_posted_stores(false);
        for open in [false, true] {
            for row in device.registers() {
                for user in [false, true] {
                    for store in [false, true] {
                        device.set_user_access(open);
                        device.poke(CONTROL, 0);
                        let bus = if user { device.user_bus() } else { device.bus() };
                        if store {
                            bus.mcr(row.operands, E);
                        } else {
                            let _ = bus.mrc(row.operands);
                        }
                        let admitted = !user || open && row.operands != VALIDATION;
                        assert_eq!(bus.error().is_none(), admitted, "{} {user} {open}", row.name);
                        if store && row.operands == CONTROL {
                            assert_eq!(device.peek(CONTROL), u32::from(admitted));
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn v_opens_an_arm1176_once_the_write_took_effect() {
    let device = Arm11::arm1176();
    let (bus, early, late) = (device.bus(), device.user_bus(), device.user_bus());
    bus.mcr(VALIDATION, 1);
    early.mcr(CYCLES, 1);
    assert!(early.error().is_some());
    bus.synchronize();
    assert_eq!(late.mrc(CYCLES), 0, "the refused write is no more");
    assert!(late.error().is_none());
    bus.mcr(VALIDATION, 0);
    bus.synchronize();
    assert_eq!((late.mrc(CYCLES), late.error().is_some()), (0, true));
    device.set_user_access(true);
    assert_eq!(device.peek(VALIDATION), 1);
    device.set_user_access(false);
    assert_eq!(device.peek(VALIDATION), 0);
}

#[test]
fn drivers_reach_registers_by_type() {
    enum Control {}
    enum Pmu {}
    impl Space for Pmu {
        type Key = Operands;
        type Permit = ();
    }
    impl Cp15Space for Pmu {}
    impl RegisterSpec for Control {
        type Space = Pmu;
        type Ux = u32;
        const LOCATION: Location<Pmu> = Location::cp15((), CONTROL);
        const INITIAL: u32 = 0;
        const KEEP: u32 = 0;
    }
    each(|device| {
        device.set_noise(Noise::Zeros);
        let bus = device.bus();
        bus.store::<Control>(0, E);
        assert_eq!(bus.load::<Control>(0), E);
        assert!(bus.error().is_none());
    });
}

#[test]
fn noise_in_control_differs_from_read_to_read() {
    each(|device| {
        let bus = device.bus();
        let row = device.registers()[0];
        let reads: Vec<u32> = (0..64).map(|_| bus.mrc(CONTROL)).collect();
        let (all, any) =
            reads.iter().fold((u32::MAX, 0), |(all, any), read| (all & read, any | read));
        assert_eq!(!all & any, row.unpredictable, "each of these bits was both, and no other");
    });
}

#[test]
fn ones_in_sbz_bits_are_violations() {
    each(|device| {
        let bus = device.bus();
        let sbz = device.registers()[0].should_be_zero;
        bus.mcr(CONTROL, !sbz & !selecting(0xFF, 0xFF));
        bus.synchronize();
        assert_eq!(device.violations(), []);
        // Writing back a value read before is a violation too.
        device.set_noise(Noise::Ones);
        let read = bus.mrc(CONTROL);
        bus.mcr(CONTROL, read & sbz);
        assert_eq!(device.violations(), [], "not before it takes effect");
        bus.synchronize();
        let reserved = Violation::ReservedBits { operands: CONTROL, bits: sbz };
        assert_eq!(device.violations(), [reserved]);
        device.clear_violations();
        bus.mcr(CONTROL, 1 << 7);
        bus.synchronize();
        let reserved = Violation::ReservedBits { operands: CONTROL, bits: 1 << 7 };
        assert_eq!(device.violations(), [reserved]);
    });
}
