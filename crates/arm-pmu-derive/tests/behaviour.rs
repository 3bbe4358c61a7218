//! Tests derived code in the way that an IP crate uses it.
#![no_std]
#![deny(missing_docs, unused, clippy::all, clippy::pedantic)]

extern crate std;

use std::collections::HashSet;
use std::format;
use std::string::ToString;
use std::vec::Vec;

use arm_pmu_core::event::{Event as _, Unit, UnknownCode, UnknownName};
use arm_pmu_derive::Event;

/// An enum with every attribute, and every form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 10)]
#[non_exhaustive]
pub enum Sample {
    /// A read request was accepted,
    /// of any kind.
    ///
    /// A note for the documentation only.
    #[event(name = "READ_REQUEST_ANY", evntbus = 0)]
    ReadRequestAny = 0x00,
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT", unit = beats, evntbus = 8, secure_exempt)]
    ReadDataBeat = 0x08,
    /** The queue was full. */
    #[event(name = "QUEUE_FULL", unit = cycles)]
    #[event(ace_only, never_fires)]
    QueueFull = 0b10_0000,
    #[doc = "A miss in the \"main\" TLB."]
    #[event(name = "TLB_MISS_2", filterable, secure_only, architectural)]
    TlbMiss2 = 0o77,
    /// The last one.
    #[event(name = "LAST")]
    Last = 1_023,
}

const SAMPLE: [(Sample, u16, &str, &str); 5] = [
    (Sample::ReadRequestAny, 0, "READ_REQUEST_ANY", "A read request was accepted, of any kind."),
    (Sample::ReadDataBeat, 8, "READ_DATA_BEAT", "A beat of read data was accepted."),
    (Sample::QueueFull, 32, "QUEUE_FULL", "The queue was full."),
    (Sample::TlbMiss2, 63, "TLB_MISS_2", "A miss in the \"main\" TLB."),
    (Sample::Last, 1023, "LAST", "The last one."),
];

#[test]
fn every_event_has_its_code_name_and_summary() {
    assert_eq!(Sample::ALL, SAMPLE.map(|(event, ..)| event));
    for (event, code, name, summary) in SAMPLE {
        assert_eq!(event.code(), code);
        assert_eq!(event.name(), name);
        assert_eq!(event.summary(), summary);
        assert_eq!(u16::from(event), code);
    }
}

#[test]
fn every_code_is_its_event_or_unknown() {
    for code in 0..=u16::MAX {
        let expected = SAMPLE.iter().find(|sample| sample.1 == code).map(|sample| sample.0);
        assert_eq!(Sample::from_code(code), expected);
        assert_eq!(Sample::try_from(code), expected.ok_or(UnknownCode(code)));
    }
}

#[test]
fn names_parse_to_their_events() {
    for (event, _, name, _) in SAMPLE {
        assert_eq!(event.to_string(), name);
        assert_eq!(name.parse(), Ok(event));
        assert_eq!(name.to_ascii_lowercase().parse(), Ok(event));
    }
    assert_eq!("Queue_Full".parse(), Ok(Sample::QueueFull));
    for unknown in ["", "QUEUE", "QUEUE_FULL_", " QUEUE_FULL", "QUEUE-FULL", "QueueFull", "8"] {
        assert_eq!(unknown.parse::<Sample>(), Err(UnknownName::new()), "{unknown}");
    }
}

#[test]
fn display_obeys_the_formatter() {
    assert_eq!(format!("[{:8}]", Sample::Last), "[LAST    ]");
    assert_eq!(format!("[{:.>8}]", Sample::Last), "[....LAST]");
    assert_eq!(format!("[{:.2}]", Sample::Last), "[LA]");
}

#[test]
fn each_attribute_sets_its_method() {
    use Sample::{Last, QueueFull, ReadDataBeat, ReadRequestAny, TlbMiss2};
    let having = |attribute: fn(Sample) -> bool| {
        Sample::ALL.iter().copied().filter(|&event| attribute(event)).collect::<HashSet<_>>()
    };
    assert_eq!(having(|event| event.unit() == Unit::Cycles), [QueueFull].into());
    assert_eq!(having(|event| event.unit() == Unit::Beats), [ReadDataBeat].into());
    assert_eq!(ReadRequestAny.evntbus(), Some(0));
    assert_eq!(ReadDataBeat.evntbus(), Some(8));
    assert_eq!(Last.evntbus(), None);
    assert_eq!(having(Sample::secure_exempt), [ReadDataBeat].into());
    assert_eq!(having(Sample::ace_only), [QueueFull].into());
    assert_eq!(having(Sample::never_fires), [QueueFull].into());
    assert_eq!(having(Sample::filterable), [TlbMiss2].into());
    assert_eq!(having(Sample::secure_only), [TlbMiss2].into());
    assert_eq!(having(Sample::architectural), [TlbMiss2].into());
}

/// With an attribute on all events, the generated match has no `_` arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
enum Uniform {
    /// One.
    #[event(name = "ONE", unit = cycles, evntbus = 1, architectural)]
    One = 1,
    /// Two.
    #[event(name = "TWO", unit = beats, evntbus = 2, architectural)]
    Two = 2,
}

#[test]
fn attributes_can_be_on_all_events() {
    assert_eq!(Uniform::ALL.len(), 2);
    assert_eq!([Uniform::One.unit(), Uniform::Two.unit()], [Unit::Cycles, Unit::Beats]);
    assert_eq!([Uniform::One.evntbus(), Uniform::Two.evntbus()], [Some(1), Some(2)]);
    assert!(Uniform::One.architectural() && Uniform::Two.architectural());
}

#[test]
fn absent_attributes_are_the_defaults() {
    let one = visibility::InCrate::One;
    assert_eq!((one.unit(), one.evntbus()), (Unit::Occurrences, None));
    let flags = [one.secure_exempt(), one.ace_only(), one.never_fires()];
    let others = [one.filterable(), one.secure_only(), one.architectural()];
    assert_eq!([flags, others], [[false; 3]; 2]);
}

const CODE: u16 = Sample::QueueFull.code();
const FOUND: Option<Sample> = Sample::from_code(CODE);
const LABELS: [(&str, &str); 1] = [(Sample::Last.name(), Sample::Last.summary())];
const SECOND: Sample = Sample::ALL[1];

#[test]
fn methods_work_in_constants() {
    assert_eq!(CODE, 0x20);
    assert_eq!(FOUND, Some(Sample::QueueFull));
    assert_eq!(LABELS, [("LAST", "The last one.")]);
    assert_eq!(SECOND, Sample::ReadDataBeat);
}

/// Tests the derive with the trait at another path, as in a facade that re-exports the trait.
mod renamed {
    pub(crate) mod facade {
        pub(crate) use arm_pmu_core::{event, event_items};
        pub(crate) use arm_pmu_derive::Event;
    }

    /// This empty module hides the crate `arm_pmu_core`.
    #[allow(dead_code)]
    mod arm_pmu_core {}

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, facade::Event)]
    #[event(crate = facade)]
    enum Relative {
        /// One.
        #[event(name = "ONE", unit = cycles)]
        One = 1,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, facade::Event)]
    #[event(crate = crate::renamed::facade, bits = 1)]
    enum Absolute {
        /// One.
        #[event(name = "ONE")]
        One = 1,
    }

    #[test]
    fn the_core_is_found_at_another_path() {
        use facade::event::Event as _;
        assert_eq!(Relative::One.unit(), facade::event::Unit::Cycles);
        assert_eq!(Absolute::try_from(0), Err(facade::event::UnknownCode(0)));
    }
}

mod visibility {
    use arm_pmu_derive::Event;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
    pub(crate) enum InCrate {
        /// One.
        #[event(name = "ONE")]
        One = 1,
    }

    pub(super) mod inner {
        use super::Event;

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
        pub(in crate::visibility) enum InModule {
            /// One.
            #[event(name = "ONE")]
            One = 1,
        }
    }

    pub(crate) const CODE: u16 = inner::InModule::One.code();
}

#[test]
fn visibility_can_be_the_crate_or_a_module() {
    assert_eq!(visibility::InCrate::ALL, [visibility::InCrate::One]);
    assert_eq!((visibility::InCrate::One.code(), visibility::CODE), (1, 1));
}

/// Generated code with deprecated events causes no warning.
mod deprecated {
    #![deny(deprecated)]

    use arm_pmu_derive::Event;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
    pub(crate) enum Old {
        /// One.
        #[deprecated = "the manual withdrew it"]
        #[event(name = "ONE", unit = cycles, evntbus = 1, secure_exempt)]
        One = 1,
        /// Two.
        #[event(name = "TWO")]
        Two = 2,
    }

    #[deprecated = "this part was never built"]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
    pub enum AllOld {
        /// One.
        #[event(name = "ONE")]
        One = 1,
    }
}

#[test]
fn deprecated_events_are_listed() {
    assert_eq!(deprecated::Old::ALL.len(), 2);
    assert_eq!("ONE".parse::<deprecated::Old>().map(u16::from), Ok(1));
}

/// An enum with the lowest and the highest code, and with its attributes in several lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event()]
#[event(bits = 16)]
#[event(crate = arm_pmu_core)]
#[doc(alias = "bounds")]
#[repr(u16)]
enum Limits {
    /// Low.
    ///
    #[doc = "Only the summary is ASCII: na\u{ef}ve notes may have accents."]
    #[event(name = "A_", unit = occurrences)]
    #[event(evntbus = 65535)]
    Low = 0x0_u16,
    /// High.
    #[event(name = "A__", evntbus = 0)]
    High = 0xFFFF,
    /// An event with the code and name of another event. `cfg` enables only one of the two events.
    #[cfg(any())]
    #[event(name = "A__", evntbus = 0)]
    OtherHigh = 0xFFFF,
}

#[test]
fn values_can_be_the_lowest_and_the_highest() {
    assert_eq!(Limits::ALL.iter().map(|event| event.code()).collect::<Vec<_>>(), [0, 0xFFFF]);
    assert_eq!([Limits::Low.evntbus(), Limits::High.evntbus()], [Some(65535), Some(0)]);
    assert_eq!(Limits::Low.summary(), "Low.");
    assert_eq!("a__".parse(), Ok(Limits::High));
}

/// Names that hide standard names in the generated code.
mod shadowed {
    #![allow(non_camel_case_types, non_upper_case_globals, dead_code, unused_macros)]

    struct Option;
    struct Some;
    struct None;
    struct Result;
    struct Ok;
    struct Err;
    struct u16;
    struct usize;
    struct str;
    struct bool;
    struct UnknownName;
    struct UnknownCode;
    struct Unit;
    trait Event {}
    trait Display {}
    trait From {}
    trait Into {}
    trait TryFrom {}
    trait FromStr {}
    trait Copy {}
    trait Iterator {}
    trait IntoIterator {}
    mod core {}
    mod std {}
    mod arm_pmu_core {}
    macro_rules! matches {
        () => {};
    }

    // These items have the names of generated variables, so a generated pattern could refer to such an item instead of
    // the variable.
    const code: ::core::primitive::u16 = 1;
    static name: ::core::primitive::u16 = 1;
    struct event;
    const f: ::core::primitive::u16 = 1;
    struct serializer();
    const deserializer: u8 = 0;
    const number: ::core::primitive::u16 = 1;
    const bit: ::core::primitive::u16 = 1;

    /// A trait with methods that take precedence over the `&self` methods of the enum.
    trait Named {
        fn name(&self) {}
        fn code(&self) {}
        fn pad(&self) {}
        fn eq_ignore_ascii_case(&self) {}
        fn ok_or(&self) {}
    }
    impl<T: ?Sized> Named for T {}

    // Variants that have the same names as items in the generated code.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, arm_pmu_derive::Event)]
    pub(crate) enum Shadowed {
        /// One.
        #[event(name = "ONE", unit = beats, evntbus = 1, ace_only)]
        Error = 1,
        /// Two.
        #[event(name = "TWO")]
        Err = 2,
        /// Three.
        #[event(name = "THREE")]
        Some = 3,
        /// Four.
        #[event(name = "FOUR")]
        r#None = 4,
    }
}

#[test]
fn shadowed_names_do_no_harm() {
    use shadowed::Shadowed;
    assert_eq!(Shadowed::from_code(1), Some(Shadowed::Error));
    assert_eq!("two".parse(), Ok(Shadowed::Err));
    assert_eq!("five".parse::<Shadowed>(), Err(UnknownName::new()));
    assert_eq!(Shadowed::try_from(5), Err(UnknownCode(5)));
    assert_eq!(Shadowed::None.to_string(), "FOUR");
    assert_eq!((u16::from(Shadowed::Err), Shadowed::Error.evntbus()), (2, Some(1)));
    assert!(Shadowed::Error.ace_only());
}

/// Macro fragments arrive in invisible parentheses.
macro_rules! events {
    ($vis:vis $ident:ident: $($summary:literal $variant:ident $meta:meta $name:expr => $code:expr;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
        #[event(crate = $crate::core_of_macro)]
        $vis enum $ident {
            $(
                #[doc = $summary]
                #[$meta]
                #[event(name = $name)]
                $variant = $code,
            )*
        }
    };
}
use arm_pmu_core as core_of_macro;

events! {
    FromMacro:
    "One." One event(evntbus = 1) "ONE" => 0x1;
    "Two." Two event(unit = cycles) "TWO" => 0x2;
}

mod from_macro {
    use arm_pmu_derive::Event;

    events! {
        pub(super) Visible:
        "One." One event(evntbus = 1) "ONE" => 0x1;
    }
}

#[test]
fn enums_can_come_from_a_macro() {
    assert_eq!(FromMacro::from_code(2), Some(FromMacro::Two));
    assert_eq!(FromMacro::Two.summary(), "Two.");
    assert_eq!(FromMacro::One.evntbus(), Some(1));
    assert_eq!(FromMacro::Two.unit(), Unit::Cycles);
    assert_eq!(from_macro::Visible::ALL, [from_macro::Visible::One]);
}

#[test]
fn enums_can_be_inside_a_function() {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
    enum Local {
        /// One.
        #[event(name = "ONE")]
        One = 1,
    }
    assert_eq!(Local::One.to_string(), "ONE");
}
