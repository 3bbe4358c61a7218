//! Why does a counter read zero?

use core::fmt;

use super::finding::Finding;
use crate::measure::{Interference, Monitor};

/// How many findings a [`Diagnosis`] has room for. Most states of a device are one finding.
const MOST: usize = 4;

/// How often the work of [`Diagnose::diagnose`] goes round: some microseconds to milliseconds.
const ROUNDS: u32 = 10_000;

/// A stopped PMU that can find out why its counters read zero.
///
/// Ask it after a measurement in which [nothing was counted](crate::measure::Measurement::all_zero). It looks at the
/// device, at what the counters were told to count, and at what was lost in the last run, and tries
/// counters out. Afterwards every register that can be read and written holds what it held before,
/// the counters included; so [`Monitor::count`] and a `resume` are as without it. Each IP says what
/// cannot be put back. It takes a bounded number of accesses, in addition to the time of the work.
/// Overflow flags stay as they are, unless the work itself lasts for 2^32 counts.
///
/// On a device that answers with a bus error the first access ends in an exception, as any access
/// would; through a bus that [remembers errors](crate::bus::Bus::error) it is found.
///
/// ```
/// use arm_pmu_core::diagnose::Diagnose;
/// use arm_pmu_core::measure::{AssignError, Measurement, measure};
///
/// /// Counts, and tells why if nothing was counted.
/// fn count<D: Diagnose>(
///     pmu: &mut D,
///     what: D::Selection,
///     mut work: impl FnMut(),
/// ) -> Result<(), AssignError> {
///     let measurement = measure(pmu, [what], &mut work)?;
///     if measurement.all_zero() {
///         println!("{}", pmu.diagnose_with(None, work));
///     }
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a stopped PMU that can find out why its counters read zero",
    note = "the drivers of this family can, once they are stopped: `running.stop()` gives one back"
)]
pub trait Diagnose: Monitor {
    /// What can be found.
    type Finding: Finding;

    /// Looks for what keeps counters from counting. `work` is how it waits, and makes traffic: it is
    /// called a few times, three at the most.
    ///
    /// The `expected` is something that `work` surely causes, each time: reads of uncached memory through
    /// the interface that is counted at, for example. Where the hardware alone does not tell silence
    /// from an input that is LOW, this does, as far as the promise holds. Findings that rely on it say
    /// so.
    fn diagnose_with(
        &mut self,
        expected: Option<Self::Selection>,
        work: impl FnMut(),
    ) -> Diagnosis<Self::Finding>;

    /// The same without an expected event; it waits for a loop of ten thousand rounds.
    ///
    /// The loop stays in the caches of a processor: it is no traffic on a bus.
    fn diagnose(&mut self) -> Diagnosis<Self::Finding> {
        self.diagnose_with(None, || (0..ROUNDS).for_each(|_| core::hint::spin_loop()))
    }
}

/// What a diagnosis found. As text it is a paragraph for each finding, or the [outcome](Self::outcome).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "it says why counters read zero"]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagnosis<F> {
    found: [Option<Found<F>>; MOST],
    counted: bool,
}

/// One thing that was found, and the number that shows it.
///
/// As text its first line is the cause; then comes what was read and what was expected, then who
/// can mend it and how, then where that is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found<F> {
    /// What it is.
    pub finding: F,
    /// The number that was read: [`Finding::read`] says what it is.
    pub value: u32,
}

/// What a diagnosis comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// Something was found that keeps counters from counting, or makes the counts mean something else.
    Wrong,
    /// Nothing wrong was found, and the hardware was seen to count.
    Counts,
    /// Nothing wrong was found, but nothing was seen to be counted either.
    Unproven,
}

impl<F> Found<F> {
    /// For drivers.
    pub const fn new(finding: F, value: u32) -> Self {
        Self { finding, value }
    }
}

impl<F: Copy + PartialEq> Diagnosis<F> {
    /// Nothing was found yet, and nothing was seen to be counted. For drivers.
    pub const fn new() -> Self {
        Self { found: [None; MOST], counted: false }
    }

    /// One thing only was found. For drivers.
    pub const fn only(finding: F, value: u32) -> Self {
        let mut found = [None; MOST];
        found[0] = Some(Found { finding, value });
        Self { found, counted: false }
    }

    /// The same with other findings: those of an implementation in place of those of its architecture.
    /// For drivers.
    pub fn map<G: Copy>(self, finding: impl Fn(F) -> G) -> Diagnosis<G> {
        let Self { found, counted } = self;
        let found = found.map(|found| found.map(|f| Found::new(finding(f.finding), f.value)));
        Diagnosis { found, counted }
    }

    /// Adds what was found, once; after four nothing is added. For drivers.
    pub fn add(&mut self, finding: F, value: u32) {
        let known = self.findings().any(|found| found.finding == finding);
        if let (false, Some(free)) = (known, self.found.iter_mut().find(|found| found.is_none())) {
            *free = Some(Found { finding, value });
        }
    }

    /// Adds what was lost in the last run, unless something else was found, which may be why. For
    /// drivers.
    pub fn add_interference(&mut self, finding: F, lost: Option<Interference>) {
        if let (None, Some(Interference { counters, disabled })) = (self.found[0], lost) {
            self.add(finding, if disabled { u32::MAX } else { counters });
        }
    }

    /// Something was counted that shows that the hardware counts. For drivers.
    pub const fn add_proof(&mut self) {
        self.counted = true;
    }

    /// What was found, the most decisive first.
    pub fn findings(&self) -> impl Iterator<Item = Found<F>> + '_ {
        self.found.iter().flatten().copied()
    }

    /// Whether there are no findings. That alone does not prove that anything counts: see
    /// [`outcome`](Self::outcome).
    #[must_use]
    pub fn found_nothing(&self) -> bool {
        self.found[0].is_none()
    }

    /// Whether this was found.
    #[must_use]
    pub fn has(&self, finding: F) -> bool {
        self.findings().any(|found| found.finding == finding)
    }

    /// What it comes to.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match (self.found[0], self.counted) {
            (Some(_), _) => Outcome::Wrong,
            (None, true) => Outcome::Counts,
            (None, false) => Outcome::Unproven,
        }
    }
}

impl<F: Copy + PartialEq> Default for Diagnosis<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Finding> fmt::Display for Diagnosis<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, found) in self.findings().enumerate() {
            write!(f, "{}{found}", if nth == 0 { "" } else { "\n\n" })?;
        }
        match self.outcome() {
            Outcome::Wrong => Ok(()),
            outcome => outcome.fmt(f),
        }
    }
}

impl<F: Finding> fmt::Display for Found<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { finding, value } = *self;
        writeln!(f, "{}", finding.cause())?;
        if finding.is_ambiguous() {
            writeln!(f, "  ambiguous: these causes look the same")?;
        }
        writeln!(f, "  read:      {}: {value:#x}", finding.read())?;
        writeln!(f, "  expected:  {}", finding.expected())?;
        writeln!(f, "  fix by:    {}. {}", finding.fixable_by(), finding.fix())?;
        write!(f, "  source:    {}", finding.source())
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Wrong => "something keeps counters from counting",
            Self::Counts => {
                "nothing wrong was found: the hardware counts; your event or source does not happen"
            }
            Self::Unproven => {
                "nothing wrong was found, but nothing was seen to be counted either: try with an expected event"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::diagnose::FixableBy;
    use std::string::ToString;
    use std::vec::Vec;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    enum Row {
        Low,
        Silent,
        Third,
        Fourth,
        Fifth,
    }

    impl Finding for Row {
        const ALL: &'static [Self] =
            &[Self::Low, Self::Silent, Self::Third, Self::Fourth, Self::Fifth];
        fn name(self) -> &'static str {
            "ROW"
        }
        fn cause(self) -> &'static str {
            "The input is LOW."
        }
        fn read(self) -> &'static str {
            "cycles"
        }
        fn expected(self) -> &'static str {
            "more than 0"
        }
        fn fix(self) -> &'static str {
            "Raise it."
        }
        fn fixable_by(self) -> FixableBy {
            FixableBy::SecureSoftware
        }
        fn source(self) -> &'static str {
            "the manual."
        }
        fn is_ambiguous(self) -> bool {
            self == Self::Silent
        }
    }

    impl fmt::Display for Row {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.pad(self.cause())
        }
    }

    const LOW: &str = "The input is LOW.\n  read:      cycles: 0x0\n  expected:  more than 0\n  \
                       fix by:    Secure software. Raise it.\n  source:    the manual.";

    #[test]
    fn the_first_line_is_the_cause() {
        let mut diagnosis = Diagnosis::only(Row::Low, 0);
        assert_eq!(diagnosis.to_string(), LOW);
        diagnosis.add(Row::Silent, 0);
        let text = diagnosis.to_string();
        assert!(text.starts_with(&(LOW.to_string() + "\n\nThe input is LOW.\n  ambiguous: ")));
    }

    #[test]
    fn a_finding_is_there_once_and_four_are_enough() {
        let mut diagnosis = Diagnosis::new();
        for row in [Row::Low, Row::Low].iter().chain(Row::ALL) {
            diagnosis.add(*row, 7);
        }
        let found: Vec<_> = diagnosis.findings().map(|found| found.finding).collect();
        assert_eq!(found, Row::ALL[..4]);
        assert!(diagnosis.has(Row::Fourth) && !diagnosis.has(Row::Fifth));
        assert_eq!(diagnosis.findings().next().map(|found| found.value), Some(7));
    }

    #[test]
    fn a_loss_is_told_if_nothing_else_is() {
        let lost = |counters, disabled| Interference::new(counters, disabled);
        let value = |lost| {
            let mut diagnosis = Diagnosis::new();
            diagnosis.add_interference(Row::Third, lost);
            diagnosis.findings().next().map(|found| found.value)
        };
        assert_eq!(value(None), None);
        assert_eq!(value(lost(0b10, false)), Some(0b10));
        assert_eq!(value(lost(0b10, true)), Some(u32::MAX));
        let mut diagnosis = Diagnosis::only(Row::Low, 0);
        diagnosis.add_interference(Row::Third, lost(0b10, false));
        assert!(!diagnosis.has(Row::Third));
    }

    #[test]
    fn other_findings_have_the_same_values() {
        let mut diagnosis = Diagnosis::only('a', 1);
        diagnosis.add('b', 2);
        diagnosis.add_proof();
        let rows = diagnosis.map(|finding| if finding == 'a' { Row::Low } else { Row::Silent });
        let mut expected = Diagnosis::only(Row::Low, 1);
        expected.add(Row::Silent, 2);
        assert_ne!(rows, expected, "something was counted");
        expected.add_proof();
        assert_eq!(rows, expected);
    }

    #[test]
    fn what_it_comes_to() {
        let mut diagnosis = Diagnosis::<Row>::new();
        assert_eq!(diagnosis.outcome(), Outcome::Unproven);
        assert!(diagnosis.to_string().ends_with("try with an expected event"));
        diagnosis.add_proof();
        assert_eq!(diagnosis.outcome(), Outcome::Counts);
        assert!(diagnosis.found_nothing());
        assert!(diagnosis.to_string().starts_with("nothing wrong was found: the hardware counts"));
        diagnosis.add(Row::Low, 0);
        assert_eq!(diagnosis.outcome(), Outcome::Wrong);
        assert!(!diagnosis.found_nothing());
    }
}
