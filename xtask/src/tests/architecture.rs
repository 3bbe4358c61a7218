//! IPs that share the registers of an architecture.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::good;
use crate::generate::emit;
use crate::generate::load::{architectures, load};
use crate::generate::model::{Content, Ip, Location, Origin, Register};

fn implementations() -> [Ip; 2] {
    good::ARCHITECTURE.1.map(|name| {
        let sources = good::sources(name);
        let (ip, mut problems) = good::load(&sources);
        ip.unwrap_or_else(|| panic!("{}", good::render(&mut problems, &sources)))
    })
}

fn register<'m>(ip: &'m Ip, name: &str) -> &'m Register {
    ip.registers.iter().find(|register| register.name == name).expect("a register")
}

/// Confidence, section and source in one line.
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
fn confidence_follows_from_the_sources_that_speak_of_the_ip() {
    let [small, large] = implementations();
    // Two sources of both, one of both and one of the small, the manual of one.
    assert_eq!(shown(&register(&small, "EVENT_SELECT").origin), "B | - | The driver; The firmware");
    assert_eq!(field(&small, "CONTROL", "MODE"), "B | - | The driver; A header of a SMALL");
    assert_eq!(field(&large, "CONTROL", "MODE"), "C | 3.1 | The driver");
    assert_eq!(field(&small, "CONTROL", "ENABLE"), "C | - | A header of a SMALL");
    assert_eq!(field(&large, "CONTROL", "ENABLE"), "A | 3.1 | -");
    // A source of the other one only.
    let reset = |ip: &Ip, of: &str| shown(&register(ip, of).resets[0].origin);
    assert_eq!(reset(&small, "CONTROL"), "C | - | A header of a SMALL");
    assert_eq!(reset(&large, "CONTROL"), "D | 3.1 | A header of a SMALL");
    // Facts that the legend cannot give.
    assert_eq!(shown(&register(&small, "ID").origin), "C | - | A header of a SMALL");
    assert_eq!(shown(&register(&large, "ID").origin), "B | - | A letter and a book");
    assert_eq!(field(&small, "ID", "PART"), "C | 9.9 | A header of a SMALL");
    assert_eq!(reset(&large, "ID"), "D | - | A guess");
}

#[test]
fn each_ip_has_its_own_title_fields_counts_and_values() {
    let [small, large] = implementations();
    assert_eq!((small.product(), large.product()), ("SMALL", "LARGE"));
    assert_eq!((&*small.manual.id, &*large.manual.id), ("DDI 0003A", "DDI 0004A"));
    let bits = |ip: &Ip| {
        let fields = &register(ip, "CONTROL").fields;
        let reserved = fields.iter().filter(|f| matches!(f.content, Content::Reserved(_)));
        reserved.map(|field| field.bits.to_string()).collect::<Vec<_>>()
    };
    // Bit 4 cannot be distinguished from the reserved bits around it.
    assert_eq!(bits(&small), ["31:3"]);
    assert_eq!(bits(&large), ["31:5", "3"]);
    let count = |ip: &Ip| match register(ip, "MONITOR").location {
        Location::Memory { count, .. } => count,
        Location::Cp15 { .. } | Location::System { .. } => 0,
    };
    assert_eq!((count(&small), count(&large)), (2, 4));
    let id = |ip: &Ip| register(ip, "ID").resets[0].value;
    assert_eq!((id(&small), id(&large)), (Some(1), Some(2)));
}

#[test]
fn generated_files_are_those_stored() {
    let [small, large] = implementations();
    let architecture = small.architecture.clone().expect("an architecture");
    let common = emit::architecture(&architecture, &[&small, &large], None).expect("Rust");
    let of_small = emit::emit(&small).expect("Rust").into_iter();
    let driver =
        of_small.filter(|file| ["mod.rs", "pmu.rs", "running.rs"].contains(&file.name.as_str()));
    let files = common.into_iter().map(|file| ("family", file));
    for (name, file) in files.chain(driver.map(|file| ("small", file))) {
        let path = good::directory(name).join("generated").join(&file.name);
        if std::env::var_os("UPDATE_MESSAGES").is_some() {
            fs::create_dir_all(path.parent().expect("a directory")).expect("to make it");
            fs::write(&path, &file.text).expect("to write the file");
        }
        let stored = fs::read_to_string(&path).expect("the stored file");
        let path = path.display();
        assert!(file.text == stored, "{path} differs; `UPDATE_MESSAGES=1` takes it over");
    }
}

/// How certain each fact about an IP with an architecture is, apart from how the specs say it.
#[test]
fn confidences_are_those_stored() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for architecture in architectures(&root).expect("the specs") {
        let mut text = String::new();
        for ip in load(&root, std::slice::from_ref(&architecture)).expect("good specs").ips {
            for register in &ip.registers {
                let mut line = |what: &str, origin: &Origin| {
                    let section = origin.section.as_deref().unwrap_or("-");
                    let word = origin.confidence.word();
                    let _ =
                        writeln!(text, "{} {}{what}: {word}, {section}", ip.name, register.name);
                };
                line("", &register.origin);
                register.resets.iter().for_each(|reset| line(" after reset", &reset.origin));
                for (_, field) in register.named() {
                    line(&format!(".{}", field.name), &field.origin);
                }
            }
        }
        let name = format!("tests/confidences/{architecture}.txt");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
        if std::env::var_os("UPDATE_MESSAGES").is_some() {
            fs::write(&path, &text).expect("to write the file");
        }
        let stored = fs::read_to_string(path).expect("the stored confidences");
        // An IP that was added has none until its author stores them.
        let ip = |line: &str| line.split(' ').next().map(str::to_owned);
        let known: BTreeSet<_> = stored.lines().map(ip).collect();
        let found: Vec<_> = text.lines().filter(|line| known.contains(&ip(line))).collect();
        for (found, stored) in found.iter().copied().zip(stored.lines()) {
            assert_eq!(found, stored, "{name}");
        }
        assert_eq!(found.len(), stored.lines().count(), "{name}");
    }
}
