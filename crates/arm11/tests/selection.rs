//! Selections as numbers and as text: all 2^8 event ids, and larger numbers.

use arm_pmu_core::event::{InvalidSelection, UnknownId};
use arm11::{Arm1136Event, Arm1156Event, Arm1176Event, arm1136, arm1156, arm1176};

macro_rules! every_id {
    ($name:ident, $core:ident, $Event:ident) => {
        #[test]
        fn $name() {
            for id in 0..=0xFF {
                let selection = $core::Selection::raw(id).unwrap();
                assert_eq!((selection.id(), u16::from(selection)), (id, id));
                assert_eq!(u16::from(selection.code()), id);
                let text = selection.to_string();
                assert_eq!(text.parse(), Ok(selection), "{text}");
                assert_eq!(text.to_lowercase().parse(), Ok(selection), "{text}");
                match $Event::from_code(id) {
                    Some(event) => {
                        assert_eq!(selection.listed(), Some(event));
                        assert_eq!($core::Selection::from(event), selection);
                        assert_eq!($core::Selection::event(event), selection);
                        assert_eq!($core::Selection::try_from(id), Ok(selection));
                        assert_eq!(text, event.name());
                    }
                    None => {
                        assert_eq!(selection.listed(), None);
                        assert_eq!($core::Selection::from_id(id), None);
                        assert_eq!($core::Selection::try_from(id), Err(UnknownId(id)));
                        assert_eq!(text, format!("raw:{id:#04x}"));
                    }
                }
            }
            for id in 0x100..=u16::MAX {
                assert_eq!($core::Selection::raw(id), None, "{id:#x}");
                assert_eq!($core::Selection::from_id(id), None, "{id:#x}");
                let text = format!("raw:{id:#x}");
                assert_eq!(text.parse::<$core::Selection>(), Err(InvalidSelection::Number));
            }
        }
    };
}
every_id!(every_id_of_an_arm1136, arm1136, Arm1136Event);
every_id!(every_id_of_an_arm1156, arm1156, Arm1156Event);
every_id!(every_id_of_an_arm1176, arm1176, Arm1176Event);

#[test]
fn unknown_names_are_refused() {
    let parse = |text: &str| text.parse::<arm1136::Selection>();
    assert_eq!(parse("MAIN_TLB_MISS"), Ok(Arm1136Event::MainTlbMiss.into()));
    assert_eq!(parse("FIQ_DISABLED_CYCLE"), Err(InvalidSelection::Event), "of an ARM1156");
    assert_eq!(parse("cycles"), Err(InvalidSelection::Event), "those of the cycle counter");
    assert_eq!(parse("CPU:CYCLE"), Err(InvalidSelection::Source));
    for text in ["raw:0x10000", "raw:80", "raw:", "raw:0x", "raw:0x+1"] {
        assert_eq!(parse(text), Err(InvalidSelection::Number), "{text}");
    }
    assert_eq!(format!("{:?}", parse("raw:0x8").unwrap()), "Selection(raw:0x08)");
}
