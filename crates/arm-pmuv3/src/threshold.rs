//! Thresholds of event counters (FEAT_PMUv3_TH).

use core::fmt;

/// Condition on the number of events in one cycle.
///
/// In a cycle that meets the condition, a counter adds the number of events, or 1 if the condition [counts
/// cycles](Self::count_cycles). In all other cycles, the counter adds nothing.
///
/// [`Thresholds`] creates conditions; an event's method `when` applies a condition. In the text of a selection, a
/// condition follows the event: `STALL_SLOT>=3`, or `STALL_SLOT>=3:cycles` if it counts cycles. Such a text is not
/// checked against the core; a threshold that is too large for the core makes the count
/// [disturbed](arm_pmu_core::count::CountError::Disturbed).
// Fields of PMEVTYPER: TC in bits 14 to 12, TH in bits 11 to 0. TH is never 0, because Linux reads 0 as no threshold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Threshold(u16);

/// TC\[0\]: the counter adds 1 in each cycle that meets the condition.
const COUNT_CYCLES: u16 = 1 << 12;
/// TC\[2:1\]: the comparison.
const COMPARISONS: [&str; 4] = ["!=", "==", ">=", "<"];
/// Mask of the field TH, which is also the largest threshold that fits into the field.
const TH: u16 = 0xFFF;
/// Ends the text of a condition if the counter counts cycles that meet the condition.
const CYCLES: &str = ":cycles";

impl Threshold {
    /// Makes the counter add 1 in each cycle that meets the condition.
    #[must_use]
    pub const fn count_cycles(self) -> Self {
        Self(self.0 | COUNT_CYCLES)
    }

    /// Returns the threshold that the number of events in each cycle is compared with.
    #[must_use]
    pub const fn events(self) -> u16 {
        self.0 & TH
    }

    /// Returns this threshold as the options of a selection.
    #[doc(hidden)]
    #[must_use]
    pub const fn options(self) -> u16 {
        self.0
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn from_options(options: u16) -> Option<Self> {
        if options & TH == 0 { None } else { Some(Self(options)) }
    }

    /// Splits a text into an event and a condition.
    #[doc(hidden)]
    #[must_use]
    pub fn split(text: &str) -> Option<(&str, Self)> {
        let (text, tc) = match text.strip_suffix(CYCLES) {
            Some(text) => (text, COUNT_CYCLES),
            None => (text, 0),
        };
        let (event, condition) = text.split_at(text.find(['!', '=', '>', '<'])?);
        let comparison = COMPARISONS.iter().position(|text| condition.starts_with(text))?;
        let events = condition[COMPARISONS[comparison].len()..].parse().ok()?;
        let threshold = Thresholds { largest: TH }.with(comparison as u16, events).ok()?;
        Some((event, Self(threshold.0 | tc)))
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = if self.0 & COUNT_CYCLES == 0 { "" } else { CYCLES };
        write!(f, "{}{}{cycles}", COMPARISONS[usize::from(self.0 >> 13 & 0b11)], self.events())
    }
}

impl fmt::Debug for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threshold({self})")
    }
}

/// The thresholds that a core can compare with: 1 to 2^PMMIR_EL1.THWIDTH - 1.
///
/// ```
/// use arm_pmuv3::{CommonEvent, Pmu, ThresholdError};
/// # let device = arm_pmu_sim::ArmPmuv3::new();
/// # device.set_version(7);
/// # device.set_threshold_width(4);
/// # let (bus, debug_features) = (device.bus(), 0x700);
/// let mut pmu = Pmu::probe(bus, debug_features).map_err(|error| error.kind()).unwrap();
/// let thresholds = pmu.thresholds()?;
/// let [first, second, ..] = pmu.counters();
/// // Cycles in which three slots or more are empty, and the empty slots of these cycles.
/// first.count(CommonEvent::StallSlot.when(thresholds.at_least(3)?.count_cycles()));
/// second.count(CommonEvent::StallSlot.when(thresholds.at_least(3)?));
/// # let largest = thresholds.largest();
/// let too_large = ThresholdError::TooLarge { events: 16, largest: 15 };
/// assert_eq!(thresholds.at_least(16), Err(too_large));
/// # Ok::<(), ThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Thresholds {
    largest: u16,
}

impl Thresholds {
    /// Returns the thresholds of a core whose PMMIR_EL1.THWIDTH is `width`.
    ///
    /// # Errors
    ///
    /// [`ThresholdError::Absent`] if the width is 0.
    pub const fn of_width(width: u8) -> Result<Self, ThresholdError> {
        match width {
            0 => Err(ThresholdError::Absent),
            1..12 => Ok(Self { largest: (1 << width) - 1 }),
            _ => Ok(Self { largest: TH }),
        }
    }

    /// Returns the largest threshold.
    #[must_use]
    pub const fn largest(self) -> u16 {
        self.largest
    }

    /// Condition: any number of events in the cycle except this number.
    ///
    /// # Errors
    ///
    /// See [`ThresholdError`].
    pub const fn other_than(self, events: u16) -> Result<Threshold, ThresholdError> {
        self.with(0, events)
    }

    /// Condition: exactly this number of events in the cycle.
    ///
    /// # Errors
    ///
    /// See [`ThresholdError`].
    pub const fn exactly(self, events: u16) -> Result<Threshold, ThresholdError> {
        self.with(1, events)
    }

    /// Condition: this number of events in the cycle, or more.
    ///
    /// # Errors
    ///
    /// See [`ThresholdError`].
    pub const fn at_least(self, events: u16) -> Result<Threshold, ThresholdError> {
        self.with(2, events)
    }

    /// Condition: fewer events in the cycle than this number.
    ///
    /// # Errors
    ///
    /// See [`ThresholdError`].
    pub const fn less_than(self, events: u16) -> Result<Threshold, ThresholdError> {
        self.with(3, events)
    }

    const fn with(self, comparison: u16, events: u16) -> Result<Threshold, ThresholdError> {
        match events {
            0 => Err(ThresholdError::Zero),
            _ if events > self.largest => {
                Err(ThresholdError::TooLarge { events, largest: self.largest })
            }
            _ => Ok(Threshold(comparison << 13 | events)),
        }
    }
}

/// Error: the core has no such threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThresholdError {
    /// The core has no thresholds, or hides them from a virtual machine.
    Absent,
    /// The number of events is 0. Compare with 1 instead: "at least 1" is any number of events, "fewer than 1" is no
    /// event.
    Zero,
    /// The number of events exceeds the core's largest threshold.
    TooLarge {
        /// The requested number of events.
        events: u16,
        /// The largest threshold of the core.
        largest: u16,
    },
}

impl fmt::Display for ThresholdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("the core has no thresholds"),
            Self::Zero => f.write_str("the smallest threshold is 1"),
            Self::TooLarge { events, largest } => {
                write!(f, "a threshold of {events} is too large: the core has 1 to {largest}")
            }
        }
    }
}

impl core::error::Error for ThresholdError {}

/// Defines the method `thresholds` of the driver, for a core that can have thresholds.
#[allow(clippy::crate_in_macro_def, reason = "the implementation's crate")]
#[doc(hidden)]
#[macro_export]
macro_rules! thresholds {
    () => {
        impl<B: Bus<Space = Space>> Pmu<B> {
            /// Returns the thresholds of the core, read from PMMIR_EL1.
            ///
            /// # Errors
            ///
            /// [`ThresholdError::Absent`](crate::ThresholdError::Absent) if PMMIR_EL1.THWIDTH is 0, as in guests of
            /// Linux.
            pub fn thresholds(&self) -> Result<crate::Thresholds, crate::ThresholdError> {
                self.driver.hardware().thresholds()
            }
        }
    };
}

/// Fields of PMEVTYPER.
pub(crate) const MASK: u64 = fields(u16::MAX >> 1);

/// Returns the fields of PMEVTYPER for the options of a selection: TC in bits 63 to 61, TH in bits 43 to 32.
#[inline(always)]
pub(crate) const fn fields(options: u16) -> u64 {
    ((options & TH) as u64) << 32 | ((options >> 12) as u64) << 61
}
