//! Tests of `arm-pmu export` with independent JSON and CSV readers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arm_pmu_tables::{IPS, Location, Pmu};

mod c;
#[path = "../program/mod.rs"]
mod program;
mod svd;

fn run_in(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    program::run(program::command().arg("export").args(arguments).current_dir(directory))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    run_in(&std::env::temp_dir(), arguments)
}

fn one(arguments: &[&str]) -> String {
    let (status, text, error) = run(arguments);
    assert_eq!(status, 0, "{error}");
    text
}

/// All files of an export, by file name.
fn exported(format: &str) -> BTreeMap<String, String> {
    let out = tempfile::tempdir().expect("a directory");
    let (status, printed, error) = run_in(out.path(), &[format, "--out", "some/place"]);
    assert_eq!(status, 0, "{error}");
    let file = |line: &str| {
        let text = fs::read_to_string(out.path().join(line)).expect("a file");
        (line.rsplit_once(['/', '\\']).expect("a directory").1.to_owned(), text)
    };
    printed.lines().map(file).collect()
}

#[test]
fn several_files_need_a_directory() {
    let out = tempfile::tempdir().expect("a directory");
    assert!(one(&["c", "cci550"]).starts_with("/* Registers and events of the CoreLink CCI-550"));
    assert_eq!(one(&["c", "zynqmp:cci"]), one(&["c", "cci400"]));
    assert_eq!(one(&["json", "--platform", "zynqmp:cci"]), one(&["json", "cci400"]));
    assert!(one(&["json", "CCI-400:r0", "cci400"]).contains("\"name\": \"cci400\""));
    for arguments in [&["c"][..], &["csv", "cci550"], &["c", "cci550", "cci500"]] {
        let (status, text, error) = run_in(out.path(), arguments);
        assert!(status == 2 && text.is_empty() && error.contains("with --out"), "{error}");
    }
    let (status, _, error) = run_in(out.path(), &["c", "cci550", "zebra", "--out", "."]);
    assert!(status == 1 && error.contains("no IP `zebra`"), "{error}");
    fs::write(out.path().join("file"), "").expect("a file");
    let (status, _, error) = run_in(out.path(), &["c", "cci550", "--out", "file"]);
    assert!(status == 2 && error.contains("cannot be written"), "{error}");
    assert_eq!(fs::read_dir(out.path()).expect("a list").count(), 1, "nothing else was written");
    let (status, text, _) = run_in(out.path(), &["c", "cci550", "--out", "."]);
    assert!(status == 0 && text.trim_end().ends_with("cci550.h"), "{text}");
    // A second export replaces the file.
    assert_eq!(run_in(out.path(), &["c", "cci550", "--out", "."]).0, 0);
    assert_eq!(fs::read_dir(out.path()).expect("a list").count(), 2);
}

type Rows = Vec<BTreeMap<String, String>>;

/// Rows of a table, with the column names as keys.
fn rows(text: &str) -> Rows {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

fn hexadecimal(cell: &str) -> u32 {
    u32::from_str_radix(cell.strip_prefix("0x").expect(cell), 16).expect(cell)
}

#[test]
fn tables_have_every_event_id_and_every_field() {
    let tables = exported("csv");
    assert_eq!(tables.len(), 2 * IPS.len());
    for ip in IPS {
        let pmu = Pmu { ip, unit: None };
        let events = rows(&tables[&format!("{}-events.csv", ip.name)]);
        let selections: Vec<_> = pmu.selections().collect();
        assert_eq!(events.len(), selections.len(), "{}", ip.name);
        for (row, selection) in events.iter().zip(selections) {
            let of = selection.of;
            assert_eq!(hexadecimal(&row["id"]), selection.id());
            assert_eq!((&*row["event"], &*row["doc"]), (of.event.name, of.event.doc));
            assert_eq!((&*row["ip_title"], &*row["group_title"]), (ip.title, of.group.title));
            assert_eq!(row["source"], selection.source.map_or("", |source| source.name));
            assert_eq!(row["note"], of.event.note.unwrap_or_default());
        }
        let fields = rows(&tables[&format!("{}-registers.csv", ip.name)]);
        let units: Vec<_> = match ip.space {
            arm_pmu_tables::Space::Pages(_) => ip.units.iter().map(Some).collect(),
            _ => vec![None],
        };
        let mut seen = 0;
        for unit in units {
            let pmu = Pmu { ip, unit };
            for register in pmu.registers() {
                let is = |row: &&BTreeMap<String, String>| {
                    row["register"] == register.name
                        && unit.is_none_or(|unit| row["units"] == unit.name)
                };
                let of_register: Vec<_> = fields.iter().filter(is).collect();
                seen += of_register.len();
                let bits = of_register.iter().map(|row| {
                    row["high"].parse::<u32>().expect("a bit") + 1
                        - row["low"].parse::<u32>().expect("a bit")
                });
                assert_eq!(bits.sum::<u32>(), register.width, "every bit of {}", register.name);
                for field in register.fields {
                    let row = of_register.iter().find(|row| row["field"] == field.name);
                    let row = row.expect("a row");
                    assert_eq!(row["high"], field.bits.high.to_string());
                    assert_eq!((&*row["access"], &*row["doc"]), (field.access.word(), field.doc));
                }
                if let Location::Memory { page, offset, .. } = register.location {
                    let base = page.map_or(0, |page| unit.unwrap().page_offset(page).unwrap());
                    assert_eq!(hexadecimal(&of_register[0]["offset"]), base + offset);
                }
            }
        }
        assert_eq!(seen, fields.len(), "{}", ip.name);
    }
}
