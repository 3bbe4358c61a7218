//! The schemas that editors use, held against the specs and against the stored mistakes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value as Json};

use super::{good, stored_messages};
use crate::generate::load;
use crate::generate::problem::{File, Files, Problems, Sources};
use crate::generate::spec;
use crate::generate::yaml::{self, Node, Value};

/// The files, and the names of their schemas.
const KINDS: [(File, &str); 10] = [
    (File::Registers, "registers"),
    (File::CommonRegisters, "registers"),
    (File::Events, "events"),
    (File::CommonEvents, "events"),
    (File::Metrics, "metrics"),
    (File::CommonMetrics, "metrics"),
    (File::Aliases, "aliases"),
    (File::Findings, "findings"),
    (File::SharedFindings, "findings"),
    (File::CommonFindings, "common-findings"),
];

/// Where the types of the language are read.
const OF_FORM: [&str; 3] =
    ["src/generate/spec/", "arm-pmu-spec/src/read.rs", "arm-pmu-spec/src/scalar.rs"];

/// Mistakes in the form of a spec that no schema can see.
const UNSEEN: [(&str, &str); 18] = [
    ("decimal-hex", "the notation of a number"),
    ("elements-hex", "the notation of a number"),
    ("evntbus-hex", "the notation of a number"),
    ("cp15-operand-hex", "the notation of a number"),
    ("hex-decimal", "the notation of a number"),
    ("resets-not-hex", "the notation of a number"),
    ("reset-value-not-hex", "the notation of a number"),
    ("bits-unquoted", "quotes"),
    ("codes-wrong-way-round", "two numbers beside each other"),
    ("bits-wrong-way-round", "two numbers beside each other"),
    ("bits-wrong-way-round-whole", "two numbers beside each other"),
    ("bits-too-wide-and-wrong-way-round", "two numbers beside each other"),
    ("key-twice", "a key that is there twice"),
    ("finding-key-missing", "a key that the architecture can have"),
    ("key-missing", "a key that the architecture can have"),
    ("key-missing-in-source", "a key that the architecture can have"),
    ("metric-without-formula", "a key that the architecture can have"),
    ("not-computable-without-reason", "a key that the architecture can have"),
];

fn validator(file: &str) -> Validator {
    let (_, schema) = spec::FILES.iter().find(|(name, _)| *name == file).expect("a file");
    jsonschema::validator_for(&schema()).expect("a schema")
}

/// A file as an editor sees it, if it is YAML.
fn document(file: File, text: &str) -> Option<Json> {
    yaml::parse(file, text, &mut Problems::default()).map(|node| json(&node))
}

/// The values of a node in the core schema of YAML 1.2.
fn json(node: &Node) -> Json {
    match &node.value {
        Value::Scalar { text, quoted: true } => Json::from(text.as_str()),
        Value::Scalar { text, quoted: false } => plain(text),
        Value::Sequence(items) => items.iter().map(json).collect(),
        Value::Mapping(pairs) => {
            let key = |node: &Node| match &node.value {
                Value::Scalar { text, .. } => text.clone(),
                _ => "a key that is none".to_owned(),
            };
            Json::Object(pairs.iter().map(|(k, v)| (key(k), json(v))).collect::<Map<_, _>>())
        }
    }
}

fn plain(text: &str) -> Json {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Json::Null,
        "true" | "True" | "TRUE" => return Json::Bool(true),
        "false" | "False" | "FALSE" => return Json::Bool(false),
        _ => {}
    }
    let digits = |text: &str, radix| u64::from_str_radix(text, radix).ok();
    let number = match text.get(..2) {
        Some("0x") => digits(&text[2..], 16),
        Some("0o") => digits(&text[2..], 8),
        _ => None,
    };
    let float =
        || text.parse::<f64>().ok().filter(|_| text.starts_with(|c: char| c.is_ascii_digit()));
    match (number.or_else(|| text.parse().ok()), text.parse::<i64>()) {
        (Some(number), _) => number.into(),
        (None, Ok(number)) => number.into(),
        (None, Err(_)) => float().map_or_else(|| text.into(), Json::from),
    }
}

/// Which of the files do not hold to their schema.
pub fn refused(sources: &Sources) -> Vec<&'static str> {
    static VALIDATORS: LazyLock<[Validator; 10]> =
        LazyLock::new(|| KINDS.map(|(_, name)| validator(name)));
    static ARCHITECTURE: LazyLock<Validator> = LazyLock::new(|| validator("architecture"));
    let refused = KINDS.into_iter().zip(&*VALIDATORS).filter(|((file, _), validator)| {
        // An IP may lack metrics and findings.
        let text = sources.get(*file).text.as_deref();
        let shared = *file == File::Registers && text.is_some_and(load::speaks_of_an_architecture);
        let validator = if shared { &ARCHITECTURE } else { *validator };
        text.is_some_and(|text| {
            document(*file, text).is_none_or(|document| !validator.is_valid(&document))
        })
    });
    refused.map(|((_, name), _)| name).collect()
}

#[test]
fn specs_match_and_name_their_schema() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
    let mut files = vec![("common-findings", "schema", specs.join("findings.yaml"))];
    for ip in load::names(&specs.join("..")).expect("IPs") {
        for (name, _) in spec::FILES {
            let path = specs.join(&ip).join(format!("{name}.yaml"));
            if path.exists() {
                files.push((name, "../schema", path));
            }
        }
    }
    for architecture in load::architectures(&specs.join("..")).expect("architectures") {
        let of_all = specs.join(architecture);
        files.push(("architecture", "../schema", of_all.join("registers.yaml")));
        for name in ["events", "metrics", "findings"] {
            let path = of_all.join(name).with_extension("yaml");
            files.extend(path.exists().then_some((name, "../schema", path)));
        }
    }
    assert!(files.len() > 20, "{files:?}");
    for (name, schemas, path) in files {
        let text = fs::read_to_string(&path).expect("a spec");
        let first = format!("# yaml-language-server: $schema={schemas}/{name}.json\n");
        assert!(text.starts_with(&first), "{} has to start with\n{first}", path.display());
        let document = document(File::Registers, &text).expect("YAML");
        if let Err(error) = validator(name).validate(&document) {
            panic!("{}: {error} at {}", path.display(), error.instance_path());
        }
    }
}

#[test]
fn schemas_and_reader_accept_the_same() {
    for name in good::NAMES.into_iter().chain(good::ARCHITECTURE.1) {
        assert_eq!(refused(&good::sources(name)), [""; 0], "{name}");
    }
    for (name, _, sources) in stored_messages::cases("accepted") {
        assert_eq!(refused(&sources), [""; 0], "tests/accepted/{name}.txt");
    }
}

/// A mistake is one of form if the types of the language refuse it.
#[test]
fn mistakes_of_form_they_refuse_too() {
    let mut unseen = BTreeSet::new();
    for (name, _, sources) in stored_messages::cases("bad") {
        let (_, problems) = good::load(&sources);
        let of_form: BTreeSet<_> = problems
            .iter()
            .filter(|problem| {
                OF_FORM.iter().any(|of| problem.made.file().replace('\\', "/").contains(of))
            })
            .filter_map(|problem| KINDS.iter().find(|(file, _)| *file == problem.place.file))
            .map(|(_, name)| *name)
            .collect();
        let refused = refused(&sources);
        // A schema sees of a formula that it is text, and of numbers how large they are.
        let of_grammar = name.starts_with("formula-");
        if !of_grammar && !of_form.iter().all(|file| refused.contains(file)) {
            unseen.insert(name);
        }
    }
    let expected: BTreeSet<_> = UNSEEN.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(unseen, expected);
}
