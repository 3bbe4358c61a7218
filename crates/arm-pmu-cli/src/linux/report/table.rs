//! The report as tables.

use anstyle::Style;

use super::compare::Comparison;
use super::gate;
use super::model::{Counter, Metric, Report, Shares};
use super::runs::{self, Kind, Summary, Verdict};
use crate::base::number;
use crate::base::text::{ASIDE, NAME, Screen, aligned, distinct, heading};

/// Maximum number of printed intervals; a table of a longer recording has only the first and the last intervals.
const INTERVALS: usize = 24;

/// Tables of a whole report.
pub fn write(report: &Report, screen: Screen) -> String {
    let mut text = counters(report, screen);
    text += &report.shares.iter().map(|of| shares(of, screen)).collect::<String>();
    if !report.metrics.is_empty() {
        text += &metrics(report, screen);
    }
    if !report.times.is_empty() {
        text += &intervals(report, screen);
    }
    text + &notes(&report.notes, screen)
}

/// Table of a comparison with another run.
pub fn compare(comparison: &Comparison<'_>, screen: Screen) -> String {
    let table = |rate: &str, what: &str, rows: Vec<Vec<String>>| {
        let head = ["this run", "other run", "change", rate, what].map(str::to_owned).to_vec();
        let rows = std::iter::once(head).chain(rows).collect();
        let plain = Style::new();
        screen.table(0, &[plain, plain, plain, plain, NAME], &aligned(rows, 0..4))
    };
    let value = |one: Option<&Counter>| one.map_or("-".to_owned(), |one| one.total.text());
    let counters = comparison.counters.iter().map(|row| {
        let (count, rate) = (row.change(Counter::count), row.change(Counter::mean_rate));
        vec![value(row.this), value(row.other), count, rate, row.name.clone()]
    });
    let mut text = table("per second", "event", counters.collect());
    if !comparison.metrics.is_empty() {
        let value = |one: Option<&Metric>| one.map_or("-".to_owned(), |one| one.figure(one.total));
        let metrics = comparison.metrics.iter().map(|row| {
            let change = row.change(|metric| metric.total);
            vec![value(row.this), value(row.other), change, String::new(), row.name.clone()]
        });
        text += "\n";
        text += &table("", "metric", metrics.collect());
    }
    text + &notes(&comparison.notes, screen)
}

/// Table of a comparison of many runs, with the results of conditions.
pub fn runs(comparison: &runs::Comparison, judged: &[gate::Judged], screen: Screen) -> String {
    let (this, other) = (&comparison.this, &comparison.other);
    let side = |side: &runs::Side| {
        let runs = if side.runs == 1 { "run" } else { "runs" };
        vec![side.label.to_owned(), format!("{} {runs}", side.runs), side.command.clone()]
    };
    let mut text = screen.table(0, &[Style::new(), ASIDE, NAME], &[side(this), side(other)]);
    let head =
        [this.label, "range", other.label, "range", "change", "95 % interval", "verdict", "event"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for row in &comparison.rows {
        let show = |value: f64| match row.quantity {
            Kind::Seconds => format!("{} s", number::decimal(value)),
            Kind::Count => number::decimal(value),
            Kind::Metric(measure) => number::measured(measure, value),
        };
        let median = |side: Option<Summary>| {
            let marked = |side: Summary| number::marked(side.is_estimate, show(side.median));
            side.map_or("-".to_owned(), marked)
        };
        let range = |side: Option<Summary>| {
            side.map_or(String::new(), |side| {
                let lowest = show(side.lowest);
                // The unit is printed after the second number only.
                let lowest = lowest.split(' ').next().unwrap_or_default();
                format!("{lowest}..{}", show(side.highest))
            })
        };
        let medians = row.other.zip(row.this);
        let change = medians
            .map_or("-".to_owned(), |(other, this)| number::change(other.median, this.median));
        let from = row.other.map_or(0.0, |other| other.median);
        let interval = row.interval.map_or("-".to_owned(), |interval| {
            if from == 0.0 {
                return format!("{} .. {}", show(interval.low), show(interval.high));
            }
            let percent = |difference: f64| format!("{:+.1}", difference / from.abs() * 100.0);
            format!("{} .. {} %", percent(interval.low), percent(interval.high))
        });
        rows.push(vec![
            median(row.this),
            range(row.this),
            median(row.other),
            range(row.other),
            change,
            interval,
            match row.verdict {
                Verdict::TooFewRuns => "-".to_owned(),
                verdict => verdict.word().replace('_', " "),
            },
            row.name.clone(),
        ]);
    }
    let styles =
        [Style::new(), ASIDE, Style::new(), ASIDE, Style::new(), Style::new(), Style::new(), NAME];
    text += "\n";
    // The table is not cut to the width of the screen, because a long line is better than a cut
    // event name.
    text += &screen.whole().table(0, &styles, &aligned(rows, 0..6));
    if !judged.is_empty() {
        let level = (gate::level(judged.len()) * 100.0).round() / 100.0;
        text += &heading(&format!("Conditions, with {level} % confidence intervals of the change"));
        let row = |one: &gate::Judged| {
            let outcome = one.outcome.word().replace('_', " ");
            vec![outcome, one.range(), one.condition.clone()]
        };
        let rows: Vec<_> = judged.iter().map(row).collect();
        text += &screen.whole().table(0, &[Style::new(), ASIDE, NAME], &rows);
    }
    text + &notes(&comparison.notes, screen)
}

fn counters(report: &Report, screen: Screen) -> String {
    let totals = || report.counters.iter().map(|counter| &counter.total);
    let any_shared = totals().any(|total| total.is_estimate() || total.is_lower_bound);
    let any_spread = totals().any(|total| total.variance_percent.is_some());
    let numbered = !report.times.is_empty();
    let if_any = |any: bool, text: &str| if any { text.to_owned() } else { String::new() };
    let mut rows = vec![vec![
        if_any(numbered, "#"),
        "count".to_owned(),
        "per second".to_owned(),
        if_any(any_shared, "counted"),
        if_any(any_spread, "spread"),
        "event".to_owned(),
        "unit".to_owned(),
    ]];
    for (nth, counter) in report.counters.iter().enumerate() {
        let total = &counter.total;
        rows.push(vec![
            if_any(numbered, &(nth + 1).to_string()),
            total.text(),
            counter.mean_rate().map_or("-".to_owned(), |rate| {
                number::marked(total.is_estimate(), number::decimal(rate))
            }),
            if_any(any_shared, &format!("{:.0} %", total.running_percent)),
            total.variance_percent.map(|percent| format!("{percent:.2} %")).unwrap_or_default(),
            counter.full_name(),
            // Most events count occurrences, so this unit is omitted.
            if counter.unit == "occurrences" { String::new() } else { counter.unit.clone() },
        ]);
    }
    let styles = [Style::new(), Style::new(), Style::new(), ASIDE, ASIDE, NAME, ASIDE];
    screen.table(0, &styles, &aligned(rows, 0..5))
}

/// Length in characters of a bar for 100 %.
const BAR: f64 = 40.0;

/// Formats level 1 of top-down as a table.
fn shares(of: &Shares, screen: Screen) -> String {
    let percent = |share: f64| number::marked(of.is_estimate, format!("{:.1} %", share * 100.0));
    let row = |name: &str, share: f64| {
        let bar = "#".repeat((share.clamp(0.0, 1.0) * BAR).round() as usize);
        vec![percent(share), name.to_owned(), bar]
    };
    let mut rows: Vec<_> = of.rows.iter().map(|(name, share)| row(name, *share)).collect();
    let (what, about) = match of.of_slots {
        true => {
            rows.push(vec![percent(of.sum()), "sum".to_owned()]);
            ("Top-down, level 1: shares of the slots", "")
        }
        false => {
            rows.push(row("cycles without a stall", 1.0 - of.sum()));
            let about =
                "Slots are not counted, so discarded work is among the cycles without a stall.";
            ("Shares of stalled cycles", about)
        }
    };
    let mut text = heading(&format!("{what}, {}", of.pmu));
    text += &screen.table(0, &[Style::new(), NAME], &aligned(rows, 0..1));
    if !about.is_empty() {
        text += &screen.paragraph("", about);
    }
    if let Some(next) = &of.next {
        text += &format!("{} is the largest. Next: {next}\n", of.largest());
    }
    text
}

fn metrics(report: &Report, screen: Screen) -> String {
    let numbered = !report.times.is_empty();
    // Metrics of the top-down table are repeated only if the table of intervals refers to their row numbers.
    let is_above = |metric: &Metric| {
        let is = |of: &Shares| {
            of.pmu.starts_with(&metric.pmu) && of.rows.iter().any(|(name, _)| *name == metric.name)
        };
        !numbered && report.shares.iter().any(is)
    };
    let others = report.metrics.iter().enumerate().filter(|(_, metric)| !is_above(metric));
    if others.clone().next().is_none() {
        return String::new();
    }
    let mut text = heading("Metrics");
    let rows = others.map(|(nth, metric)| {
        let number =
            if numbered { (report.counters.len() + nth + 1).to_string() } else { String::new() };
        vec![
            number,
            metric.figure(metric.total),
            metric.per_second.map_or(String::new(), |rate| {
                let rate = format!("{} bytes/s", number::decimal(rate.round()));
                number::marked(metric.is_estimate, rate)
            }),
            metric.full_name(),
            metric.formula.clone(),
        ]
    });
    text += &screen.table(
        0,
        &[Style::new(), Style::new(), ASIDE, NAME, ASIDE],
        &aligned(rows.collect(), 0..3),
    );
    for caveat in distinct(report.metrics.iter().filter_map(|metric| metric.caveat)) {
        let first = report.metrics.iter().find(|metric| metric.caveat == Some(caveat));
        let name = first.and_then(|metric| metric.name.split(':').next()).unwrap_or_default();
        text += &screen.paragraph("  ", &format!("{name}: {caveat}"));
    }
    text
}

/// Table of all intervals, split into blocks of columns that fit the screen.
fn intervals(report: &Report, screen: Screen) -> String {
    let shown = shown(report.times.len());
    let cell = |counter: &Counter, interval: usize| {
        let value = counter.intervals.get(interval).copied().flatten();
        value.map_or("-".to_owned(), |value| {
            value.text().replace("not counted", "x").replace("not supported", "x")
        })
    };
    let column = |number: usize, cell: &dyn Fn(usize) -> String| -> Vec<String> {
        let cells = shown.iter().map(|interval| interval.map_or(String::new(), cell));
        std::iter::once(format!("#{number}")).chain(cells).collect()
    };
    let counters = report.counters.iter().zip(1..);
    let counters = counters.map(|(counter, number)| column(number, &|nth| cell(counter, nth)));
    let metrics = report.metrics.iter().zip(report.counters.len() + 1..);
    let metrics = metrics.filter(|(metric, _)| metric.of.is_some());
    let metrics = metrics.map(|(metric, number)| {
        column(number, &|nth| metric.figure(metric.intervals.get(nth).copied().flatten()))
    });
    let columns: Vec<Vec<String>> = counters.chain(metrics).collect();
    let mut times = vec!["until".to_owned()];
    let time = |interval: usize| format!("{:.3} s", report.times[interval] as f64 / 1e9);
    times.extend(shown.iter().map(|interval| interval.map_or("...".to_owned(), time)));
    let width = |column: &Vec<String>| column.iter().map(|cell| cell.len()).max().unwrap_or(0);
    let mut text = heading("Intervals");
    let mut rest = &columns[..];
    while !rest.is_empty() {
        let mut used = width(&times);
        let fits = |column: &&Vec<String>| {
            used += 2 + width(column);
            used <= screen.columns()
        };
        let block = rest.iter().take_while(fits).count().max(1);
        let rows = (0..times.len()).map(|row| {
            let cells = rest[..block].iter().map(|column| column[row].clone());
            std::iter::once(times[row].clone()).chain(cells).collect::<Vec<_>>()
        });
        text += &screen.table(0, &[ASIDE], &aligned(rows.collect(), 0..block + 1));
        rest = &rest[block..];
        if !rest.is_empty() {
            text.push('\n');
        }
    }
    let left_out = report.times.len() - shown.iter().flatten().count();
    if left_out > 0 {
        text += &screen.paragraph(
            "  ",
            &format!("{left_out} intervals are left out; --csv and --json print all."),
        );
    }
    text
}

/// Numbers of the printed intervals, with `None` for omitted intervals.
fn shown(intervals: usize) -> Vec<Option<usize>> {
    if intervals <= INTERVALS {
        return (0..intervals).map(Some).collect();
    }
    let half = INTERVALS / 2;
    (0..half).map(Some).chain([None]).chain((intervals - half..intervals).map(Some)).collect()
}

fn notes(notes: &[String], screen: Screen) -> String {
    if notes.is_empty() {
        return String::new();
    }
    heading("Notes") + &notes.iter().map(|note| screen.warning(note)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_first_and_last_intervals_are_shown() {
        assert_eq!(shown(3), [Some(0), Some(1), Some(2)]);
        let many = shown(1000);
        assert_eq!((many.len(), many[0], many[12], many[24]), (25, Some(0), None, Some(999)));
    }
}
