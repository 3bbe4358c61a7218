//! The procedures: what is written and read, in which order, and why.
//!
//! The pages may be behind different buffers: a write to one is known to have arrived when something
//! was read from that page, not from the other.

use arm_pmu_core::{Bus, Count, Inexact, Slot};

use crate::pmu::{Pmu, Programmed, obeys_and_is_secure};
use crate::registers::{Page0, Page0Registers, Page1, Page1Registers, evtyper};
use crate::{COUNTERS, Component, StreamFilter};

/// One bit for each counter.
pub(crate) const ALL_COUNTERS: u8 = (1 << COUNTERS) - 1;

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Starts counting.
    ///
    /// Everything is set while CR.E is 0, so that it releases all counters together.
    #[inline]
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let page0 = Page0Registers::of(&self.page0);
        page0.cr().write(|w| w.e().clear_bit());
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.intenclr0_lo().write(|w| w.inten().set(ALL_COUNTERS));
        let in_use = self.select();
        self.ledger.told(in_use, 0);
        // The counters are off now; the reads of `select` came back after that.
        let wrong = self.preset();
        let in_use = self.in_use();
        let page0 = Page0Registers::of(&self.page0);
        page0.cntenset0_lo().write(|w| w.cnten().set(in_use));
        page0.intenset0_lo().write(|w| w.inten().set(in_use & self.interrupts));
        // Not all that is written has to be taken.
        let wrong = wrong | self.changed() | self.not_observed();
        self.ledger.add_loss(wrong, false);
        self.enable();
    }

    /// Says what each counter counts, and for which streams. Gives the counters that count something.
    #[inline(always)]
    fn select(&mut self) -> u32 {
        let filter @ StreamFilter { span, secure, .. } = self.filter;
        let smr = self.match_streams();
        let page0 = Page0Registers::of(&self.page0);
        let (mut in_use, mut filtered, mut observed) = (0, 0, 0);
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let mut code = 0;
            if let Some(selection) = slot.selection {
                let bit = 1 << number;
                in_use |= bit;
                code = selection.into();
                let (is_filtered, is_secure) = obeys_and_is_secure::<C>(selection);
                if is_filtered {
                    filtered |= bit;
                }
                if is_secure {
                    observed |= bit;
                }
            }
            page0.evtyper_at(number).write(|w| {
                let w = w.event().set(code);
                // The filter of all counters is in the first one's register, used or not.
                if number == 0 { with_filter(w, span, secure) } else { w }
            });
        }
        if secure {
            observed |= filtered;
        }
        self.programmed = Programmed { filter, smr, filtered, observed };
        in_use
    }

    /// Says which streams match. Gives what SMR0 then holds; `None` if that stands for others.
    ///
    /// A PMU may implement fewer bits than StreamIDs have. What stands for all streams, or for all of
    /// one security state, is made of the bits that there are.
    fn match_streams(&self) -> Option<u32> {
        let smr0 = Page0Registers::of(&self.page0).smr0();
        let set = |wanted: u32| {
            smr0.write(|w| w.streamid().set(wanted));
            smr0.read().streamid().bits()
        };
        let StreamFilter { stream_id: wanted, .. } = self.filter;
        if !self.filter.is_from_zero() {
            return Some(wanted).filter(|wanted| set(*wanted) == *wanted);
        }
        // What is left of ones are the bits that there are; anything else was there before.
        let there = set(StreamFilter::ALL.stream_id);
        if there == 0 || there & (there + 1) != 0 {
            return None;
        }
        if self.filter == StreamFilter::ALL {
            return Some(there);
        }
        // All the bits but the top one is the longest span. One more is both security states.
        let code = wanted.min(there >> 1);
        Some(code).filter(|code| set(*code) == *code)
    }

    /// Sets the counters to where they start, and clears all flags. Gives the counters that did not
    /// take it.
    ///
    /// What is no counter may hold the start value all the same: page 0, to which the bus may lead by
    /// mistake, reads as zero. So each counter has to hold two values.
    fn preset(&self) -> u32 {
        let page1 = Page1Registers::of(&self.page1);
        let mut wrong = 0;
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let counter = page1.evcntr_at(number);
                let takes = |value| {
                    counter.write(|w| w.counter_value().set(value));
                    counter.read().counter_value().bits() == value
                };
                if !(takes(!from) & takes(from)) {
                    wrong |= 1 << number;
                }
            }
        }
        page1.ovsclr0_lo().write(|w| w.ovs().set(ALL_COUNTERS));
        // Comes back after the flags are clear, and before anything counts.
        let left = page1.ovsset0_lo().read().ovs().bits();
        wrong | u32::from(left & self.in_use())
    }

    /// The counters that do not count what they should, as far as can be known, because Secure
    /// observation is off: it is asked for Secure events, or for Secure streams.
    fn not_observed(&self) -> u32 {
        let need = self.programmed.observed;
        // Who asks for nothing Secure need not be able to read SCR.
        let unobserved = need != 0 && self.secure_observation() == Some(false);
        if unobserved { need } else { 0 }
    }

    /// Lets the counters run, and waits until they do.
    #[inline]
    pub(crate) fn enable(&mut self) {
        Page0Registers::of(&self.page0).cr().write(|w| w.e().set_bit());
        self.check_enabled();
    }

    /// Waits until the counters run, and remembers if they do not.
    fn check_enabled(&mut self) {
        let enabled = self.wait_for_control();
        self.ledger.add_loss(0, !enabled);
    }

    /// Waits until all writes to page 0 have arrived, and tells whether the counters run then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    fn wait_for_control(&self) -> bool {
        let enabled = self.enabled();
        self.page0.synchronize();
        enabled
    }

    /// Whether the counters run, as a whole. The other bits of CR are zero (IHI 0070): a register that
    /// reads as ones is not CR.
    fn enabled(&self) -> bool {
        Page0Registers::of(&self.page0).cr().read().bits() == 1
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    ///
    /// What was set is compared after values and flags were read: CNTENSET0, which has ones, and the
    /// events would not be as set if the unit had stopped answering before. Of page 1 alone that cannot
    /// be found out: all that it has may be zero.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.page0.synchronize();
        let enabled = self.enabled();
        Page0Registers::of(&self.page0).cr().write(|w| w.e().clear_bit());
        let still_enabled = self.wait_for_control();
        self.ledger.hold(|number, _| value(&self.page1, number));
        self.acknowledge();
        let mut changed = self.changed() | self.not_observed();
        if still_enabled {
            // They were read while they counted.
            changed |= u32::from(self.in_use());
        }
        self.ledger.add_loss(changed, !enabled);
        self.ledger.settle(self.fault().is_some());
    }

    /// The counters in use that are not set as they should be.
    fn changed(&self) -> u32 {
        let page0 = Page0Registers::of(&self.page0);
        let on = page0.cntenset0_lo().read().cnten().bits();
        let Programmed { filter: StreamFilter { span, secure, .. }, smr, filtered, .. } =
            self.programmed;
        let mut changed = u32::from(self.in_use() & !on);
        for (number, slot) in self.ledger.slots().iter().enumerate() {
            let value = page0.evtyper_at(number).read();
            if let Some(selection) = slot.selection
                && value.event().bits() != selection.into()
            {
                changed |= 1 << number;
            }
            let same_filter =
                value.filter_sid_span().bit() == span && value.filter_sec_sid().bit() == secure;
            if number == 0 && !same_filter {
                changed |= filtered;
            }
        }
        // `None`: SMR0 did not take the filter in the first place.
        if Some(page0.smr0().read().streamid().bits()) != smr {
            changed |= filtered;
        }
        changed
    }

    /// What the counters hold while they count. CR is read after them, for all of them.
    #[inline]
    pub(crate) fn running_counts(&self) -> [Count; COUNTERS] {
        let doubts = self.ledger.doubts(true);
        let mut counts = [Count::NOTHING; COUNTERS];
        for (number, (slot, count)) in self.ledger.slots().iter().zip(&mut counts).enumerate() {
            if let Slot { selection: Some(_), from, .. } = *slot {
                let flags = || self.flags().into();
                let value = || value(&self.page1, number);
                let fault = || self.fault().is_some();
                *count = doubts.read(number, from, flags, value, fault);
            }
        }
        self.confirm(&mut counts);
        counts
    }

    /// Finds out whether the counters that were just read were running then.
    fn confirm(&self, counts: &mut [Count; COUNTERS]) {
        if self.enabled() {
            return;
        }
        let why = if self.fault().is_some() { Inexact::Fault } else { Inexact::Lost };
        for (number, count) in counts.iter_mut().enumerate() {
            if self.in_use() >> number & 1 == 1 {
                *count = Count::doubtful(count.wrapped(), why);
            }
        }
    }

    /// What the counters hold at one instant, while they count.
    #[inline]
    pub(crate) fn capture(&mut self) -> [Count; COUNTERS] {
        let doubts = self.ledger.doubts(true);
        let page1 = Page1Registers::of(&self.page1);
        // A flag that came up meanwhile does not tell whether the copy is from before or after that.
        // Flags stay up, so there is a try for each, and one without a change.
        let (mut flags, mut shadows) = (self.flags(), [None; COUNTERS]);
        for _ in 0..=COUNTERS {
            page1.capr().write(|w| w.capture().set_bit());
            shadows = self.captured();
            let before = core::mem::replace(&mut flags, self.flags());
            if before == flags {
                break;
            }
        }
        let mut counts = core::array::from_fn(|number| match shadows[number] {
            Some(value) => {
                let (from, fault) = (self.ledger.started_from(number), || self.fault().is_some());
                doubts.read(number, from, || flags.into(), || value, fault)
            }
            None => Count::NOTHING,
        });
        self.confirm(&mut counts);
        counts
    }

    /// The shadows of the counters in use.
    pub(crate) fn captured(&self) -> [Option<u32>; COUNTERS] {
        let page1 = Page1Registers::of(&self.page1);
        core::array::from_fn(|number| {
            let shadow = || page1.svr_at(number).read().shadow_counter_value().bits();
            self.ledger.slots()[number].selection.map(|_| shadow())
        })
    }

    /// Reads and clears the overflow flags of the counters in use, and remembers them: one
    /// bit for each counter.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let up = self.flags() & self.in_use();
        if up != 0 {
            Page1Registers::of(&self.page1).ovsclr0_lo().write(|w| w.ovs().set(up));
            // Comes back when they are clear. Of a counter whose flag stays up nothing is known: it would be
            // taken for another overflow each time.
            let left = self.flags() & up;
            self.page1.synchronize();
            self.ledger.add_overflows(up.into());
            self.ledger.add_loss(left.into(), false);
        }
        up.into()
    }

    /// Clears the overflow flags of all counters, whoever left them: for a handler that is called while
    /// nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too, the latter for the counters in use.
    pub fn acknowledge_all(&mut self) {
        Page1Registers::of(&self.page1).ovsclr0_lo().write(|w| w.ovs().set(ALL_COUNTERS));
        self.flags();
        self.page1.synchronize();
    }

    /// Lets one counter count from another value on, while it counts. A count may be written at any time.
    ///
    /// From zero a counter does not overflow for long: a flag that is up then is that of the events
    /// before, and one that comes up after the second write is not.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from) {
            let page1 = Page1Registers::of(&self.page1);
            let counter = page1.evcntr_at(number);
            counter.write(|w| w.counter_value().set(0));
            page1.ovsclr0_lo().write(|w| w.ovs().set(1 << number));
            counter.write(|w| w.counter_value().set(from));
            // Comes back after that.
            self.flags();
            self.page1.synchronize();
            self.check_enabled();
        }
    }

    /// The counters that the device was told to use.
    fn in_use(&self) -> u8 {
        self.ledger.in_use() as u8
    }

    /// The overflow flags.
    fn flags(&self) -> u8 {
        Page1Registers::of(&self.page1).ovsset0_lo().read().ovs().bits()
    }
}

fn with_filter(w: &mut evtyper::W, span: bool, secure: bool) -> &mut evtyper::W {
    w.filter_sid_span().bit(span).filter_sec_sid().bit(secure)
}

/// What a counter holds.
fn value<P1: Bus<Space = Page1>>(page1: &P1, number: usize) -> u32 {
    Page1Registers::of(page1).evcntr_at(number).read().counter_value().bits()
}
