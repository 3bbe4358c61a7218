//! Compares every register of a spec with the simulated device: map, width, every bit, access.
//!
//! The device's map was typed from the documents a second time (ARCHITECTURE.md, rule 3). The
//! test compares the behaviour of registers by accesses, not only the device's table.

mod devices;
mod fields;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arm_pmu_sim::UserAccess;

use crate::generate::load::load;
use crate::generate::model::{Access, Content, Ip, Location, Register, Reserved, Space};
use crate::tests::root;

/// A row of a device's table.
#[derive(Clone, Copy, Default)]
struct Row {
    read_write: u64,
    read_only: u64,
    write_one_to_act: u64,
    write_one_to_clear: u64,
    write_one_to_set: u64,
    unpredictable: u64,
    should_be_zero: u64,
    should_be_zero_or_preserved: u64,
    reset: u64,
    unknown: u64,
    /// Of a core.
    user: Option<UserAccess>,
}

/// Converts a row of the simulator, and adds the fields that only some kinds of registers have.
macro_rules! row {
    ($row:ident $($more:ident: $value:expr),*) => {{
        #[allow(clippy::needless_update, reason = "CP15 has all fields")]
        let row = super::Row {
            read_write: $row.read_write.into(),
            read_only: $row.read_only.into(),
            write_one_to_act: $row.write_one_to_act.into(),
            write_one_to_clear: $row.write_one_to_clear.into(),
            write_one_to_set: $row.write_one_to_set.into(),
            reset: $row.reset.into(),
            unknown: $row.unknown.into(),
            $($more: $value,)*
            ..super::Row::default()
        };
        row
    }};
}
use row;

/// Packs the numbers of an encoding into one number; the first is in the highest bits.
const fn packed(parts: &[u8]) -> u64 {
    match parts {
        [] => 0,
        [before @ .., last] => packed(before) << 8 | *last as u64,
    }
}

/// Returns the addresses of a register's elements.
fn places(ip: &Ip, unit: Option<usize>, register: &Register) -> Vec<u64> {
    let packed = |parts: &[u32]| -> u64 {
        let parts = parts
            .iter()
            .map(|part| u8::try_from(*part).expect("each part of an encoding fits in a byte"));
        packed(&parts.collect::<Vec<_>>())
    };
    match register.location {
        Location::Memory { page, offset, count, stride, .. } => {
            let base = match (page, unit) {
                (Some(page), Some(unit)) => ip.units[unit].pages[page].offset,
                _ => 0,
            };
            (0..count).map(|number| (base + offset + number * stride).into()).collect()
        }
        Location::Cp15 { operands: at, .. } => {
            vec![packed(&[at.opc1, at.crn, at.crm, at.opc2])]
        }
        Location::System { register: of, count, .. } => {
            // CRm and op2 count as one number.
            let numbers = (0..count).map(|number| of.crm * 8 + of.op2 + number);
            numbers.map(|at| packed(&[of.op0, of.op1, of.crn, at / 8, at % 8])).collect()
        }
    }
}

/// The length of the device, or of all its pages.
fn length(ip: &Ip, unit: Option<usize>) -> usize {
    let length = match &ip.space {
        Space::Region { length } => *length,
        Space::Pages(pages) => {
            let unit = &ip.units[unit.expect("a unit")];
            let ends = pages.iter().zip(&unit.pages).map(|(page, at)| at.offset + page.length);
            ends.max().expect("a page")
        }
        Space::Cp15 | Space::System => panic!("not in memory"),
    };
    length as usize
}

/// A simulated device with its register table; `ip` and `unit` name the spec that describes the
/// device.
///
/// The functions take offsets or packed encodings.
struct Comparison<'c, D> {
    ip: &'c str,
    unit: Option<usize>,
    new: fn() -> D,
    poke: fn(&D, u64, u64),
    load: fn(&D, u64) -> u64,
    store: fn(&D, u64, u64),
    /// Makes unpredictable bits read as ones, or as zeros.
    set_noise: fn(&D, bool),
    /// Bits that must be 1 and stay 1, if a write clears flags in the same register.
    clears_while: u64,
    /// Registers that enable or select other registers. Each comparison first gives them their reset values.
    switches: &'c [u64],
    /// Values that enable everything, or select the first counter. Without these values, some registers would not keep
    /// what is written to them.
    prepared: &'c [(u64, u64)],
    rows: BTreeMap<u64, Row>,
}

fn ip(name: &str) -> &'static Ip {
    /// Read once for all tests: cores share the files of their architecture.
    static ALL: LazyLock<Vec<Ip>> =
        LazyLock::new(|| load(root()).expect("the specs have no problems").ips);
    ALL.iter().find(|ip| ip.name == name).expect("the named IP")
}

impl<D> Comparison<'_, D> {
    fn run(mut self) {
        let ip = ip(self.ip);
        let registers = match self.unit {
            Some(unit) => ip.registers_of(unit),
            None => ip.registers.clone(),
        };
        let prepared = self.prepared.iter().copied();
        let prepared: Vec<_> = prepared.filter(|(at, _)| self.rows.contains_key(at)).collect();
        for register in registers.iter().flat_map(Register::words) {
            let places = places(ip, self.unit, &register);
            let last = places.len() - 1;
            for (number, at) in places.into_iter().enumerate() {
                let row = self.rows.remove(&at);
                let row = row.unwrap_or_else(|| panic!("the device has nothing at {at:#x}"));
                // Fields of this element.
                let mut register = register.clone();
                register.fields.retain(|field| match &field.content {
                    Content::Named(named) => {
                        named.elements.is_empty() || named.elements.contains(&(number as u32))
                    }
                    Content::Reserved(_) => true,
                });
                the_maps_agree(&register, &row);
                if number == 0 {
                    modify_and_write_harm_nothing(&register, &row);
                }
                if number == 0 || number == last {
                    self.every_bit_behaves_as_the_spec_says(&register, &row, at, &prepared);
                }
            }
        }
        assert!(self.rows.is_empty(), "not in the spec: {:x?}", self.rows.keys());
    }

    /// Checks every bit, with noise of both polarities in unpredictable bits.
    fn every_bit_behaves_as_the_spec_says(
        &self,
        register: &Register,
        row: &Row,
        at: u64,
        prepared: &[(u64, u64)],
    ) {
        use Access::{ReadOnly, ReadWrite, WriteOneClears, WriteOneSets};

        let name = &register.name;
        let [read_write, read_only, clears, sets] =
            [ReadWrite, ReadOnly, WriteOneClears, WriteOneSets].map(|access| of(register, access));
        let is_switch = self.switches.contains(&at);
        let width = if let Location::System { .. } = register.location { 64 } else { 32 };
        for noise in [false, true].into_iter().take(if row.unpredictable == 0 { 1 } else { 2 }) {
            let unpredictable = if noise { row.unpredictable } else { 0 };
            for (before, written) in held_and_written(width) {
                let device = (self.new)();
                if !is_switch {
                    prepared.iter().for_each(|(at, value)| (self.poke)(&device, *at, *value));
                    (self.poke)(&device, at, before);
                }
                (self.set_noise)(&device, noise);
                let old = (self.load)(&device, at);
                let held = before & (read_write | read_only | clears | sets);
                assert!(is_switch || old == held | unpredictable, "{name}: width");
                (self.store)(&device, at, written);
                let is_cleared = old & written & self.clears_while == self.clears_while;
                let cleared = if is_cleared { written } else { 0 };
                let expected = written & read_write
                    | old & read_only
                    | old & !cleared & clears
                    | (old | written) & sets
                    | unpredictable;
                assert_eq!(
                    (self.load)(&device, at),
                    expected,
                    "{name}: {before:#x}, then {written:#x}"
                );
            }
        }
    }
}

/// The bits of the fields selected by `which`.
fn mask(register: &Register, which: impl Fn(&Content) -> bool) -> u64 {
    let fields = register.fields.iter().filter(|field| which(&field.content));
    fields.fold(0, |mask, field| mask | field.bits.mask())
}

fn of(register: &Register, wanted: Access) -> u64 {
    mask(register, |content| matches!(content, Content::Named(named) if named.access == wanted))
}

fn the_maps_agree(register: &Register, row: &Row) {
    let name = &register.name;
    for (access, bits) in [
        (Access::ReadWrite, row.read_write),
        (Access::ReadOnly, row.read_only),
        (Access::WriteOnly, 0),
        (Access::WriteOneActs, row.write_one_to_act),
        (Access::WriteOneClears, row.write_one_to_clear),
        (Access::WriteOneSets, row.write_one_to_set),
    ] {
        assert_eq!(of(register, access), bits, "{name}: {access:?}");
    }
    let reserved = |wanted| {
        mask(register, |content| matches!(content, Content::Reserved(is) if *is == wanted))
    };
    let sbz = reserved(Reserved::ShouldBeZero);
    let sbzp = reserved(Reserved::ShouldBeZeroOrPreserved);
    let expected = [0, row.should_be_zero, row.should_be_zero_or_preserved & row.unpredictable];
    assert_eq!([reserved(Reserved::One), sbz, sbzp], expected, "{name}");
    // A register that reads as zero has the value `zero`, even after writes.
    let unpredictable = |content: &Content| match content {
        Content::Named(named) => named.reads_unpredictably,
        Content::Reserved(_) => false,
    };
    assert_eq!(sbz | sbzp | mask(register, unpredictable), row.unpredictable, "{name}");
    let [reset] = &register.resets[..] else { panic!("{name}: not exactly one reset value") };
    match reset.value {
        // Some bits are unknown in the device, but the spec has an inferred value.
        Some(value) => {
            assert_eq!(value & !row.unknown, row.reset & !row.unknown, "{name}");
            assert!(row.unknown == 0 || row.user.is_some(), "{name}: known in memory");
        }
        // If the spec gives no reset value, the device has unknown bits, or bits that cannot be
        // written and have the values of one part.
        None => assert!(row.unknown != 0 || row.read_write == 0, "{name}"),
    }
    if let (Some(user), Some(of_row)) = (register.user, row.user) {
        assert_eq!(format!("{user:?}"), format!("{of_row:?}"), "{name}");
    }
}

fn modify_and_write_harm_nothing(register: &Register, row: &Row) {
    let preserved = row.should_be_zero_or_preserved & row.unpredictable;
    let reset = register.resets[0].value.unwrap_or(0);
    assert_eq!(register.keep(), row.read_write | preserved, "{}", register.name);
    assert_eq!(register.initial(), reset & row.read_write, "{}", register.name);
}

/// Pairs of values: one that the register holds, and one that is then written. Each single bit is written over zeros
/// and over ones; zeros, ones, the same bit and its complement are written over each single bit. So each bit is tested
/// in all four cases (0 or 1 is written over 0 or 1), and an effect of one bit on another is detected. A test with all
/// pairs of such values takes eleven times as long, and finds no further mistake.
fn held_and_written(width: u32) -> impl Iterator<Item = (u64, u64)> {
    let ones = u64::MAX >> (64 - width);
    let patterns = move || [0, ones].into_iter().chain((0..width).map(|bit| 1 << bit));
    let over_same =
        [0, ones].into_iter().flat_map(move |held| patterns().map(move |written| (held, written)));
    over_same.chain(
        patterns()
            .flat_map(move |held| [0, ones, held, !held & ones].map(|written| (held, written))),
    )
}
