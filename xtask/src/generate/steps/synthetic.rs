//! Specs of a made-up IP of any size: parts with registers, and with events of one source.

use std::fmt::Write as _;

use crate::generate::problem::{File, Source, Sources};

/// Its name.
pub const NAME: &str = "synthetic";

/// Number of registers in a part, as in a CCI-550; the number of events is similar.
pub const REGISTERS: u32 = 25;
pub const EVENTS: u32 = 50;

/// Width of an event code; code and source form an event id of 16 bits.
const CODE_BITS: u32 = 6;
const SOURCE_BITS: u32 = 10;

/// Returns the specs of an IP with this number of parts, from 1 to 1024.
pub fn specs(parts: u32) -> Sources {
    Sources::new(NAME, |file| Source {
        path: format!("specs/{NAME}/{file:?}.yaml").into(),
        text: match file {
            File::Registers => Some(registers(parts)),
            File::Events => Some(events(parts)),
            _ => None,
        },
    })
}

const HEAD: &str = "ip: synthetic\nmanual: { id: Manual, title: Manual }\nsection: \"1\"\n";

fn registers(parts: u32) -> String {
    let end = parts * REGISTERS * 4;
    let mut text = format!("{HEAD}title: Made-up IP\nlength: {:#x}\nregisters:\n", end + 0x40);
    for number in 0..parts * REGISTERS {
        let _ = write!(
            text,
            "  - name: CONTROL_{number}
    title: Control register
    offset: {:#x}
    access: rw
    reset: 0x0
    doc: Controls a part of the IP.
    fields:
      - {{ bits: \"31:9\", reserved: zero }}
      - {{ bits: \"8\", name: BUSY, access: ro, doc: \"1: the part is active.\" }}
      - {{ bits: \"7:4\", name: LEVEL, access: rw, doc: The level of the buffer that is a limit. }}
      - {{ bits: \"3\", name: FLAG, access: w1c, doc: \"1: an error occurred.\" }}
      - {{ bits: \"2:1\", reserved: sbz }}
      - {{ bits: \"0\", name: ENABLE, access: rw, doc: \"1: enables the part.\" }}
",
            number * 4
        );
    }
    let array = "count: 8, stride: 0x4, access: rw, reset: 0x0, doc: Of a counter.";
    let _ = write!(
        text,
        "  - {{ name: COUNT, title: Counters, offset: {end:#x}, {array}, fields: [ \
         {{ bits: \"31:0\", name: VALUE, access: rw, doc: The number of events. }} ] }}
  - {{ name: SELECT, title: Selections, offset: {:#x}, {array}, fields: [ \
         {{ bits: \"31:16\", reserved: zero }}, \
         {{ bits: \"15:{CODE_BITS}\", name: SOURCE, access: rw, doc: The part. }}, \
         {{ bits: \"{}:0\", name: CODE, access: rw, doc: The event. }} ] }}
",
        end + 0x20,
        CODE_BITS - 1,
    );
    text
}

fn events(parts: u32) -> String {
    let mut text = format!(
        "{HEAD}counters: {{ value: COUNT, event: SELECT.CODE, source: SELECT.SOURCE }}\ngroups:\n"
    );
    for part in 0..parts {
        let _ = write!(
            text,
            "  - name: part_{part}
    title: part
    sources: [ {{ id: {part:#x}, name: P{part}, title: Part {part} }} ]
    reserved_codes: [\"{EVENTS:#x}-{:#x}\"]
",
            (1 << CODE_BITS) - 1
        );
        if part == 0 {
            let reserved: Vec<_> = (parts..1 << SOURCE_BITS).map(|id| format!("{id:#x}")).collect();
            let _ = writeln!(text, "    reserved_sources: [{}]", reserved.join(", "));
        }
        text.push_str("    events:\n");
        for code in 0..EVENTS {
            let _ = writeln!(
                text,
                "      - {{ code: {code:#x}, name: STALL_{code}, unit: cycles, doc: \"Cycles in which a request waits for \
                 the buffer of number {code}.\" }}"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::Texts;
    use super::*;

    #[test]
    fn made_up_specs_have_no_problem() {
        for parts in [1, 2, 10] {
            let texts = Texts::made_up(parts);
            let checked = texts.read().expect("to read").check().expect("no problem");
            assert_eq!(checked.events(), (parts * EVENTS) as usize);
            assert_eq!(checked.registers(), (parts * REGISTERS) as usize + 2);
        }
    }
}
