//! Texts of the generated files.

use crate::generate::model::{
    Access, Confidence, Content, Event, Group, Ip, Manual, Named, NonSecure, Origin, Register,
    Reserved, Reset, UserMode,
};

/// A paragraph, broken into lines. Indentation of the item it belongs to is left to the reader.
pub fn paragraph(text: &str) -> Vec<String> {
    // File names and offsets are not broken at hyphens.
    let options = textwrap::Options::new(92).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// Paragraphs with an empty line between two.
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

/// A title as one of its kind: a Cortex-A8, an ARM1136.
pub fn with_article(title: &str) -> String {
    let article = if title.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {title}")
}

/// What software can do with it, in words.
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

/// The access of a field, with how it reads.
pub fn field_access(field: &Named) -> &'static str {
    match field.access {
        Access::WriteOneActs if field.reads_unpredictably => "write 1 to act, reads unpredictably",
        other => access(other),
    }
}

/// What the manual of the product calls it, as a sentence.
pub fn aliases(aliases: &[String]) -> String {
    format!("In the manual: {}.", aliases.join(", "))
}

/// Where an array has the field, if not in all elements, as a sentence after others.
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

/// Everything about a register: meaning, place, reset value, every bit, source.
pub fn register(ip: &Ip, register: &Register, place: &str) -> Vec<String> {
    let doubt_of = |named: &Named| doubt(&named.origin, &register.origin).to_owned();
    let mut lines = register_body(register, place, &resets(ip, register), doubt_of);
    lines.push(String::new());
    lines.extend(paragraph(&origin(&register.origin, &ip.manual)));
    lines
}

/// The same without the source. `reset` and `doubt_of` are the texts that say how well the value after reset
/// and each field are known.
pub fn register_body(
    register: &Register,
    place: &str,
    reset: &str,
    doubt_of: impl Fn(&Named) -> String,
) -> Vec<String> {
    let mut lines = paragraphs(
        [format!("{}: {}.", register.name, register.title), plain(&register.doc)]
            .into_iter()
            .chain((!register.aliases.is_empty()).then(|| aliases(&register.aliases)))
            .chain(register.note.iter().map(|note| plain(note)))
            .chain(restrictions(register)),
    );
    lines.push(String::new());
    lines.extend(paragraph(&format!("{place}; {}; {reset}.", access(register.access))));
    lines.push(String::new());
    let bits: Vec<_> = register.fields.iter().map(|field| field.bits.to_string()).collect();
    let width = bits.iter().map(String::len).max().unwrap_or(0).max("bits".len());
    lines.push(format!("| {:width$} | field |", "bits"));
    lines.push(format!("|{:-<1$}|-------|", "", width + 2));
    for (field, bits) in register.fields.iter().zip(&bits) {
        lines.push(match &field.content {
            Content::Reserved(kind) => format!("| {bits:width$} | {} |", reserved(*kind)),
            Content::Named(named) => {
                let doubt = doubt_of(named);
                let (name, rights, doc) = (&named.name, field_access(named), escape(&named.doc));
                let mut limit = limit(named);
                if !named.aliases.is_empty() {
                    limit += &format!(" {}", aliases(&named.aliases));
                }
                format!("| {bits:width$} | **{name}** ({rights}). {doc}{limit}{doubt} |")
            }
        });
    }
    lines
}

/// Which units have the register, if not all.
pub fn of_units(ip: &Ip, register: &Register) -> Option<String> {
    let units = register.only.iter().filter_map(|unit| ip.units.get(*unit));
    let titles: Vec<_> = units.map(|unit| unit.title.as_str()).collect();
    (!titles.is_empty()).then(|| format!("On {} only.", titles.join(", ")))
}

/// What restricts the access.
pub fn restrictions(register: &Register) -> impl Iterator<Item = String> {
    let non_secure = register.non_secure.map(|answer| match answer {
        NonSecure::Zero => {
            "For Secure software: Non-secure software reads zero and writes nothing."
        }
    });
    let user = register.user.map(|rule| match rule {
        UserMode::Enabled => "In User mode only where it is enabled, else undefined.",
        UserMode::Never => "Never in User mode: undefined there.",
        UserMode::Read => "In User mode it can be read always, and never be written.",
    });
    non_secure.into_iter().chain(user).map(str::to_owned)
}

/// What a register holds after reset.
pub fn resets(ip: &Ip, register: &Register) -> String {
    let value = |reset: &Reset| match reset.value {
        Some(value) => format!("{value:#x}{}", doubt(&reset.origin, &register.origin)),
        None => "unknown".to_owned(),
    };
    match &register.resets[..] {
        [reset] if reset.value.is_none() => "unknown after reset".to_owned(),
        [reset] => format!("after reset {}", value(reset)),
        resets => {
            let of_unit = |reset: &Reset| {
                let unit = reset.unit.and_then(|unit| ip.units.get(unit));
                let unit = unit.map_or(String::new(), |unit| with_article(&unit.title));
                format!("{} in {unit}", value(reset))
            };
            format!("after reset {}", resets.iter().map(of_unit).collect::<Vec<_>>().join(", "))
        }
    }
}

/// One event: the summary first, on its own, then its data, notes and source.
pub fn event(event: &Event, group: &Group, digits: usize, manual: &Manual) -> Vec<String> {
    let notes = event.note.iter().map(|note| plain(note));
    let origins = (event.origin != group.origin).then(|| origin(&event.origin, manual));
    let data = event_data(event, group, digits);
    paragraphs([plain(&event.doc), data].into_iter().chain(notes).chain(origins))
}

/// The data of an event as a sentence; its code has at least so many digits.
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
        data += ", counted whatever the StreamID";
    }
    data + "."
}

/// How far to trust a detail that is less certain than what it belongs to.
pub fn doubt(own: &Origin, whole: &Origin) -> &'static str {
    match own.confidence {
        // Said once, of the whole.
        confidence if confidence == whole.confidence => "",
        Confidence::A | Confidence::B => "",
        Confidence::C => " (one source)",
        Confidence::D => " (inferred, not confirmed)",
    }
}

/// Where to look it up, and how far to trust it.
pub fn origin(origin: &Origin, manual: &Manual) -> String {
    plain(&plain_origin(origin, manual))
}

/// The same outside of docs.
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
    });
    text
}

/// A text of a spec, in which nothing is taken for a link.
pub fn plain(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

/// The same in a cell of a table.
fn escape(text: &str) -> String {
    plain(text).replace('|', "\\|")
}

/// A sentence that follows a colon, or words in the middle of one.
pub fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
