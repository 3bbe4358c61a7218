//! The report in readable text.

use super::expect::{Outcome, Quantity, Verdict};
use super::{Document, Judged, Row};
use crate::base::text::{NAME, Screen, WARNING, aligned, distinct, heading, styled};
use crate::linux::cores::hidden_note;

pub fn text(document: &Document, screen: Screen) -> String {
    let mut text = format!("{}\n", styled(NAME, "Known work, expected and counted"));
    let unknown = || "not known".to_owned();
    let caches = document.cache_bytes.map_or_else(
        || "caches of unknown size, assumed to hold a sixteenth of the lines".to_owned(),
        |bytes| format!("data caches of {} KiB", bytes >> 10),
    );
    let cleaned = match document.cleaned {
        true => "cleaned from the caches beforehand",
        false => "not cleaned: a program cannot clean caches on this processor",
    };
    let traffic = format!(
        "{} lines of 64 bytes ({} MiB), each once, {cleaned}; {caches}",
        document.lines,
        document.bytes >> 20
    );
    for (name, value) in [
        ("board", document.board.clone().unwrap_or_else(unknown)),
        ("kernel", document.kernel.clone().unwrap_or_else(unknown)),
        ("machine", document.machine.clone()),
        ("tool", document.tool.clone()),
        ("platform", document.platform.clone().unwrap_or_else(|| "none given".to_owned())),
        ("traffic", traffic),
    ] {
        text += &screen.paragraph(&format!("{name:<9} "), &value);
    }
    for (pmu, cpu) in distinct(document.rows.iter().map(|row| (row.pmu.as_str(), row.cpu))) {
        let rows: Vec<_> =
            document.rows.iter().filter(|row| row.pmu == pmu && row.cpu == cpu).collect();
        text += &table(pmu, cpu, &rows, screen);
        text += &outcomes(pmu, document, screen);
    }
    if !document.missing.is_empty() {
        text += &heading("Not counted");
    }
    for missing in &document.missing {
        let line = format!("{}: {}", missing.what, missing.why);
        text += &screen.paragraph("- ", &line);
    }
    if !document.rows.is_empty() {
        text += &heading("Limits");
    }
    for limit in distinct(document.rows.iter().map(|row| row.quantity.limits())) {
        text += &screen.paragraph("- ", limit);
    }
    text + "\n" + &screen.paragraph("", &summary(document))
}

fn table(pmu: &str, cpu: u32, rows: &[&Row], screen: Screen) -> String {
    let ip = rows.first().and_then(|row| row.ip.as_deref()).unwrap_or("no tables");
    let kernel = if rows.iter().any(|row| row.with_kernel && row.quantity.bytes().is_none()) {
        ", with the kernel's part"
    } else {
        ""
    };
    let mut text = heading(&format!("{pmu} ({ip}), work on CPU {cpu}{kernel}"));
    let head = ["work", "event", "expected", "from", "to", "counted", "ratio", ""];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(|row| {
        let counted = row.counted.map_or_else(|| "-".to_owned(), |count| count.to_string());
        let ratio = row.counted.filter(|_| row.expected > 0).map_or_else(
            || "-".to_owned(),
            |count| format!("{:.3}", count as f64 / row.expected as f64),
        );
        let verdict = match row.verdict {
            off if off.is_off() => styled(WARNING, &off.word().to_uppercase()),
            Verdict::NotCounted => styled(WARNING, row.verdict.word()),
            other => other.word().to_owned(),
        };
        vec![
            row.work.word().to_owned(),
            row.event.clone(),
            row.expected.to_string(),
            row.low.to_string(),
            row.high.to_string(),
            counted,
            ratio,
            verdict,
        ]
    }));
    text += &screen.whole().table(0, &[], &aligned(cells, 2..7));
    let hidden = rows.iter().filter(|row| row.verdict == Verdict::Hidden);
    let mut hidden: Vec<_> = hidden.map(|row| row.event.as_str()).collect();
    hidden.dedup();
    if let Some(note) = hidden_note(pmu, &hidden) {
        text += &screen.paragraph("", &note);
    }
    for row in rows {
        if let Some(bytes) = row.counted_bytes {
            let line = format!(
                "{} {}: {:.1} MiB at 64 bytes a request, {:.1} MiB expected; {:.0} requests in the same time without \
                 the work",
                row.work.word(),
                row.event,
                mebibytes(bytes),
                mebibytes(row.expected * Quantity::bytes(row.quantity).unwrap_or(0)),
                row.idle
            );
            text += &screen.paragraph("  ", &line);
        }
    }
    text
}

/// Verdicts on the events of a PMU, and on the behaviour of its counters.
fn outcomes(pmu: &str, document: &Document, screen: Screen) -> String {
    let mut text = String::new();
    let is_of_pmu = |one: &&Judged| one.pmu == pmu;
    for outcome in Outcome::ALL {
        let name = |one: &Judged| match (&one.why, outcome) {
            (Some(why), Outcome::Off) => format!("{} ({why})", one.what),
            _ => one.what.clone(),
        };
        let events = document.events.iter().filter(is_of_pmu);
        let names: Vec<_> = events.filter(|one| one.outcome == *outcome).map(name).collect();
        if !names.is_empty() {
            text += &screen.paragraph(&format!("{}: ", outcome.word()), &names.join(", "));
        }
    }
    let mut behaviours = document.behaviours.iter().filter(is_of_pmu).peekable();
    if behaviours.peek().is_some() {
        text += &heading(&format!("Counters of {pmu}"));
    }
    for Judged { what, outcome, why, .. } in behaviours {
        let why = why.as_deref().unwrap_or_default();
        text += &screen.paragraph("- ", &format!("{what}: {}. {why}", outcome.word()));
    }
    text
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn summary(document: &Document) -> String {
    if document.rows.is_empty() {
        return "Nothing was counted, so nothing is known.".to_owned();
    }
    let is = |verdict| document.rows.iter().filter(|row| row.verdict == verdict).count();
    let (hidden, zero) = (is(Verdict::Hidden), is(Verdict::Zero));
    let total = document.rows.len() - hidden;
    let wrong = total - is(Verdict::Right);
    let are = |number: usize| if number == 1 { "is" } else { "are" };
    let mut text = match (wrong, total) {
        (0, 0) => "No count was judged".to_owned(),
        (0, 1) => "The one count is right".to_owned(),
        (0, _) => format!("All {total} counts are right"),
        (_, 1) => "The one count is not right".to_owned(),
        _ => format!("{wrong} of {total} counts {} not right", are(wrong)),
    };
    if hidden > 0 {
        text += &format!("; {hidden} {} hidden", are(hidden));
    }
    let missing: u32 = document.missing.iter().map(|missing| missing.number).sum();
    if missing > 0 {
        text += &format!("; {missing} could not be counted");
    }
    text += ".";
    if super::is_emulated(document) {
        text += " Only instructions and cycles were counted, as on an emulator such as QEMU.";
    }
    let off = document.behaviours.iter().filter(|one| one.outcome == Outcome::Off).count();
    if off > 0 {
        text += &format!(" {off} of {} behaviours {} wrong.", document.behaviours.len(), are(off));
    }
    if zero > 0 {
        text += &format!(" {zero} {} zero: `arm-pmu doctor --live` looks for a cause.", are(zero));
    }
    text + " Please report this text to the project in either case, with the name of the board: no fact in it was \
            compared with hardware before."
}
