//! `arm-pmu decode`.

use arm_pmu_tables::{Field, Pmu, RegisterMatch, Reserved};

use super::Answer;
use crate::arguments::Decode;
use crate::failure::Failure;
use crate::name::number;
use crate::platform::target;
use crate::programming::{self, element_name, part};
use crate::text::{ASIDE, NAME, Screen, WARNING, styled};
use crate::{near, view, words};

pub fn run(arguments: &Decode, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, values) = target::subject(arguments.ip.as_ref(), platform, &arguments.values)?;
    if values.is_empty() {
        return Err(Failure::wrong_use("give REGISTER=VALUE"));
    }
    let pmu = subject.one::<&str>(&[])?.with_unit()?.pmu;
    let values = values.iter().map(|text| decode(pmu, text)).collect::<Result<Vec<_>, _>>()?;
    if arguments.json {
        return Answer::json(&view::Decode { pmu: pmu.to_string(), values });
    }
    Ok(Answer::text(
        values.iter().map(|value| text(pmu, value, screen)).collect::<Vec<_>>().join("\n"),
    ))
}

/// `REGISTER=VALUE`, or an event id.
fn decode(pmu: Pmu, text: &str) -> Result<view::Decoded, Failure> {
    let Some((register, value)) = text.split_once('=') else { return event_id(pmu, text) };
    let Some(value) = number(value.trim()) else {
        return Err(Failure::wrong_use(format!(
            "`{value}` is no number of 64 bits, as in {register}=0x69"
        )));
    };
    let found = one_register(pmu, register.trim())?;
    let width = found.register.width;
    if width < 64 && value >> width != 0 {
        let text =
            format!("0x{value:X} is wider than {}, which has {width} bits", found.register.name);
        return Err(Failure::wrong_use(text));
    }
    Ok(of_register(pmu, &found, value))
}

fn event_id(pmu: Pmu, text: &str) -> Result<view::Decoded, Failure> {
    let Some(value) = number(text) else {
        return Err(Failure::wrong_use(format!(
            "`{text}` is neither REGISTER=VALUE nor the number of an event"
        )));
    };
    let events: Vec<_> = pmu
        .selections()
        .filter(|one| u64::from(one.id()) == value)
        .map(|one| event(None, &one))
        .collect();
    if events.is_empty() {
        return Err(Failure::not_found(format!("{pmu} has no event of id 0x{value:X}")));
    }
    Ok(view::Decoded { register: None, value, bits: Vec::new(), events, warnings: Vec::new() })
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

fn of_register(pmu: Pmu, found: &RegisterMatch, value: u64) -> view::Decoded {
    let register = found.register;
    let unit = pmu.unit.map(|unit| unit.name);
    let mut bits = Vec::new();
    let mut warnings = Vec::new();
    for field in register.fields {
        let of_element =
            found.element.is_none_or(|n| field.elements.is_empty() || field.elements.contains(&n));
        let value = part(value, field);
        if field.is_of(unit) && of_element {
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
    let selected = programming::selections(pmu, register, value);
    let events: Vec<_> =
        selected.selections.iter().map(|(counter, one)| event(*counter, one)).collect();
    let counters = pmu.ip.counters.event.len();
    if selected.selects && counters > 1 {
        for counter in
            (0..counters).filter(|n| !events.iter().any(|event| event.counter == Some(*n)))
        {
            warnings.push(format!("counter {counter} has no event: {pmu} has none of that code"));
        }
    } else if selected.selects && events.is_empty() {
        warnings.push(format!("this selects no event of {pmu}"));
    }
    view::Decoded {
        register: Some(element_name(register, found.element)),
        value,
        bits,
        events,
        warnings,
    }
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
            None => format!("{access}{}", field.doc),
        },
    }
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
        assert_eq!(decoded.warnings, ["this selects no event of cci550"]);
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
