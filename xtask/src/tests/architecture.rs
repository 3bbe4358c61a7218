//! Tests of IPs that share the registers of an architecture.

use super::good;
use crate::generate::model::{Ip, Origin, Register};

fn implementations() -> [Ip; 2] {
    ["small", "large"].map(|name| {
        let sources = good::sources(name);
        let (ip, mut problems) = good::load(&sources);
        ip.unwrap_or_else(|| panic!("{}", good::render(&mut problems, &sources)))
    })
}

fn register<'m>(ip: &'m Ip, name: &str) -> &'m Register {
    ip.registers.iter().find(|register| register.name == name).expect("a register")
}

/// Formats confidence, section and source in one line.
fn shown(origin: &Origin) -> String {
    let [section, source] =
        [&origin.section, &origin.source].map(|text| text.as_deref().unwrap_or("-"));
    format!("{} | {section} | {source}", origin.confidence.word())
}

fn field(ip: &Ip, of: &str, name: &str) -> String {
    let (_, field) = register(ip, of).named().find(|(_, f)| f.name == name).expect("a field");
    shown(&field.origin)
}

#[test]
fn confidence_follows_from_sources_of_the_ip() {
    let [small, large] = implementations();
    // Three kinds of facts: from sources that describe both IPs, from a source that describes only
    // the small IP, and from one IP's manual.
    assert_eq!(shown(&register(&small, "EVENT_SELECT").origin), "B | - | The driver; The firmware");
    assert_eq!(field(&small, "CONTROL", "MODE"), "B | - | The driver; A header of a SMALL");
    assert_eq!(field(&large, "CONTROL", "MODE"), "C | 3.1 | The driver");
    assert_eq!(field(&small, "CONTROL", "ENABLE"), "C | - | A header of a SMALL");
    assert_eq!(field(&large, "CONTROL", "ENABLE"), "A | 3.1 | -");
    // A measurement confirms the manual.
    assert_eq!(field(&large, "EVENT_COUNT", "COUNT"), "M | - | measured on a board");
    // For the large IP, the fact has only one source, and this source describes the small IP.
    let reset = |ip: &Ip, of: &str| shown(&register(ip, of).resets[0].origin);
    assert_eq!(reset(&small, "CONTROL"), "C | - | A header of a SMALL");
    assert_eq!(reset(&large, "CONTROL"), "D | 3.1 | A header of a SMALL");
    // Facts whose origin in one of the IPs does not follow from the legend, so the row gives it.
    assert_eq!(shown(&register(&small, "ID").origin), "C | - | A header of a SMALL");
    assert_eq!(shown(&register(&large, "ID").origin), "B | - | A letter and a book");
    assert_eq!(field(&small, "ID", "PART"), "C | 9.9 | A header of a SMALL");
    assert_eq!(reset(&large, "ID"), "D | - | A guess");
}
