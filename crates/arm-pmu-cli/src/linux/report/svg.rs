//! SVG plot of the intervals: one panel for each event and metric, on a common time axis.
//!
//! Each interval is a horizontal line at its mean rate, the only known value. Estimates are dashed. Intervals without a
//! count have a grey background and no line. The other run of a comparison is a thin line in the background.

use arm_pmu_tables::Measure;

use super::model::{Metric, Report};
use crate::base::number::decimal;

const WIDTH: f64 = 800.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
/// Height of the title above a panel.
const TITLE: f64 = 20.0;
const PLOT: f64 = 72.0;
/// Space between panels.
const GAP: f64 = 14.0;
const AXIS: f64 = 44.0;

/// Colours for light and dark pages. The plot has its own background, so it is legible on any page.
const STYLE: &str = include_str!("plot.css");

/// Plot of an event or a metric over time.
struct Panel {
    title: String,
    unit: String,
    /// CSS class of the line: `count` or `metric`.
    class: &'static str,
    this: Option<Line>,
    /// Values of the other run.
    other: Option<Line>,
}

/// Values of one run.
struct Line {
    /// End of each interval, in seconds.
    ends: Vec<f64>,
    /// Value of each interval, and whether it is an estimate.
    values: Vec<Option<(f64, bool)>>,
}

impl Line {
    /// Start and end of an interval.
    fn interval(&self, nth: usize) -> (f64, f64) {
        let start = nth.checked_sub(1).map_or(0.0, |before| self.ends[before]);
        (start, self.ends[nth])
    }

    fn has_gaps(&self) -> bool {
        self.values.iter().any(Option::is_none)
    }

    fn has_estimates(&self) -> bool {
        self.values.iter().flatten().any(|(_, is_estimate)| *is_estimate)
    }
}

/// Draws a run and, in a comparison, the other run. `None` if there are no intervals.
pub fn draw(report: &Report, other: Option<&Report>) -> Option<String> {
    if report.times.is_empty() {
        return None;
    }
    let mut all = panels(report);
    let mut others = other.map_or(Vec::new(), panels);
    for panel in &mut all {
        let same = others.iter().position(|other| other.title == panel.title);
        panel.other = same.and_then(|nth| others.remove(nth).this);
    }
    all.extend(others.into_iter().map(|panel| Panel { other: panel.this, this: None, ..panel }));
    let height = TOP + all.len() as f64 * (TITLE + PLOT + GAP) + AXIS;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<style>\n{STYLE}</style>\n\
         <rect class=\"back\" width=\"100%\" height=\"100%\" rx=\"6\"/>\n"
    );
    let lines = || all.iter().flat_map(|panel| [&panel.this, &panel.other]).flatten();
    let ends = lines().filter_map(|line| line.ends.last()).copied();
    let end = ends.fold(1e-9, f64::max);
    let x = |seconds: f64| LEFT + seconds / end * (WIDTH - LEFT - RIGHT);
    for (nth, panel) in all.iter().enumerate() {
        let top = TOP + nth as f64 * (TITLE + PLOT + GAP) + TITLE;
        draw_panel(&mut svg, panel, top, &x);
    }
    let bottom = height - AXIS;
    for tick in ticks(end, 8) {
        text(&mut svg, x(tick), bottom + 8.0, "middle", "note", &trimmed(tick));
    }
    text(&mut svg, LEFT, bottom + 28.0, "start", "note", "seconds since the start");
    let own = || all.iter().filter_map(|panel| panel.this.as_ref());
    let legend = [
        ("thin: the other run", all.iter().any(|panel| panel.other.is_some())),
        ("dashed: estimate", lines().any(Line::has_estimates)),
        ("grey: no count", own().any(Line::has_gaps)),
    ];
    let legend: Vec<_> =
        legend.iter().filter(|(_, is_used)| *is_used).map(|(text, _)| *text).collect();
    text(&mut svg, WIDTH - RIGHT, bottom + 28.0, "end", "note", &legend.join("; "));
    svg += "</svg>\n";
    Some(svg)
}

/// Panels of one run. Without intervals, the whole run is one interval.
fn panels(report: &Report) -> Vec<Panel> {
    let whole = report.times.is_empty();
    let ends: Vec<f64> = report.times.iter().map(|time| *time as f64 / 1e9).collect();
    let panel = |title, unit, class, length: f64, total, values| {
        let line = match whole {
            true => Line { ends: vec![length], values: vec![total] },
            false => Line { ends: ends.clone(), values },
        };
        Panel { title, unit, class, this: Some(line), other: None }
    };
    let counters = report.counters.iter().map(|counter| {
        let in_interval = |nth: usize| {
            let is_estimate = counter.intervals[nth].is_some_and(|value| value.is_estimate());
            report.rate(counter, nth).map(|rate| (rate, is_estimate))
        };
        let mean = counter.mean_rate().map(|rate| (rate, counter.total.is_estimate()));
        let unit = match counter.unit.as_str() {
            "" | "occurrences" => "per second".to_owned(),
            unit => format!("{unit} per second"),
        };
        let values = (0..ends.len()).map(in_interval).collect();
        panel(counter.full_name(), unit, "count", counter.seconds, mean, values)
    });
    let length = report.seconds();
    let is_shown = |metric: &&Metric| whole || metric.intervals.iter().any(Option::is_some);
    let metrics = report.metrics.iter().filter(is_shown).map(|metric| {
        let (factor, unit) = match metric.measure() {
            Some(Measure::Percent) => (100.0, "%"),
            Some(measure) => (1.0, if measure == Measure::Ratio { "" } else { measure.word() }),
            None => (1.0, ""),
        };
        let value = |value: Option<f64>| value.map(|value| (value * factor, metric.is_estimate));
        let values = metric.intervals.iter().copied().map(value).collect();
        panel(metric.full_name(), unit.to_owned(), "metric", length, value(metric.total), values)
    });
    counters.chain(metrics).collect()
}

fn draw_panel(svg: &mut String, panel: &Panel, top: f64, x: &dyn Fn(f64) -> f64) {
    let lines = [&panel.this, &panel.other];
    let values = || lines.into_iter().flatten().flat_map(|line| line.values.iter().flatten());
    let most = values().map(|(value, _)| *value).fold(0.0, f64::max);
    // The axis ends above the highest line.
    let highest = if most > 0.0 { most * 1.12 } else { 1.0 };
    let y = |value: f64| top + PLOT - value / highest * PLOT;
    text(svg, LEFT, top - 6.0, "start", "title", &panel.title);
    text(svg, WIDTH - RIGHT, top - 6.0, "end", "note", &panel.unit);
    if let Some(line) = &panel.this {
        for nth in (0..line.ends.len()).filter(|nth| line.values[*nth].is_none()) {
            let (from, to) = line.interval(nth);
            let (from, width) = (x(from), x(to) - x(from));
            *svg += &format!(
                "<rect class=\"gap\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{PLOT}\" \
                 shape-rendering=\"crispEdges\"/>\n"
            );
        }
    }
    for tick in ticks(highest, 3) {
        let (at, right) = (y(tick), WIDTH - RIGHT);
        *svg += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\"/>\n"
        );
        text(svg, LEFT - 6.0, at + 4.0, "end", "note", &short(tick));
    }
    // In the plot, the line of this run hides the line of the other run.
    if let Some(line) = &panel.other {
        draw_line(svg, line, "other", x, &y);
    }
    if let Some(line) = &panel.this {
        draw_line(svg, line, panel.class, x, &y);
    }
    if values().next().is_none() {
        let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, top + PLOT / 2.0 + 4.0);
        text(svg, x, y, "middle", "note", "not counted");
    }
}

/// Draws one path for each sequence of intervals that are all exact, or all estimates.
fn draw_line(
    svg: &mut String,
    line: &Line,
    class: &str,
    x: &dyn Fn(f64) -> f64,
    y: &dyn Fn(f64) -> f64,
) {
    let intervals: Vec<_> = (0..line.ends.len()).collect();
    let kind = |nth: &usize| line.values[*nth].map(|(_, is_estimate)| is_estimate);
    for part in intervals.chunk_by(|one, next| kind(one) == kind(next)) {
        let Some(is_estimate) = kind(&part[0]) else { continue };
        let mut path = String::new();
        for nth in part {
            let Some((value, _)) = line.values[*nth] else { continue };
            let step = if path.is_empty() { 'M' } else { 'L' };
            let (from, to) = line.interval(*nth);
            path += &format!("{step}{:.1} {:.1}H{:.1}", x(from), y(value), x(to));
        }
        let estimate = if is_estimate { " estimate" } else { "" };
        *svg += &format!("<path class=\"line {class}{estimate}\" d=\"{path}\"/>\n");
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, class: &str, content: &str) {
    let mut escaped = String::new();
    for letter in content.chars() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            // XML 1.0 excludes most control characters.
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    *svg += &format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{escaped}</text>\n"
    );
}

/// Ticks from 0 to `most`. The step is 1, 2 or 5 times a power of ten.
fn ticks(most: f64, about: usize) -> Vec<f64> {
    let rough = most / about as f64;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(power);
    // If the numbers are extremely small, the step is rounded to zero.
    let steps = if step > 0.0 { (most / step).floor().min(50.0) as usize } else { 0 };
    (0..=steps).map(|nth| nth as f64 * step).collect()
}

/// Formats `0.3` without digits such as `0.30000000000000004`.
fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a number with a prefix: `1.2 M`.
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
    fn large_numbers_have_a_prefix() {
        assert_eq!(short(1_500_000.0), "1.5 M");
        assert_eq!(short(50_000.0), "50 k");
    }

    #[test]
    fn names_are_escaped() {
        let mut svg = String::new();
        text(&mut svg, 0.0, 0.0, "end", "note", "a<b>&\u{1}");
        assert!(svg.contains(">a&lt;b&gt;&amp; </text>"), "{svg}");
    }
}
