//! Interrupt of a PMU.

use core::fmt;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::Hardware as _;

use crate::{Hardware, Implementation};

/// Highest number of reads of IRQ_CTRLACK before the driver reports an error.
pub(crate) const MOST_READS: usize = 1_000;

impl<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
> Hardware<I, P0, P1, N, BITS>
{
    /// Selects the counters that raise the interrupt after the next start.
    ///
    /// The interrupt as a whole is enabled or disabled immediately. `in_use` contains the counters
    /// that the last start programmed.
    ///
    /// # Errors
    ///
    /// Returns an error if the device does not acknowledge. On an error, the previous selection
    /// remains.
    pub fn interrupts(&mut self, counters: u32, in_use: u32) -> Result<(), NotAcknowledged> {
        let enabled = counters != 0;
        if in_use == 0 {
            // Counters that an earlier owner left running must not raise the interrupt.
            I::disable_interrupts(&self.page0, self.all_counters());
        }
        I::enable_interrupt(&self.page0, enabled);
        for _ in 0..MOST_READS {
            let acknowledged = I::acknowledged_enable(&self.page0) == enabled;
            if let Some(fault) = self.error() {
                return Err(NotAcknowledged::BusError(fault));
            }
            if acknowledged {
                self.interrupts = counters;
                return Ok(());
            }
        }
        Err(NotAcknowledged::Silent)
    }
}

/// Error: the device did not acknowledge a change of its interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum NotAcknowledged {
    /// IRQ_CTRLACK did not follow IRQ_CTRL, because the device has no clock or is not accessible.
    Silent,
    /// A register access failed.
    BusError(BusError),
}

impl fmt::Display for NotAcknowledged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => {
                f.write_str("IRQ_CTRLACK does not follow IRQ_CTRL: no clock, or no access")
            }
            Self::BusError(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for NotAcknowledged {}
