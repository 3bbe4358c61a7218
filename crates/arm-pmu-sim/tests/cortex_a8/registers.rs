//! Contents of a Cortex-A8's performance monitor registers.

use crate::cp15::{self, Mapped};
use crate::words::*;
use arm_pmu_core::bus::{Bus, Cp15Space, Location, Operands, RegisterSpec, Space};
use arm_pmu_sim::{CortexA8, Cp15Register, Noise, UserAccess, Violation};

#[test]
fn the_map_has_no_contradictions() {
    cp15::check_map(CortexA8::REGISTERS);
}

/// One register as documented: operands, number behind them, and masks.
#[derive(Debug, PartialEq)]
struct Expected {
    at: u32,
    count: usize,
    user: UserAccess,
    held_at: u32,
    read_only: u32,
    read_write: u32,
    acts: u32,
    clears: u32,
    sets: u32,
    noise: u32,
    preserved: u32,
    reset: u32,
    unknown: u32,
}

const NONE: Expected = Expected {
    at: 0,
    count: 1,
    user: UserAccess::Enabled,
    held_at: 0,
    read_only: 0,
    read_write: 0,
    acts: 0,
    clears: 0,
    sets: 0,
    noise: 0,
    preserved: 0,
    reset: 0,
    unknown: 0,
};

#[test]
fn the_registers_are_where_the_documents_say() {
    const GAP: u32 = 0x7FFF_FFF0;
    const BITS: Expected = Expected { noise: GAP, preserved: GAP, unknown: EACH, ..NONE };
    const NEVER: UserAccess = UserAccess::Never;
    let expected = [
        Expected {
            at: 0x09C0,
            held_at: 0x09C0,
            read_only: 0xFFFF_F800,
            read_write: 0x39,
            acts: 0x6,
            preserved: 0x7C0,
            reset: 0x4100_2000,
            ..NONE
        },
        Expected { at: 0x09C1, held_at: 0x09C1, sets: EACH, ..BITS },
        Expected { at: 0x09C2, held_at: 0x09C1, clears: EACH, ..BITS },
        Expected { at: 0x09C3, held_at: 0x09C3, clears: EACH, ..BITS },
        Expected { at: 0x09C4, held_at: 0x09C4, acts: 0xF, preserved: !0xF, ..NONE },
        Expected {
            at: 0x09C5,
            held_at: 0x09C5,
            read_write: 0x1F,
            preserved: !0x1F,
            unknown: 0x1F,
            ..NONE
        },
        Expected { at: 0x09D0, held_at: 0x09D0, read_write: !0, unknown: !0, ..NONE },
        Expected {
            at: 0x09D1,
            held_at: 0x09D1,
            count: 4,
            read_write: 0xFF,
            preserved: !0xFF,
            unknown: 0xFF,
            ..NONE
        },
        Expected { at: 0x09D2, held_at: 0x09D2, count: 4, read_write: !0, unknown: !0, ..NONE },
        Expected {
            at: 0x09E0,
            held_at: 0x09E0,
            user: UserAccess::Read,
            read_write: 1,
            preserved: !1,
            ..NONE
        },
        Expected { at: 0x09E1, held_at: 0x09E1, user: NEVER, sets: EACH, ..BITS },
        Expected { at: 0x09E2, held_at: 0x09E1, user: NEVER, clears: EACH, ..BITS },
    ];
    let found = CortexA8::REGISTERS.iter().map(|row| {
        assert_eq!(row.should_be_zero, 0);
        let Cp15Register { count, user, read_only, read_write, .. } = *row;
        Expected {
            at: cp15::number(row.operands),
            count,
            user,
            held_at: cp15::number(row.held_at),
            read_only,
            read_write,
            acts: row.write_one_to_act,
            clears: row.write_one_to_clear,
            sets: row.write_one_to_set,
            noise: row.unpredictable,
            preserved: row.should_be_zero_or_preserved,
            reset: row.reset,
            unknown: row.unknown,
        }
    });
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn bits_behave_as_their_masks_say() {
    let device = CortexA8::new();
    for counter in 0..4 {
        Mapped {
            registers: CortexA8::REGISTERS,
            bus: device.bus(),
            peek: &|operands| device.peek(operands),
            poke: &|operands, value| device.poke(operands, value),
            set_noise: &|noise| device.set_noise(noise),
            enable_everything: &|| {
                device.poke(PMCR, RESET);
                device.poke(PMSELR, counter);
            },
            clears: &|_, _, _| true,
        }
        .check_every_bit();
    }
}

#[test]
fn one_register_sets_and_another_clears() {
    let device = quiet();
    device.set_noise(Noise::Zeros);
    let bus = device.bus();
    for (set, clear) in [(PMCNTENSET, PMCNTENCLR), (PMINTENSET, PMINTENCLR)] {
        bus.mcr(set, 0x8000_0005);
        bus.mcr(set, 0x2);
        bus.mcr(set, 0);
        assert_eq!((bus.mrc(set), bus.mrc(clear)), (0x8000_0007, 0x8000_0007));
        bus.mcr(clear, 0x8000_0003);
        bus.mcr(clear, 0);
        assert_eq!((bus.mrc(set), bus.mrc(clear)), (0x4, 0x4));
    }
}

#[test]
fn identification_is_read_only() {
    let device = CortexA8::new();
    let bus = device.bus();
    assert_eq!(bus.mrc(PMCR), RESET);
    bus.mcr(PMCR, 0);
    assert_eq!(bus.mrc(PMCR), RESET);
    assert_eq!(CortexA8::MIDR & 0xFF00_FFF0, 0x4100_C080);
}

#[test]
fn each_counter_has_its_own_event_and_count() {
    let device = quiet();
    let bus = device.bus();
    for counter in 0..4 {
        select(&bus, counter);
        bus.mcr(PMXEVTYPER, 0x40 + counter);
        bus.mcr(PMXEVCNTR, 100 + counter);
    }
    bus.synchronize();
    for counter in 0..4_usize {
        assert_eq!(device.peek_event(counter), 0x40 + counter as u8);
        assert_eq!(device.peek_counter(counter), 100 + counter as u32);
        select(&bus, counter as u32);
        assert_eq!(bus.mrc(PMXEVTYPER), 0x40 + counter as u32);
        assert_eq!(bus.mrc(PMXEVCNTR), 100 + counter as u32);
        assert_eq!(device.peek(PMXEVCNTR), 100 + counter as u32, "that is selected");
        device.poke(PMXEVTYPER, 0x50);
        assert_eq!(device.peek_event(counter), 0x50);
        device.poke_counter(counter, 7);
        device.poke_event(counter, 0x51);
        assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (7, 0x51));
    }
    assert_eq!(device.violations(), []);
}

/// The cycle counter, as drivers have it.
enum Count {}

enum Pmu {}
impl Space for Pmu {
    type Key = Operands;
    type Permit = ();
}
impl Cp15Space for Pmu {}
impl RegisterSpec for Count {
    type Space = Pmu;
    type Ux = u32;
    const LOCATION: Location<Pmu> = Location::cp15((), PMCCNTR);
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

#[test]
fn drivers_reach_registers_by_type() {
    let device = quiet();
    let bus = device.bus();
    bus.store::<Count>(0, 0x1234_5678);
    assert_eq!(bus.load::<Count>(0), 0x1234_5678);
    assert!(bus.error().is_none());
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "register index out of range"))]
fn a_register_is_there_once() {
    let device = quiet();
    assert_eq!(device.bus().load::<Count>(1), 0);
}

#[test]
fn reserved_bits_are_zero_or_preserved() {
    let device = quiet();
    device.set_posted_stores(false);
    let bus = device.bus();
    let of = |operands, bits| Violation::ReservedBits { operands, bits };
    for row in CortexA8::REGISTERS {
        let reserved = row.should_be_zero_or_preserved;
        device.set_noise(Noise::Ones);
        make_quiet(&device);
        device.clear_violations();
        let read = bus.mrc(row.operands);
        bus.mcr(row.operands, read & row.unpredictable);
        assert_eq!(device.violations(), [], "{} written back", row.name);
        device.set_noise(Noise::Zeros);
        let _ = bus.mrc(row.operands);
        bus.mcr(row.operands, reserved);
        let is_ignored = reserved == 0 || row.write_one_to_clear != 0;
        let expected = if is_ignored { vec![] } else { vec![of(row.operands, reserved)] };
        assert_eq!(device.violations(), expected, "{} was zero", row.name);
    }
}

#[test]
fn everything_else_is_undefined() {
    for operands in cp15::all_operands() {
        let device = CortexA8::new();
        device.set_user_access(true);
        let defined = |at: &Operands| CortexA8::REGISTERS.iter().any(|row| row.operands == *at);
        for operands in operands.into_iter().filter(|at| !defined(at)) {
            let (load, store, user) = (device.bus(), device.bus(), device.user_bus());
            assert_eq!(load.mrc(operands), 0);
            store.mcr(operands, u32::MAX);
            user.mcr(operands, u32::MAX);
            for bus in [load, store, user] {
                assert!(bus.error().is_some(), "{operands:?}");
            }
        }
        assert_eq!(device.violations(), []);
    }
}
