//! `arm-pmu decode`.

use arm_pmu_tables::{Field, Pmu, RegisterMatch, Reserved};

use super::Answer;
use crate::arguments::Decode;
use crate::failure::Failure;
use crate::name::{self, number};
use crate::perf_name::{What, limits};
use crate::platform::target::{self, Target};
use crate::programming::{self, element_name, part};
use crate::text::{ASIDE, NAME, Screen, WARNING, styled};
use crate::{near, view, words};

pub fn run(arguments: &Decode, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, values) = target::subject(arguments.ip.as_ref(), platform, &arguments.values)?;
    if values.is_empty() {
        return Err(Failure::wrong_use("give REGISTER=VALUE"));
    }
    let target = subject.one::<&str>(&[]).or_else(|_| subject.any())?;
    let values =
        values.iter().map(|text| of_target(&target, text)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        let pmu = target.pmu.to_string();
        return Answer::json(&view::Decode { pmu, values });
    }
    Ok(Answer::text(
        values.iter().map(|value| text(target.pmu, value, screen)).collect::<Vec<_>>().join("\n"),
    ))
}

/// A value in the unit, or in all of them if they agree.
fn of_target(target: &Target, text: &str) -> Result<view::Decoded, Failure> {
    let pmu = target.pmu;
    let Err(differ) = target.with_unit() else { return decode(pmu, text) };
    let units = pmu.ip.units.iter().map(|unit| decode(Pmu { unit: Some(unit), ..pmu }, text));
    let mut units = units.collect::<Vec<_>>().into_iter();
    match units.next() {
        Some(Ok(first)) if units.all(|other| other.is_ok_and(|other| other == first)) => Ok(first),
        Some(Err(first)) if units.all(|other| other.is_err()) => Err(first),
        _ => Err(differ),
    }
}

/// `REGISTER=VALUE`, or an event.
fn decode(pmu: Pmu, text: &str) -> Result<view::Decoded, Failure> {
    // A term of perf has such signs too.
    let register = text.split_once('=').filter(|_| !text.contains('/'));
    let Some((register, value)) = register else { return of_event(pmu, text) };
    let Some(value) = number(value.trim()) else {
        return Err(Failure::wrong_use(format!(
            "`{value}` is no number of 64 bits, as in {register}=0x69"
        )));
    };
    let found = one_register(pmu, register.trim())?;
    let (width, of_access) = (found.register.width, found.register.access_width());
    // The high one of two words: `CEID0_HI`.
    let is_high = width > of_access && register.trim().to_ascii_lowercase().ends_with("hi");
    let width = if is_high { of_access } else { width };
    if width < 64 && value >> width != 0 {
        let text = format!("0x{value:X} is wider than {}, which has {width} bits", register.trim());
        return Err(Failure::wrong_use(text));
    }
    Ok(of_register(pmu, &found, if is_high { value << of_access } else { value }))
}

/// An event id, the name of an event, or a name of perf.
fn of_event(pmu: Pmu, text: &str) -> Result<view::Decoded, Failure> {
    if let Some(id) = number(text) {
        return of_id(pmu, id);
    }
    let (of, what) = match name::of_perf(pmu, text)? {
        Some(found) => (found.pmu, found.what),
        None if pmu.find_registers(text).next().is_some() => {
            let text = format!("`{text}` is a register: give its value, as in {text}=0x69");
            return Err(Failure::wrong_use(text));
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

/// An event id, or the number that programs give the counter of cycles.
fn of_id(pmu: Pmu, id: u64) -> Result<view::Decoded, Failure> {
    let mut notes = Vec::new();
    let events = pmu.selections().filter(|one| u64::from(one.id()) == id);
    let events: Vec<_> = events.map(|one| event(None, &one)).collect();
    let cycles = pmu.ip.counters.cycles.as_ref();
    match cycles.filter(|counter| counter.code.map(u64::from) == Some(id)) {
        Some(counter) => notes.push(format!("cycles, on their counter {}", counter.register)),
        None if events.is_empty() => {
            let others = name::in_other_units(pmu, id);
            let text = format!("{pmu} has no event of id 0x{id:X}{others}");
            return Err(Failure::not_found(text));
        }
        None => {}
    }
    let (bits, warnings) = (Vec::new(), Vec::new());
    Ok(view::Decoded { register: None, value: id, bits, events, notes, warnings })
}

fn event(counter: Option<usize>, one: &arm_pmu_tables::Selection) -> view::DecodedEvent {
    view::DecodedEvent { counter, event: one.to_string(), id: one.id() }
}

fn one_register(pmu: Pmu, name: &str) -> Result<RegisterMatch, Failure> {
    let found: Vec<_> = pmu.find_registers(name).collect();
    match found[..] {
        [one] if one.field.is_none() => Ok(one),
        [RegisterMatch { register, .. }] => Err(Failure::wrong_use(format!(
            "`{name}` is a field; give the value of {}",
            register.name
        ))),
        [] => {
            let near = near::suggestion(name, pmu.registers().map(|register| register.name));
            Err(Failure::not_found(format!("{pmu} has no register `{name}`{near}")))
        }
        _ => {
            let names: Vec<_> =
                found.iter().map(|one| element_name(one.register, one.element)).collect();
            Err(Failure::wrong_use(format!("`{name}` is {}; give a name", names.join(" or "))))
        }
    }
}

/// Whether the unit and the element have the field.
fn is_there(pmu: Pmu, found: &RegisterMatch, field: &Field) -> bool {
    let of_element = |n| field.elements.is_empty() || field.elements.contains(&n);
    field.is_of(pmu.unit.map(|unit| unit.name)) && found.element.is_none_or(of_element)
}

fn of_register(pmu: Pmu, found: &RegisterMatch, value: u64) -> view::Decoded {
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
        // Zeros are the state after reset, and no event that someone chose.
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
                None => notes.push(format!("event 0x{code:02X} exists, and has no name here")),
            }
        }
    }
    events.sort_by_key(|event| (event.counter, event.id));
    let register = Some(element_name(register, found.element));
    view::Decoded { register, value, bits, events, notes, warnings }
}

fn of_field(field: &'static Field, value: u64) -> view::Bits {
    let access = match field.access {
        arm_pmu_tables::Access::ReadWrite => String::new(),
        _ => format!("({}) ", words::field_access(field)),
    };
    view::Bits {
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

/// Without the sentences about other values, if one is about this value: `0: all hold.`
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
) -> view::Bits {
    let expected = if rule == Reserved::One { bits.mask() >> bits.low } else { 0 };
    if value != expected {
        warnings.push(format!("reserved bits {bits} are 0x{value:X}, expected 0x{expected:X}"));
    }
    view::Bits {
        high: bits.high,
        low: bits.low,
        field: None,
        value,
        meaning: words::reserved(rule).to_owned(),
    }
}

fn text(pmu: Pmu, decoded: &view::Decoded, screen: Screen) -> String {
    let digits = if decoded.value >> 32 == 0 { 8 } else { 16 };
    let mut text = match &decoded.register {
        Some(register) => format!("{} = 0x{:0digits$X}\n", styled(NAME, register), decoded.value),
        None => format!("event id 0x{:X} of {pmu}\n", decoded.value),
    };
    let place =
        |bits: &view::Bits| arm_pmu_tables::Bits { high: bits.high, low: bits.low }.to_string();
    let value = |bits: &view::Bits| {
        if bits.high == bits.low { bits.value.to_string() } else { format!("0x{:X}", bits.value) }
    };
    let width = |of: &dyn Fn(&view::Bits) -> usize| decoded.bits.iter().map(of).max().unwrap_or(0);
    let widths = [
        width(&|bits| place(bits).len()),
        width(&|bits| bits.field.unwrap_or("-").len()),
        width(&|bits| value(bits).len()),
    ];
    for bits in &decoded.bits {
        let first = format!(
            "  {:>2$}  {:3$}  ",
            place(bits),
            bits.field.unwrap_or("-"),
            widths[0],
            widths[1],
        );
        let first = format!("{first}{:>1$}  ", value(bits), widths[2]);
        let paragraph = screen.paragraph(&first, &bits.meaning);
        text += &if bits.field.is_none() { styled(ASIDE, &paragraph) } else { paragraph };
    }
    for event in &decoded.events {
        let counter = event.counter.map_or(String::new(), |counter| format!("counter {counter}: "));
        text += &format!("  {counter}{}, event id 0x{:X}\n", styled(NAME, &event.event), event.id);
    }
    for note in &decoded.notes {
        text += &screen.paragraph("  ", note);
    }
    for warning in &decoded.warnings {
        text += &styled(WARNING, &screen.paragraph("  Warning: ", warning));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pmu(name: &str) -> Pmu {
        crate::name::pmu(name).expect("an IP")
    }

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
                    assert!(text(pmu, &decoded, Screen::FILE).contains(register.name));
                }
            }
        }
    }

    #[test]
    fn what_encode_gives_is_decoded_to_the_same_event() {
        let mut checked = 0;
        for pmu in Pmu::all() {
            let last = pmu.ip.counters.count - 1;
            for selection in pmu.selections() {
                // By its own name, with the source or group in front.
                let scope = selection.source.map_or(selection.of.group.name, |source| source.name);
                let name = format!("{scope}:{}", selection.of.event.name);
                let selected = crate::name::selection(pmu, &name).expect(&name);
                for counter in [0, last] {
                    let writes = programming::writes(&selected, counter).expect("writes");
                    let write = writes.last().expect("a write");
                    let decoded = decode(pmu, &format!("{}={:#x}", write.name(), write.value()))
                        .expect(&name);
                    let same = |event: &&view::DecodedEvent| {
                        event.counter.is_none_or(|n| n == counter as usize)
                            && event.event == selection.to_string()
                            && event.id == selection.id()
                    };
                    assert_eq!(decoded.events.iter().filter(same).count(), 1, "{pmu} {name}");
                    checked += 1;
                }
                let decoded = decode(pmu, &format!("{:#x}", selection.id())).expect(&name);
                assert!(
                    decoded.events.iter().any(|event| event.event == selection.to_string()),
                    "{pmu} {name}"
                );
            }
        }
        assert!(checked > 1500, "{checked}");
    }

    #[test]
    fn reserved_bits_and_unknown_events_are_pointed_out() {
        let decoded = decode(pmu("cci550"), "PMCR=0x80004001").expect("a value");
        assert!(
            decoded.warnings.iter().any(|text| text.starts_with("reserved bits 31:16")),
            "{decoded:?}"
        );
        let decoded = decode(pmu("cci550"), "EVENT_SELECT[1]=0x1ff").expect("a value");
        assert_eq!(decoded.warnings, ["cci550 has no event of id 0x1FF"]);
        let decoded = decode(pmu("arm1176"), "PMNC=0x40000000").expect("a value");
        assert_eq!(decoded.warnings.len(), 1, "FCC is a field of ARM1156 only: {decoded:?}");
    }

    #[test]
    fn bad_values_have_messages() {
        let failure = |ip: &str, text: &str| {
            let failure = decode(pmu(ip), text).expect_err("no value");
            (failure.exit_status(), failure.to_string())
        };
        assert_eq!(
            failure("cci550", "PMCR=0x100000000"),
            (2, "0x100000000 is wider than PMCR, which has 32 bits".to_owned())
        );
        assert_eq!(
            failure("cci550", "PMRC=1"),
            (1, "cci550 has no register `PMRC`; near: PMCR".to_owned())
        );
        assert_eq!(failure("cci550", "PMCR=x").0, 2);
        assert_eq!(failure("cci550", "PMCR").0, 2);
        assert_eq!(
            failure("cci550", "PMCR.CEN=1"),
            (2, "`PMCR.CEN` is a field; give the value of PMCR".to_owned())
        );
        assert_eq!(failure("cci550", "0xfff"), (1, "cci550 has no event of id 0xFFF".to_owned()));
    }
}
