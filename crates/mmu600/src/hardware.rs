//! The procedures of the driver: register accesses, their order, and the reasons.
//!
//! The pages may be behind different write buffers. Only a read from the same page shows that a
//! write to that page has arrived.

use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};
use arm_pmu_core::event::Event;

use crate::registers::{Page0, Page0Registers, Page1, Page1Registers, evtyper};
use crate::{COUNTERS, Component, StreamFilter};

/// One bit for each counter.
pub(crate) const ALL_COUNTERS: u8 = (1 << COUNTERS) - 1;

/// Settings of the event counters, each of which can count the cycles.
type Events<C> = Settings<<C as Component>::Selection, COUNTERS, ()>;

/// The PMU of a unit behind the buses to its two pages, with its settings.
pub(crate) struct Hardware<C, P0, P1> {
    pub(crate) page0: P0,
    pub(crate) page1: P1,
    /// Streams to be counted from the next start on.
    pub(crate) filter: StreamFilter,
    /// Counters that raise the interrupt from the next start on, one bit each.
    pub(crate) interrupts: u8,
    /// Counters whose overflow captures all counters from the next start on, one bit each.
    pub(crate) captures: u8,
    programmed: Programming,
    component: PhantomData<C>,
}

/// Values that the last start programmed in addition to the settings of the counters.
#[derive(Clone, Copy, Debug)]
struct Programming {
    filter: StreamFilter,
    /// Value that SMR0 then held; `None` if it did not take the filter.
    smr: Option<u32>,
    /// The counters that obey the filter.
    filtered: u32,
    /// The counters that need Secure observation.
    observed: u32,
}

/// CR.E as read before and after it was cleared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enable {
    before: bool,
    after: bool,
}

impl<C, P0, P1> Hardware<C, P0, P1> {
    #[inline(always)]
    pub(crate) const fn new(page0: P0, page1: P1) -> Self {
        Self {
            page0,
            page1,
            filter: StreamFilter::ALL,
            interrupts: 0,
            captures: 0,
            programmed: Programming {
                filter: StreamFilter::ALL,
                smr: None,
                filtered: 0,
                observed: 0,
            },
            component: PhantomData,
        }
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> driver::Hardware<COUNTERS>
    for Hardware<C, P0, P1>
{
    type Selection = C::Selection;
    type Cycles = ();
    type Control = Enable;

    /// Programs everything while CR.E is 0, so that CR.E enables all counters together.
    #[inline(always)]
    fn program(&mut self, settings: &Events<C>) -> Programmed<Enable> {
        let page0 = Page0Registers::shared(&self.page0);
        page0.cr().write(|w| w.e().clear_bit());
        page0.cntenclr0_lo().write(|w| w.cnten().set(ALL_COUNTERS));
        page0.intenclr0_lo().write(|w| w.inten().set(ALL_COUNTERS));
        let in_use = self.select_events(settings);
        // The counters are off now: the reads of `select_events` completed after the writes above.
        let rejected = self.preset(settings, in_use);
        let page0 = Page0Registers::shared(&self.page0);
        page0.cntenset0_lo().write(|w| w.cnten().set(in_use as u8));
        page0.intenset0_lo().write(|w| w.inten().set(in_use as u8 & self.interrupts));
        // The unit need not take all written values.
        let rejected = rejected | self.changed(settings, in_use) | self.not_observed();
        Programmed { in_use, rejected, control: self.control() }
    }

    #[inline(always)]
    fn control(&self) -> Enable {
        Enable { before: false, after: false }
    }

    #[inline(always)]
    fn enable(&mut self, _: Enable) -> bool {
        Page0Registers::shared(&self.page0).cr().write(|w| w.e().set_bit());
        self.wait_for_control()
    }

    /// The other bits of CR are zero (IHI 0070), so a register that reads as ones is not CR.
    #[inline(always)]
    fn is_enabled(&self) -> bool {
        Page0Registers::shared(&self.page0).cr().read().bits() == 1
    }

    #[inline(always)]
    fn disable(&mut self) -> Enable {
        self.page0.synchronize();
        let before = self.is_enabled();
        Page0Registers::shared(&self.page0).cr().write(|w| w.e().clear_bit());
        Enable { before, after: self.wait_for_control() }
    }

    #[inline(always)]
    fn enables(control: Enable) -> bool {
        control.before
    }

    /// Compares the settings after it read values and flags. If the unit had stopped answering
    /// before, CNTENSET0, which has ones, and the events would differ from the programmed ones.
    /// Page 1 cannot show that: all its registers may be zero.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Events<C>,
        in_use: u32,
        Enable { after: still_enabled, .. }: Enable,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> Stopped {
        for counter in 0..COUNTERS {
            if settings.counters[counter].selection.is_some() {
                latched.values[counter] = self.value_of(counter);
            }
        }
        let (overflowed, stuck) = self.take_flags(in_use);
        let mut changed = stuck | self.changed(settings, in_use) | self.not_observed();
        if still_enabled {
            // The counters ran while they were read.
            changed |= in_use;
        }
        Stopped { overflowed, changed, is_stopped: true }
    }

    /// A flag that stays set would look like another overflow at every call, so its counter is
    /// disturbed.
    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let (overflowed, disturbed) = self.take_flags(in_use);
        Acknowledged { overflowed, disturbed, is_enabled: true }
    }

    #[inline(always)]
    fn flags(&self, _: usize) -> u32 {
        self.all_flags().into()
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u32 {
        self.value_of(counter)
    }

    /// A count may be written at any time. A counter at zero does not overflow soon. So a flag that
    /// is set then belongs to the events before, and one set after the second write does not.
    fn rearm(&mut self, _: &Events<C>, in_use: u32, counter: usize, from: u32) -> u32 {
        let page1 = Page1Registers::shared(&self.page1);
        let register = page1.evcntr_at(counter);
        register.write(|w| w.counter_value().set(0));
        page1.ovsclr0_lo().write(|w| w.ovs().set(1 << counter));
        register.write(|w| w.counter_value().set(from));
        // This read completes after the write has arrived.
        self.all_flags();
        self.page1.synchronize();
        if self.wait_for_control() { 0 } else { in_use }
    }

    #[inline(always)]
    fn walk(visit: impl FnMut(usize)) {
        (0..COUNTERS).for_each(visit);
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.page0.error().or(self.page1.error())
    }
}

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Hardware<C, P0, P1> {
    /// Writes the event and the filter of each counter. Returns the counters in use.
    #[inline(always)]
    fn select_events(&mut self, settings: &Events<C>) -> u32 {
        let filter @ StreamFilter { span, secure, .. } = self.filter;
        let smr = self.match_streams(filter);
        let page0 = Page0Registers::shared(&self.page0);
        let (mut in_use, mut filtered, mut observed) = (0, 0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            let mut code = 0;
            if let Some(selection) = config.selection {
                let bit = 1 << counter;
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
            page0.evtyper_at(counter).write(|w| {
                let w = w.event().set(code).ovfcap().bit(self.captures >> counter & 1 == 1);
                // The register of counter 0 has the filter of all counters, even if counter 0 is
                // off.
                if counter == 0 { with_filter(w, span, secure) } else { w }
            });
        }
        if secure {
            observed |= filtered;
        }
        self.programmed = Programming { filter, smr, filtered, observed };
        in_use
    }

    /// Writes SMR0. Returns its value then; `None` if that selects other streams.
    ///
    /// A PMU may implement fewer bits than StreamIDs have. The codes for all streams, and for all
    /// streams of one security state, depend on the number of implemented bits.
    pub(crate) fn match_streams(&self, filter: StreamFilter) -> Option<u32> {
        let smr0 = Page0Registers::shared(&self.page0).smr0();
        let set = |wanted: u32| {
            smr0.write(|w| w.streamid().set(wanted));
            smr0.read().streamid().bits()
        };
        let StreamFilter { stream_id: wanted, .. } = filter;
        if !filter.is_from_zero() {
            return Some(wanted).filter(|wanted| set(*wanted) == *wanted);
        }
        // After a write of ones, the ones that remain are the implemented bits. A value of another
        // form is not from this write.
        let there = set(StreamFilter::ALL.stream_id);
        if there == 0 || there & there.wrapping_add(1) != 0 {
            return None;
        }
        if filter == StreamFilter::ALL {
            return Some(there);
        }
        // The longest span has all bits set but the top one. With the top bit set too, the code
        // means both security states.
        let code = wanted.min(there >> 1);
        Some(code).filter(|code| set(*code) == *code)
    }

    /// Writes the start values, and clears all flags. Returns the counters that did not take them.
    ///
    /// Each counter has to hold two values in turn. One value is not enough: if the bus leads to
    /// page 0 by mistake, the start value 0 reads back as zero.
    fn preset(&self, settings: &Events<C>, in_use: u32) -> u32 {
        let page1 = Page1Registers::shared(&self.page1);
        let mut rejected = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(_), from, .. } = *config {
                let register = page1.evcntr_at(counter);
                let takes = |value| {
                    register.write(|w| w.counter_value().set(value));
                    register.read().counter_value().bits() == value
                };
                if !(takes(!from) & takes(from)) {
                    rejected |= 1 << counter;
                }
            }
        }
        page1.ovsclr0_lo().write(|w| w.ovs().set(ALL_COUNTERS));
        // This read completes after the flags are clear and before anything counts.
        let left = page1.ovsset0_lo().read().ovs().bits();
        rejected | u32::from(left) & in_use
    }

    /// Returns the counters of Secure events or Secure streams if Secure observation reads as off.
    fn not_observed(&self) -> u32 {
        let need = self.programmed.observed;
        // Without such counters, SCR, which may not be accessible, is not read.
        let unobserved = need != 0 && self.secure_observation() == Some(false);
        if unobserved { need } else { 0 }
    }

    /// Whether Secure observation is on; `None` if SCR cannot be read.
    pub(crate) fn secure_observation(&self) -> Option<bool> {
        let scr = Page0Registers::shared(&self.page0).scr().read();
        scr.reads_as_one().bit().then(|| scr.so().bit())
    }

    /// Waits until all writes to page 0 have arrived. Returns whether CR.E is set.
    ///
    /// A barrier alone may complete while a write is still on its way. A read completes only after
    /// earlier writes have arrived.
    fn wait_for_control(&self) -> bool {
        let is_enabled = driver::Hardware::is_enabled(self);
        self.page0.synchronize();
        is_enabled
    }

    /// Returns the counters in use that are not as programmed.
    fn changed(&self, settings: &Events<C>, in_use: u32) -> u32 {
        let page0 = Page0Registers::shared(&self.page0);
        let on = page0.cntenset0_lo().read().cnten().bits();
        let Programming { filter: StreamFilter { span, secure, .. }, smr, filtered, .. } =
            self.programmed;
        let mut changed = in_use & !u32::from(on);
        for (counter, config) in settings.counters.iter().enumerate() {
            let value = page0.evtyper_at(counter).read();
            if config.selection.is_some_and(|selection| value.event().bits() != selection.into()) {
                changed |= 1 << counter;
            }
            let same_filter =
                value.filter_sid_span().bit() == span && value.filter_sec_sid().bit() == secure;
            if counter == 0 && !same_filter {
                changed |= filtered;
            }
        }
        // `None` means that SMR0 did not take the filter at the start.
        if Some(page0.smr0().read().streamid().bits()) != smr {
            changed |= filtered;
        }
        changed
    }

    /// Captures all counters at once, and reads the shadows of those in use.
    ///
    /// Also returns the overflow flags that belong to the captured values.
    pub(crate) fn capture(&mut self, in_use: u32) -> (u32, [Option<u32>; COUNTERS]) {
        let page1 = Page1Registers::shared(&self.page1);
        // If a flag was set during a capture, the capture may be from before or after the overflow.
        // So it is repeated. Flags stay set, so one capture for each flag and one more suffice.
        let (mut flags, mut shadows) = (self.all_flags(), [None; COUNTERS]);
        for _ in 0..=COUNTERS {
            page1.capr().write(|w| w.capture().set_bit());
            shadows = self.captured(in_use);
            let before = core::mem::replace(&mut flags, self.all_flags());
            if before == flags {
                break;
            }
        }
        (flags.into(), shadows)
    }

    /// Reads the shadows of the counters in use.
    pub(crate) fn captured(&self, in_use: u32) -> [Option<u32>; COUNTERS] {
        let page1 = Page1Registers::shared(&self.page1);
        core::array::from_fn(|counter| {
            let shadow = || page1.svr_at(counter).read().shadow_counter_value().bits();
            (in_use >> counter & 1 == 1).then(shadow)
        })
    }

    /// Reads the flags of these counters and clears those that are set.
    ///
    /// Returns the flags that were set, and those that stay set.
    fn take_flags(&self, counters: u32) -> (u32, u32) {
        let up = self.all_flags() & counters as u8;
        if up == 0 {
            return (0, 0);
        }
        Page1Registers::shared(&self.page1).ovsclr0_lo().write(|w| w.ovs().set(up));
        // This read completes after the clear has arrived.
        let left = self.all_flags() & up;
        self.page1.synchronize();
        (up.into(), left.into())
    }

    /// Clears the overflow flags of all counters, used or not.
    pub(crate) fn acknowledge_all(&mut self) {
        Page1Registers::shared(&self.page1).ovsclr0_lo().write(|w| w.ovs().set(ALL_COUNTERS));
        self.all_flags();
        self.page1.synchronize();
    }

    fn all_flags(&self) -> u8 {
        Page1Registers::shared(&self.page1).ovsset0_lo().read().ovs().bits()
    }

    fn value_of(&self, counter: usize) -> u32 {
        Page1Registers::shared(&self.page1).evcntr_at(counter).read().counter_value().bits()
    }
}

/// Whether an event obeys the StreamID filter, and whether it needs Secure observation.
///
/// An event that is not listed is assumed to obey the filter and not to be Secure.
pub(crate) fn obeys_and_is_secure<C: Component>(selection: C::Selection) -> (bool, bool) {
    C::listed(selection).map_or((true, false), |event| (event.filterable(), event.secure_only()))
}

fn with_filter(w: &mut evtyper::W, span: bool, secure: bool) -> &mut evtyper::W {
    w.filter_sid_span().bit(span).filter_sec_sid().bit(secure)
}
