//! `cargo xtask show`: one register or event, as the spec has it, for people.

mod event;
mod find;
mod register;

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::emit::docs;
use crate::export;
use crate::load::load;
use crate::model::{Ip, Manual, Origin};

#[derive(clap::Args)]
pub struct Arguments {
    /// The IP, by the name of its directory under specs/
    #[arg(value_name = "IP")]
    ip: String,
    /// A register, field or event, as the manual or as Rust spells it, or a number: an offset, an event id
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
}

#[derive(Serialize)]
struct EventRow<'m> {
    group: &'m str,
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
        println!("{}", serde_json::to_string_pretty(&document(ip, &found))?);
        return Ok(());
    }
    let registers = found.registers.iter().map(|register| register::text(ip, register));
    let events = found.events.iter().map(|event| event::text(ip, event));
    let texts: Vec<String> = registers.chain(events).collect();
    print!("{}", texts.join("\n\n"));
    Ok(())
}

fn document<'m>(ip: &'m Ip, found: &find::Found<'m>) -> Document<'m> {
    let event = |of: &find::OfGroup<'m>| EventRow {
        group: &of.group.name,
        event: export::event(ip, of.group, of.event),
        ids: event::ids(ip, of).map(|(source, id)| IdRow { source, id }).collect(),
    };
    Document {
        ip: &ip.name,
        registers: found.registers.iter().map(|r| export::register(ip, r)).collect(),
        events: found.events.iter().map(event).collect(),
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
