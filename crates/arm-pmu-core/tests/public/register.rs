//! Support code of registers, tested on a fictitious register.

use std::cell::Cell;

use arm_pmu_core::bus::{
    Bus, ControlRegister, Location, MemorySpace, RegisterSpec, Space, Word as _,
};

use field::{
    BitReader, BitWriter, BitWriter1C, BitWriter1S, FieldReader, FieldSpec, FieldWriter, R,
    Readable, Reg, W, Writable,
};

mod field {
    arm_pmu_core::register_support!(u32);
}

enum Region {}
impl Space for Region {
    type Key = usize;
    type Permit = ();
}
impl MemorySpace for Region {
    const LENGTH: usize = 8;
}

/// Bits 31:28 `one`, 23:16 a field, bit 2 w1c, bit 1 w1, bit 0 rw with reset value 1.
struct Spec;
impl RegisterSpec for Spec {
    type Space = Region;
    type Ux = u32;
    const LOCATION: Location<Region> = Location::at((), 4);
    const INITIAL: u32 = 0xF000_0001;
    const KEEP: u32 = 0x00FF_0001;
}
impl Readable for Spec {}
impl Writable for Spec {}

/// Value of the register, and number of calls of `synchronize`.
struct Cells(Cell<u32>, Cell<u32>);

impl Cells {
    fn new(value: u32) -> Self {
        Self(Cell::new(value), Cell::new(0))
    }
}

impl Bus for Cells {
    type Space = Region;
    fn load<S: RegisterSpec<Space = Self::Space>>(&self, _: usize) -> S::Ux {
        // A bus that is wider than the register can return additional bits.
        S::Ux::truncate(u64::from(self.0.get()) | 1 << 40)
    }
    fn store<S: RegisterSpec<Space = Self::Space>>(&self, _: usize, value: S::Ux) {
        let value: u64 = value.into();
        self.0.set(value as u32);
    }
    fn synchronize(&self) {
        self.1.set(self.1.get() + 1);
    }
}

fn field(w: &mut W<Spec>) -> FieldWriter<'_, Spec, 8> {
    FieldWriter::new(w, 16)
}

#[test]
fn write_starts_from_the_initial_value() {
    let bus = Cells::new(0x0055_0007);
    let register = Reg::<Spec, _>::new(&bus, 0);
    register.write(|w| field(w).set(0xA5));
    assert_eq!(bus.0.get(), 0xF0A5_0001);
    register.write(|w| BitWriter::<Spec>::new(w, 0).clear_bit());
    assert_eq!(bus.0.get(), 0xF000_0000);
}

#[test]
fn modify_preserves_only_read_write_fields() {
    // The register reads as all ones, which includes a set flag in bit 2, and noise in bit 1 and
    // the reserved bits.
    let bus = Cells::new(u32::MAX);
    let register = Reg::<Spec, _>::new(&bus, 0);
    register.modify(|_, w| w);
    assert_eq!(bus.0.get(), 0xF0FF_0001, "neither the flag nor the action is repeated");
    bus.0.set(0);
    register.modify(|_, w| w);
    assert_eq!(bus.0.get(), 0xF000_0000, "a field that is 0 stays 0 whatever its reset value");
    bus.0.set(0x0012_0000);
    register.modify(|r, w| {
        assert_eq!(r.bits(), 0x0012_0000);
        BitWriter1C::new(BitWriter1S::new(w, 1).set_bit(), 2).clear_bit_by_one()
    });
    assert_eq!(bus.0.get(), 0xF012_0006);
}

#[test]
fn modify_from_takes_an_earlier_value() {
    let bus = Cells::new(u32::MAX);
    let register = Reg::<Spec, _>::new(&bus, 0);
    let old = register.read();
    bus.0.set(0x0034_0000);
    register.modify_from(old, |w| w);
    assert_eq!(bus.0.get(), 0xF0FF_0001, "the result keeps the same fields as `modify`");
    register.modify_from(R::from_bits(0x0012_0000), |w| BitWriter::<Spec>::new(w, 0).set_bit());
    assert_eq!(bus.0.get(), 0xF012_0001);
}

#[test]
fn bus_defaults_synchronize_and_never_fail() {
    let bus = Cells::new(0);
    Reg::<Spec, _>::new(&bus, 0).synchronize();
    assert_eq!((bus.1.get(), bus.error()), (1, None));
    assert_eq!(bus.read_control(ControlRegister::CurrentEl), None);
}

#[test]
fn a_field_changes_its_bits_only() {
    for old in 0..=255_u8 {
        for new in 0..=255_u8 {
            let value = W::<Spec>::encode(|w| field(field(w).set(old)).set(new));
            assert_eq!(value, 0xF000_0001 | u32::from(new) << 16);
        }
    }
    let narrow = W::<Spec>::encode(|w| FieldWriter::<Spec, 3>::new(w, 4).set(0xFF));
    assert_eq!(narrow, 0xF000_0071, "`modify_from` keeps the fields that `modify` keeps");
    let whole = W::<Spec>::encode(|w| FieldWriter::<Spec, 32, u32>::new(w, 0).set(0x1234_5678));
    assert_eq!(whole, 0x1234_5678);
}

#[test]
fn values_are_decoded_without_a_device() {
    let value = R::<Spec>::from_bits(7);
    assert_eq!(value.bits(), 7);
    assert!(value == R::<Spec>::from_bits(7) && value != R::<Spec>::from_bits(8));
    assert_eq!(FieldReader::<u16>::new(9).bits(), 9);
    for value in [false, true] {
        let bit = BitReader::<bool>::new(value);
        assert_eq!((bit.bit(), bit.bit_is_set(), bit.bit_is_clear()), (value, value, !value));
        assert_eq!(format!("{bit:?} {:?}", FieldReader::<u8>::new(9)), format!("{value} 9"));
    }
}

/// Named values of a bit and of an 8-bit field, as in generated code.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Low = 1,
    High = 0x80,
}
impl From<Named> for u8 {
    fn from(value: Named) -> Self {
        value as _
    }
}
impl From<Named> for bool {
    fn from(value: Named) -> Self {
        value == Named::High
    }
}
impl FieldSpec for Named {
    type Ux = u8;
}

#[test]
fn named_values_are_written_and_compared() {
    fn field(w: &mut W<Spec>) -> FieldWriter<'_, Spec, 8, Named> {
        FieldWriter::new(w, 16)
    }
    fn bit(w: &mut W<Spec>) -> BitWriter<'_, Spec, Named> {
        BitWriter::new(w, 5)
    }
    let written = W::<Spec>::encode(|w| field(w).variant(Named::High));
    assert_eq!(written, 0xF080_0001);
    assert_eq!(W::<Spec>::encode(|w| field(w).set(0x7F)), 0xF07F_0001, "or one without");
    let read = FieldReader::<Named>::new(0x80);
    assert!(read == Named::High && read != Named::Low && read == FieldReader::new(0x80));
    assert_eq!((read.bits(), format!("{read:?}")), (0x80, "128".to_owned()));

    let written =
        [Named::Low, Named::High].map(|value| W::<Spec>::encode(|w| bit(w).variant(value)));
    assert_eq!(written, [0xF000_0001, 0xF000_0021]);
    let read = BitReader::<Named>::new(true);
    assert!(read == Named::High && read != Named::Low && read.bit());
}
