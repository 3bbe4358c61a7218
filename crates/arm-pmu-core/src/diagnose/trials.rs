//! The order of a diagnosis, once for all PMUs.

use core::fmt;
use core::mem::ManuallyDrop;

use super::diagnose::{Diagnosis, Found};
use crate::driver::{CycleSetting, Driver, Hardware, Settings};

/// What a diagnosis needs of a kind of PMU beside the procedures of a measurement.
///
/// [`Driver::diagnose`] calls these procedures. They do not touch overflow flags, which cannot be written
/// back.
pub trait Diagnosable<const N: usize>: Hardware<N> {
    /// Why counters read zero.
    type Finding: Copy + PartialEq;

    /// The registers that a diagnosis changes, as they were.
    type Saved;

    /// What the counters count during one trial.
    type Trial;

    /// The counts of one trial.
    type Counts;

    /// An access failed.
    const BUS_ERROR: Self::Finding;

    /// In the last run the settings were not as programmed.
    const INTERFERENCE: Self::Finding;

    /// Whether the counters are enabled as a whole. Where [`is_enabled`](Hardware::is_enabled) takes some
    /// values of the control register for those of a device that does not answer, this does not.
    fn has_enable_set(&self) -> bool {
        self.is_enabled()
    }

    /// Reads all registers that trials change. The counters are disabled as a whole; that is undone by
    /// [`Driver::diagnose`].
    ///
    /// # Errors
    ///
    /// If they cannot be read. All other registers are as they were.
    fn save(&mut self) -> Result<Self::Saved, Found<Self::Finding>>;

    /// Writes the saved registers back. The counters are disabled as a whole and stay so.
    ///
    /// # Errors
    ///
    /// If that may have failed.
    fn restore(&mut self, saved: &Self::Saved) -> Result<(), Found<Self::Finding>>;

    /// Decides on the cause by trials. The registers are saved, and the counters disabled as a whole.
    ///
    /// # Errors
    ///
    /// With the finding that excludes those after it.
    fn try_out(
        trials: &mut Trials<'_, Self, N>,
        expected: Option<Self::Selection>,
    ) -> Result<(), Found<Self::Finding>>
    where
        Self: Sized;

    /// Lets counters count this from 0 once they are enabled as a whole, and the others not at all.
    ///
    /// # Errors
    ///
    /// If the device does not take that.
    fn set_up(&mut self, trial: &mut Self::Trial) -> Result<(), Found<Self::Finding>>;

    /// The counts of a trial, after the counters were disabled; `before` is the control before that.
    ///
    /// # Errors
    ///
    /// If the settings are not as they were set up.
    fn counts(
        &self,
        trial: &Self::Trial,
        before: Self::Control,
    ) -> Result<Self::Counts, Found<Self::Finding>>;
}

/// The time in which the registers of a PMU are not as they were. At its end they are written back, also
/// if that is a panic of the work.
pub struct Trials<'d, H: Diagnosable<N>, const N: usize> {
    /// What was found so far.
    pub diagnosis: &'d mut Diagnosis<H::Finding>,
    /// What [`Diagnosable::restore`] is to write.
    pub saved: H::Saved,
    driver: &'d mut Driver<H, H::Selection, N, H::Cycles>,
    work: &'d mut dyn FnMut(),
    /// Whether the counters were enabled as a whole before.
    was_enabled: bool,
    /// Whether they are enabled for a trial.
    is_counting: bool,
}

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

    /// The procedures.
    pub const fn hardware(&self) -> &H {
        self.driver.hardware()
    }

    /// The settings for the next start.
    #[must_use]
    pub const fn pending(&self) -> &Settings<H::Selection, N, H::Cycles> {
        self.driver.pending()
    }

    /// Whether the counters were enabled as a whole before the diagnosis.
    #[must_use]
    pub const fn was_enabled(&self) -> bool {
        self.was_enabled
    }

    /// Counts from 0 while the work runs.
    ///
    /// # Errors
    ///
    /// If the device did not take the settings, or they were not as set up after the work.
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

    /// Counts with a cycle counter that counts always, and with one that stands still where non-invasive
    /// debug is not permitted. If it stands still then, a third trial tells that from a clock that
    /// stopped meanwhile.
    ///
    /// # Errors
    ///
    /// With `stopped` or `not_permitted` if the cycle counter stands still, or if a trial fails.
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

    fn restore(&mut self) -> Result<(), Found<H::Finding>> {
        let hardware = self.driver.hardware_mut();
        if self.is_counting {
            // The work panicked. Values that are written back could overflow.
            hardware.disable();
        }
        let restored = hardware.restore(&self.saved);
        restore_enable(hardware, self.was_enabled);
        restored
    }

    fn end(self) -> Result<(), Found<H::Finding>> {
        // Not dropped, which would write everything once more.
        ManuallyDrop::new(self).restore()
    }
}

impl<H: Diagnosable<N>, const N: usize> Drop for Trials<'_, H, N> {
    fn drop(&mut self) {
        // A panic of the work is what is reported then.
        let _ = self.restore();
    }
}

/// The device is not accessed.
impl<H: Diagnosable<N>, const N: usize> fmt::Debug for Trials<'_, H, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trials").finish_non_exhaustive()
    }
}

/// Enables the counters as a whole, and leaves the rest of the control register as it is.
fn enable<const N: usize>(hardware: &mut impl Hardware<N>) {
    let control = hardware.control();
    hardware.enable(control);
}

/// Writes the enable of all counters last, and waits until all that was written has arrived.
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
    /// Finds out why counters read zero: see [`Diagnose::diagnose_with`](crate::diagnose::Diagnose::diagnose_with).
    ///
    /// First `identify` looks at the device and changes nothing; then come the trials.
    pub fn diagnose(
        &mut self,
        identify: impl FnOnce(&H, &mut Diagnosis<H::Finding>) -> Result<(), Found<H::Finding>>,
        expected: Option<C::Selection<S>>,
        mut work: impl FnMut(),
    ) -> Diagnosis<H::Finding> {
        let mut diagnosis = Diagnosis::new();
        let decided = identify(self.hardware(), &mut diagnosis).and_then(|()| {
            let mut trials = Trials::begin(self, &mut diagnosis, &mut work)?;
            let decided = H::try_out(&mut trials, expected.and_then(C::event));
            let restored = trials.end();
            decided.and(restored)
        });
        if self.hardware().error().is_some() {
            return Diagnosis::only(H::BUS_ERROR, 0);
        }
        if let Err(found) = decided {
            diagnosis.add(found.finding, found.value);
        }
        diagnosis.add_interference(H::INTERFERENCE, self.interference());
        diagnosis
    }
}
