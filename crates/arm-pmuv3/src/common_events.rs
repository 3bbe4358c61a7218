//! The set of common events that a core has.

use core::fmt;

use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::metric::Metric;

use crate::{CommonEvent, Selection};

/// The common events that a core has, read from PMCEID0_EL0 and PMCEID1_EL0.
///
/// [`Pmu::common_events`](crate::Pmu::common_events) returns this set, which stays valid without
/// the PMU.
///
/// ```
/// use arm_pmuv3::{CommonEvent, CommonEvents};
///
/// // Of a Cortex-A72.
/// let events = CommonEvents::from_registers(0x7FFF_0F3F, 0);
/// assert!(events.has(CommonEvent::L1dCacheRefill));
/// assert!(!events.has(CommonEvent::StallBackend));
/// assert_eq!(events.into_iter().next(), Some(CommonEvent::SwIncr));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CommonEvents(u128);

/// All of them.
const LISTED: u128 = {
    let mut listed = 0;
    let mut n = 0;
    while n < CommonEvent::ALL.len() {
        listed |= bit(CommonEvent::ALL[n]);
        n += 1;
    }
    listed
};

/// First code of the second range. Both ranges have 64 codes.
const EXTENDED: u16 = 0x4000;

/// Bit of an event in the set: bit n for event n, bit 64 + n for event 0x4000 + n.
const fn bit(event: CommonEvent) -> u128 {
    let code = event as u16;
    1 << (64 * (code / EXTENDED) + code % EXTENDED)
}

impl CommonEvents {
    /// Creates the set from PMCEID0_EL0 and PMCEID1_EL0.
    ///
    /// The upper halves of both registers report events 0x4000 to 0x403F; before PMUv3p1 they are 0. Bits of
    /// reserved codes are ignored.
    #[must_use]
    pub const fn from_registers(pmceid0: u64, pmceid1: u64) -> Self {
        let low = pmceid0 & 0xFFFF_FFFF | pmceid1 << 32;
        let high = pmceid0 >> 32 | pmceid1 >> 32 << 32;
        Self((low as u128 | (high as u128) << 64) & LISTED)
    }

    /// Returns whether the core has this event.
    #[must_use]
    pub const fn has(self, event: CommonEvent) -> bool {
        self.0 & bit(event) != 0
    }

    /// Returns whether the core has all events that a [metric](mod@crate::metrics) needs.
    ///
    /// Every core has the cycle counter. Returns `false` if the metric needs an event that no
    /// register reports.
    ///
    /// ```
    /// use arm_pmuv3::CommonEvents;
    /// use arm_pmuv3::metrics::{BackEndStallShare, InstructionsPerCycle};
    ///
    /// // Of a Cortex-A72.
    /// let events = CommonEvents::from_registers(0x7FFF_0F3F, 0);
    /// assert!(events.has_events_of(&InstructionsPerCycle));
    /// assert!(!events.has_events_of(&BackEndStallShare));
    /// ```
    pub fn has_events_of<M>(self, metric: &M) -> bool
    where
        M: Metric<Selection = EventOrCycles<Selection>>,
    {
        metric.events().as_ref().iter().all(|of| match of {
            EventOrCycles::Event(event) => event.listed().is_some_and(|event| self.has(event)),
            EventOrCycles::Cycles => true,
        })
    }

    /// Returns the number of events.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the core has no common events.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Lists the events.
impl fmt::Debug for CommonEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// Iterates over the events in the order of their codes.
impl IntoIterator for CommonEvents {
    type Item = CommonEvent;
    type IntoIter = CommonEventsIter;

    fn into_iter(self) -> CommonEventsIter {
        CommonEventsIter(self.0)
    }
}

/// Iterator over [`CommonEvents`] in the order of the codes.
#[derive(Clone, Debug)]
pub struct CommonEventsIter(u128);

impl Iterator for CommonEventsIter {
    type Item = CommonEvent;

    fn next(&mut self) -> Option<CommonEvent> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as u16;
        self.0 &= self.0 - 1;
        CommonEvent::from_code(EXTENDED * (bit / 64) + bit % 64)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for CommonEventsIter {}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn each_bit_stands_for_one_event_code() {
        for code in (0..0x40).chain(0x4000..0x4040) {
            let bit = 1 << (code % 32 + code / 0x4000 * 32);
            let of = if code / 32 % 2 == 0 { (bit, 0) } else { (0, bit) };
            let events = CommonEvents::from_registers(of.0, of.1);
            let all: Vec<_> = events.into_iter().collect();
            let event = CommonEvent::from_code(code);
            assert_eq!(all, Vec::from_iter(event), "{code:#x}");
            assert_eq!((events.len(), events.is_empty()), (all.len(), event.is_none()));
            if let Some(event) = event {
                assert!(events.has(event));
                assert!(!CommonEvents::from_registers(!of.0, !of.1).has(event));
            }
        }
    }

    #[test]
    fn debug_output_lists_event_names() {
        let two = CommonEvents::from_registers(0x12, 0);
        assert_eq!(
            (format!("{two:?}"), two.into_iter().len()),
            ("{L1iCacheRefill, L1dCache}".into(), 2)
        );
    }
}
