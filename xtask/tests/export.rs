//! The task `export` as people run it: JSON and tables, read again by readers that are not ours.

mod workspace;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use workspace::Workspace;

#[test]
fn json_is_one_file_for_each_ip() {
    let workspace = Workspace::new();
    workspace.copy_ip("other");
    let out = workspace.path("out/json");
    workspace.ok(&["export", "json", "--out", out.to_str().expect("text")]);
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("to list")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .collect();
    names.sort();
    assert_eq!(names, ["demo.json", "other.json"]);
    let text = workspace.read("out/json/demo.json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["ip"], "demo");
    assert_eq!(document["registers"].as_array().map(Vec::len), Some(6));
}

/// A killed run leaves temporary files. Those of other programs stay.
#[test]
#[cfg(unix)]
fn what_a_killed_run_left_is_removed() {
    let workspace = Workspace::new();
    workspace.write("out/.xtask-a1B2c3.tmp", "half");
    workspace.write("out/.other.tmp", "theirs");
    workspace.ok(&["export", "c", "--out", workspace.path("out").to_str().expect("text")]);
    assert_eq!(workspace.files().iter().filter(|path| path.starts_with("out/")).count(), 2);
    assert_eq!(workspace.read("out/.other.tmp"), "theirs");
    assert!(workspace.path("out/demo.h").is_file());
}

#[test]
fn json_has_the_metrics() {
    let workspace = Workspace::of("cores");
    let out = workspace.path("out");
    workspace.ok(&["export", "json", "--out", out.to_str().expect("text")]);
    let text = workspace.read("out/cores.json");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let share = serde_json::json!({
        "name": "RETURN_SHARE",
        "rust": "ReturnShare",
        "group": "core",
        "cores": ["core1"],
        "unit": "percent",
        "formula": "RETURN / INSTRUCTION",
        "inputs": ["RETURN", "INSTRUCTION"],
        "doc": "Share of returns.",
        "section": "5.1",
        "confidence": "A",
    });
    assert_eq!(document["metrics"][1], share);
    assert_eq!(document["metrics"][0]["inputs"], serde_json::json!(["INSTRUCTION", "cycles"]));
    assert_eq!(document["not_computable"][0]["reason"], "Nothing counts accesses.");
    assert_eq!(document["not_computable"][0]["cores"], serde_json::json!(["core2"]));

    let workspace = Workspace::new();
    workspace.ok(&["export", "json", "--out", workspace.path("out").to_str().expect("text")]);
    let text = workspace.read("out/demo.json");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let metric = &document["metrics"][1];
    assert_eq!(metric["arguments"]["beat_bytes"], "The width of the data bus, in bytes.");
    assert_eq!(metric["source"], "The definition of the event");
    assert!(metric["cores"].is_null());
}

#[test]
fn a_problem_in_a_spec_exports_nothing() {
    let workspace = Workspace::new();
    workspace.change("specs/demo/registers.yaml", "access: wo, doc", "access: w0, doc");
    let before = workspace.state();
    let out = workspace.path("out");
    let error = workspace.fails(&["export", "json", "--out", out.to_str().expect("text")]);
    assert!(error.contains("--> specs/demo/registers.yaml:"), "{error}");
    assert_eq!(workspace.state(), before);
}

#[test]
fn json_has_the_names_of_the_manual() {
    let workspace = Workspace::of("cores");
    let out = workspace.path("out");
    workspace.ok(&["export", "json", "--out", out.to_str().expect("text")]);
    let document: serde_json::Value =
        serde_json::from_str(&workspace.read("out/cores.json")).expect("JSON");
    let control = &document["registers"][0];
    assert_eq!(control["aliases"], serde_json::json!(["PMNC", "PMN_CONTROL"]));
    let fields = control["fields"].as_array().expect("a list");
    let reset = fields.iter().find(|field| field["name"] == "RESET").expect("the field");
    assert_eq!(reset["aliases"], serde_json::json!(["CLEAR"]));
    assert!(document["registers"][1]["aliases"].is_null(), "left out where there is none");
}

#[test]
fn json_has_what_a_diagnosis_can_find() {
    let workspace = Workspace::of("cores");
    let out = workspace.path("out");
    workspace.ok(&["export", "json", "--out", out.to_str().expect("text")]);
    let text = workspace.read("out/cores.json");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let findings = document["findings"].as_array().expect("a list");
    let names: Vec<_> = findings.iter().map(|finding| finding["name"].as_str()).collect();
    assert_eq!(names, [Some("BUS_ERROR"), Some("HALTED"), Some("USER_MODE_CLOSED")]);
    let closed = &findings[2];
    assert_eq!(
        (&closed["fixable_by"], &closed["rust"]),
        (&"nobody".into(), &"UserModeClosed".into())
    );
    assert_eq!((&closed["only"][0], &closed["section"]), (&"core2".into(), &"3.1".into()));
    assert_eq!(findings[1]["ambiguous"], true);
}

/// The files that an export of this workspace's IPs makes, by name.
fn exported(format: &str) -> BTreeMap<String, String> {
    let out = tempfile::tempdir().expect("a temporary directory");
    workspace::real(&["export", format, "--out", out.path().to_str().expect("text")]);
    let entries = fs::read_dir(out.path()).expect("to list");
    let file = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("to read");
        (entry.file_name().into_string().expect("text"), text)
    };
    entries.map(|entry| file(entry.expect("an entry"))).collect()
}

#[test]
fn json_is_what_its_schema_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/schema/export.json");
    let schema = fs::read_to_string(path).expect("the schema");
    let schema = serde_json::from_str(&schema).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let files = exported("json");
    let names: Vec<_> = workspace::real_ips().iter().map(|ip| format!("{ip}.json")).collect();
    assert!(files.keys().eq(&names), "{names:?}");
    for (name, text) in &files {
        let mut document: Value = serde_json::from_str(text).expect("JSON");
        if let Err(error) = validator.validate(&document) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
        // What readers rely on is in the schema: each of these is noticed.
        for (pointer, wrong) in [
            ("/counters", Value::from("4")),
            ("/groups/0/events/0/code", Value::Null),
            ("/groups/0/events/0/unit", Value::from("seconds")),
            ("/registers/0/access", Value::from("w2")),
            ("/registers/0/fields/0/bits", Value::from(31)),
        ] {
            let place = document.pointer_mut(pointer).expect("a value");
            let right = std::mem::replace(place, wrong);
            assert!(!validator.is_valid(&document), "{name}: {pointer}");
            *document.pointer_mut(pointer).expect("a value") = right;
        }
        let object = document.as_object_mut().expect("an object");
        object.insert("more".to_owned(), Value::Null);
        assert!(!validator.is_valid(&document));
    }
}

type Rows = Vec<BTreeMap<String, String>>;

/// The rows of a table, each with the names of its columns.
fn rows(text: &str) -> Rows {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn tables_have_every_event_id_and_every_field() {
    let tables = exported("csv");
    for (name, text) in exported("json") {
        let ip = name.strip_suffix(".json").expect("a name");
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let events = rows(&tables[&format!("{ip}-events.csv")]);
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut wanted = 0;
        for group in list(&document["groups"]) {
            let sources = list(&document["sources"]);
            let same = |s: &&Value| s["group"] == group["name"] && s["unit"] == group["unit"];
            let sources: Vec<_> = sources.iter().filter(same).collect();
            for event in list(&group["events"]) {
                wanted += sources.len().max(1);
                for n in 0..sources.len().max(1) {
                    let source = sources.get(n);
                    let is = |row: &&BTreeMap<String, String>| {
                        row["group"] == group["name"]
                            && group["unit"].as_str().is_none_or(|unit| row["units"] == unit)
                            && row["event"] == event["name"]
                            && source.is_none_or(|source| row["source"] == source["name"])
                    };
                    let row = events.iter().find(is).expect("a row");
                    assert_eq!(row["doc"], event["doc"]);
                    assert_eq!(row["note"], event["note"].as_str().unwrap_or_default());
                    assert_eq!(row["counts"], event["unit"]);
                    let code = event["code"].as_u64().expect("a code");
                    let id = u64::from_str_radix(&row["id"][2..], 16).expect("an id");
                    let low = |bits: &Value| -> u64 {
                        bits.as_str().and_then(|b| b.split(':').nth(1)?.parse().ok()).unwrap_or(0)
                    };
                    let of_source = source.map_or(0, |source| {
                        source["id"].as_u64().expect("an id")
                            << low(&document["event_id"]["source"])
                    });
                    assert_eq!(id, of_source | code << low(&document["event_id"]["code"]));
                }
            }
        }
        assert_eq!(events.len(), wanted, "{ip}");
        let fields = rows(&tables[&format!("{ip}-registers.csv")]);
        for register in list(&document["registers"]) {
            let of_register: Vec<_> =
                fields.iter().filter(|row| row["register"] == register["name"]).collect();
            let bits: u64 = of_register
                .iter()
                .map(|row| {
                    let (high, low) = row["bits"].split_once(':').expect("bits");
                    high.parse::<u64>().expect("a bit") - low.parse::<u64>().expect("a bit") + 1
                })
                .sum();
            assert_eq!(register["width"], bits, "every bit of {} is there", register["name"]);
            for field in list(&register["fields"]) {
                let row = of_register.iter().find(|row| row["field"] == field["name"]);
                let row = row.expect("a row");
                assert_eq!(
                    (&*row["bits"], &*row["access"]),
                    (
                        field["bits"].as_str().expect("bits"),
                        field["access"].as_str().expect("an access"),
                    )
                );
                assert_eq!(row["doc"], field["doc"]);
            }
        }
    }
}

#[test]
fn cells_with_quotes_and_commas_are_read_as_they_were() {
    let workspace = Workspace::new();
    let doc = "An \\\"odd\\\", really odd, request.";
    workspace.change("specs/demo/events.yaml", "A read request was accepted.", doc);
    let out = workspace.path("out");
    workspace.ok(&["export", "csv", "--out", out.to_str().expect("text")]);
    let events = rows(&workspace.read("out/demo-events.csv"));
    assert_eq!(events[0]["doc"], "An \"odd\", really odd, request.");
    assert_eq!(events[0]["attributes"], "secure_exempt");
    assert_eq!(
        (&*events[1]["source"], &*events[1]["id"], &*events[1]["evntbus"]),
        ("S1", "0x08", "16")
    );
}

#[test]
fn nothing_is_written_if_one_file_cannot_be_made() {
    let workspace = Workspace::new();
    workspace.copy_ip("other");
    // MONITOR_PENDING and its MASK, or MONITOR and its PENDING_MASK.
    workspace.change("specs/other/registers.yaml", "name: LOCK", "name: MONITOR_PENDING");
    workspace.change("specs/other/registers.yaml", "name: KEY", "name: OFFSET");
    workspace.change(
        "specs/other/registers.yaml",
        "- { bits: \"7:0\", name: PENDING",
        "- { bits: \"7:1\", name: PENDING_OFFSET, access: ro, doc: \"More.\" }\n      - { bits: \"0\", name: PENDING",
    );
    let out = workspace.path("out");
    let error = workspace.fails(&["export", "c", "--out", out.to_str().expect("text")]);
    assert!(
        error.contains("two things would be called OTHER_MONITOR_PENDING_OFFSET_MASK"),
        "{error}"
    );
    assert!(!out.exists());
}
