//! `--fail-if`: limits on the change between two programs that ran alternately.

use arm_pmu_lookup::near;
use arm_pmu_tables::Measure;
use serde::Serialize;

use super::bootstrap::Interval;
use super::runs::{Comparison, Kind, Row, Summary};
use crate::base::documents::{documents, words};
use crate::base::number::decimal;

/// Minimum number of pairs. With 12 pairs, each of 1000 planted changes (3 % of the recorded instructions) was found;
/// with 9 pairs, one was missed.
const FEWEST: usize = 12;

/// Maximum percentage of false alarms. A false alarm is a comparison of equal programs that exceeds
/// a condition.
pub const FALSE_ALARMS: f64 = 1.0;

/// A condition: `INST_RETIRED > +2%`, or `SNOOP_HIT_RATE < -2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    name: String,
    is_upper: bool,
    limit: f64,
    /// Whether the limit is relative to the first program.
    is_percent: bool,
}

words! {
    /// Result of a condition.
    Outcome {
        /// The whole confidence interval is beyond the limit.
        Exceeded = "exceeded",
        /// The whole confidence interval is on the allowed side of the limit.
        NotExceeded = "not_exceeded",
        /// The interval contains the limit.
        Undecided = "undecided",
        /// The runs cannot prove a change.
        NotJudged = "not_judged",
    }
}

documents! {
    derive(Clone, Debug, Serialize)

    /// A condition of `--fail-if`.
    #[cfg_attr(test, schemars(rename = "Condition"))]
    Judged {
        /// The condition as given.
        condition: String,
        /// `exceeded`, `not_exceeded`, `undecided` or `not_judged`.
        #[cfg_attr(test, schemars(with = "String"))]
        outcome: Outcome,
        /// Reason why the condition is not judged; null otherwise.
        reason: Option<String>,
        /// Confidence interval of the change, in the unit of the limit.
        interval: Option<Interval>,
        /// Confidence level of the interval, in percent.
        interval_percent: f64,
        /// Whether the limit is relative to the first program.
        #[serde(skip)]
        is_percent: bool,
    }
}

impl Judged {
    /// Interval with its unit: `+6.3 .. +13.2 %`.
    pub fn range(&self) -> String {
        let Some(Interval { low, high }) = self.interval else { return "-".to_owned() };
        match self.is_percent {
            true => format!("{low:+.2} .. {high:+.2} %"),
            false => format!("{} .. {}", decimal(low), decimal(high)),
        }
    }

    /// Line for standard error, if the comparison fails or proves nothing.
    pub fn warning(&self) -> Option<String> {
        let condition = &self.condition;
        match &self.reason {
            Some(reason) => Some(format!("`{condition}` is not judged: {reason}")),
            None => (self.outcome == Outcome::Exceeded)
                .then(|| format!("`{condition}` is exceeded: the change is {}", self.range())),
        }
    }
}

/// Confidence level of each interval, in percent. `FALSE_ALARMS` is divided among all conditions.
pub fn level(conditions: usize) -> f64 {
    100.0 - FALSE_ALARMS / conditions as f64
}

/// Minimum number of pairs: `FEWEST`, or more for many conditions. With equal programs, all n pairs change in a given
/// direction with a probability of 1 in 2^n, so with too few pairs, false alarms exceed `FALSE_ALARMS`.
pub fn fewest_pairs(conditions: usize) -> usize {
    let by_chance = (400.0 / FALSE_ALARMS * conditions as f64).log2().ceil() as usize;
    by_chance.max(FEWEST)
}

impl Condition {
    /// Parses a condition. An error marks the place of the mistake.
    pub fn parse(text: &str) -> Result<Self, String> {
        let malformed = |byte: usize, expected: &str| {
            let at = text[..byte].chars().count();
            Err(format!("--fail-if: {expected}\n  {text}\n  {:at$}^", ""))
        };
        let Some(operator) = text.find(['<', '>']) else {
            return malformed(text.len(), "`>` or `<` must follow the name of the event");
        };
        let name = text[..operator].trim();
        if name.is_empty() {
            return malformed(0, "the name of an event or metric must precede the limit");
        }
        let after = &text[operator + 1..];
        let start = text.len() - after.trim_start().len();
        let number = after.trim();
        let (digits, is_percent) = match number.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), true),
            None => (number, false),
        };
        let Some(limit) = digits.parse().ok().filter(|limit: &f64| limit.is_finite()) else {
            let wrong = digits.find(|one: char| !one.is_ascii_digit() && !"+-.".contains(one));
            return malformed(start + wrong.unwrap_or(0), "a limit is a number: +2%, -100");
        };
        let is_upper = text[operator..].starts_with('>');
        if is_upper && limit < 0.0 || !is_upper && limit > 0.0 {
            return malformed(
                start,
                "equal programs would fail: use a positive limit with >, and a negative limit with <",
            );
        }
        Ok(Self {
            text: text.trim().to_owned(),
            name: name.to_owned(),
            is_upper,
            limit,
            is_percent,
        })
    }

    /// Returns the row that has this name; the name can include or omit the PMU.
    fn row<'r>(&self, rows: &'r [Row]) -> Result<&'r Row, String> {
        let is = |name: &str| name.eq_ignore_ascii_case(&self.name);
        let without_pmu = |row: &'r Row| row.name.split_once(' ').map_or("", |(_, name)| name);
        let whole = |row: &&Row| is(&row.name) || is(&row.name.replacen(' ', ":", 1));
        let mut found: Vec<_> = rows.iter().filter(whole).collect();
        if found.is_empty() {
            found = rows.iter().filter(|row| is(without_pmu(row))).collect();
        }
        let why = match found[..] {
            [row] if row.this.is_some() && row.other.is_some() => return Ok(row),
            [] => {
                let known = rows.iter().flat_map(|row| [row.name.as_str(), without_pmu(row)]);
                let near = near::suggestion(&self.name, known);
                format!("the recording has no such event{near}")
            }
            [_] => "it was counted in only one of the two programs".to_owned(),
            [..] => {
                let names: Vec<_> = found.iter().map(|row| format!("`{}`", row.name)).collect();
                format!("give one of {}", names.join(", "))
            }
        };
        Err(format!("--fail-if {}: {why}", self.name))
    }

    /// Compares a row with the condition. `conditions` is the number of all conditions.
    fn judge(&self, row: &Row, comparison: &Comparison, conditions: usize) -> Judged {
        let interval_percent = level(conditions);
        let judged = |outcome, reason, interval| Judged {
            condition: self.text.clone(),
            outcome,
            reason,
            interval,
            interval_percent,
            is_percent: self.is_percent,
        };
        let (pairs, fewest) = (row.pairs.len(), fewest_pairs(conditions));
        let failed = [&comparison.other, &comparison.this].into_iter().find(|side| side.failed > 0);
        let is_estimate = |side: Option<Summary>| side.is_some_and(|it| it.is_estimate);
        let reason = if !comparison.in_pairs {
            "the programs did not run in turn, so anything else may have changed in between; use \
             `arm-pmu stat --compare`"
                .to_owned()
        } else if let Some(side) = failed {
            format!("{} runs of {} had a nonzero exit status", side.failed, side.command)
        } else if is_estimate(row.this) || is_estimate(row.other) {
            "its counts are estimates, because events shared counters; count fewer events"
                .to_owned()
        } else if pairs < fewest {
            format!("it has {pairs} pairs of runs, and needs {fewest}: stat -r {fewest}")
        } else if self.is_percent && row.pairs.iter().any(|(_, from)| *from <= 0.0) {
            "a change from 0 cannot be expressed in percent; give a limit without %".to_owned()
        } else {
            let scale = match row.quantity {
                Kind::Metric(Some(Measure::Percent)) => 100.0,
                Kind::Metric(Some(Measure::PerThousand)) => 1000.0,
                _ => 1.0,
            };
            let change = |to: f64, from: f64| match self.is_percent {
                true => (to / from - 1.0) * 100.0,
                false => (to - from) * scale,
            };
            let interval = Interval::of_changes(&row.pairs, interval_percent, change);
            // The operator determines whether a value exceeds the limit by being above or below it.
            let (near, far) = match self.is_upper {
                true => (interval.low - self.limit, interval.high - self.limit),
                false => (self.limit - interval.high, self.limit - interval.low),
            };
            let outcome = match () {
                () if near > 0.0 => Outcome::Exceeded,
                () if far <= 0.0 => Outcome::NotExceeded,
                () => Outcome::Undecided,
            };
            return judged(outcome, None, Some(interval));
        };
        judged(Outcome::NotJudged, Some(reason), None)
    }
}

/// Judges all conditions of a comparison. Fails if a condition fits no row, or more than one.
pub fn judge(conditions: &[Condition], comparison: &Comparison) -> Result<Vec<Judged>, String> {
    let judged = |condition: &Condition| {
        Ok(condition.judge(condition.row(&comparison.rows)?, comparison, conditions.len()))
    };
    conditions.iter().map(judged).collect()
}

/// Note for a report with these results.
pub fn note(judged: &[Judged]) -> Option<String> {
    (!judged.is_empty()).then(|| {
        format!(
            "A condition is exceeded if the whole confidence interval of the change is beyond the limit. Of 100 comparisons of equal programs, at most about {FALSE_ALARMS} exceeds any condition by chance."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::Random;
    use super::super::model::Given;
    use super::super::record::Record;
    use super::*;

    const INSTRUCTIONS: &str = include_str!("../../../tests/runs/equal-instructions.jsonl");
    const CYCLES: &str = include_str!("../../../tests/runs/equal-cycles.jsonl");

    fn comparison(recording: &str) -> Comparison {
        let record = Record::parse(recording).expect("a recording").expect("its lines");
        Comparison::of_programs(&record, &Given::default())
    }

    fn all(conditions: &[&str]) -> Vec<Condition> {
        let parsed = conditions.iter().map(|text| Condition::parse(text));
        parsed.collect::<Result<_, _>>().expect("conditions")
    }

    /// Number of comparisons that exceed a condition. Each comparison takes random pairs of runs from a recording of
    /// equal programs, swaps the programs of random pairs, and multiplies the second program's counts by `factor`.
    fn exceeded(
        recording: &str,
        conditions: &[&str],
        runs: usize,
        factor: f64,
        comparisons: usize,
    ) -> usize {
        let (recorded, conditions) = (comparison(recording), all(conditions));
        let mut random = Random(2026);
        let is_exceeded = |_: &usize| {
            let mut drawn = recorded.clone();
            let mut left: Vec<_> = (0..recorded.rows[0].pairs.len()).collect();
            let taken: Vec<_> = (0..runs)
                .map(|_| (left.swap_remove(random.below(left.len())), random.below(2) == 0))
                .collect();
            for row in &mut drawn.rows {
                let pair = |(nth, is_exchanged): &(usize, bool)| {
                    let (this, other) = row.pairs[*nth];
                    let (this, other) = if *is_exchanged { (other, this) } else { (this, other) };
                    (this * factor, other)
                };
                row.pairs = taken.iter().map(pair).collect();
            }
            let judged = judge(&conditions, &drawn).expect("rows");
            judged.iter().any(|one| one.outcome == Outcome::Exceeded)
        };
        (0..comparisons).filter(is_exceeded).count()
    }

    const ONE: &[&str] = &["INST_RETIRED > 0%"];

    #[test]
    fn equal_programs_rarely_fail_and_slower_ones_do() {
        // `at_most_1_percent_of_equal_pairs_fail` makes 4000 comparisons. With a confidence level of 95 %, 4 of the 40
        // comparisons here would fail.
        let equal = exceeded(INSTRUCTIONS, ONE, FEWEST, 1.0, 40);
        assert!(equal <= 1, "{equal} of 40");
        assert_eq!(exceeded(INSTRUCTIONS, ONE, FEWEST, 1.03, 5), 5);
    }

    /// `cargo test --release -p arm-pmu-cli --lib gate::tests::at_most_1_percent_of_equal_pairs_fail -- --ignored --nocapture`
    #[test]
    #[ignore = "takes minutes, and measures the rates in guides/gate.md"]
    fn at_most_1_percent_of_equal_pairs_fail() {
        let two = &["INST_RETIRED > 0%", "time > 0%"][..];
        let cycles = &["CYCLES > 0%"][..];
        let limit = &["INST_RETIRED > +2%"][..];
        let five = &["CYCLES > 0%", "CYCLES < 0%", "time > 0%", "time < 0%", "time > 0"][..];
        let rows = [
            ("instructions", INSTRUCTIONS, ONE),
            ("cycles", CYCLES, cycles),
            ("two conditions", INSTRUCTIONS, two),
            ("five conditions", CYCLES, five),
            ("limit of 2 %", INSTRUCTIONS, limit),
        ];
        let mut worst = 0;
        for (name, recording, conditions) in rows {
            for runs in [FEWEST, 20] {
                let equal = exceeded(recording, conditions, runs, 1.0, 4000);
                let slower = exceeded(recording, conditions, runs, 1.03, 1000);
                worst = worst.max(equal);
                println!(
                    "{name}, {runs} runs: reported {equal} of 4000 equal and {slower} of 1000 slower"
                );
            }
        }
        assert!(worst <= 40, "{worst} of 4000");
    }

    #[test]
    fn mistakes_have_a_place() {
        for (text, expected) in [
            ("INST_RETIRED", 12),
            ("> 2%", 0),
            ("CYCLES >> 2%", 8),
            ("CYCLES > +2 percent", 11),
            ("CYCLES >", 8),
            ("CYCLES > inf", 9),
            ("CYCLES > -2%", 9),
            ("CYCLES < 2", 9),
        ] {
            let error = Condition::parse(text).expect_err(text);
            let mark = error.lines().last().map_or(0, str::len);
            assert_eq!(mark, "  ^".len() + expected, "{error}");
        }
        let condition = Condition::parse(" S3:READ_REQUEST_ANY<-.5 % ").expect("a condition");
        assert_eq!((condition.name.as_str(), condition.limit), ("S3:READ_REQUEST_ANY", -0.5));
        assert!(condition.is_percent && !condition.is_upper);
    }

    /// Returns the outcome of a condition on a row with this kind and these pairs.
    fn outcome(condition: &str, kind: Kind, pairs: &[(f64, f64)]) -> Outcome {
        let mut drawn = comparison(INSTRUCTIONS);
        drawn.rows[1].quantity = kind;
        drawn.rows[1].pairs = pairs.to_vec();
        judge(&all(&[condition]), &drawn).expect("a row").remove(0).outcome
    }

    #[test]
    fn limits_are_relative_or_absolute() {
        let pairs = |this: f64, other: f64| vec![(this, other); FEWEST];
        let rate = Kind::Metric(Some(Measure::Percent));
        for (condition, kind, this, other, expected) in [
            ("INST_RETIRED > 2%", Kind::Count, 103.0, 100.0, Outcome::Exceeded),
            ("inst_retired > 4%", Kind::Count, 103.0, 100.0, Outcome::NotExceeded),
            ("INST_RETIRED > 0%", Kind::Count, 100.0, 100.0, Outcome::NotExceeded),
            ("cortex-a53:INST_RETIRED > 2", Kind::Count, 103.0, 100.0, Outcome::Exceeded),
            ("cortex-a53 INST_RETIRED < -2%", Kind::Count, 97.0, 100.0, Outcome::Exceeded),
            // A hit rate that falls from 50 % to 47 % changes by 3 points, or by 6 %.
            ("INST_RETIRED < -2", rate, 0.47, 0.5, Outcome::Exceeded),
            ("INST_RETIRED < -4", rate, 0.47, 0.5, Outcome::NotExceeded),
            ("INST_RETIRED < -4%", rate, 0.47, 0.5, Outcome::Exceeded),
            ("INST_RETIRED > 5", Kind::Count, 6.0, 0.0, Outcome::Exceeded),
        ] {
            assert_eq!(outcome(condition, kind, &pairs(this, other)), expected, "{condition}");
        }
        for (condition, pairs) in [
            ("INST_RETIRED > 5%", &pairs(6.0, 0.0)[..]),
            ("INST_RETIRED > 2%", &pairs(9.0, 1.0)[1..]),
        ] {
            assert_eq!(outcome(condition, Kind::Count, pairs), Outcome::NotJudged, "{condition}");
        }
        let wide: Vec<_> = (0..12).map(|nth| (f64::from(92 + 2 * nth), 100.0)).collect();
        assert_eq!(outcome("INST_RETIRED > 2%", Kind::Count, &wide), Outcome::Undecided);
        assert_eq!([1, 10, 11].map(fewest_pairs), [12, 12, 13]);
    }

    #[test]
    fn only_exact_pairs_of_good_runs_are_judged() {
        let reason = |change: fn(&mut Comparison)| {
            let mut changed = comparison(INSTRUCTIONS);
            change(&mut changed);
            judge(&all(ONE), &changed).expect("a row").remove(0).reason.expect("a reason")
        };
        let estimate =
            |it: &mut Comparison| it.rows[1].other.as_mut().expect("runs").is_estimate = true;
        assert!(reason(estimate).contains("estimates"));
        assert!(reason(|it| it.this.failed = 2).contains("2 runs of sh /tmp/w b had a nonzero"));
        assert!(reason(|it| it.in_pairs = false).contains("did not run in turn"));
        let refused = |condition: &str, change: fn(&mut Vec<Row>)| {
            let mut changed = comparison(INSTRUCTIONS);
            change(&mut changed.rows);
            judge(&all(&[condition]), &changed).expect_err("no row, or two")
        };
        let error = refused(ONE[0], |rows| rows[1].this = None);
        assert!(error.ends_with("it was counted in only one of the two programs"), "{error}");
        let error = refused(ONE[0], |rows| {
            rows.push(Row { name: "cortex-a72 INST_RETIRED".to_owned(), ..rows[1].clone() });
        });
        let names = "one of `cortex-a53 INST_RETIRED`, `cortex-a72 INST_RETIRED`";
        assert!(error.ends_with(names), "{error}");
    }
}
