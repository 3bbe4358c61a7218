//! A made-up IP of any size: a real one many times over.
//!
//! Each part of it has all registers and blocks of the real one, under names and at offsets of its
//! own, and is one source with a group of all events of the real one.

use std::fmt::Write as _;

use crate::generate::model::{Confidence, Content, Ip, Location, Origin, Register, Space};
use crate::generate::problem::{Source, Sources};

/// Its name.
pub const NAME: &str = "synthetic";

/// How many bits an event id has at most.
const ID_BITS: u32 = 16;

/// Both specs. `None` if the IP is not in one region of memory, or if it would not fit.
pub fn repeat(ip: &Ip, times: u32) -> Option<Sources> {
    let source = |file: &str, text: String| Source {
        path: format!("specs/{NAME}/{file}").into(),
        text: Some(text),
    };
    let id = IdBits::new(ip, times)?;
    Some(Sources {
        ip: NAME.to_owned(),
        registers: source("registers.yaml", registers(ip, times, id)?),
        events: source("events.yaml", events(ip, times, id)),
        common_registers: Source { path: "specs/common/registers.yaml".into(), text: None },
        common_events: Source { path: "specs/common/events.yaml".into(), text: None },
        common_metrics: Source { path: "specs/common/metrics.yaml".into(), text: None },
        shared_findings: Source { path: "specs/common/findings.yaml".into(), text: None },
        findings: Source { path: "findings.yaml".into(), text: None },
        common_findings: Source { path: "specs/findings.yaml".into(), text: None },
        metrics: Source { path: format!("specs/{NAME}/metrics.yaml").into(), text: None },
        aliases: Source { path: format!("specs/{NAME}/aliases.yaml").into(), text: None },
    })
}

/// How wide the two parts of an event id are.
#[derive(Clone, Copy)]
struct IdBits {
    code: u32,
    source: u32,
}

impl IdBits {
    fn new(ip: &Ip, times: u32) -> Option<Self> {
        let events: usize = ip.groups.iter().map(|group| group.events.len()).sum();
        let code = width(u32::try_from(events).ok()?);
        let source = width(times);
        (code + source <= ID_BITS).then_some(Self { code, source })
    }
}

/// The number of bits for `values` values; at least one.
fn width(values: u32) -> u32 {
    (u32::BITS - values.saturating_sub(1).leading_zeros()).max(1)
}

fn registers(ip: &Ip, times: u32, id: IdBits) -> Option<String> {
    let Space::Region { length: of_part } = ip.space else { return None };
    let end = of_part.checked_mul(times)?;
    // The counters and selectors of all parts.
    let length = end.checked_add(0x100)?;
    let mut text = head(ip);
    let _ = writeln!(text, "title: Made-up IP\nlength: {length:#x}\nblocks:");
    for part in 0..times {
        for block in &ip.blocks {
            let _ = writeln!(
                text,
                "  - {{ name: {}_{part}, title: {:?}, offset: {:#x}, count: {}, stride: {:#x}, \
                 doc: {:?} }}",
                block.name,
                block.title,
                part * of_part + block.offset,
                block.count,
                block.stride,
                block.doc,
            );
        }
    }
    text.push_str("registers:\n");
    for part in 0..times {
        for register in &ip.registers {
            one_register(&mut text, ip, register, part, part * of_part)?;
        }
    }
    let common = "stride: 0x4, count: 8, access: rw, reset: 0x0, section: \"1\"";
    let _ = writeln!(
        text,
        "  - {{ name: COUNT, title: Counters, offset: {end:#x}, {common}, doc: Counts events., \
         fields: [ {{ bits: \"31:0\", name: VALUE, access: rw, doc: The number of events. }} ] }}"
    );
    let IdBits { code, source } = id;
    let reserved = match ID_BITS.checked_sub(code + source) {
        Some(0) | None => "31:16".to_owned(),
        Some(_) => format!("31:{}", code + source),
    };
    let _ = writeln!(
        text,
        "  - {{ name: SELECT, title: Selections, offset: {:#x}, {common}, doc: Selects events., \
         fields: [ {{ bits: {reserved:?}, reserved: zero }}, \
         {{ bits: {:?}, name: SOURCE, access: rw, doc: The part. }}, \
         {{ bits: {:?}, name: CODE, access: rw, doc: The event. }} ] }}",
        end + 0x80,
        range(code + source - 1, code),
        range(code - 1, 0),
    );
    Some(text)
}

fn range(high: u32, low: u32) -> String {
    if high == low { high.to_string() } else { format!("{high}:{low}") }
}

fn head(ip: &Ip) -> String {
    format!("ip: {NAME}\nmanual: {{ id: {:?}, title: {:?} }}\n", ip.manual.id, ip.manual.title)
}

fn one_register(
    text: &mut String,
    ip: &Ip,
    register: &Register,
    part: u32,
    base: u32,
) -> Option<()> {
    let Location::Memory { page: None, block, offset, count, stride } = register.location else {
        return None;
    };
    let name = &register.name;
    let _ = writeln!(text, "  - name: {name}_{part}\n    title: {:?}", register.title);
    match block {
        Some(block) => {
            let block = ip.blocks.get(block)?;
            let offset = offset - block.offset;
            let _ = writeln!(text, "    block: {}_{part}\n    offset: {offset:#x}", block.name);
        }
        None => {
            let _ = writeln!(text, "    offset: {:#x}", base + offset);
            if count > 1 {
                let _ = writeln!(text, "    count: {count}\n    stride: {stride:#x}");
            }
        }
    }
    let [reset] = &register.resets[..] else { return None };
    let value = reset.value.map_or("unknown".to_owned(), |value| format!("{value:#x}"));
    let origin = origin(&reset.origin);
    let origin = origin.iter().filter(|(key, _)| *key != "section");
    let origin: String = origin.map(|(key, value)| format!(", {key}: {value}")).collect();
    let _ = writeln!(text, "    reset: {{ value: {value}{origin} }}");
    let _ = writeln!(
        text,
        "    words: {}\n    access: {}",
        register.width / 32,
        register.access.word()
    );
    lines(text, "    ", &register.origin);
    let _ = writeln!(text, "    doc: {:?}", register.doc);
    if let Some(note) = &register.note {
        let _ = writeln!(text, "    note: {note:?}");
    }
    text.push_str("    fields:\n");
    for field in &register.fields {
        let bits = range(field.bits.high, field.bits.low);
        let _ = writeln!(text, "      - bits: {bits:?}");
        match &field.content {
            Content::Reserved(reserved) => {
                let _ = writeln!(text, "        reserved: {}", reserved.word());
            }
            Content::Named(field) => {
                let _ = writeln!(
                    text,
                    "        name: {}\n        access: {}\n        doc: {:?}",
                    field.name,
                    field.access.word(),
                    field.doc
                );
                lines(text, "        ", &field.origin);
            }
        }
    }
    Some(())
}

fn events(ip: &Ip, times: u32, id: IdBits) -> String {
    let mut text = head(ip);
    text.push_str(
        "counters: { value: COUNT, event: SELECT.CODE, source: SELECT.SOURCE }\ngroups:\n",
    );
    for part in 0..times {
        let _ = writeln!(text, "  - name: part_{part}\n    title: part");
        let _ = writeln!(
            text,
            "    sources: [ {{ id: {part:#x}, name: P{part}, title: Part {part} }} ]"
        );
        if part == 0 {
            let reserved: Vec<_> = (times..1 << id.source).map(|id| format!("{id:#x}")).collect();
            let _ = writeln!(text, "    reserved_sources: [{}]", reserved.join(", "));
        }
        let names = ip.groups.iter().flat_map(|group| {
            group.events.iter().map(|event| (group.name.to_ascii_uppercase(), event))
        });
        let mut all = String::new();
        let mut count = 0;
        for (group, event) in names {
            let _ = writeln!(
                all,
                "      - code: 0x{count:02X}\n        name: {group}_{}\n        unit: {}\n        \
                 doc: {:?}",
                event.name,
                event.unit.word(),
                event.doc
            );
            if let Some(note) = &event.note {
                let _ = writeln!(all, "        note: {note:?}");
            }
            for flag in &event.flags {
                let _ = writeln!(all, "        {flag}: true");
            }
            lines(&mut all, "        ", &event.origin);
            count += 1;
        }
        if count < 1 << id.code {
            let last = (1 << id.code) - 1;
            let _ = writeln!(text, "    reserved_codes: [\"0x{count:02X}-0x{last:02X}\"]");
        }
        let _ = write!(text, "    events:\n{all}");
    }
    text
}

/// The keys that say where a fact comes from.
fn origin(origin: &Origin) -> Vec<(&'static str, String)> {
    let mut keys = Vec::new();
    keys.extend(origin.section.iter().map(|section| ("section", format!("{section:?}"))));
    if origin.confidence != Confidence::A {
        keys.push(("confidence", origin.confidence.word().to_owned()));
    }
    keys.extend(origin.source.iter().map(|source| ("basis", format!("{source:?}"))));
    keys
}

fn lines(text: &mut String, indentation: &str, of: &Origin) {
    for (key, value) in origin(of) {
        let _ = writeln!(text, "{indentation}{key}: {value}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Texts;
    use super::width;

    #[test]
    fn a_repeated_ip_is_accepted_and_scales() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let once = Texts::of_ip(&root, "cci550").expect("specs");
        let once_checked = once.read().expect("to read").check().expect("no problem");
        for times in [1, 2, 10] {
            let texts = once.repeated(times).expect("specs");
            let checked = texts.read().expect("to read").check().expect("no problem");
            let times = times as usize;
            assert_eq!(checked.events(), times * once_checked.events());
            assert_eq!(checked.registers(), times * once_checked.registers() + 2);
        }
        assert!(once.repeated(100_000).is_err(), "event ids have 16 bits");
    }

    #[test]
    fn a_field_is_wide_enough_for_its_values() {
        assert_eq!([1, 2, 3, 4, 55, 64, 65, 1000].map(width), [1, 1, 2, 2, 6, 6, 7, 10]);
    }
}
