//! The common events that a core has.

use core::fmt;

use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::metric::Metric;

use crate::{CommonEvent, Selection};

/// The common events that a core has, as PMCEID0_EL0 and PMCEID1_EL0 tell.
///
/// [`Pmu::common_events`](crate::Pmu::common_events) returns it. It can be kept without the PMU.
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
pub struct CommonEvents(u64);

impl CommonEvents {
    /// Creates the set from PMCEID0_EL0 and PMCEID1_EL0.
    ///
    /// Their upper halves, which tell of events 0x4000 to 0x403F, are ignored.
    #[must_use]
    pub const fn from_registers(pmceid0: u64, pmceid1: u64) -> Self {
        Self(pmceid0 & 0xFFFF_FFFF | pmceid1 << 32)
    }

    /// Returns whether the core has this event.
    #[must_use]
    pub const fn has(self, event: CommonEvent) -> bool {
        self.0 >> (event as u16) & 1 == 1
    }

    /// Returns whether the core has all events that a [metric](crate::metrics) needs.
    ///
    /// Every core has the cycles. An event that is not common makes it `false`: no register tells of it.
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

    /// Returns whether the core has none of them.
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

/// In the order of their codes.
impl IntoIterator for CommonEvents {
    type Item = CommonEvent;
    type IntoIter = CommonEventsIter;

    fn into_iter(self) -> CommonEventsIter {
        CommonEventsIter(self.0)
    }
}

/// The events of [`CommonEvents`], in the order of their codes.
#[derive(Clone, Debug)]
pub struct CommonEventsIter(u64);

impl Iterator for CommonEventsIter {
    type Item = CommonEvent;

    fn next(&mut self) -> Option<CommonEvent> {
        if self.0 == 0 {
            return None;
        }
        let code = self.0.trailing_zeros() as u16;
        self.0 &= self.0 - 1;
        CommonEvent::from_code(code)
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
    fn each_bit_is_the_event_with_its_number() {
        for code in 0..64 {
            let (low, high) = (1_u64.checked_shl(code).unwrap_or(0), 1_u64 << (code % 32));
            let of = if code < 32 { (low, 0) } else { (0, high) };
            let events = CommonEvents::from_registers(of.0, of.1);
            let all: Vec<_> = events.into_iter().map(|event| event.code()).collect();
            assert_eq!(all, [code as u16]);
            assert_eq!((events.len(), events.is_empty()), (1, false));
            let event = CommonEvent::from_code(code as u16).unwrap();
            assert!(events.has(event) && !CommonEvents::from_registers(!of.0, !of.1).has(event));
        }
    }

    #[test]
    fn the_extended_range_does_not_count() {
        let none = CommonEvents::from_registers(u64::MAX << 32, u64::MAX << 32);
        assert!(none.is_empty());
        assert_eq!(none.into_iter().next(), None);
        let all = CommonEvents::from_registers(u64::MAX, u64::MAX);
        assert_eq!((all.len(), all.into_iter().len(), all.into_iter().count()), (64, 64, 64));
    }

    #[test]
    fn a_set_prints_the_names() {
        let two = CommonEvents::from_registers(0x12, 0);
        assert_eq!(format!("{two:?}"), "{L1iCacheRefill, L1dCache}");
    }
}
