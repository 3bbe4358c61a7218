//! Registers and their fields.

use crate::table::table;
use crate::{Access, NonSecure, Origin, Reserved, UserMode};

/// Bits of a register, written with the high bit first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(deny_unknown_fields, transform = in_order)
)]
pub struct Bits {
    /// Number of the highest bit.
    pub high: u32,
    /// Number of the lowest bit.
    pub low: u32,
}

/// Adds a rule to the schema: the high bit is not below the low bit.
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
    /// Bits from `high` to `low`.
    #[must_use]
    pub const fn new(high: u32, low: u32) -> Self {
        Self { high, low }
    }

    /// Number of bits.
    #[must_use]
    pub const fn width(self) -> u32 {
        self.high - self.low + 1
    }

    /// Mask with all these bits set.
    #[must_use]
    pub const fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width())) << self.low
    }

    /// Value of these bits in a word.
    #[must_use]
    pub const fn of(self, word: u32) -> u32 {
        ((word as u64 & self.mask()) >> self.low) as u32
    }
}

/// Formats `15:11`, or `4` for one bit.
impl core::fmt::Display for Bits {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.high == self.low {
            write!(f, "{}", self.high)
        } else {
            write!(f, "{}:{}", self.high, self.low)
        }
    }
}

impl Access {
    /// Whether a read returns the content.
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

table! {
    /// A register or an array of registers.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Register {
        /// Name in the manual: `EVENT_SELECT`.
        required name: &'static str,
        /// Method that accesses the register: `event_select`; for two words, the method of the low word.
        required rust: &'static str,
        /// Other names in manuals and software. If the register is an array, these names contain no
        /// element number.
        list aliases: &'static str,
        /// Full name.
        text title: &'static str,
        /// Purpose of the register.
        text doc: &'static str,
        /// Further information.
        optional note: &'static str,
        /// Location of the register.
        required location: Location,
        /// Width in bits: 32 or 64.
        #[cfg_attr(feature = "schema", schemars(extend("enum" = [32, 64])))]
        fixed width: u32 = 32,
        /// Accesses of software.
        required access: Access,
        /// Units with the register, if only some have it; empty if all have it.
        list only: &'static str,
        /// Reset value: one for all units, or one for each.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list resets: Reset,
        /// Result of a Non-secure access, if such accesses are restricted.
        optional non_secure: NonSecure,
        /// Access rights of User mode or EL0 to a register of a core.
        optional user: UserMode,
        /// Fields, the highest first.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list fields: Field,
        /// Bits outside of fields, the highest first. Fields and reserved bits together cover all bits.
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

    /// Number of elements; 1 for a single register.
    #[must_use]
    pub const fn count(&self) -> u32 {
        match self.location {
            Location::Memory { count, .. } | Location::System { count, .. } => count,
            Location::Cp15 { .. } => 1,
        }
    }

    /// Number of bits of one access: 64 for a system register, otherwise 32.
    #[must_use]
    pub const fn access_width(&self) -> u32 {
        match self.location {
            Location::System { .. } => 64,
            _ => 32,
        }
    }

    /// Offset of an element from the base of the IP or page. `None` after the last element, and for registers of a
    /// core.
    #[must_use]
    pub const fn offset(&self, element: u32) -> Option<u32> {
        match self.location {
            Location::Memory { offset, count, stride, .. } if element < count => {
                Some(offset + element * stride)
            }
            _ => None,
        }
    }

    /// Reset value in a unit. `None` if unknown, or if the units differ and no unit is given.
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
    /// Memory. The offset includes the offset of the block.
    Memory {
        /// Page of the offset; `None` for an offset from the base of the IP.
        page: Option<&'static str>,
        /// Block that the register belongs to.
        block: Option<&'static str>,
        /// Offset of the first element in bytes.
        offset: u32,
        /// Number of elements.
        count: u32,
        /// Distance between elements in bytes; 0 for a single element.
        stride: u32,
    },
    /// Coprocessor 15.
    Cp15 {
        /// Operands of MRC and MCR.
        operands: Operands,
        /// Field that selects the counter whose register is accessed.
        selected_by: Option<Selector>,
    },
    /// System registers of AArch64.
    System {
        /// Encoding for MRS and MSR; for an array, the encoding of the first element.
        register: SystemRegister,
        /// Number of elements. CRm and op2 of consecutive elements form one number.
        count: u32,
        /// Field that selects the counter whose register is accessed.
        selected_by: Option<Selector>,
    },
}

impl Location {
    pub(crate) const fn at(offset: u32) -> Self {
        Self::Memory { page: None, block: None, offset, count: 1, stride: 0 }
    }

    pub(crate) const fn page(mut self, name: &'static str) -> Self {
        if let Self::Memory { page, .. } = &mut self {
            *page = Some(name);
        }
        self
    }

    pub(crate) const fn block(mut self, name: &'static str) -> Self {
        if let Self::Memory { block, .. } = &mut self {
            *block = Some(name);
        }
        self
    }

    pub(crate) const fn times(mut self, number: u32, distance: u32) -> Self {
        match &mut self {
            Self::Memory { count, stride, .. } => (*count, *stride) = (number, distance),
            Self::System { count, .. } => *count = number,
            Self::Cp15 { .. } => {}
        }
        self
    }

    pub(crate) const fn system(op0: u32, op1: u32, crn: u32, crm: u32, op2: u32) -> Self {
        let register = SystemRegister::new(op0, op1, crn, crm, op2);
        Self::System { register, count: 1, selected_by: None }
    }

    pub(crate) const fn cp15(opc1: u32, crn: u32, crm: u32, opc2: u32) -> Self {
        Self::Cp15 { operands: Operands::new(opc1, crn, crm, opc2), selected_by: None }
    }

    pub(crate) const fn selected_by(
        mut self,
        register: &'static str,
        field: &'static str,
        count: u32,
    ) -> Self {
        if let Self::Cp15 { selected_by, .. } | Self::System { selected_by, .. } = &mut self {
            *selected_by = Some(Selector::new(register, field, count));
        }
        self
    }

    /// Field that selects the counter whose register is accessed.
    #[must_use]
    pub const fn selector(self) -> Option<Selector> {
        match self {
            Self::Cp15 { selected_by, .. } | Self::System { selected_by, .. } => selected_by,
            Self::Memory { .. } => None,
        }
    }
}

table! {
    /// Operands of `MRC p15, opc1, Rt, CRn, CRm, opc2`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Operands {
        /// First opcode.
        required opc1: u32,
        /// Number after `c` in CRn.
        required crn: u32,
        /// Number after `c` in CRm.
        required crm: u32,
        /// Second opcode.
        required opc2: u32,
    }
}

/// Formats `p15, 0, c9, c12, 0`.
impl core::fmt::Display for Operands {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { opc1, crn, crm, opc2 } = self;
        write!(f, "p15, {opc1}, c{crn}, c{crm}, {opc2}")
    }
}

table! {
    /// Encoding of a system register: `MRS Xt, S<op0>_<op1>_C<crn>_C<crm>_<op2>`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) SystemRegister {
        /// 2 or 3.
        required op0: u32,
        /// 0 to 7.
        required op1: u32,
        /// Number after `C` in CRn.
        required crn: u32,
        /// Number after `C` in CRm.
        required crm: u32,
        /// 0 to 7.
        required op2: u32,
    }
}

impl SystemRegister {
    /// The encoding of a later element treats CRm and op2 as one number.
    #[must_use]
    pub const fn plus(self, elements: u32) -> Self {
        let number = self.crm * 8 + self.op2 + elements;
        Self { crm: number / 8, op2: number % 8, ..self }
    }
}

/// Formats `S3_3_C9_C12_0` for assemblers.
impl core::fmt::Display for SystemRegister {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { op0, op1, crn, crm, op2 } = self;
        write!(f, "S{op0}_{op1}_C{crn}_C{crm}_{op2}")
    }
}

table! {
    /// Selector of one of several registers: a field in another register.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) Selector {
        /// Name of the other register.
        required register: &'static str,
        /// Name of the field.
        required field: &'static str,
        /// Number of selectable registers.
        required count: u32,
    }
}

/// Reset value of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct Reset {
    /// Unit with this value; `None` for all units.
    pub unit: Option<&'static str>,
    /// Value, if known.
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
    /// Field of a register.
    #[derive(Clone, Copy, Debug)]
    pub(crate) Field {
        /// Bits of the field.
        required bits: Bits,
        /// Name in the manual: `CEN`.
        required name: &'static str,
        /// Method that returns the field: `cen`.
        required rust: &'static str,
        /// Other names, from an older manual or from Linux.
        list aliases: &'static str,
        /// Accesses of software.
        required access: Access,
        /// Meaning of the field.
        text doc: &'static str,
        /// Named values in the order of the spec. Other values can exist.
        #[cfg_attr(feature = "schema", schemars(extend("uniqueItems" = true)))]
        list values: FieldValue,
        /// Event code of bit 0, if bit n shows whether the event with this code plus n exists.
        optional events_from: u32,
        /// Whether a write-only field reads an unpredictable value, not zero.
        flag reads_unpredictably: bool,
        /// Array elements with the field, if only some have it; empty if all have it.
        list elements: u32,
        /// Units with the field, if only some have it; empty if all have it.
        list only: &'static str,
        /// Rule for these bits in elements or units that lack the field.
        optional elsewhere: Reserved,
        /// Origin of the fact.
        required origin: Origin,
    }
}

impl Field {
    /// Whether a unit has the field. If no unit is given, returns whether any unit has the field.
    #[must_use]
    pub fn is_of(&self, unit: Option<&str>) -> bool {
        crate::is_of(self.only, unit)
    }

    /// Name of a value, if there is one.
    #[must_use]
    pub fn named(&self, value: u64) -> Option<&'static FieldValue> {
        self.values.iter().find(|known| u64::from(known.value) == value)
    }
}

table! {
    /// Named value of a field.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) FieldValue {
        /// Value of the field, not of the register.
        required value: u32,
        /// Name in capitals: `EVERY_64TH`.
        required name: &'static str,
        /// Meaning of the value.
        required doc: &'static str,
    }
}

/// Bits outside of all fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[non_exhaustive]
pub struct ReservedBits {
    /// The bits.
    pub bits: Bits,
    /// Required and read values.
    pub reserved: Reserved,
}

impl ReservedBits {
    pub(crate) const fn new(high: u32, low: u32, reserved: Reserved) -> Self {
        Self { bits: Bits::new(high, low), reserved }
    }
}
