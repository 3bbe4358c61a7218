//! The order of a diagnosis, for all PMUs.

use core::fmt;
use core::mem::ManuallyDrop;

use super::diagnose::{Diagnosis, Found};
use crate::driver::{CycleSetting, Driver, Hardware, Settings};
use crate::measure::Interference;

/// Procedures that a PMU needs for a diagnosis, besides its measurement procedures.
///
/// [`Driver::diagnose`] calls them. These procedures do not clear overflow flags, because software cannot set a
/// flag again.
pub trait Diagnosable<const N: usize>: Hardware<N> {
    /// Reasons why counters read zero.
    type Finding: Copy + PartialEq;

    /// Saved values of the registers that a diagnosis changes.
    type Saved;

    /// Settings of the counters for one trial.
    type Trial;

    /// Counts of one trial.
    type Counts;

    /// Finding if an access failed.
    const BUS_ERROR: Self::Finding;

    /// Finding if values or settings were changed in the last run or during the diagnosis.
    const INTERFERENCE: Self::Finding;

    /// Whether the counters are enabled as a whole.
    ///
    /// This method looks at the enable bit only. [`is_enabled`](Hardware::is_enabled) may also reject values of
    /// the control register that show that the device does not answer.
    fn has_enable_set(&self) -> bool {
        self.is_enabled()
    }

    /// Reads all registers that trials change.
    ///
    /// The counters are disabled as a whole. [`Driver::diagnose`] enables them again.
    ///
    /// # Errors
    ///
    /// If the registers cannot be read. The procedure has changed no register then.
    fn save(&mut self) -> Result<Self::Saved, Found<Self::Finding>>;

    /// Writes the saved registers back, with the counters disabled as a whole.
    ///
    /// # Errors
    ///
    /// If a write may have failed.
    fn restore(&mut self, saved: &Self::Saved) -> Result<(), Found<Self::Finding>>;

    /// Writes the saved selector of counters back, if there is one.
    ///
    /// Called last: reading the counters after [`restore`](Self::restore) moves it.
    fn restore_selector(&mut self, _saved: &Self::Saved) {}

    /// Determines the cause by trials.
    ///
    /// The registers have been saved, and the counters are disabled as a whole.
    ///
    /// # Errors
    ///
    /// The finding, if it makes further trials useless.
    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<Self::Selection>,
    ) -> Result<(), Found<Self::Finding>>
    where
        Self: Sized;

    /// Programs the counters of a trial, with start value 0. The others are off.
    ///
    /// # Errors
    ///
    /// If the device rejects the settings.
    fn set_up(&mut self, trial: &mut Self::Trial) -> Result<(), Found<Self::Finding>>;

    /// Reads the counts of a trial, after the counters were disabled.
    ///
    /// `before` is the control register from before they were disabled.
    ///
    /// # Errors
    ///
    /// If the settings are not as programmed.
    fn counts(
        &self,
        trial: &Self::Trial,
        before: Self::Control,
    ) -> Result<Self::Counts, Found<Self::Finding>>;
}

/// The trials of a diagnosis, during which registers are changed.
///
/// At the end it restores the registers, even if the work panics.
pub struct Trials<'d, H: Diagnosable<N>, const N: usize> {
    /// Findings so far.
    pub diagnosis: &'d mut Diagnosis<H::Finding>,
    /// Values for [`Diagnosable::restore`].
    pub saved: H::Saved,
    driver: &'d mut Driver<H, H::Selection, N, H::Cycles>,
    work: &'d mut dyn FnMut(),
    /// Whether the counters were enabled as a whole before.
    was_enabled: bool,
    /// Whether they are enabled for a trial.
    is_counting: bool,
}

/// The end of a diagnosis: whether all writes were accepted, and the counters that are not as at the last stop.
type Restored<F> = (Result<(), Found<F>>, u32);

impl<'d, H: Diagnosable<N>, const N: usize> Trials<'d, H, N> {
    fn begin(
        driver: &'d mut Driver<H, H::Selection, N, H::Cycles>,
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

    /// Whether the counters were enabled as a whole before the diagnosis.
    #[must_use]
    pub const fn was_enabled(&self) -> bool {
        self.was_enabled
    }

    /// Runs one trial: counts from 0 while the work runs.
    ///
    /// # Errors
    ///
    /// If the device rejected the settings, or they were changed during the work.
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

    /// Runs two trials: in the second, the cycles count only if debug is permitted.
    ///
    /// In the first trial the cycle counter always counts. In the second it stops while non-invasive debug is not
    /// permitted. If it stops, a third trial without this condition checks that the clock still runs.
    ///
    /// # Errors
    ///
    /// `stopped` or `not_permitted` if the cycle counter does not count, or the error of a trial.
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
            // The work panicked, so the counters still run. They could overflow from the restored values.
            hardware.disable();
        }
        let restored = hardware.restore(&self.saved);
        let others = self.driver.check_stopped(self.was_enabled);
        self.driver.hardware_mut().restore_selector(&self.saved);
        restore_enable(self.driver.hardware_mut(), self.was_enabled);
        (restored, others)
    }

    fn end(self) -> Restored<H::Finding> {
        // Do not drop the trials: that would restore the registers a second time.
        ManuallyDrop::new(self).restore()
    }
}

impl<H: Diagnosable<N>, const N: usize> Drop for Trials<'_, H, N> {
    fn drop(&mut self) {
        // The work panicked. The panic is reported, so this error is not.
        let _ = self.restore();
    }
}

/// Printing does not access the device.
impl<H: Diagnosable<N>, const N: usize> fmt::Debug for Trials<'_, H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trials").finish_non_exhaustive()
    }
}

/// Enables the counters as a whole, without other changes of the control register.
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

impl<H, S, const N: usize, C> Driver<H, S, N, C>
where
    H: Diagnosable<N, Selection = S, Cycles = C>,
    S: Copy + PartialEq,
    C: CycleSetting,
{
    /// Finds out why counters read zero, for drivers.
    ///
    /// See [`Diagnose::diagnose_with`](crate::diagnose::Diagnose::diagnose_with). First it calls `identify`, which
    /// identifies the device and changes no register. If that succeeds, it runs the trials.
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
