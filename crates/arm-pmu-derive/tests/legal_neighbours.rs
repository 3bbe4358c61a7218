//! Valid enums that are similar to the mistakes in `refusals/tests/arm-pmu-derive`.
#![no_std]
#![deny(missing_docs, warnings)]

use arm_pmu_derive::Event;

/// The smallest valid enum: one event with only a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Least {
    /// x
    #[event(name = "X")]
    X = 0,
}

/// Codes of one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 1)]
pub enum Narrow {
    /// The largest code of one bit.
    #[event(name = "N1")]
    N1 = 1,
}

/// Codes of 16 bits, and attributes in several lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event()]
#[event(bits = 16)]
#[event(crate = arm_pmu_core)]
#[non_exhaustive]
pub enum Wide {
    /// The largest code.
    #[event(name = "A_", evntbus = 65535)]
    #[event(secure_exempt)]
    A = 0xFFFF,
    /// A code may equal an EVNTBUS bit, and names may have a common prefix.
    #[event(name = "A__", evntbus = 0, unit = occurrences)]
    B = 0x0000,
    /// Another.
    ///
    #[doc = "Only the summary is ASCII: na\u{ef}ve notes may have accents."]
    #[event(name = "A0")]
    C = 0x1,
}

/// Codes with a suffix of the enum's `repr`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[repr(u16)]
pub enum Typed {
    /// One.
    #[event(name = "ONE")]
    One = 0x1_u16,
    /// Two.
    #[event(name = "TWO")]
    Two = 0b10,
}

/// Doc attributes without text, and events with conditions.
#[doc(alias = "y")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
pub enum Conditional {
    /// One.
    #[doc(alias = "x")]
    #[event(name = "ONE")]
    One = 1,
    /// An event with the code and name of another event. `cfg` enables only one of the two events.
    #[cfg(any())]
    #[event(name = "ONE")]
    OtherOne = 1,
}

#[test]
fn codes_and_names_are_kept() {
    assert_eq!((Least::X.code(), Narrow::N1.code(), Wide::A.code()), (0, 1, 0xFFFF));
    assert_eq!((Typed::Two.code(), Conditional::One.name()), (2, "ONE"));
}
