//! Enumerations of the spec language, as types of `crates/arm-pmu-tables`.

use arm_pmu_spec::platform::model::{
    Controller, NodeState, Stage, Symptom, Trigger, Wiring, Writer,
};
use arm_pmu_spec::schema::Words;

use super::prelude::*;

/// Enumerations that the tables use.
const ALL: [Words; 17] = [
    Access::DECLARATION,
    Confidence::DECLARATION,
    Controller::DECLARATION,
    Counted::DECLARATION,
    Dialect::DECLARATION,
    FixableBy::DECLARATION,
    LinuxDriver::DECLARATION,
    Measure::DECLARATION,
    NodeState::DECLARATION,
    NonSecure::DECLARATION,
    Reserved::DECLARATION,
    Stage::DECLARATION,
    Symptom::DECLARATION,
    Trigger::DECLARATION,
    UserMode::DECLARATION,
    Wiring::DECLARATION,
    Writer::DECLARATION,
];

pub fn emit() -> Generated {
    let head = "//! Words of the spec language.\n\nuse crate::words::words;\n".to_owned();
    let items = [head].into_iter().chain(ALL.map(|of| declaration(&of)));
    format::file("words.rs", "the spec language", items.collect())
}

fn declaration(Words { name, doc: of_all, words }: &Words) -> String {
    let doc = |text: &str| doc([text.trim().to_owned()]);
    let values: String = words
        .iter()
        .map(|(word, variant, of_word)| format!("{}{word:?} => {variant},\n", doc(of_word)))
        .collect();
    let values = format::indented(&values);
    let whole = format::indented(&format!("{}{name} {{\n{values}}}\n", doc(of_all)));
    format!("words! {{\n{whole}}}\n")
}
