//! Selections as numbers and as text: all 2^8 event ids.

use arm_pmu_core::event::{InvalidSelection, UnknownEvent, UnknownId};
use cci400::events::Listed;
use cci400::registers::event_select;
use cci400::{M2, MasterEvent, S3, Selection, SlaveEvent};

#[test]
fn a_selection_is_source_and_code_side_by_side() {
    let selection = S3.event(SlaveEvent::ReadDataSnoopHit);
    assert_eq!(selection.id(), 0b011_01010);
    assert_eq!((selection.source_id(), selection.code()), (0x3, 0x0A));
    assert_eq!(M2.event(MasterEvent::WriteQvnTokenVn3Stall).id(), 0x7 << 5 | 0x10);
}

#[test]
fn every_id_round_trips_through_text() {
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
fn unknown_names_are_refused() {
    let parse = |text: &str| text.parse::<Selection>();
    assert_eq!(parse("S3:READ_REQUEST_ANY"), Ok(S3.event(SlaveEvent::ReadRequestAny)));
    assert_eq!(parse("S5:READ_REQUEST_ANY"), Err(InvalidSelection::Source));
    assert_eq!(parse("M0:READ_REQUEST_ANY"), Err(InvalidSelection::Event));
    assert_eq!(parse("raw:0x100"), Err(InvalidSelection::Number));
    assert_eq!(parse("cycles"), Err(InvalidSelection::Form));
}

/// Tries every pair of numbers. A listed pair is the selection with that event id. For any other
/// pair, the error names the wrong number.
#[test]
fn selections_come_from_source_and_code_and_go_into_registers() {
    let mut listed = 0;
    for (source, code) in (0..0x120).flat_map(|source| (0..0x120).map(move |code| (source, code))) {
        let made = Selection::from_source_and_code(source, code);
        let is_id = source < 8 && code < 32;
        let by_id = if is_id { Selection::from_id(source << 5 | code) } else { None };
        assert_eq!(made.ok(), by_id, "{source:#x}, {code:#x}");
        match made {
            Ok(selection) => {
                listed += 1;
                assert_eq!(
                    (u16::from(selection.source_id()), u16::from(selection.code())),
                    (source, code)
                );
                let word = event_select::W::encode(|w| {
                    w.source().set(selection.source_id()).event().set(selection.code())
                });
                assert_eq!(word, u32::from(selection.id()));
            }
            Err(UnknownEvent::Source(which)) => {
                assert_eq!(which, source);
                assert!((0..32).all(|code| Selection::from_source_and_code(source, code).is_err()));
            }
            Err(error) => {
                assert_eq!(error, UnknownEvent::Code { source, code });
                assert!((0..32).any(|code| Selection::from_source_and_code(source, code).is_ok()));
            }
        }
    }
    assert_eq!(listed, (0..0x200).filter(|id| Selection::from_id(*id).is_some()).count());
    const CONSTANT: Result<Selection, UnknownEvent> = Selection::from_source_and_code(3, 0x0A);
    assert_eq!(CONSTANT, Ok(S3.event(SlaveEvent::ReadDataSnoopHit)));
}

/// Revision 0 has its own events.
#[test]
fn selections_of_revision_0_come_from_source_and_code() {
    use cci400::r0;
    assert_eq!(
        r0::Selection::from_source_and_code(3, 0x0A),
        Ok(r0::S3.event(r0::SlaveEvent::ReadDataSnoopHit))
    );
    let unknown = r0::Selection::from_source_and_code(3, 0x1F);
    assert_eq!(unknown, Err(UnknownEvent::Code { source: 3, code: 0x1F }));
}
