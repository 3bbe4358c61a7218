//! Order of the steps of a diagnosis, for all PMUs.

use core::fmt;
use core::mem::ManuallyDrop;

use super::diagnose::{Diagnosis, Found};
use crate::driver::{CounterValue, CycleSetting, Driver, Hardware, Settings};
use crate::measure::Interference;

/// Procedures of a PMU for a diagnosis, in addition to the procedures of a measurement.
///
/// [`Driver::diagnose`] calls these procedures. These procedures leave overflow flags set, because software could not
/// set a cleared flag again.
pub trait Diagnosable<const N: usize>: Hardware<N> {
    /// Type of the reasons why counters read zero.
    type Finding: Copy + PartialEq;

    /// Saved values of the registers that a diagnosis changes.
    type Saved;

    /// Settings of the counters for one trial.
    type Trial;

    /// Counts of one trial.
    type Counts;

    /// Finding for a failed access.
    const BUS_ERROR: Self::Finding;

    /// Finding for values or settings that were changed in the last run or during the diagnosis.
    const INTERFERENCE: Self::Finding;

    /// Returns whether the enable bit of the PMU is set.
    ///
    /// The result depends on the enable bit only. In contrast, [`is_enabled`](Hardware::is_enabled) may also return
    /// `false` if the value of the control register shows that the device does not answer.
    fn has_enable_set(&self) -> bool {
        self.is_enabled()
    }

    /// Reads all registers that the trials change.
    ///
    /// The PMU is disabled during the call. [`Driver::diagnose`] enables the PMU again.
    ///
    /// # Errors
    ///
    /// Returns an error if the registers cannot be read. On an error, the procedure has changed no
    /// register.
    fn save(&mut self) -> Result<Self::Saved, Found<Self::Finding>>;

    /// Writes back the saved registers while the PMU is disabled.
    ///
    /// # Errors
    ///
    /// Returns an error if a write may have failed.
    fn restore(&mut self, saved: &Self::Saved) -> Result<(), Found<Self::Finding>>;

    /// Writes back the saved counter selector, if the PMU has a selector.
    ///
    /// This procedure is called last, because reading the counters after [`restore`](Self::restore)
    /// changes the selector.
    fn restore_selector(&mut self, _saved: &Self::Saved) {}

    /// Determines the cause with trials.
    ///
    /// At the call, the registers have been saved and the PMU is disabled.
    ///
    /// # Errors
    ///
    /// Returns a finding that makes further trials useless.
    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<Self::Selection>,
    ) -> Result<(), Found<Self::Finding>>
    where
        Self: Sized;

    /// Programs the counters of a trial with the start value 0. All other counters are off.
    ///
    /// # Errors
    ///
    /// Returns an error if the device rejects the settings.
    fn set_up(&mut self, trial: &mut Self::Trial) -> Result<(), Found<Self::Finding>>;

    /// Reads the counts of a trial after the PMU was disabled.
    ///
    /// `before` is the value of the control register before the PMU was disabled.
    ///
    /// # Errors
    ///
    /// Returns an error if the settings are not as programmed.
    fn counts(
        &self,
        trial: &Self::Trial,
        before: Self::Control,
    ) -> Result<Self::Counts, Found<Self::Finding>>;
}

/// Trials of a diagnosis, which change registers.
///
/// Dropping `Trials` restores the registers, even if the work panics.
pub struct Trials<'d, H: Diagnosable<N>, const N: usize> {
    /// Findings so far.
    pub diagnosis: &'d mut Diagnosis<H::Finding>,
    /// Values for [`Diagnosable::restore`].
    pub saved: H::Saved,
    driver: &'d mut Driver<H, H::Selection, N, H::Cycles, H::Value>,
    work: &'d mut dyn FnMut(),
    /// Whether the PMU was enabled before the diagnosis.
    was_enabled: bool,
    /// Whether the PMU is enabled for a trial.
    is_counting: bool,
}

/// Result of the restoration: whether all writes were accepted, and the counters whose values or settings differ from
/// the last stop.
type Restored<F> = (Result<(), Found<F>>, u32);

impl<'d, H: Diagnosable<N>, const N: usize> Trials<'d, H, N> {
    fn begin(
        driver: &'d mut Driver<H, H::Selection, N, H::Cycles, H::Value>,
        diagnosis: &'d mut Diagnosis<H::Finding>,
        work: &'d mut dyn FnMut(),
    ) -> Result<Self, Found<H::Finding>> {
        let was_enabled = driver.hardware().has_enable_set();
        driver.hardware_mut().disable();
        match driver.hardware_mut().save() {
            Ok(saved) => {
                Ok(Self { diagnosis, saved, driver, work, was_enabled, is_counting: false })
            }
            Err(found) => {
                restore_enable(driver.hardware_mut(), was_enabled);
                Err(found)
            }
        }
    }

    /// Returns the hardware, for calls of its procedures.
    pub const fn hardware(&self) -> &H {
        self.driver.hardware()
    }

    /// Returns the settings for the next start.
    #[must_use]
    pub const fn pending(&self) -> &Settings<H::Selection, N, H::Cycles> {
        self.driver.pending()
    }

    /// Returns whether the PMU was enabled before the diagnosis.
    #[must_use]
    pub const fn was_enabled(&self) -> bool {
        self.was_enabled
    }

    /// Runs one trial: counts from 0 while the work runs.
    ///
    /// # Errors
    ///
    /// Returns an error if the device rejected the settings, or if they were changed during the
    /// work.
    pub fn count(&mut self, mut trial: H::Trial) -> Result<H::Counts, Found<H::Finding>> {
        let hardware = self.driver.hardware_mut();
        hardware.set_up(&mut trial)?;
        self.is_counting = true;
        enable(hardware);
        (self.work)();
        let before = hardware.disable();
        self.is_counting = false;
        hardware.counts(&trial, before)
    }

    /// Runs two trials; in the second, the cycle counter runs only if debug is permitted.
    ///
    /// In the first trial, the cycle counter always counts. In the second trial, the cycle counter stops while
    /// non-invasive debug is not permitted. If the cycle counter stops in the second trial, a third trial checks that
    /// the clock still runs.
    ///
    /// # Errors
    ///
    /// Returns `stopped` or `not_permitted` if the cycle counter does not count, or the error of a
    /// trial.
    pub fn count_with_and_without_debug(
        &mut self,
        trial: impl Fn(bool) -> H::Trial,
        cycles: impl Fn(&H::Counts) -> u32,
        [stopped, not_permitted]: [H::Finding; 2],
    ) -> Result<[H::Counts; 2], Found<H::Finding>> {
        let counted = self.count(trial(false))?;
        if cycles(&counted) == 0 {
            return Err(Found::new(stopped, 0));
        }
        let counted_if_permitted = self.count(trial(true))?;
        if cycles(&counted_if_permitted) != 0 {
            return Ok([counted, counted_if_permitted]);
        }
        let is_stopped = cycles(&self.count(trial(false))?) == 0;
        Err(Found::new(if is_stopped { stopped } else { not_permitted }, 0))
    }

    fn restore(&mut self) -> Restored<H::Finding> {
        let hardware = self.driver.hardware_mut();
        if self.is_counting {
            // If the work panicked, the counters still run, and could overflow after their values are restored.
            hardware.disable();
        }
        let restored = hardware.restore(&self.saved);
        let others = self.driver.check_stopped(self.was_enabled);
        self.driver.hardware_mut().restore_selector(&self.saved);
        restore_enable(self.driver.hardware_mut(), self.was_enabled);
        (restored, others)
    }

    fn end(self) -> Restored<H::Finding> {
        // Do not drop the trials: the drop would restore the registers a second time.
        ManuallyDrop::new(self).restore()
    }
}

impl<H: Diagnosable<N>, const N: usize> Drop for Trials<'_, H, N> {
    fn drop(&mut self) {
        // The work panicked. The panic is reported instead of this error.
        let _ = self.restore();
    }
}

/// Printing does not access the device.
impl<H: Diagnosable<N>, const N: usize> fmt::Debug for Trials<'_, H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trials").finish_non_exhaustive()
    }
}

/// Sets the enable bit of the PMU, without other changes of the control register.
fn enable<const N: usize>(hardware: &mut impl Hardware<N>) {
    let control = hardware.control();
    hardware.enable(control);
}

/// Restores the enable bit after all other registers.
///
/// The procedure waits until the write has arrived.
fn restore_enable<const N: usize>(hardware: &mut impl Hardware<N>, was_enabled: bool) {
    if was_enabled {
        enable(hardware);
    } else {
        hardware.disable();
    }
}

impl<H, S, const N: usize, C, V> Driver<H, S, N, C, V>
where
    H: Diagnosable<N, Selection = S, Cycles = C, Value = V>,
    S: Copy + PartialEq,
    C: CycleSetting,
    V: CounterValue,
{
    /// Diagnoses why counters read zero, for drivers.
    ///
    /// See [`Diagnose::diagnose_with`](crate::diagnose::Diagnose::diagnose_with). First calls `identify`, which
    /// identifies the device and changes no register. If `identify` succeeds, runs the trials.
    pub fn diagnose(
        &mut self,
        identify: impl FnOnce(&H, &mut Diagnosis<H::Finding>) -> Result<(), Found<H::Finding>>,
        expected: Option<C::Selection<S>>,
        mut work: impl FnMut(),
    ) -> Diagnosis<H::Finding> {
        let mut diagnosis = Diagnosis::new();
        let mut unrestored = 0;
        let decided = identify(self.hardware(), &mut diagnosis).and_then(|()| {
            let mut trials = Trials::begin(self, &mut diagnosis, &mut work)?;
            let decided = H::try_out(&mut trials, expected.and_then(C::event));
            let (restored, others) = trials.end();
            unrestored = others;
            decided.and(restored)
        });
        if self.hardware().error().is_some() {
            return Diagnosis::only(H::BUS_ERROR, 0);
        }
        if let Err(found) = decided {
            diagnosis.add(found.finding, found.value);
        }
        let interference = match self.interference() {
            Some(Interference { counters, disabled, .. }) => {
                Interference::new(counters | unrestored, disabled)
            }
            None => Interference::new(unrestored, false),
        };
        diagnosis.add_interference(H::INTERFERENCE, interference);
        diagnosis
    }
}
