//! Checks of CP15 register maps, for the tests of all devices with CP15 registers.
// Each test crate has its own copy, and not all use everything.
#![allow(dead_code)]

use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::{AnyOperands, Cp15Bus, Cp15Register, Noise};

/// A device, as its register map sees it.
pub(crate) struct Mapped<'a> {
    pub(crate) registers: &'static [Cp15Register],
    pub(crate) bus: Cp15Bus<'a, AnyOperands>,
    pub(crate) peek: &'a dyn Fn(Operands) -> u32,
    pub(crate) poke: &'a dyn Fn(Operands, u32),
    pub(crate) set_noise: &'a dyn Fn(Noise),
    /// Provides for whatever an access to any register can need.
    pub(crate) enable_everything: &'a dyn Fn(),
    /// Whether a write to this register clears flags, with these contents before.
    pub(crate) clears: &'a dyn Fn(&Cp15Register, u32, u32) -> bool,
}

/// Operands as a number, in the order of the manuals.
pub(crate) fn number(operands: Operands) -> u32 {
    let Operands { opc1, crn, crm, opc2 } = operands;
    [opc1, crn, crm, opc2].into_iter().fold(0, |number, operand| number << 4 | u32::from(operand))
}

/// All operands that instructions can have, in lists of those with the same `opc1` and `crn`.
pub(crate) fn all_operands() -> impl Iterator<Item = Vec<Operands>> {
    (0..1 << 7).map(|first: u8| {
        let (opc1, crn) = (first >> 4, first & 0xF);
        let others = (0..1 << 7).map(|last: u8| (last >> 3, last & 0x7));
        others.map(|(crm, opc2)| Operands { opc1, crn, crm, opc2 }).collect()
    })
}

/// No two registers have the same operands, no bit is of two kinds.
pub(crate) fn check_map(registers: &'static [Cp15Register]) {
    for (nth, row) in registers.iter().enumerate() {
        let earlier = &registers[..nth];
        assert!(earlier.iter().all(|other| other.operands != row.operands), "{}", row.name);
        assert!(registers.iter().any(|other| other.operands == row.held_at), "{}", row.name);
        let masks = [
            row.read_write,
            row.read_only,
            row.write_one_to_act,
            row.write_one_to_clear,
            row.write_one_to_set,
            row.should_be_zero,
            row.should_be_zero_or_preserved,
        ];
        let bits: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        let joined = masks.iter().fold(0, |joined, mask| joined | mask);
        assert_eq!(bits, joined.count_ones(), "a bit of {} is of two kinds", row.name);
        assert_eq!(row.unpredictable & row.readable(), 0, "{}", row.name);
        assert_eq!(row.reset & !row.readable(), 0, "{}", row.name);
        assert_eq!(row.unknown & (row.reset | row.read_only | !row.readable()), 0, "{}", row.name);
    }
}

impl Mapped<'_> {
    /// Writes zeros, ones and single bits to every register.
    pub(crate) fn check_every_bit(&self) {
        let values = [0, u32::MAX, 0x5555_5555].into_iter().chain((0..32).map(|bit| 1 << bit));
        for row in self.registers {
            for value in values.clone() {
                for before in [0, u32::MAX] {
                    (self.enable_everything)();
                    (self.poke)(row.operands, before);
                    let held = (self.peek)(row.operands);
                    assert_eq!(held, before & row.readable(), "{}", row.name);
                    let cleared = match (self.clears)(row, held, value) {
                        true => value & row.write_one_to_clear,
                        false => 0,
                    };
                    self.bus.mcr(row.operands, value);
                    self.bus.synchronize();
                    let kept = held & !row.read_write & !cleared;
                    let expected = kept | value & (row.read_write | row.write_one_to_set);
                    let context = format!("{} {before:#x} {value:#x}", row.name);
                    assert_eq!((self.peek)(row.operands), expected, "{context}");
                    for (noise, bits) in [(Noise::Zeros, 0), (Noise::Ones, row.unpredictable)] {
                        (self.set_noise)(noise);
                        assert_eq!(self.bus.mrc(row.operands), expected | bits, "{context}");
                    }
                }
            }
        }
    }
}
