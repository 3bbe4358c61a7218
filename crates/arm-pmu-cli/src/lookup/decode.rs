//! `arm-pmu decode`.

use arm_pmu_lookup::decode::{Bits, Decoded, decode};
use arm_pmu_tables::Pmu;

use crate::base::answer::Answer;
use crate::base::arguments::Decode;
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target::{self, Target};
use crate::base::text::{ASIDE, NAME, Screen, WARNING, styled};
use crate::lookup::view;

pub fn run(arguments: &Decode, screen: Screen) -> Result<Answer, Failure> {
    let platform = arguments.place.platform.as_ref();
    let (subject, values) = target::subject(arguments.ip.as_ref(), platform, &arguments.values)?;
    if values.is_empty() {
        refuse!("give REGISTER=VALUE");
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

/// Decodes a value for the unit of the target. If no unit was given, the result must be the same
/// for all units.
fn of_target(target: &Target, text: &str) -> Result<Decoded, Failure> {
    let pmu = target.pmu;
    let Err(differ) = target.with_unit() else { return Ok(decode(pmu, text)?) };
    let units = pmu.ip.units.iter().map(|unit| decode(Pmu { unit: Some(unit), ..pmu }, text));
    let mut units = units.collect::<Vec<_>>().into_iter();
    match units.next() {
        Some(Ok(first)) if units.all(|other| other.is_ok_and(|other| other == first)) => Ok(first),
        Some(Err(first)) if units.all(|other| other.is_err()) => Err(first.into()),
        _ => Err(differ),
    }
}

fn text(pmu: Pmu, decoded: &Decoded, screen: Screen) -> String {
    let digits = if decoded.value >> 32 == 0 { 8 } else { 16 };
    let mut text = match &decoded.register {
        Some(register) => format!("{} = 0x{:0digits$X}\n", styled(NAME, register), decoded.value),
        None => format!("event id 0x{:X} of {pmu}\n", decoded.value),
    };
    let place = |bits: &Bits| arm_pmu_tables::Bits { high: bits.high, low: bits.low }.to_string();
    let value = |bits: &Bits| {
        if bits.high == bits.low { bits.value.to_string() } else { format!("0x{:X}", bits.value) }
    };
    let width = |of: &dyn Fn(&Bits) -> usize| decoded.bits.iter().map(of).max().unwrap_or(0);
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
