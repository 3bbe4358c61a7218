//! The procedures: what is written and read, in which order, and why.
//!
//! The pages may be behind different buffers: a write to one is known to have arrived when something
//! was read from that page, not from the other.

use arm_pmu_core::{Bus, Count, CounterSet};

use crate::field::Reg;
use crate::pmu::{Pmu, Programmed, is_secure, obeys_the_filter};
use crate::registers::evcntr::EvcntrSpec;
use crate::registers::{Page0, Page0Registers, Page1, Page1Registers, evtyper};
use crate::{COUNTERS, Component, StreamFilter};

/// One bit for each counter.
pub(crate) const ALL_COUNTERS: u8 = (1 << COUNTERS) - 1;

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Starts counting.
    ///
    /// Everything is set while CR.E is 0, so that it releases all counters together.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        let page0 = Page0Registers::of(&self.page0);
        page0.cr().write(|w| w.e().clear_bit());
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.intenclr0_lo().write(|w| w.inten().set(ALL_COUNTERS));
        self.programmed = self.select();
        // The counters are off now; the reads of `select` came back after that.
        let wrong = self.preset();
        let in_use = self.in_use();
        let page0 = Page0Registers::of(&self.page0);
        page0.cntenset0_lo().write(|w| w.cnten().set(in_use));
        page0.intenset0_lo().write(|w| w.inten().set(in_use & bits(self.interrupts)));
        // Not all that is written has to be taken.
        let wrong = wrong | self.changed() | self.not_observed();
        self.ledger.add_loss(wrong, false);
        self.enable();
    }

    /// Says what each counter counts, and for which streams.
    fn select(&self) -> Programmed {
        let StreamFilter { span, secure, .. } = self.filter;
        let page0 = Page0Registers::of(&self.page0);
        let smr = self.match_streams();
        let selections = self.ledger.programmed();
        for (number, (register, selection)) in page0.evtyper().iter().zip(selections).enumerate() {
            let event = selection.map_or(0, Into::into);
            register.write(|w| {
                let w = w.event().set(event);
                // The filter of all counters is in the first one's register, used or not.
                if number == 0 { with_filter(w, span, secure) } else { w }
            });
        }
        Programmed { filter: self.filter, smr }
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
        for (number, (slot, counter)) in
            self.ledger.wanted().iter().zip(&page1.evcntr()).enumerate()
        {
            if slot.selection.is_some() {
                for value in [!slot.from, slot.from] {
                    counter.write(|w| w.counter_value().set(value));
                    if counter.read().counter_value().bits() != value {
                        wrong |= 1 << number;
                    }
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
        let secure_streams = self.programmed.filter.secure;
        let needs_observation = |selection| {
            is_secure::<C>(selection) || (secure_streams && obeys_the_filter::<C>(selection))
        };
        let need = self.ledger.programmed().map(|slot| slot.is_some_and(needs_observation));
        // Who asks for nothing Secure need not be able to read SCR.
        let unobserved = need.contains(&true) && self.secure_observation() == Some(false);
        if unobserved { bits(need).into() } else { 0 }
    }

    /// The counters that count what obeys the filter.
    fn filtered(&self) -> u32 {
        let obeys = |selection: Option<C::Selection>| selection.is_some_and(obeys_the_filter::<C>);
        bits(self.ledger.programmed().map(obeys)).into()
    }

    /// Lets the counters run, and waits until they do.
    pub(crate) fn enable(&mut self) {
        Page0Registers::of(&self.page0).cr().write(|w| w.e().set_bit());
        let enabled = self.wait_for_control();
        self.ledger.add_loss(0, !enabled);
    }

    /// Waits until all writes to page 0 have arrived, and tells whether the counters run then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    fn wait_for_control(&self) -> bool {
        let enabled = Page0Registers::of(&self.page0).cr().read().e().bit();
        self.page0.synchronize();
        enabled
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.page0.synchronize();
        let page0 = Page0Registers::of(&self.page0);
        let enabled = page0.cr().read().e().bit();
        page0.cr().write(|w| w.e().clear_bit());
        let still_enabled = self.wait_for_control();
        let mut changed = self.changed() | self.not_observed();
        if still_enabled {
            // They are read while they count.
            changed |= u32::from(self.in_use());
        }
        let values = self.each_in_use(|_, counter| counter.read().counter_value().bits());
        self.acknowledge();
        self.ledger.add_loss(changed, !enabled);
        let fault = self.fault().is_some();
        self.ledger.settle(values, fault);
    }

    /// The counters in use that are not set as they should be.
    fn changed(&self) -> u32 {
        let page0 = Page0Registers::of(&self.page0);
        let on = page0.cntenset0_lo().read().cnten().bits();
        let Programmed { filter: StreamFilter { span, secure, .. }, smr } = self.programmed;
        let mut changed = 0;
        for (number, (register, selection)) in
            page0.evtyper().iter().zip(self.ledger.programmed()).enumerate()
        {
            let value = register.read();
            if let Some(selection) = selection
                && (value.event().bits() != selection.into() || on >> number & 1 == 0)
            {
                changed |= 1 << number;
            }
            let same_filter =
                value.filter_sid_span().bit() == span && value.filter_sec_sid().bit() == secure;
            if number == 0 && !same_filter {
                changed |= self.filtered();
            }
        }
        // `None`: SMR0 did not take the filter in the first place.
        if Some(page0.smr0().read().streamid().bits()) != smr {
            changed |= self.filtered();
        }
        changed
    }

    /// What the counters hold while they count.
    pub(crate) fn running_counts(&self) -> [Count; COUNTERS] {
        let enabled = Page0Registers::of(&self.page0).cr().read().e().bit();
        let counts = self.each_in_use(|number, counter| {
            let flag = || self.flags() >> number & 1 == 1;
            let value = || counter.read().counter_value().bits();
            self.ledger.snapshot(number, enabled, flag, value, || self.fault().is_some())
        });
        counts.map(|count| count.unwrap_or(Count::NOTHING))
    }

    /// What the counters hold at one instant, while they count.
    pub(crate) fn capture(&mut self) -> [Count; COUNTERS] {
        let enabled = Page0Registers::of(&self.page0).cr().read().e().bit();
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
        let mut numbers = 0..;
        shadows.map(|value| match (numbers.next(), value) {
            (Some(number), Some(value)) => {
                let flag = || flags >> number & 1 == 1;
                let fault = || self.fault().is_some();
                self.ledger.snapshot(number, enabled, flag, || value, fault)
            }
            _ => Count::NOTHING,
        })
    }

    /// The shadows of the counters in use.
    pub(crate) fn captured(&self) -> [Option<u32>; COUNTERS] {
        let mut shadows = Page1Registers::of(&self.page1).svr().into_iter();
        self.ledger.programmed().map(|selection| {
            let shadow = shadows.next()?;
            selection.map(|_| shadow.read().shadow_counter_value().bits())
        })
    }

    /// Reads and clears the overflow flags of the counters in use, and remembers them: one
    /// bit for each counter.
    pub(crate) fn acknowledge(&mut self) -> u32 {
        let up = self.flags() & self.in_use();
        if up != 0 {
            Page1Registers::of(&self.page1).ovsclr0_lo().write(|w| w.ovs().set(up));
            // Comes back when they are clear.
            self.flags();
            self.page1.synchronize();
            self.ledger.add_overflows(up.into());
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
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.restart(number, from)
            && let Some(counter) = Page1Registers::of(&self.page1).evcntr().get(number)
        {
            counter.write(|w| w.counter_value().set(from));
            // Comes back after that.
            self.flags();
            self.page1.synchronize();
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

    /// Does something with each counter that the device was told to use: number and register. The
    /// ledger gives numbers of counters, so no index is out of range.
    fn each_in_use<R>(
        &self,
        mut work: impl FnMut(usize, &Reg<'_, EvcntrSpec, P1>) -> R,
    ) -> [Option<R>; COUNTERS] {
        let counters = Page1Registers::of(&self.page1).evcntr();
        self.ledger.each_in_use(|number, _| work(number, &counters[number]))
    }
}

fn with_filter(w: &mut evtyper::W, span: bool, secure: bool) -> &mut evtyper::W {
    w.filter_sid_span().bit(span).filter_sec_sid().bit(secure)
}

/// One bit for each counter.
fn bits(counters: [bool; COUNTERS]) -> u8 {
    CounterSet { counters, cycles: false }.bits() as u8
}
