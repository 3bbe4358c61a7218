//! `cargo xtask show`: one register, event or metric, as the spec has it, for people.

mod event;
mod find;
mod metric;
mod register;

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::generate::emit::docs;
use crate::generate::export;
use crate::generate::load::load;
use crate::generate::model::{Ip, Manual, Origin};
use crate::output::{out, outln};

#[derive(clap::Args)]
pub struct Arguments {
    /// The IP, by the name of its directory under specs/
    #[arg(value_name = "IP")]
    ip: String,
    /// A register, field, event or metric, as the manual or as Rust spells it, or a number: an offset, an event id
    #[arg(value_name = "NAME")]
    name: String,
    /// For other programs
    #[arg(long)]
    json: bool,
}

/// Everything that one name or number stands for.
#[derive(Serialize)]
struct Document<'m> {
    ip: &'m str,
    registers: Vec<export::RegisterRow<'m>>,
    events: Vec<EventRow<'m>>,
    metrics: Vec<export::MetricRow<'m>>,
    not_computable: Vec<export::NotComputableRow<'m>>,
}

#[derive(Serialize)]
struct EventRow<'m> {
    group: &'m str,
    /// The unit that has the group, where not all do.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'m str>,
    #[serde(flatten)]
    event: export::Event<'m>,
    ids: Vec<IdRow<'m>>,
}

#[derive(Serialize)]
struct IdRow<'m> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'m str>,
    id: u32,
}

/// # Errors
///
/// If the spec has problems, or nothing in it has the name; then the error says what is near.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let loaded = load(root, std::slice::from_ref(&arguments.ip))?;
    let Some(ip) = loaded.ips.first() else { bail!("there is no specs/{}", arguments.ip) };
    let found = find::find(ip, &arguments.name)?;
    if arguments.json {
        outln!("{}", serde_json::to_string_pretty(&document(ip, &found))?);
        return Ok(());
    }
    out!("{}", text(ip, &found));
    Ok(())
}

/// Everything that was found, for people.
fn text(ip: &Ip, found: &find::Found<'_>) -> String {
    let registers = found.registers.iter().map(|register| register::text(ip, register));
    let events = found.events.iter().map(|event| event::text(ip, event));
    let metrics = found.metrics.iter().map(|metric| metric::text(ip, metric));
    let none = found.not_computable.iter().map(|none| metric::why_not(ip, none));
    registers.chain(events).chain(metrics).chain(none).collect::<Vec<_>>().join("\n\n")
}

fn document<'m>(ip: &'m Ip, found: &find::Found<'m>) -> Document<'m> {
    let event = |of: &find::OfGroup<'m>| EventRow {
        group: &of.group.name,
        unit: export::unit_of(ip, of.group),
        event: export::event(ip, of.group, of.event),
        ids: event::ids(ip, of).map(|(source, id)| IdRow { source, id }).collect(),
    };
    Document {
        ip: &ip.name,
        registers: found.registers.iter().map(|r| export::register(ip, r)).collect(),
        events: found.events.iter().map(event).collect(),
        metrics: found.metrics.iter().map(|metric| export::metric(ip, metric)).collect(),
        not_computable: found
            .not_computable
            .iter()
            .map(|none| export::not_computable(ip, none))
            .collect(),
    }
}

/// How many columns a text takes.
const COLUMNS: usize = 80;

/// A paragraph of so many columns, with `first` in front, and its further lines below the end of that.
fn paragraph(first: &str, text: &str) -> String {
    let indent = " ".repeat(first.len());
    let options = textwrap::Options::new(COLUMNS)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .initial_indent(first)
        .subsequent_indent(&indent);
    textwrap::fill(text, options) + "\n"
}

/// Where a fact comes from, as a sentence.
fn source(origin: &Origin, manual: &Manual) -> String {
    // Made for documentation, where brackets would be links.
    docs::origin(origin, manual).replace("\\[", "[").replace("\\]", "]")
}

#[cfg(test)]
mod tests {
    use heck::{ToSnakeCase, ToUpperCamelCase};
    use proptest::prelude::*;

    use super::*;
    use crate::generate::names;

    fn ips() -> Vec<Ip> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        load(&root, &[]).expect("good specs").ips
    }

    /// Each name as the specs, as methods and as types have it.
    fn spellings(name: &str) -> [String; 3] {
        [name.to_owned(), name.to_snake_case(), name.to_upper_camel_case()]
    }

    #[test]
    fn everything_is_found_by_its_name_and_fits_the_columns() {
        for ip in ips() {
            for register in &ip.registers {
                for name in spellings(&register.name) {
                    let found = find::find(&ip, &name).expect("a register");
                    assert!(found.registers.iter().any(|of| of.name == register.name), "{name}");
                }
                for (_, field) in register.named() {
                    let name = format!("{}.{}", register.name, field.name);
                    let found = find::find(&ip, &name).expect("a field");
                    assert_eq!(found.registers.len(), 1, "{name}");
                    let text = text(&ip, &found);
                    assert!(text.contains(&field.name) && text.contains(&register.title));
                    let fits = |line: &str| line.len() <= COLUMNS || !line.trim().contains(' ');
                    assert!(text.lines().all(fits), "{text}");
                }
            }
            for metric in &ip.metrics {
                for name in spellings(&metric.name) {
                    let found = find::find(&ip, &name).expect("a metric");
                    assert!(found.metrics.iter().any(|of| of.name == metric.name), "{name}");
                    let text = text(&ip, &found);
                    assert!(text.contains(&names::metric_type(&metric.name)), "{text}");
                    let fits = |line: &str| line.len() <= COLUMNS || !line.trim().contains(' ');
                    assert!(text.lines().all(fits), "{text}");
                }
            }
            for none in &ip.not_computable {
                let found = find::find(&ip, &none.name).expect("a reason");
                let text = text(&ip, &found);
                assert!(text.contains("cannot be computed"), "{text}");
            }
            for group in &ip.groups {
                for event in &group.events {
                    for name in spellings(&event.name) {
                        let found = find::find(&ip, &name).expect("an event");
                        assert!(
                            found.events.iter().any(|of| of.event.name == event.name),
                            "{name}"
                        );
                        let text = text(&ip, &found);
                        assert!(text.contains(&event.doc[..event.doc.len().min(20)]), "{text}");
                    }
                    // Units may have groups of the same name.
                    let has = |of: &&crate::generate::model::Group| {
                        of.name == group.name && of.events.iter().any(|e| e.name == event.name)
                    };
                    let found = find::find(&ip, &format!("{}:{}", group.name, event.name));
                    let units = ip.groups.iter().filter(has).count();
                    assert_eq!(found.expect("an event").events.len(), units, "{}", event.name);
                    for (_, id) in event::ids(&ip, &find::OfGroup { group, event, source: None }) {
                        let found = find::find(&ip, &format!("{id:#x}")).expect("an event");
                        assert!(found.events.iter().any(|of| of.event.name == event.name), "{id}");
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn whatever_is_asked_there_is_an_answer(name in "[A-Za-z0-9_:.x]{0,24}|.{0,40}|0x[0-9A-F]{1,12}") {
            static IPS: std::sync::LazyLock<Vec<Ip>> = std::sync::LazyLock::new(ips);
            for ip in &*IPS {
                match find::find(ip, &name) {
                    Ok(found) => prop_assert!(!text(ip, &found).is_empty()),
                    Err(error) => prop_assert!(!error.to_string().contains('\n')),
                }
            }
        }
    }
}
