use arm_pmu_core::event::{InvalidSelection, UnknownId};
use product::{TbuEvent, TcuEvent, tbu, tcu};

macro_rules! every_id {
    ($name:ident, $unit:ident, $Event:ident) => {
        #[test]
        fn $name() {
            for id in 0..=u16::MAX {
                let selection = $unit::Selection::raw(id).unwrap();
                assert_eq!((selection.id(), u16::from(selection)), (id, id));
                assert_eq!(selection.code(), id);
                let text = selection.to_string();
                assert_eq!(text.parse(), Ok(selection), "{text}");
                assert_eq!(text.to_lowercase().parse(), Ok(selection), "{text}");
                match $Event::from_code(id) {
                    Some(event) => {
                        assert_eq!(selection.listed(), Some(event));
                        assert_eq!($unit::Selection::from(event), selection);
                        assert_eq!($unit::Selection::try_from(id), Ok(selection));
                        assert_eq!(text, event.name());
                    }
                    None => {
                        assert_eq!(selection.listed(), None);
                        assert_eq!($unit::Selection::from_id(id), None);
                        assert_eq!($unit::Selection::try_from(id), Err(UnknownId(id)));
                        assert_eq!(text, format!("raw:{id:#04x}"));
                    }
                }
            }
        }
    };
}
every_id!(every_id_of_a_tcu, tcu, TcuEvent);
every_id!(every_id_of_a_tbu, tbu, TbuEvent);

#[test]
fn unknown_names_are_refused() {
    let parse = |text: &str| text.parse::<tbu::Selection>();
    assert_eq!(parse("MAIN_TLB_MISS"), Ok(TbuEvent::MainTlbMiss.into()));
    assert_eq!(parse("STAGE_1_LEVEL_0_WALK_CACHE_MISS"), Err(InvalidSelection::Event));
    assert_eq!(parse("TBU:MAIN_TLB_MISS"), Err(InvalidSelection::Source));
    for text in ["raw:0x10000", "raw:80", "raw:", "raw:0x", "raw:0x+1"] {
        assert_eq!(parse(text), Err(InvalidSelection::Number), "{text}");
    }
    assert_eq!(format!("{:?}", parse("raw:0x94").unwrap()), "Selection(raw:0x94)");
}
