//! What a counter is told to count, as number and as text: all 2^8 event ids.

use arm_pmu_core::event::{InvalidSelection, UnknownId};
use cci400::events::Listed;
use cci400::{M2, MasterEvent, S3, Selection, SlaveEvent};

#[test]
fn a_selection_is_source_and_code_side_by_side() {
    let selection = S3.event(SlaveEvent::ReadDataSnoopHit);
    assert_eq!(selection.id(), 0b011_01010);
    assert_eq!((selection.source_id(), selection.code()), (0x3, 0x0A));
    assert_eq!(M2.event(MasterEvent::WriteQvnTokenVn3Stall).id(), 0x7 << 5 | 0x10);
}

#[test]
fn every_id_survives_the_way_through_text_and_back() {
    for id in 0..256 {
        let selection = Selection::raw(id).unwrap();
        let text = selection.to_string();
        assert_eq!(text.parse(), Ok(selection), "{text}");
        assert_eq!(text.to_lowercase().parse(), Ok(selection), "{text}");
        assert_eq!(u16::from(selection), id);
        match selection.listed() {
            Some(listed) => {
                let rebuilt = match listed {
                    Listed::Slave(source, event) => source.event(event),
                    Listed::Master(source, event) => source.event(event),
                    _ => unreachable!("two groups"),
                };
                assert_eq!(rebuilt, selection);
                assert_eq!(Selection::try_from(id), Ok(selection));
            }
            None => {
                assert_eq!(Selection::try_from(id), Err(UnknownId(id)));
                assert_eq!(text, format!("raw:{id:#04x}"));
                assert_eq!(selection.evntbus(), None);
            }
        }
    }
    assert_eq!(Selection::raw(256), None);
}

#[test]
fn text_that_names_nothing_is_refused() {
    let parse = |text: &str| text.parse::<Selection>();
    assert_eq!(parse("S3:READ_REQUEST_ANY"), Ok(S3.event(SlaveEvent::ReadRequestAny)));
    assert_eq!(parse("S5:READ_REQUEST_ANY"), Err(InvalidSelection::Source));
    assert_eq!(parse("M0:READ_REQUEST_ANY"), Err(InvalidSelection::Event));
    assert_eq!(parse("raw:0x100"), Err(InvalidSelection::Number));
    assert_eq!(parse("cycles"), Err(InvalidSelection::Form));
}
