//! The report in readable text.

use super::expect::{Quantity, Verdict};
use super::{Document, Row};
use crate::base::text::{HEADING, NAME, Screen, WARNING, aligned, styled};
use crate::linux::cores::hidden_note;

pub fn text(document: &Document, screen: Screen) -> String {
    let mut text = format!("{}\n", styled(NAME, "Known memory traffic, expected and counted"));
    let unknown = || "not known".to_owned();
    let caches = document.cache_bytes.map_or_else(
        || "caches of unknown size, taken to hold a sixteenth of that".to_owned(),
        |bytes| format!("data caches of {} KiB", bytes >> 10),
    );
    let cleaned = match document.cleaned {
        true => "cleaned from the caches before each pass",
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
    let mut pmus: Vec<(&str, u32)> = Vec::new();
    for row in &document.rows {
        if !pmus.contains(&(&row.pmu, row.cpu)) {
            pmus.push((&row.pmu, row.cpu));
        }
    }
    for (pmu, cpu) in pmus {
        let rows: Vec<_> =
            document.rows.iter().filter(|row| row.pmu == pmu && row.cpu == cpu).collect();
        text += &table(pmu, cpu, &rows, screen);
    }
    if !document.missing.is_empty() {
        text += &format!("\n{}\n", styled(HEADING, "Not counted"));
    }
    for missing in &document.missing {
        let line = format!("{}: {}", missing.what, missing.why);
        text += &screen.paragraph("- ", &line);
    }
    if !document.rows.is_empty() {
        text += &format!("\n{}\n", styled(HEADING, "Limits"));
    }
    let mut limits: Vec<&str> = Vec::new();
    for limit in document.rows.iter().map(|row| row.quantity.limits()) {
        if !limits.contains(&limit) {
            limits.push(limit);
            text += &screen.paragraph("- ", limit);
        }
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
    let head = format!("{pmu} ({ip}), traffic of CPU {cpu}{kernel}");
    let mut text = format!("\n{}\n", styled(HEADING, &head));
    let head = ["pass", "event", "expected", "from", "to", "counted", "ratio", ""];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(rows.iter().map(|row| {
        let counted = row.counted.map_or_else(|| "-".to_owned(), |count| count.to_string());
        let ratio = row.counted.map_or_else(
            || "-".to_owned(),
            |count| format!("{:.3}", count as f64 / row.expected.max(1) as f64),
        );
        let verdict = match row.verdict {
            Verdict::Right | Verdict::Hidden => row.verdict.word().to_owned(),
            other => styled(WARNING, other.word()),
        };
        vec![
            row.pass.word().to_owned(),
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
                 the pass",
                row.pass.word(),
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
    let of_caches = |row: &&Row| {
        row.quantity.bytes().is_none()
            && !matches!(row.quantity, Quantity::Instructions | Quantity::Loads | Quantity::Stores)
    };
    let mut of_core = document.rows.iter().filter(of_caches).peekable();
    if of_core.peek().is_some()
        && of_core.all(|row| matches!(row.verdict, Verdict::Zero | Verdict::Hidden))
    {
        text += " Nothing of caches was counted: an emulator such as QEMU has none.";
    }
    if zero > 0 {
        text += &format!(" {zero} {} zero: `arm-pmu doctor --live` looks for a cause.", are(zero));
    }
    text + " Please report this text to the project in either case, with the name of the board: no fact in it was \
            compared with hardware before."
}
