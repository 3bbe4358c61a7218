//! The task `export` as people run it.

mod workspace;

use std::fs;

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
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["ip"], "demo");
    assert_eq!(document["registers"].as_array().map(Vec::len), Some(6));
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
        "doc": "The share of returns.",
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
fn json_has_what_a_diagnosis_can_find() {
    let workspace = Workspace::of("cores");
    let out = workspace.path("out");
    workspace.ok(&["export", "json", "--out", out.to_str().expect("text")]);
    let text = workspace.read("out/cores.json");
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let findings = document["findings"].as_array().expect("a list");
    let names: Vec<_> = findings.iter().map(|finding| finding["name"].as_str()).collect();
    assert_eq!(names, [Some("BUS_FAULT"), Some("HALTED"), Some("USER_MODE_CLOSED")]);
    let closed = &findings[2];
    assert_eq!(
        (&closed["mended_by"], &closed["rust"]),
        (&"nobody".into(), &"UserModeClosed".into())
    );
    assert_eq!((&closed["only"][0], &closed["section"]), (&"core2".into(), &"3.1".into()));
    assert_eq!(findings[1]["ambiguous"], true);
}
