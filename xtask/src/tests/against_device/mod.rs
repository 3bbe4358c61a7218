//! Compares every register of a spec with the simulated device: map, width, every bit, access.
//!
//! The device has the map typed from the documents a second time (ARCHITECTURE.md, rule 3). The
//! test compares the behaviour of registers by accesses, not only the device's table.

mod cp15;
mod fields;
mod memory;
mod sysreg;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::Path;
use std::sync::LazyLock;

use arm_pmu_sim::UserAccess;

use crate::generate::load::load;
use crate::generate::model::{Access, Content, Ip, Register, Reserved, UserMode};

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

/// From a row of the simulator, with the fields that only some kinds of registers have.
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

/// A simulated device, as far as this comparison needs it.
trait Device {
    const IP: &'static str;
    /// Unit of the IP.
    const UNIT: Option<usize>;
    /// Bits of a register.
    const WIDTH: u32;
    /// Bits that must be 1 and stay 1, if a write clears flags in the same register.
    const CLEARS_WHILE: u64 = 0;
    /// Address of a register.
    type Place: Ord + Copy + Debug;

    fn new() -> Self;
    /// Enables everything, or selects the first counter: registers hold written values.
    fn prepare(&self) {}
    /// The place of each element of a register.
    fn places(ip: &Ip, register: &Register) -> Vec<Self::Place>;
    fn rows() -> BTreeMap<Self::Place, Row>;
    /// Whether it enables or selects other registers: compared from its reset value on.
    fn is_switch(_: Self::Place) -> bool {
        false
    }
    /// Unpredictable bits read as ones or as zeros.
    fn set_noise(&self, _ones: bool) {}
    fn poke(&self, at: Self::Place, value: u64);
    fn load(&self, at: Self::Place) -> u64;
    fn store(&self, at: Self::Place, value: u64);
}

fn ip(name: &str) -> &'static Ip {
    /// Read once for all tests: cores share the files of their architecture.
    static ALL: LazyLock<Vec<Ip>> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        load(&root, &[]).expect("the specs have no problems").ips
    });
    ALL.iter().find(|ip| ip.name == name).expect("the named IP")
}

fn compare<D: Device>() {
    let ip = ip(D::IP);
    let registers = match D::UNIT {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    let mut rows = D::rows();
    for register in registers.iter().flat_map(Register::words) {
        let places = D::places(ip, &register);
        let last = places.len() - 1;
        for (number, at) in places.into_iter().enumerate() {
            let row = rows.remove(&at);
            let row = row.unwrap_or_else(|| panic!("the device has nothing at {at:?}"));
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
                every_bit_behaves_as_the_spec_says::<D>(&register, &row, at);
            }
        }
    }
    assert!(rows.is_empty(), "not in the spec: {:?}", rows.keys());
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
    assert_eq!(of(register, Access::ReadWrite), row.read_write, "{name}");
    assert_eq!(of(register, Access::ReadOnly), row.read_only, "{name}");
    assert_eq!(of(register, Access::WriteOnly), 0, "{name}");
    assert_eq!(of(register, Access::WriteOneActs), row.write_one_to_act, "{name}");
    assert_eq!(of(register, Access::WriteOneClears), row.write_one_to_clear, "{name}");
    assert_eq!(of(register, Access::WriteOneSets), row.write_one_to_set, "{name}");
    let reserved = |wanted| {
        mask(register, |content| matches!(content, Content::Reserved(is) if *is == wanted))
    };
    assert_eq!(reserved(Reserved::One), 0, "{name}");
    let sbz = reserved(Reserved::ShouldBeZero);
    assert_eq!(sbz, row.should_be_zero, "{name}");
    let sbzp = reserved(Reserved::ShouldBeZeroOrPreserved);
    assert_eq!(sbzp, row.should_be_zero_or_preserved & row.unpredictable, "{name}");
    // A register that reads as zero has the value `zero`, even after writes.
    let unpredictable = |content: &Content| match content {
        Content::Named(named) => named.reads_unpredictably,
        Content::Reserved(_) => false,
    };
    assert_eq!(sbz | sbzp | mask(register, unpredictable), row.unpredictable, "{name}");
    let [reset] = &register.resets[..] else { panic!("{name}: one unit, one reset") };
    match reset.value {
        // The spec infers bits that the device leaves open.
        Some(value) => {
            assert_eq!(value & !row.unknown, row.reset & !row.unknown, "{name}");
            assert!(row.unknown == 0 || row.user.is_some(), "{name}: known in memory");
        }
        // Unwritable bits have arbitrary values in the part that the device simulates.
        None => assert!(row.unknown != 0 || row.read_write == 0, "{name}"),
    }
    if let (Some(user), Some(of_row)) = (register.user, row.user) {
        let user = match user {
            UserMode::Enabled => UserAccess::Enabled,
            UserMode::Never => UserAccess::Never,
            UserMode::Read => UserAccess::Read,
        };
        assert_eq!(user, of_row, "{name}");
    }
}

fn modify_and_write_harm_nothing(register: &Register, row: &Row) {
    let preserved = row.should_be_zero_or_preserved & row.unpredictable;
    let reset = register.resets[0].value.unwrap_or(0);
    assert_eq!(register.keep(), row.read_write | preserved, "{}", register.name);
    assert_eq!(register.initial(), reset & row.read_write, "{}", register.name);
}

/// Values that a register holds, each with a value that is written: each bit alone over zeros and
/// ones, and over each bit alone zeros, ones, the same and the opposite. Each bit meets all four
/// cases, and an effect of one bit on another is seen. All pairs of such values take eleven times
/// as long, and find no more.
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

/// Every bit, with noise of both polarities where it reads unpredictably.
fn every_bit_behaves_as_the_spec_says<D: Device>(register: &Register, row: &Row, at: D::Place) {
    let name = &register.name;
    let [read_write, read_only, clears, sets] =
        [Access::ReadWrite, Access::ReadOnly, Access::WriteOneClears, Access::WriteOneSets]
            .map(|access| of(register, access));
    for noise in [false, true].into_iter().take(if row.unpredictable == 0 { 1 } else { 2 }) {
        let unpredictable = if noise { row.unpredictable } else { 0 };
        for (before, written) in held_and_written(D::WIDTH) {
            let device = D::new();
            if !D::is_switch(at) {
                device.prepare();
                device.poke(at, before);
            }
            device.set_noise(noise);
            let old = device.load(at);
            let held = before & (read_write | read_only | clears | sets);
            assert!(D::is_switch(at) || old == held | unpredictable, "{name}: width");
            device.store(at, written);
            let is_cleared = old & written & D::CLEARS_WHILE == D::CLEARS_WHILE;
            let cleared = if is_cleared { written } else { 0 };
            let expected = written & read_write
                | old & read_only
                | old & !cleared & clears
                | (old | written) & sets
                | unpredictable;
            assert_eq!(device.load(at), expected, "{name}: {before:#x}, then {written:#x}");
        }
    }
}
