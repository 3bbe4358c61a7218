//! Decodes register values and event ids, bit by bit.

use arm_pmu_tables::{Access, Field, Pmu, RegisterMatch, Reserved, Selection};
use serde::Serialize;

use crate::error::refuse;
use crate::number::number;
use crate::perf_name::{What, limits};
use crate::programming::{self, element_name, part};
use crate::{Error, name, near, words};

/// A decoded value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Decoded {
    /// Register such as `EVENT_SELECT[3]`; null for an event id.
    pub register: Option<String>,
    /// The value.
    pub value: u64,
    /// Bits in descending order; empty for an event id.
    pub bits: Vec<Bits>,
    /// Events that the value selects or announces.
    pub events: Vec<DecodedEvent>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Problems with the value.
    pub warnings: Vec<String>,
}

/// Adjacent bits and their value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct Bits {
    /// Number of the highest bit.
    pub high: u32,
    /// Number of the lowest bit.
    pub low: u32,
    /// Name of the field; null if reserved.
    pub field: Option<&'static str>,
    /// Value of the bits, shifted to bit 0.
    pub value: u64,
    /// Meaning of the value.
    pub meaning: String,
}

/// An event that the decoded value selects.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
pub struct DecodedEvent {
    /// Number of the counter, if the register determines the counter.
    pub counter: Option<usize>,
    /// Event such as `SI3:READ_DATA_SNOOP_HIT`.
    pub event: String,
    /// The event id.
    pub id: u32,
}

/// Decodes `REGISTER=VALUE`, an event id, or the name of an event.
///
/// # Errors
///
/// Fails if the register or event does not exist, or the value does not fit.
pub fn decode(pmu: Pmu, text: &str) -> Result<Decoded, Error> {
    // Terms of perf contain equals signs after a slash.
    let register = text.split_once('=').filter(|_| !text.contains('/'));
    let Some((register, value)) = register else { return of_event(pmu, text) };
    let Some(value) = number(value.trim()) else {
        refuse!("`{value}` is not a 64-bit number, as in {register}=0x69");
    };
    let found = one_register(pmu, register.trim())?;
    let (width, of_access) = (found.register.width, found.register.access_width());
    // `CEID0_HI` is the high word of a register that is accessed as two words.
    let is_high = width > of_access && register.trim().to_ascii_lowercase().ends_with("hi");
    let width = if is_high { of_access } else { width };
    if width < 64 && value >> width != 0 {
        refuse!("0x{value:X} is wider than {}, which has {width} bits", register.trim());
    }
    Ok(of_register(pmu, &found, if is_high { value << of_access } else { value }))
}

/// Decodes an event id, an event name, or a perf name.
fn of_event(pmu: Pmu, text: &str) -> Result<Decoded, Error> {
    if let Some(id) = number(text) {
        return of_id(pmu, id);
    }
    let (of, what) = match name::of_perf(pmu, text)? {
        Some(found) => (found.pmu, found.what),
        None if pmu.find_registers(text).next().is_some() => {
            refuse!("`{text}` is a register: give its value, as in {text}=0x69");
        }
        None => (pmu, name::what(pmu, text)?),
    };
    let code = of.ip.counters.cycles.as_ref().and_then(|counter| counter.code);
    let mut decoded = match (what, code) {
        (What::Event(selection), _) => of_id(of, selection.id().into())?,
        (What::Other(id), _) => of_id(of, id.into())?,
        (What::Cycles, Some(code)) => of_id(of, code.into())?,
        (What::Cycles, None) => return Err(name::no_number(of, text)),
    };
    decoded.notes.extend(limits(text).iter().map(|limit| format!("counted: {limit}")));
    if pmu.unit.is_some() && of.to_string() != pmu.to_string() {
        decoded.notes.push(format!("an event of {of}, not of {pmu}"));
    }
    Ok(decoded)
}

/// Decodes an event id, or the event number of the cycle counter.
fn of_id(pmu: Pmu, id: u64) -> Result<Decoded, Error> {
    let mut notes = Vec::new();
    let events = pmu.selections().filter(|one| u64::from(one.id()) == id);
    let events: Vec<_> = events.map(|one| event(None, &one)).collect();
    let cycles = pmu.ip.counters.cycles.as_ref();
    match cycles.filter(|counter| counter.code.map(u64::from) == Some(id)) {
        Some(counter) => {
            notes.push(format!("cycles, counted by the cycle counter {}", counter.register))
        }
        None if events.is_empty() => {
            let others = name::in_other_units(pmu, id);
            let text = format!("{pmu} has no event of id 0x{id:X}{others}");
            return Err(Error::not_found(text));
        }
        None => {}
    }
    let (bits, warnings) = (Vec::new(), Vec::new());
    Ok(Decoded { register: None, value: id, bits, events, notes, warnings })
}

fn event(counter: Option<usize>, one: &Selection) -> DecodedEvent {
    DecodedEvent { counter, event: one.to_string(), id: one.id() }
}

fn one_register(pmu: Pmu, name: &str) -> Result<RegisterMatch, Error> {
    let found: Vec<_> = pmu.find_registers(name).collect();
    match found[..] {
        [one] if one.field.is_none() => Ok(one),
        [RegisterMatch { register, .. }] => Err(Error::wrong_use(format!(
            "`{name}` is a field; give the value of {}",
            register.name
        ))),
        [] => {
            let near = near::suggestion(name, pmu.registers().map(|register| register.name));
            Err(Error::not_found(format!("{pmu} has no register `{name}`{near}")))
        }
        _ => {
            let names: Vec<_> =
                found.iter().map(|one| element_name(one.register, one.element)).collect();
            Err(Error::wrong_use(format!("`{name}` is {}; give a name", names.join(" or "))))
        }
    }
}

/// Whether a field exists in this unit and array element.
fn is_there(pmu: Pmu, found: &RegisterMatch, field: &Field) -> bool {
    let of_element = |n| field.elements.is_empty() || field.elements.contains(&n);
    field.is_of(pmu.unit.map(|unit| unit.name)) && found.element.is_none_or(of_element)
}

fn of_register(pmu: Pmu, found: &RegisterMatch, value: u64) -> Decoded {
    let register = found.register;
    let (mut bits, mut notes, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for field in register.fields {
        let value = part(value, field);
        if is_there(pmu, found, field) {
            bits.push(of_field(field, value));
        } else {
            let rule = field.elsewhere.unwrap_or(Reserved::Zero);
            bits.push(of_reserved(field.bits, value, rule, &mut warnings));
        }
    }
    for reserved in register.reserved {
        let value = (value & reserved.bits.mask()) >> reserved.bits.low;
        bits.push(of_reserved(reserved.bits, value, reserved.reserved, &mut warnings));
    }
    bits.sort_by_key(|bits| std::cmp::Reverse(bits.high));
    let mut events = Vec::new();
    for selected in programming::selections(pmu, register, value) {
        events.extend(selected.selections.iter().map(|one| event(selected.counter, one)));
        // An event number of zero is the usual state after reset, so it needs no warning.
        if selected.selections.is_empty() && selected.id != 0 {
            let of =
                selected.counter.map_or(String::new(), |n| format!("counter {n} has no event: "));
            let others = name::in_other_units(pmu, selected.id);
            let id = selected.id;
            warnings.push(format!("{of}{pmu} has no event of id 0x{id:X}{others}"));
        }
    }
    let there = register.fields.iter().filter(|field| is_there(pmu, found, field));
    let announced = there.filter_map(|field| Some((field, field.events_from?)));
    for (field, first) in announced {
        let bits = part(value, field);
        for code in (0..64).filter(|n| bits >> n & 1 == 1).map(|n| first + n) {
            match pmu.selections().find(|one| one.of.event.code == code) {
                Some(one) => events.push(event(None, &one)),
                None => notes.push(format!("event 0x{code:02X} exists, but has no name here")),
            }
        }
    }
    events.sort_by_key(|event| (event.counter, event.id));
    let register = Some(element_name(register, found.element));
    Decoded { register, value, bits, events, notes, warnings }
}

fn of_field(field: &'static Field, value: u64) -> Bits {
    let access = match field.access {
        Access::ReadWrite => String::new(),
        _ => format!("({}) ", words::field_access(field)),
    };
    Bits {
        high: field.bits.high,
        low: field.bits.low,
        field: Some(field.name),
        value,
        meaning: match field.named(value) {
            Some(named) => format!("{access}{}: {}", named.name, named.doc),
            None => access + &about(field.doc, value),
        },
    }
}

/// If a sentence such as `0: all hold.` is about this value, removes the sentences about other values.
fn about(doc: &str, value: u64) -> String {
    let of_value = |sentence: &&str| number(sentence.split_once(": ")?.0);
    let sentences = doc.split_inclusive(". ");
    if !sentences.clone().any(|sentence| of_value(&sentence) == Some(value)) {
        return doc.to_owned();
    }
    sentences.filter(|one| of_value(one).is_none_or(|of| of == value)).collect()
}

fn of_reserved(
    bits: arm_pmu_tables::Bits,
    value: u64,
    rule: Reserved,
    warnings: &mut Vec<String>,
) -> Bits {
    let expected = if rule == Reserved::One { bits.mask() >> bits.low } else { 0 };
    if value != expected {
        warnings.push(format!("reserved bits {bits} are 0x{value:X}, expected 0x{expected:X}"));
    }
    Bits {
        high: bits.high,
        low: bits.low,
        field: None,
        value,
        meaning: words::reserved(rule).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_of_all_registers_have_a_meaning() {
        for pmu in Pmu::all() {
            for register in pmu.registers() {
                for element in (0..register.count()).map(|n| (register.count() > 1).then_some(n)) {
                    let name = element_name(register, element);
                    let ones = u64::MAX >> (64 - register.width);
                    let decoded = decode(pmu, &format!("{name}=0x{ones:x}")).expect("a register");
                    let bits: u64 = decoded.bits.iter().map(|bits| bits.value << bits.low).sum();
                    assert_eq!(bits, ones, "{pmu} {name}");
                }
            }
        }
    }

    #[test]
    fn encoded_events_decode_to_themselves() {
        let mut checked = 0;
        for pmu in Pmu::all() {
            for selection in pmu.selections() {
                // A name with the source or group in front is unambiguous.
                let scope = selection.source.map_or(selection.of.group.name, |source| source.name);
                let name = format!("{scope}:{}", selection.of.event.name);
                let selected = crate::name::selection(pmu, &name).expect(&name);
                // The counters between the first and the last differ only in their number.
                for counter in [0, pmu.ip.counters.count - 1] {
                    let writes = programming::writes(&selected, counter).expect("writes");
                    let write = writes.last().expect("a write");
                    let decoded = decode(pmu, &format!("{}={:#x}", write.name(), write.value()))
                        .expect(&name);
                    let same = |event: &&DecodedEvent| {
                        event.counter.is_none_or(|n| n == counter as usize)
                            && event.event == selection.to_string()
                            && event.id == selection.id()
                    };
                    assert_eq!(decoded.events.iter().filter(same).count(), 1, "{pmu} {name}");
                    checked += 1;
                }
                let id = format!("{:#x}", selection.id());
                let by_id = crate::name::selection(pmu, &id).expect(&id);
                assert_eq!(by_id.to_string(), selection.to_string(), "{pmu} {id}");
                let mut decoded = decode(pmu, &id).expect(&name).events.into_iter();
                assert!(decoded.any(|event| event.event == selection.to_string()), "{pmu} {name}");
            }
        }
        assert!(checked > 3000, "{checked}");
    }
}
