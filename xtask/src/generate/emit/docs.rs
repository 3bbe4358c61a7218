//! Texts in generated files.

use crate::generate::model::{
    Access, Bits, Confidence, Content, Event, Field, Group, Ip, Location, Manual, Named, NonSecure,
    Origin, Register, Reserved, Reset, UserMode,
};
use crate::generate::names;

/// Breaks a paragraph into lines. The caller indents the lines.
pub fn paragraph(text: &str) -> Vec<String> {
    // File names and offsets are not broken at hyphens.
    let options = textwrap::Options::new(92).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Joins paragraphs with an empty line between them.
pub fn paragraphs(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut lines = Vec::new();
    for text in texts {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(paragraph(&text));
    }
    lines
}

/// Formats a link to an example: the path of an item, or an anchor on its page.
pub fn link_to_example(path: &str) -> String {
    format!("[Example]({path})")
}

/// Returns the title with its article: a Cortex-A8, an ARM1136.
pub fn with_article(title: &str) -> String {
    let article = if title.starts_with(['A', 'E', 'I', 'O', 'U', 'e']) { "an" } else { "a" };
    format!("{article} {title}")
}

pub fn access(access: Access) -> &'static str {
    match access {
        Access::ReadWrite => "read and write",
        Access::ReadOnly => "read only",
        Access::WriteOnly => "write only",
        Access::WriteOneActs => "write 1 to act, reads as 0",
        Access::WriteOneClears => "write 1 to clear",
        Access::WriteOneSets => "write 1 to set",
    }
}

/// Describes the access to a field in words, including what a read returns if it is unpredictable.
pub fn field_access(field: &Named) -> &'static str {
    match field.access {
        Access::WriteOneActs if field.reads_unpredictably => "write 1 to act, reads unpredictably",
        other => access(other),
    }
}

pub fn aliases(aliases: &[String]) -> String {
    format!("Other names: {}.", aliases.join(", "))
}

/// Returns a sentence that lists which elements of an array have the field; empty if all have it.
pub fn limit(field: &Named) -> String {
    let elements: Vec<_> = field.elements.iter().map(u32::to_string).collect();
    match elements.len() {
        0 => String::new(),
        1 => format!(" Element {} only.", elements[0]),
        _ => format!(" Elements {} only.", elements.join(", ")),
    }
}

fn reserved(reserved: Reserved) -> &'static str {
    match reserved {
        Reserved::Zero => "reserved, zero",
        Reserved::ShouldBeZero => "reserved, should be written as zero",
        Reserved::ShouldBeZeroOrPreserved => "reserved, should be written as zero or as read",
        Reserved::One => "reserved, has to be written as one",
    }
}

/// Maximum number of reset values that a sentence lists; a table lists them if there are more.
pub const FEW: usize = 4;

/// Documentation of a register.
pub struct OfRegister {
    /// Documentation of the module: meaning, place, value after reset, a table of all bits, source.
    pub text: Vec<String>,
    /// Meaning of each named field, in the order of the manual, for the documentation of its method.
    pub meanings: Vec<String>,
}

/// Returns the whole documentation of a register, with the source at the end.
pub fn register(ip: &Ip, register: &Register, place: &str) -> OfRegister {
    let units: Vec<&str> = ip.units.iter().map(|unit| unit.title.as_str()).collect();
    let note_of = |named: &Named| confidence_note(&named.origin, &register.origin).to_owned();
    let mut of = register_body(register, place, &resets(ip, register), &units, note_of);
    of.text.push(String::new());
    of.text.extend(paragraph(&origin(&register.origin, &ip.manual)));
    of
}

/// Returns the documentation of a register without the source. `reset` describes the reset value,
/// and `note_of` returns the confidence note of a field.
pub fn register_body(
    register: &Register,
    place: &str,
    reset: &str,
    units: &[&str],
    note_of: impl Fn(&Named) -> String,
) -> OfRegister {
    let mut text = paragraphs(
        [format!("{}: {}.", register.name, register.title), plain(&register.doc)]
            .into_iter()
            .chain((!register.aliases.is_empty()).then(|| aliases(&register.aliases)))
            .chain(register.note.iter().map(|note| plain(note)))
            .chain(restrictions(register)),
    );
    text.push(String::new());
    text.extend(paragraph(&format!("{place}; {}; {reset}.", access(register.access))));
    text.push(String::new());
    text.extend(table_of_fields(register, units));
    let meanings = register.named().map(|(_, named)| {
        let mut meaning = plain(&named.doc) + &limit(named);
        if !named.aliases.is_empty() {
            meaning += &format!(" {}", aliases(&named.aliases));
        }
        meaning + &note_of(named)
    });
    OfRegister { text, meanings: meanings.collect() }
}

/// Returns a table row for each field: bits, name linked to its method, access, reset.
fn table_of_fields(register: &Register, units: &[&str]) -> Vec<String> {
    let module = names::register_module(&register.name);
    let row = |field: &Field| match &field.content {
        Content::Reserved(kind) => {
            [field.bits.to_string(), reserved(*kind).to_owned(), String::new(), String::new()]
        }
        Content::Named(named) => {
            let side = if reads_a_value(named) { "R" } else { "W" };
            let method = method_of(side, &names::field_accessor(&named.name));
            [
                field.bits.to_string(),
                format!("[{}]({module}::{method})", named.name),
                field_access(named).to_owned(),
                reset_of_field(register, field.bits, named, units),
            ]
        }
    };
    let rows: Vec<_> = register.fields.iter().map(row).collect();
    let heads = ["bits", "field", "access", "reset"];
    let widths: [usize; 4] = std::array::from_fn(|column| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.fold(heads[column].len(), usize::max)
    });
    let line = |cells: [&str; 4]| {
        let [bits, field, access, reset] = cells;
        let [of_bits, of_field, of_access, of_reset] = widths;
        format!("| {bits:of_bits$} | {field:of_field$} | {access:of_access$} | {reset:of_reset$} |")
    };
    let rule = widths.map(|width| "-".repeat(width + 2)).join("|");
    let head = [line(heads), format!("|{rule}|")];
    let cells = rows.iter().map(|row| line(row.each_ref().map(String::as_str)));
    head.into_iter().chain(cells).collect()
}

/// Target of a link to a method of `R` or `W`. A link to `R::dp` would lead to the first field of
/// that name in any register, because all `R` are one generic type.
pub fn method_of(side: &str, method: &str) -> String {
    format!("{side}#method.{method}")
}

pub fn reads_a_value(field: &Named) -> bool {
    !matches!(field.access, Access::WriteOnly | Access::WriteOneActs)
}

/// Returns the value of a field after reset, for each unit if the values differ.
fn reset_of_field(register: &Register, bits: Bits, field: &Named, units: &[&str]) -> String {
    if !reads_a_value(field) {
        return String::new();
    }
    let value = |reset: &Reset| match reset.value {
        Some(value) => match (value & bits.mask()) >> bits.low {
            small @ 0..10 => small.to_string(),
            value => format!("{value:#x}"),
        },
        None => "unknown".to_owned(),
    };
    let values: Vec<String> = register.resets.iter().map(value).collect();
    match values.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => first.clone(),
        _ if values.len() > FEW => "by product".to_owned(),
        _ => {
            let of_unit = |(reset, value): (&Reset, &String)| {
                let unit = reset.unit.and_then(|unit| units.get(unit)).unwrap_or(&"");
                format!("{value} ({unit})")
            };
            let all: Vec<_> = register.resets.iter().zip(&values).map(of_unit).collect();
            all.join(", ")
        }
    }
}

pub fn restrictions(register: &Register) -> impl Iterator<Item = String> {
    let non_secure = register.non_secure.map(|answer| match answer {
        NonSecure::Zero => {
            "Only for Secure software: Non-secure reads return zero, and Non-secure writes are ignored."
        }
    });
    let is_system = matches!(register.location, Location::System { .. });
    let user = register.user.map(|rule| match rule {
        UserMode::Enabled if is_system => {
            "Accessible at EL0 only if enabled; otherwise the access traps."
        }
        UserMode::Read if is_system => "At EL0, always readable and never writable.",
        UserMode::Never if is_system => "Not accessible at EL0: an access traps.",
        UserMode::Enabled => {
            "Accessible in User mode only if enabled; otherwise the access is undefined."
        }
        UserMode::Never => "Not accessible in User mode: an access is undefined.",
        UserMode::Read => "In User mode, always readable and never writable.",
    });
    non_secure.into_iter().chain(user).map(str::to_owned)
}

pub fn resets(ip: &Ip, register: &Register) -> String {
    let value = |reset: &Reset| match reset.value {
        Some(value) => format!("{value:#x}{}", confidence_note(&reset.origin, &register.origin)),
        None => "unknown".to_owned(),
    };
    match &register.resets[..] {
        [reset] if reset.value.is_none() => "unknown after reset".to_owned(),
        [reset] => format!("after reset {}", value(reset)),
        resets => {
            let of_unit = |reset: &Reset| {
                let unit = ip.unit(reset.unit);
                let unit = unit.map_or(String::new(), |unit| with_article(&unit.title));
                format!("{} in {unit}", value(reset))
            };
            format!("after reset {}", resets.iter().map(of_unit).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Documents one event: the summary in its own paragraph, then data, notes and source.
pub fn event(event: &Event, group: &Group, digits: usize, manual: &Manual) -> Vec<String> {
    let notes = event.note.iter().map(|note| plain(note));
    let origins = (event.origin != group.origin).then(|| origin(&event.origin, manual));
    let data = [event_data(event, group, digits)].into_iter().chain(notes).chain(origins);
    paragraphs([plain(&event.doc), data.collect::<Vec<_>>().join(" ")])
}

/// Formats the data of an event as a sentence; the code has at least `digits` digits.
pub fn event_data(event: &Event, group: &Group, digits: usize) -> String {
    let mut data = format!("Code 0x{:0digits$X}, counts {}", event.code, event.unit.word());
    if let Some(bit) = event.evntbus {
        data += &format!(", bit {bit} of its source on EVNTBUS");
    }
    for flag in &event.flags {
        data += ", ";
        data += match *flag {
            "secure_exempt" => "Secure exempt",
            "ace_only" => "ACE interfaces only",
            "never_fires" => "never fires",
            "filterable" => "obeys the StreamID filter",
            "secure_only" => "Secure: counted only under Secure observation",
            "architectural" => "defined by the architecture",
            other => other,
        };
    }
    let has_filter = group.events.iter().any(|event| event.flags.contains(&"filterable"));
    if has_filter && !event.flags.contains(&"filterable") {
        data += ", counted for all StreamIDs";
    }
    data + "."
}

/// Returns a note if a detail has less confidence than its register or event.
pub fn confidence_note(own: &Origin, whole: &Origin) -> &'static str {
    match own.confidence {
        // The documentation of the register or event states this confidence.
        confidence if confidence == whole.confidence => "",
        Confidence::A | Confidence::B | Confidence::M => "",
        Confidence::C => " (one source)",
        Confidence::D => " (inferred, not confirmed)",
    }
}

/// Formats the source of a fact with its confidence.
pub fn origin(origin: &Origin, manual: &Manual) -> String {
    plain(&plain_origin(origin, manual))
}

/// Formats the source of a fact as plain text.
pub fn plain_origin(origin: &Origin, manual: &Manual) -> String {
    let mut text = match (&origin.section, &origin.source) {
        (Some(section), Some(source)) => format!("Source: {} {section}; {source}", manual.id),
        (Some(section), None) => format!("Source: {} {section}", manual.id),
        (None, Some(source)) => format!("Source: {source}"),
        (None, None) => "Source: none".to_owned(),
    };
    text.push_str(match origin.confidence {
        Confidence::A => ".",
        Confidence::B => " (two or more independent sources agree).",
        Confidence::C => " (one source).",
        Confidence::D => " (inferred, not confirmed).",
        Confidence::M => " (measured on hardware).",
    });
    text
}

/// Escapes a text of a spec, so that it contains no link.
pub fn plain(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// Converts a sentence to lower case, for use after a colon or inside a sentence.
pub fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
