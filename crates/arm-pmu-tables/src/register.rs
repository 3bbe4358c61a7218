//! Registers and their fields.

use crate::Origin;
use crate::table::table;
use crate::words::words;

/// Bits of a register, the high one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, transform = in_order)
)]
pub struct Bits {
    /// The highest bit.
    pub high: u32,
    /// The lowest bit.
    pub low: u32,
}

/// The high bit is not below the low one.
#[cfg(feature = "schema")]
fn in_order(schema: &mut schemars::Schema) {
    let from = |low: u32| {
        schemars::json_schema!({
            "properties": { "high": { "minimum": low, "maximum": 63 }, "low": { "const": low } }
        })
    };
    let all: alloc::vec::Vec<_> = (0..64).map(from).collect();
    schema.insert("anyOf".into(), all.into());
}

impl Bits {
    /// These bits.
    #[must_use]
    pub const fn new(high: u32, low: u32) -> Self {
        Self { high, low }
    }

    /// Number of bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.high - self.low + 1
    }

    /// A value with all these bits set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width())) << self.low
    }

    /// Their value in a word.
    #[must_use]
    pub const fn of(self, word: u32) -> u32 {
        ((word as u64 & self.mask()) >> self.low) as u32
    }
}

/// `15:11`, or `4` for one bit.
impl core::fmt::Display for Bits {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.high == self.low {
            write!(f, "{}", self.high)
        } else {
            write!(f, "{}:{}", self.high, self.low)
        }
    }
}

words! {
    /// Accesses that software can make to a register or a field.
    Access {
        /// Read and write.
        "rw" => ReadWrite,
        /// Read only; writes are ignored.
        "ro" => ReadOnly,
        /// Write only.
        "wo" => WriteOnly,
        /// Writing 1 acts, writing 0 does not; reads as zero.
        "w1" => WriteOneActs,
        /// Reads as a flag; writing 1 clears it.
        "w1c" => WriteOneClears,
        /// Reads as a flag; writing 1 sets it.
        "w1s" => WriteOneSets,
    }
}

impl Access {
    /// Whether a read gives the content.
    #[must_use]
    pub const fn can_read(self) -> bool {
        !matches!(self, Self::WriteOnly | Self::WriteOneActs)
    }

    /// Whether a write has an effect.
    #[must_use]
    pub const fn can_write(self) -> bool {
        !matches!(self, Self::ReadOnly)
    }
}

words! {
    /// Result of a Non-secure access to a Secure register.
    NonSecure {
        /// Reads as zero; writes are ignored.
        "zero" => Zero,
    }
}

words! {
    /// Values of reserved bits: as read, and to be written.
    Reserved {
        /// Read as zero, write zero.
        "zero" => Zero,
        /// Read unpredictably, write zero.
        "sbz" => ShouldBeZero,
        /// Write zero, or what was read.
        "sbzp" => ShouldBeZeroOrPreserved,
        /// Write one.
        "one" => One,
    }
}

words! {
    /// Accesses to a register from User mode.
    UserMode {
        /// Same as privileged software, if that enables it.
        "enabled" => Enabled,
        /// Nothing.
        "never" => Never,
        /// Always read it, and never write it.
        "read" => Read,
    }
}

table! {
    /// A register or an array of registers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Register {
        /// Name in the manual: `EVENT_SELECT`.
        required name: &'static str,
        /// The method that accesses it: `event_select`; for two words, the low one's.
        required rust: &'static str,
        /// Its other names, in manuals and in software. For an array, the name without the number
        /// of an element.
        list aliases: &'static str,
        /// The full name.
        text title: &'static str,
        /// What it does.
        text doc: &'static str,
        /// More about it.
        optional note: &'static str,
        /// Where it is.
        required location: Location,
        /// 32 or 64 bits.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = [32, 64])))]
        fixed width: u32 = 32,
        /// Accesses that software can make.
        required access: Access,
        /// The only units that have it; empty if all have it.
        list only: &'static str,
        /// The value after reset: one for all units, or one for each.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list resets: Reset,
        /// Result of a Non-secure access, if restricted.
        optional non_secure: NonSecure,
        /// Accesses from User mode, or EL0, for a register of a core.
        optional user: UserMode,
        /// The fields, the highest first.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list fields: Field,
        /// The bits in no field, the highest first. Together with the fields they are all bits.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list reserved: ReservedBits,
        /// Origin of the fact.
        required origin: Origin,
    }
}

impl Register {
    pub(crate) const fn width(self, width: u32) -> Self {
        Self { width, ..self }
    }

    /// Number of elements; 1 if it is no array.
    #[must_use]
    pub const fn count(&self) -> u32 {
        match self.location {
            Location::Memory { count, .. } | Location::System { count, .. } => count,
            Location::Cp15 { .. } => 1,
        }
    }

    /// Bits that one access reaches: 64 of a system register, else 32.
    #[must_use]
    pub const fn access_width(&self) -> u32 {
        match self.location {
            Location::System { .. } => 64,
            _ => 32,
        }
    }

    /// The offset of an element, from the base of the IP or of its page; `None` beyond the last, or of a
    /// register of a core.
    #[must_use]
    pub const fn offset(&self, element: u32) -> Option<u32> {
        match self.location {
            Location::Memory { offset, count, stride, .. } if element < count => {
                Some(offset + element * stride)
            }
            _ => None,
        }
    }

    /// The value after reset in a unit; `None` if it is unknown, or differs between units and no
    /// unit is given.
    #[must_use]
    pub fn reset(&self, unit: Option<&str>) -> Option<u64> {
        let of_unit = |reset: &&Reset| reset.unit.is_none() || reset.unit == unit;
        self.resets.iter().find(of_unit)?.value
    }
}

/// Location of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Location {
    /// In memory, including the offset of its block.
    Memory {
        /// The page that `offset` counts from; if none, it counts from the base of the IP.
        page: Option<&'static str>,
        /// The block that it repeats with.
        block: Option<&'static str>,
        /// Offset of the first element, in bytes.
        offset: u32,
        /// Number of elements.
        count: u32,
        /// Distance between elements, in bytes; 0 if there is one.
        stride: u32,
    },
    /// In coprocessor 15.
    Cp15 {
        /// The operands of MRC and MCR.
        operands: Operands,
        /// The field that says which counter's register is seen.
        selected_by: Option<Selector>,
    },
    /// Among the system registers of AArch64.
    System {
        /// The encoding in MRS and MSR; for an array, the first element's.
        register: SystemRegister,
        /// Number of elements. CRm and op2 count as one number.
        count: u32,
    },
}

impl Location {
    pub(crate) const fn at(offset: u32) -> Self {
        Self::Memory { page: None, block: None, offset, count: 1, stride: 0 }
    }

    pub(crate) const fn page(self, name: &'static str) -> Self {
        match self {
            Self::Memory { block, offset, count, stride, .. } => {
                Self::Memory { page: Some(name), block, offset, count, stride }
            }
            other => other,
        }
    }

    pub(crate) const fn block(self, name: &'static str) -> Self {
        match self {
            Self::Memory { page, offset, count, stride, .. } => {
                Self::Memory { page, block: Some(name), offset, count, stride }
            }
            other => other,
        }
    }

    pub(crate) const fn times(self, count: u32, stride: u32) -> Self {
        match self {
            Self::Memory { page, block, offset, .. } => {
                Self::Memory { page, block, offset, count, stride }
            }
            Self::System { register, .. } => Self::System { register, count },
            other @ Self::Cp15 { .. } => other,
        }
    }

    pub(crate) const fn system(op0: u32, op1: u32, crn: u32, crm: u32, op2: u32) -> Self {
        Self::System { register: SystemRegister { op0, op1, crn, crm, op2 }, count: 1 }
    }

    pub(crate) const fn cp15(opc1: u32, crn: u32, crm: u32, opc2: u32) -> Self {
        Self::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, selected_by: None }
    }

    pub(crate) const fn selected_by(
        self,
        register: &'static str,
        field: &'static str,
        count: u32,
    ) -> Self {
        match self {
            Self::Cp15 { operands, .. } => {
                Self::Cp15 { operands, selected_by: Some(Selector { register, field, count }) }
            }
            other => other,
        }
    }
}

/// The operands of `MRC p15, opc1, Rt, CRn, CRm, opc2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Operands {
    /// The first opcode.
    pub opc1: u32,
    /// The number in CRn, after `c`.
    pub crn: u32,
    /// The number in CRm, after `c`.
    pub crm: u32,
    /// The second opcode.
    pub opc2: u32,
}

/// `p15, 0, c9, c12, 0`.
impl core::fmt::Display for Operands {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { opc1, crn, crm, opc2 } = self;
        write!(f, "p15, {opc1}, c{crn}, c{crm}, {opc2}")
    }
}

/// The encoding of a system register: `MRS Xt, S<op0>_<op1>_C<crn>_C<crm>_<op2>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct SystemRegister {
    /// 2 or 3.
    pub op0: u32,
    /// 0 to 7.
    pub op1: u32,
    /// The number in CRn, after `C`.
    pub crn: u32,
    /// The number in CRm, after `C`.
    pub crm: u32,
    /// 0 to 7.
    pub op2: u32,
}

impl SystemRegister {
    /// The register `elements` encodings later: CRm and op2 form one number.
    #[must_use]
    pub const fn plus(self, elements: u32) -> Self {
        let number = self.crm * 8 + self.op2 + elements;
        Self { crm: number / 8, op2: number % 8, ..self }
    }
}

/// `S3_3_C9_C12_0`, as assemblers take it.
impl core::fmt::Display for SystemRegister {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { op0, op1, crn, crm, op2 } = self;
        write!(f, "S{op0}_{op1}_C{crn}_C{crm}_{op2}")
    }
}

/// The field of another register that says which of several registers is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Selector {
    /// The other register.
    pub register: &'static str,
    /// Its field.
    pub field: &'static str,
    /// Number of registers that it selects from.
    pub count: u32,
}

/// The value of a register after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Reset {
    /// The unit that has it; all units if there is none.
    pub unit: Option<&'static str>,
    /// The value, if known.
    pub value: Option<u64>,
    /// Origin of the fact.
    pub origin: Origin,
}

impl Reset {
    pub(crate) const fn to(value: u64, origin: Origin) -> Self {
        Self { unit: None, value: Some(value), origin }
    }

    pub(crate) const fn unknown(origin: Origin) -> Self {
        Self { unit: None, value: None, origin }
    }

    pub(crate) const fn unit(self, unit: &'static str) -> Self {
        Self { unit: Some(unit), ..self }
    }
}

table! {
    /// A field.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Field {
        /// Its bits.
        required bits: Bits,
        /// Name in the manual: `CEN`.
        required name: &'static str,
        /// The method that gives it: `cen`.
        required rust: &'static str,
        /// Its other names: from an older manual, or from Linux.
        list aliases: &'static str,
        /// Accesses that software can make.
        required access: Access,
        /// What it means.
        text doc: &'static str,
        /// Values that have a name, in the order of the spec. Others can exist.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list values: FieldValue,
        /// Bit n of the field tells whether the event of this code plus n exists.
        optional events_from: u32,
        /// It is there to be written, but does not read as zero.
        flag reads_unpredictably: bool,
        /// The only elements of an array that have it; empty if all have it.
        list elements: u32,
        /// The only units that have it; empty if all have it.
        list only: &'static str,
        /// Kind of its bits in the other elements or units.
        optional elsewhere: Reserved,
        /// Origin of the fact.
        required origin: Origin,
    }
}

impl Field {
    /// Whether a unit has it; without a unit, whether any has it.
    #[must_use]
    pub fn is_of(&self, unit: Option<&str>) -> bool {
        crate::is_of(self.only, unit)
    }

    /// The name of a value, if it has one.
    #[must_use]
    pub fn named(&self, value: u64) -> Option<&'static FieldValue> {
        self.values.iter().find(|known| u64::from(known.value) == value)
    }
}

table! {
    /// A value of a field that has a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) FieldValue {
        /// The value of the field, not of the register.
        required value: u32,
        /// In capitals: `EVERY_64TH`.
        required name: &'static str,
        /// What it means.
        required doc: &'static str,
    }
}

/// Bits in no field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct ReservedBits {
    /// Which.
    pub bits: Bits,
    /// Values as read, and to be written.
    pub reserved: Reserved,
}

impl ReservedBits {
    pub(crate) const fn new(high: u32, low: u32, reserved: Reserved) -> Self {
        Self { bits: Bits::new(high, low), reserved }
    }
}
