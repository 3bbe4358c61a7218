// Selections as numbers and as text: all 2^8 event ids, and beyond.

#[test]
fn every_id() {
    for id in 0..=0xFF {
        let selection = Selection::raw(id).unwrap();
        assert_eq!((selection.id(), u16::from(selection)), (id, id));
        assert_eq!(u16::from(selection.code()), id);
        let text = selection.to_string();
        assert_eq!(text.parse(), Ok(selection), "{text}");
        assert_eq!(text.to_lowercase().parse(), Ok(selection), "{text}");
        assert_eq!(text.to_uppercase().parse(), Ok(selection), "{text}");
        match ProductEvent::from_code(id) {
            Some(event) => {
                assert_eq!(selection.listed(), Some(event));
                assert_eq!(Selection::from(event), selection);
                assert_eq!(Selection::from_id(id), Some(selection));
                assert_eq!(Selection::try_from(id), Ok(selection));
                assert_eq!(text, event.name());
                assert_eq!(format!("raw:{id:#x}").parse(), Ok(selection));
            }
            None => {
                assert_eq!(selection.listed(), None);
                assert_eq!(Selection::from_id(id), None);
                assert_eq!(Selection::try_from(id), Err(UnknownId(id)));
                assert_eq!(text, format!("raw:{id:#04x}"));
            }
        }
    }
}

#[test]
fn an_id_of_more_than_eight_bits_is_none() {
    for id in 0x100..=u16::MAX {
        assert_eq!(Selection::raw(id), None);
        assert_eq!(Selection::from_id(id), None);
        assert_eq!(Selection::try_from(id), Err(UnknownId(id)));
        let text = format!("raw:{id:#x}");
        assert_eq!(text.parse::<Selection>(), Err(InvalidSelection::Number), "{text}");
    }
}

#[test]
fn unknown_names_are_refused() {
    let parse = |text: &str| text.parse::<Selection>();
    let event = ProductEvent::ALL[3];
    let name = event.name();
    assert_eq!(parse(name), Ok(event.into()));
    for text in [&format!("{name}ES"), "CYCLES", "", &format!(" {name}"), "0x44"] {
        assert_eq!(parse(text), Err(InvalidSelection::Event), "{text}");
    }
    assert_eq!(parse(&format!("CPU:{name}")), Err(InvalidSelection::Source));
    for text in ["raw:0x100", "raw:44", "raw:", "raw:0x", "raw:0x+1", "raw:0x10000"] {
        assert_eq!(parse(text), Err(InvalidSelection::Number), "{text}");
    }
    assert_eq!(format!("{:?}", parse("raw:0xff").unwrap()), "Selection(raw:0xff)");
}
