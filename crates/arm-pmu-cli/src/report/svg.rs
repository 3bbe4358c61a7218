//! The intervals as a picture: one panel for each event and metric, above a common axis of time.
//!
//! An interval is a horizontal line at its mean rate, because that is all that is known of it. An estimate is
//! dashed, and where nothing was counted the line ends and the background is grey.

use std::fmt::Write as _;

use arm_pmu_tables::Measure;

use super::model::{Metric, Report};
use super::number::decimal;

const WIDTH: f64 = 800.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
/// Of the line above a panel.
const TITLE: f64 = 20.0;
const PLOT: f64 = 72.0;
/// Between panels.
const GAP: f64 = 14.0;
const AXIS: f64 = 44.0;

/// A row over time.
struct Panel {
    title: String,
    unit: String,
    color: &'static str,
    /// A value and whether it is an estimate, for each interval.
    values: Vec<Option<(f64, bool)>>,
}

const OF_COUNTS: &str = "#1f5fa8";
const OF_METRICS: &str = "#a3481f";

/// The picture; `None` if there are no intervals.
pub fn draw(report: &Report) -> Option<String> {
    if report.times.is_empty() {
        return None;
    }
    let counters = report.counters.iter().map(|counter| Panel {
        title: counter.full_name(),
        unit: match counter.unit.as_str() {
            "" | "occurrences" => "per second".to_owned(),
            unit => format!("{unit} per second"),
        },
        color: OF_COUNTS,
        values: (0..report.times.len())
            .map(|nth| {
                let is_estimate = counter.intervals[nth].is_some_and(|value| value.is_estimate());
                counter.rate(report, nth).map(|rate| (rate, is_estimate))
            })
            .collect(),
    });
    let of_intervals = |metric: &&Metric| metric.intervals.iter().any(Option::is_some);
    let metrics = report.metrics.iter().filter(of_intervals).map(|metric| {
        let (factor, unit) = match metric.measure {
            Some(Measure::Percent) => (100.0, "%"),
            Some(measure) => (1.0, if measure == Measure::Ratio { "" } else { measure.word() }),
            None => (1.0, ""),
        };
        Panel {
            title: format!("{} {}", metric.pmu, metric.name),
            unit: unit.to_owned(),
            color: OF_METRICS,
            values: metric
                .intervals
                .iter()
                .map(|value| value.map(|value| (value * factor, metric.is_estimate)))
                .collect(),
        }
    });
    let panels: Vec<Panel> = counters.chain(metrics).collect();
    let height = TOP + panels.len() as f64 * (TITLE + PLOT + GAP) + AXIS;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let end = report.seconds().max(1e-9);
    let x = |seconds: f64| LEFT + seconds / end * (WIDTH - LEFT - RIGHT);
    for (nth, panel) in panels.iter().enumerate() {
        let top = TOP + nth as f64 * (TITLE + PLOT + GAP) + TITLE;
        draw_panel(&mut svg, panel, report, top, &x);
    }
    let bottom = height - AXIS;
    for tick in ticks(end, 8) {
        let at = x(tick);
        text(&mut svg, at, bottom + 8.0, "middle", "#333", &trimmed(tick));
    }
    text(&mut svg, x(end / 2.0), bottom + 28.0, "middle", "#333", "seconds since the start");
    let values = || panels.iter().flat_map(|panel| &panel.values);
    let estimates = values().any(|value| value.is_some_and(|(_, is_estimate)| is_estimate));
    let legend = match (estimates, values().any(Option::is_none)) {
        (true, true) => "dashed: estimate; grey: no count",
        (true, false) => "dashed: estimate",
        (false, true) => "grey: no count",
        (false, false) => "",
    };
    text(&mut svg, WIDTH - RIGHT, bottom + 28.0, "end", "#555", legend);
    svg += "</svg>\n";
    Some(svg)
}

fn draw_panel(svg: &mut String, panel: &Panel, report: &Report, top: f64, x: &dyn Fn(f64) -> f64) {
    let most = panel.values.iter().flatten().map(|(value, _)| *value).fold(0.0, f64::max);
    // Some room above the highest line.
    let highest = if most > 0.0 { most * 1.12 } else { 1.0 };
    let scale = ticks(highest, 3);
    let y = |value: f64| top + PLOT - value / highest * PLOT;
    text(svg, LEFT, top - 6.0, "start", "#000", &panel.title);
    text(svg, WIDTH - RIGHT, top - 6.0, "end", "#555", &panel.unit);
    let end = report.times.len();
    let start_of =
        |nth: usize| nth.checked_sub(1).map_or(0.0, |before| report.times[before] as f64 / 1e9);
    for nth in (0..end).filter(|nth| panel.values[*nth].is_none()) {
        let (from, to) = (x(start_of(nth)), x(report.times[nth] as f64 / 1e9));
        put(
            svg,
            format_args!(
                "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{PLOT}\" fill=\"#e4e4e4\" shape-rendering=\"crispEdges\"/>\n",
                to - from
            ),
        );
    }
    for tick in scale {
        let at = y(tick);
        put(
            svg,
            format_args!(
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#d0d0d0\" stroke-width=\"1\"/>\n",
                WIDTH - RIGHT
            ),
        );
        text(svg, LEFT - 6.0, at + 4.0, "end", "#555", &short(tick));
    }
    // One path for each run of intervals of one kind.
    let mut nth = 0;
    while nth < end {
        let Some((_, is_estimate)) = panel.values[nth] else {
            nth += 1;
            continue;
        };
        let mut path = String::new();
        while let Some((value, _)) =
            panel.values.get(nth).copied().flatten().filter(|(_, kind)| *kind == is_estimate)
        {
            let step = if path.is_empty() { 'M' } else { 'L' };
            let (from, to, at) = (x(start_of(nth)), x(report.times[nth] as f64 / 1e9), y(value));
            put(&mut path, format_args!("{step}{from:.1} {at:.1}H{to:.1}"));
            nth += 1;
        }
        let dashes = if is_estimate { " stroke-dasharray=\"5 3\"" } else { "" };
        let color = panel.color;
        put(
            svg,
            format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{dashes}/>\n"
            ),
        );
    }
    if panel.values.iter().all(Option::is_none) {
        text(
            svg,
            (LEFT + WIDTH - RIGHT) / 2.0,
            top + PLOT / 2.0 + 4.0,
            "middle",
            "#555",
            "not counted",
        );
    }
}

/// Writing to a string does not fail.
fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _always = text.write_fmt(arguments);
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, color: &str, content: &str) {
    let mut escaped = String::new();
    for letter in content.chars() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            // XML has no other control characters, and no reader could see them.
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    put(
        svg,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{escaped}</text>\n"
        ),
    );
}

/// From 0 in steps of 1, 2 or 5 times a power of ten to the first that is not below `most`, or to the end.
fn ticks(most: f64, about: usize) -> Vec<f64> {
    let rough = most / about as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(power);
    // A step of the smallest numbers can be zero.
    let steps = if step > 0.0 { (most / step).floor().min(50.0) as usize } else { 0 };
    (0..=steps).map(|nth| nth as f64 * step).collect()
}

/// `0.3` and not `0.30000000000000004`.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `1.2 M`
fn short(value: f64) -> String {
    let units = [(1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")];
    match units.into_iter().find(|(size, _)| value >= *size) {
        Some((size, unit)) => {
            let size = if unit == "k" { 1e3 } else { size };
            format!("{} {unit}", trimmed(value / size))
        }
        None if value >= 0.001 || value == 0.0 => trimmed(value),
        None => decimal(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_steps() {
        assert_eq!(ticks(1.07, 8), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(91_180.0, 3), [0.0, 50_000.0]);
        assert_eq!(ticks(10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(trimmed(0.1 + 0.2), "0.3");
        assert_eq!(short(1_500_000.0), "1.5 M");
        assert_eq!(short(50_000.0), "50 k");
    }

    #[test]
    fn names_are_escaped() {
        let mut svg = String::new();
        text(&mut svg, 0.0, 0.0, "end", "#000", "a<b>&\u{1}");
        assert!(svg.contains(">a&lt;b&gt;&amp; </text>"), "{svg}");
    }
}
