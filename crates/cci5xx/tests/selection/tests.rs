// Included for each product: `product` is its crate.

use arm_pmu_core::event::{InvalidSelection, UnknownEvent, UnknownId};
use product::events::Listed;
use product::registers::event_select;
use product::{Event, Global, GlobalEvent, MI4, MasterEvent, SI3, Selection, SlaveEvent};

#[test]
fn a_selection_is_source_and_code_side_by_side() {
    let selection = SI3.event(SlaveEvent::ReadDataSnoopHit);
    assert_eq!(selection.id(), 0b0011_01001);
    assert_eq!((selection.source_id(), selection.code()), (0x3, 0x09));
    assert_eq!(MI4.event(MasterEvent::WriteResponseStall).id(), 0xC << 5 | 0x06);
    assert_eq!(Selection::from(GlobalEvent::Tzmp1SnoopOverride).id(), 0xF << 5 | 0x0F);
    assert_eq!(Global.event(GlobalEvent::GeneratedWrite), GlobalEvent::GeneratedWrite.into());
}

#[test]
fn selections_can_be_constants() {
    const READS: Selection = SI3.event(SlaveEvent::ReadRequestAny);
    const UNLISTED: Selection = Selection::raw(0x11F).unwrap();
    assert_eq!((READS.id(), UNLISTED.id()), (0x60, 0x11F));
}

#[test]
fn every_id_round_trips_through_text() {
    for id in 0..512 {
        let selection = Selection::raw(id).unwrap();
        let text = selection.to_string();
        assert_eq!(text.parse(), Ok(selection), "{text}");
        assert_eq!(text.to_lowercase().parse(), Ok(selection), "{text}");
        assert_eq!(selection.id(), id);
        assert_eq!(u16::from(selection), id);
        match selection.listed() {
            Some(listed) => {
                let rebuilt = match listed {
                    Listed::Slave(source, event) => source.event(event),
                    Listed::Master(source, event) => source.event(event),
                    Listed::Global(source, event) => source.event(event),
                    _ => unreachable!("three groups"),
                };
                assert_eq!(rebuilt, selection);
                assert_eq!(Selection::try_from(id), Ok(selection));
                assert!(!text.starts_with("raw:"));
            }
            None => {
                assert_eq!(Selection::try_from(id), Err(UnknownId(id)));
                assert_eq!(text, format!("raw:{id:#05x}"));
            }
        }
    }
}

#[test]
fn an_id_of_more_than_nine_bits_is_none() {
    for id in 512..=u16::MAX {
        assert_eq!(Selection::raw(id), None);
        assert_eq!(Selection::from_id(id), None);
    }
}

#[test]
fn text_names_a_selection() {
    let parse = |text: &str| text.parse::<Selection>();
    assert_eq!(parse("SI3:READ_REQUEST_ANY"), Ok(SI3.event(SlaveEvent::ReadRequestAny)));
    assert_eq!(parse("Global:GENERATED_WRITE"), Ok(GlobalEvent::GeneratedWrite.into()));
    assert_eq!(parse("raw:0x11f"), Ok(Selection::raw(0x11F).unwrap()));
    assert_eq!(parse("raw:0x60"), parse("SI3:READ_REQUEST_ANY"), "one number, one selection");
    let refused = [
        ("", InvalidSelection::Form),
        ("SI3", InvalidSelection::Form),
        ("SI7:READ_REQUEST_ANY", InvalidSelection::Source),
        (" SI3:READ_REQUEST_ANY", InvalidSelection::Source),
        ("MI0:READ_REQUEST_ANY", InvalidSelection::Event),
        ("SI3:", InvalidSelection::Event),
        ("SI3:READ_REQUEST_ANY ", InvalidSelection::Event),
        ("raw:", InvalidSelection::Number),
        ("raw:0x", InvalidSelection::Number),
        ("raw:11", InvalidSelection::Number),
        ("raw:0x+1", InvalidSelection::Number),
        ("raw:0x200", InvalidSelection::Number),
        ("raw:0x10000", InvalidSelection::Number),
    ];
    for (text, why) in refused {
        assert_eq!(parse(text), Err(why), "{text:?}");
    }
}

#[test]
fn every_event_has_a_name_of_its_own_and_a_text() {
    fn check<E: Event>() {
        for event in E::ALL {
            assert_eq!(event.name().parse(), Ok(*event));
            assert_eq!(event.to_string(), event.name());
            assert!(event.summary().ends_with('.') && event.summary().len() > 20, "{event}");
        }
    }
    check::<SlaveEvent>();
    check::<MasterEvent>();
    check::<GlobalEvent>();
}

/// Tries every pair of numbers. A listed pair is the selection with that event id. For any other
/// pair, the error names the wrong number.
#[test]
fn selections_come_from_source_and_code_and_go_into_registers() {
    let mut listed = 0;
    for (source, code) in (0..0x120).flat_map(|source| (0..0x120).map(move |code| (source, code))) {
        let made = Selection::from_source_and_code(source, code);
        let is_id = source < 16 && code < 32;
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
    const CONSTANT: Result<Selection, UnknownEvent> = Selection::from_source_and_code(3, 0x09);
    assert_eq!(CONSTANT, Ok(SI3.event(SlaveEvent::ReadDataSnoopHit)));
}
