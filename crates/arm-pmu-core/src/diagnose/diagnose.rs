//! The trait of drivers with a diagnosis, and the result of a diagnosis.

use core::fmt;

use super::finding::Finding;
use crate::measure::{Interference, Monitor};

/// Maximum number of findings in a [`Diagnosis`]. A diagnosis usually has only one finding.
const MOST: usize = 4;

/// Number of iterations of the loop in [`Diagnose::diagnose`].
///
/// The loop takes between some microseconds and some milliseconds.
const ROUNDS: u32 = 10_000;

/// A stopped PMU that can diagnose why its counters read zero.
///
/// Run a diagnosis after a measurement whose counts are [all zero](crate::measure::Measurement::all_zero). A
/// diagnosis checks the device, the settings of the counters, and the interference in the last run. Then it runs
/// trials, which count while the work runs.
///
/// Finally it restores every readable and writable register, including the counters, and compares the counters with
/// their values at the last stop. Therefore [`Monitor::count`] and a `resume` return the same results as without a
/// diagnosis. If a counter differs, because the device did not answer or another owner changed the counter, the
/// diagnosis reports a finding, and all counts of a `resume` are [disturbed](crate::count::CountError::Disturbed). The
/// documentation of each IP lists the registers that cannot be restored.
///
/// A counter that reaches 2^32 during the work sets its overflow flag. The diagnosis clears the flag if the counter was
/// in use in the last run. Otherwise the flag and its interrupt stay set until they are acknowledged or the PMU is
/// started. Other overflow flags stay unchanged.
///
/// A diagnosis makes a bounded number of register accesses, and runs the work at most three times.
///
/// If the device answers with a bus error, the first access of a diagnosis causes an exception, like any access
/// to that device. On a bus that [records errors](crate::bus::Bus::error), the error is a finding.
///
/// ```
/// use arm_pmu_core::diagnose::Diagnose;
/// use arm_pmu_core::measure::{AssignError, Measurement, measure};
///
/// /// Counts, and prints the reason if the count is zero.
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
    note = "the drivers of this family can find it out while they are stopped: `running.stop()` returns the stopped driver"
)]
pub trait Diagnose: Monitor {
    /// Type of the findings of this IP.
    type Finding: Finding;

    /// Diagnoses why counters read zero, with work that causes events.
    ///
    /// `work` is called at most three times, while the counters count. `work` should take some time and
    /// cause traffic.
    ///
    /// `expected` is an event that `work` certainly causes in each call, for example reads of uncached memory through
    /// the measured interface. Without an expected event, a diagnosis may be unable to distinguish a LOW input of the
    /// device from work that causes no events. If a finding relies on the expected event, its text says so.
    fn diagnose_with(
        &mut self,
        expected: Option<Self::Selection>,
        work: impl FnMut(),
    ) -> Diagnosis<Self::Finding>;

    /// Diagnoses why counters read zero, with a loop of 10,000 iterations as work.
    ///
    /// This diagnosis does not expect a particular event. The loop runs from the caches of a processor and causes no
    /// traffic on a bus.
    fn diagnose(&mut self) -> Diagnosis<Self::Finding> {
        self.diagnose_with(None, || (0..ROUNDS).for_each(|_| core::hint::spin_loop()))
    }
}

/// Result of a diagnosis: findings, and whether the hardware counts.
///
/// A diagnosis prints one paragraph for each finding. A diagnosis without findings prints its
/// [outcome](Self::outcome).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the diagnosis says why counters read zero"]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Diagnosis<F> {
    found: [Option<Found<F>>; MOST],
    counted: bool,
}

/// A finding, with the number that was read.
///
/// A finding prints in lines: cause, number read, expected number, fix, and source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Found<F> {
    /// The finding.
    pub finding: F,
    /// The number that was read. [`Finding::read`] describes it.
    pub value: u32,
}

/// Outcome of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// There are findings: counters cannot count, or their counts mean something else.
    Wrong,
    /// There are no findings, and a counter counted in a trial.
    Counts,
    /// There are no findings, but no counter counted in a trial.
    Unproven,
}

impl<F> Found<F> {
    /// Creates a finding, for drivers.
    pub const fn new(finding: F, value: u32) -> Self {
        Self { finding, value }
    }
}

impl<F: Copy + PartialEq> Diagnosis<F> {
    /// Creates an empty diagnosis, for drivers.
    pub const fn new() -> Self {
        Self { found: [None; MOST], counted: false }
    }

    /// Creates a diagnosis with one finding, for drivers.
    pub const fn only(finding: F, value: u32) -> Self {
        let mut found = [None; MOST];
        found[0] = Some(Found { finding, value });
        Self { found, counted: false }
    }

    /// Converts each finding with a function. Drivers need this.
    ///
    /// Converts findings of an architecture into findings of an implementation.
    pub fn map<G: Copy>(self, finding: impl Fn(F) -> G) -> Diagnosis<G> {
        let Self { found, counted } = self;
        let found = found.map(|found| found.map(|f| Found::new(finding(f.finding), f.value)));
        Diagnosis { found, counted }
    }

    /// Adds a finding, for drivers.
    ///
    /// A finding that the diagnosis already has is not added again. After four findings, further
    /// findings are dropped.
    pub fn add(&mut self, finding: F, value: u32) {
        let known = self.findings().any(|found| found.finding == finding);
        if let (false, Some(free)) = (known, self.found.iter_mut().find(|found| found.is_none())) {
            *free = Some(Found { finding, value });
        }
    }

    /// Adds a finding about interference in the last run, for drivers.
    ///
    /// Adds nothing if there is another finding, which may be the cause of the interference.
    pub fn add_interference(&mut self, finding: F, interference: Option<Interference>) {
        if let (None, Some(Interference { counters, disabled })) = (self.found[0], interference) {
            self.add(finding, if disabled { u32::MAX } else { counters });
        }
    }

    /// For drivers: records that a counter counted in a trial.
    pub const fn add_proof(&mut self) {
        self.counted = true;
    }

    /// Returns the findings, with the most decisive one first.
    pub fn findings(&self) -> impl Iterator<Item = Found<F>> + '_ {
        self.found.iter().flatten().copied()
    }

    /// Returns whether there are no findings.
    ///
    /// A diagnosis without findings does not prove that the hardware counts: see [`outcome`](Self::outcome).
    #[must_use]
    pub fn found_nothing(&self) -> bool {
        self.found[0].is_none()
    }

    /// Returns whether the diagnosis has this finding.
    #[must_use]
    pub fn has(&self, finding: F) -> bool {
        self.findings().any(|found| found.finding == finding)
    }

    /// Returns the outcome.
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
            Self::Wrong => "with their current settings, the counters cannot count",
            Self::Counts => {
                "nothing wrong was found: the hardware counts; the measured event did not happen"
            }
            Self::Unproven => {
                "nothing wrong was found, but no counter counted in a trial either: try with an expected event"
            }
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    crate::findings! {
        pub enum Row;
        Low "LOW": SecureSoftware;
        cause "The input is LOW.";
        read "cycles";
        expected "more than 0";
        fix "Raise it.";
        source "the manual.";
        Silent "SILENT": Integrator, ambiguous;
        cause "There is no clock.";
        read "events";
        expected "more than 0";
        fix "Start it.";
        source "the manual.";
    }

    #[test]
    fn the_first_line_is_the_cause() {
        let mut diagnosis = Diagnosis::only(Row::Low, 0);
        diagnosis.add(Row::Silent, 7);
        let expected = "\
The input is LOW.
  read:      cycles: 0x0
  expected:  more than 0
  fix by:    Secure software. Raise it.
  source:    the manual.

There is no clock.
  ambiguous: these causes look the same
  read:      events: 0x7
  expected:  more than 0
  fix by:    the integrator of the SoC or the board. Start it.
  source:    the manual.";
        assert_eq!(diagnosis.to_string(), expected);
    }

    #[test]
    fn findings_are_unique_and_at_most_four() {
        let mut diagnosis = Diagnosis::new();
        for (value, finding) in "aabcde".chars().enumerate() {
            diagnosis.add(finding, value as u32);
        }
        let found = diagnosis.findings().map(|found| (found.finding, found.value));
        assert!(found.eq([('a', 0), ('b', 2), ('c', 3), ('d', 4)]));
        assert!(diagnosis.has('d') && !diagnosis.has('e'));
    }

    #[test]
    fn interference_is_a_fallback_finding() {
        let value = |interference| {
            let mut diagnosis = Diagnosis::new();
            diagnosis.add_interference('a', interference);
            diagnosis.findings().next().map(|found| found.value)
        };
        assert_eq!(value(None), None);
        assert_eq!(value(Interference::new(0b10, false)), Some(0b10));
        assert_eq!(value(Interference::new(0b10, true)), Some(u32::MAX));
        let mut diagnosis = Diagnosis::only('b', 0);
        diagnosis.add_interference('a', Interference::new(0b10, false));
        assert!(!diagnosis.has('a'));
    }

    #[test]
    fn outcome_depends_on_findings_and_proof() {
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
