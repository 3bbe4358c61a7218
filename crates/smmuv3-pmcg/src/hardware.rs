//! Procedures of the driver: its register accesses, their order, and why.
//!
//! Write buffers can differ between the pages. Only a read from the same page shows that a write to
//! that page has arrived.

use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};
use arm_pmu_core::event::Event;

use crate::implementation::EventType;
use crate::{Implementation, StreamFilter};

/// Settings of the event counters; each counter can count cycles.
type Events<I, const N: usize> = Settings<<I as Implementation>::Selection, N, ()>;

/// Returns a word with a bit for each of the first `n` counters, up to 32.
#[must_use]
pub const fn counters(n: usize) -> u32 {
    if n == 0 { 0 } else { u32::MAX >> (32 - n) }
}

/// A unit's PMU: the buses to its two pages, and its settings.
///
/// The driver uses the first `N` counters. StreamIDs have `BITS` bits.
#[derive(Debug)]
pub struct Hardware<I, P0, P1, const N: usize, const BITS: u32> {
    /// Bus to page 0.
    pub page0: P0,
    /// Bus to page 1.
    pub page1: P1,
    /// Streams that are counted after the next start.
    pub filter: StreamFilter<BITS>,
    /// Counters that raise the interrupt after the next start, one bit each.
    pub interrupts: u32,
    /// Counters whose overflow captures all counters after the next start, one bit each.
    pub captures: u32,
    programmed: Programming<BITS>,
    implementation: PhantomData<I>,
}

/// Values that the last start programmed in addition to the settings of the counters.
#[derive(Clone, Copy, Debug)]
struct Programming<const BITS: u32> {
    filter: StreamFilter<BITS>,
    /// Value of SMR0 after the last start, or `None` if SMR0 did not accept the filter.
    smr: Option<u32>,
    /// Counters that obey the filter.
    filtered: u32,
    /// Counters that need Secure observation.
    observed: u32,
}

/// CR.E as read before and after the driver cleared it.
#[derive(Clone, Copy, Debug)]
pub struct Enable {
    before: bool,
    after: bool,
}

impl<I, P0, P1, const N: usize, const BITS: u32> Hardware<I, P0, P1, N, BITS> {
    /// Creates the PMU on these buses, for all streams, without interrupt and capture.
    #[must_use]
    #[inline(always)]
    pub const fn new(page0: P0, page1: P1) -> Self {
        const { assert!(2 <= N && N <= 31, "a driver uses from 2 to 31 counters") }
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
            implementation: PhantomData,
        }
    }
}

impl<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
> driver::Hardware<N> for Hardware<I, P0, P1, N, BITS>
{
    type Selection = I::Selection;
    type Cycles = ();
    type Value = u32;
    type Control = Enable;

    /// Programs everything while CR.E is 0, so that CR.E enables all counters together.
    #[inline(always)]
    fn program(&mut self, settings: &Events<I, N>) -> Programmed<Enable> {
        let all = self.all_counters();
        I::enable(&self.page0, false);
        I::disable_counters(&self.page0, all);
        I::disable_interrupts(&self.page0, all);
        let in_use = self.select_events(settings);
        // The counters are off now, because the reads in `select_events` completed after the writes
        // above.
        let rejected = self.preset(settings, in_use, all);
        I::enable_counters(&self.page0, in_use);
        I::enable_interrupts(&self.page0, in_use & self.interrupts);
        // The unit may have rejected some of the written values.
        let rejected = rejected | self.changed(settings, in_use) | self.not_observed();
        Programmed { in_use, rejected, control: self.control() }
    }

    #[inline(always)]
    fn control(&self) -> Enable {
        Enable { before: false, after: false }
    }

    #[inline(always)]
    fn enable(&mut self, _: Enable) -> bool {
        I::enable(&self.page0, true);
        self.wait_for_control()
    }

    /// The other bits of CR are zero (IHI 0070), so all ones is not a valid value of CR.
    #[inline(always)]
    fn is_enabled(&self) -> bool {
        I::control(&self.page0) == 1
    }

    #[inline(always)]
    fn disable(&mut self) -> Enable {
        self.page0.synchronize();
        let before = self.is_enabled();
        I::enable(&self.page0, false);
        Enable { before, after: self.wait_for_control() }
    }

    #[inline(always)]
    fn enables(control: Enable) -> bool {
        control.before
    }

    /// Compares the settings after values and flags were read. CNTENSET0 is compared last. If the
    /// unit had stopped answering, CNTENSET0 would be zero or all ones. Page 1 cannot show this,
    /// because all its registers may be zero.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Events<I, N>,
        in_use: u32,
        Enable { after: still_enabled, .. }: Enable,
        latched: &mut Latched<N, ()>,
    ) -> Stopped {
        for counter in 0..N {
            if settings.counters[counter].selection.is_some() {
                latched.values[counter] = self.value_of(counter);
            }
        }
        let (overflowed, stuck) = self.take_flags(in_use);
        let mut changed = stuck | self.not_observed() | self.changed(settings, in_use);
        if still_enabled {
            // The counters were running while they were read.
            changed |= in_use;
        }
        Stopped { overflowed, changed, is_stopped: true }
    }

    /// A flag that cannot be cleared would look like a new overflow at every call, so its counter
    /// is disturbed.
    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let (overflowed, disturbed) = self.take_flags(in_use);
        Acknowledged { overflowed, disturbed, is_enabled: true }
    }

    #[inline(always)]
    fn flags(&self, _: usize) -> u32 {
        self.all_flags()
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u32 {
        self.value_of(counter)
    }

    /// A count may be written at any time. The driver first writes zero, so that the counter does not overflow soon. A
    /// set flag then belongs to earlier events. A flag set after the last write belongs to the new budget if the
    /// counter has wrapped; otherwise the counter is disturbed.
    ///
    /// Then the driver writes a test value, and last the start value. The counter continues to count, so a value read
    /// back may be up to 2^30 events above the written value. The test value is far from the start value and from an
    /// overflow, so a counter that ignores writes fails one of the two checks.
    fn rearm(&mut self, _: &Events<I, N>, in_use: u32, counter: usize, from: u32) -> u32 {
        let bit = 1 << counter;
        I::set_value(&self.page1, counter, 0);
        let (_, mut disturbed) = self.take_flags(bit);
        let other = from.wrapping_add(1 << 31) & !(1 << 30);
        I::set_value(&self.page1, counter, other);
        let took_other = self.value_of(counter).wrapping_sub(other) < 1 << 30;
        I::set_value(&self.page1, counter, from);
        let has_wrapped = self.all_flags() & bit != 0;
        let held = self.value_of(counter);
        self.page1.synchronize();
        if !took_other | (held.wrapping_sub(from) >= 1 << 30) | (has_wrapped & (held >= from)) {
            disturbed |= bit;
        }
        disturbed | if self.wait_for_control() { 0 } else { in_use }
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.page0.error().or(self.page1.error())
    }
}

impl<
    I: Implementation,
    P0: Bus<Space = I::Page0>,
    P1: Bus<Space = I::Page1>,
    const N: usize,
    const BITS: u32,
> Hardware<I, P0, P1, N, BITS>
{
    /// Returns a word with one bit for each counter of the device.
    #[inline(always)]
    pub(crate) fn all_counters(&self) -> u32 {
        if I::VARIABLE_COUNTERS == 0 {
            return counters(N);
        }
        // NCTR can have any value if the device does not answer.
        let last = usize::from(I::last_counter(&self.page0));
        counters(if last < 32 { last + 1 } else { 32 }) | counters(N)
    }

    /// Writes the event and the filter of each counter. Returns the counters in use.
    #[inline(always)]
    fn select_events(&mut self, settings: &Events<I, N>) -> u32 {
        let filter @ StreamFilter { span, secure, .. } = self.filter;
        let smr = self.match_streams(filter);
        let (mut in_use, mut filtered, mut observed) = (0, 0, 0);
        for (counter, config) in settings.counters.iter().enumerate() {
            let mut code = 0;
            if let Some(selection) = config.selection {
                let bit = 1 << counter;
                in_use |= bit;
                code = selection.into();
                let (is_filtered, is_secure) = obeys_and_is_secure::<I>(selection);
                if is_filtered {
                    filtered |= bit;
                }
                if is_secure {
                    observed |= bit;
                }
            }
            // The register of counter 0 contains the filter of all counters, even if counter 0 is
            // off.
            let value = EventType {
                event: code,
                capture: self.captures >> counter & 1 == 1,
                span: counter == 0 && span,
                secure: counter == 0 && secure,
            };
            I::set_event_type(&self.page0, counter, value);
        }
        if secure {
            observed |= filtered;
        }
        self.programmed = Programming { filter, smr, filtered, observed };
        in_use
    }

    /// Writes SMR0. Returns the new value of SMR0; `None` if this value selects other streams.
    ///
    /// A PMU may implement fewer bits than StreamIDs have. The codes for all streams, and for all
    /// streams of one security state, depend on the number of implemented bits.
    pub(crate) fn match_streams(&self, filter: StreamFilter<BITS>) -> Option<u32> {
        let set = |wanted: u32| {
            I::set_streams(&self.page0, wanted);
            I::streams(&self.page0)
        };
        let StreamFilter { stream_id: wanted, .. } = filter;
        if !filter.is_from_zero() {
            return Some(wanted).filter(|wanted| set(*wanted) == *wanted);
        }
        // After a write of ones, exactly the implemented bits read as ones, from bit 0 without gaps. Any other value
        // is not the result of this write.
        let there = set(StreamFilter::<BITS>::ALL.stream_id);
        if there == 0 || there & there.wrapping_add(1) != 0 {
            return None;
        }
        if filter == StreamFilter::ALL {
            return Some(there);
        }
        // The longest span has all bits set except the top bit. If the top bit were also set, the
        // code would mean both security states.
        let code = wanted.min(there >> 1);
        Some(code).filter(|code| set(*code) == *code)
    }

    /// Writes the start values, and clears all flags. Returns the counters that did not accept
    /// their values.
    ///
    /// Each counter must hold two values, one after the other. One value is not enough, because a
    /// start value of 0 reads back as 0 even if the bus leads to page 0 by mistake.
    fn preset(&self, settings: &Events<I, N>, in_use: u32, all: u32) -> u32 {
        let mut rejected = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(_), from, .. } = *config {
                let takes = |value| {
                    I::set_value(&self.page1, counter, value);
                    I::value(&self.page1, counter) == value
                };
                if !(takes(!from) & takes(from)) {
                    rejected |= 1 << counter;
                }
            }
        }
        I::clear_flags(&self.page1, all);
        // This read completes after the flags are clear and before counting starts.
        let left = self.all_flags();
        rejected | left & in_use
    }

    /// Returns the counters of Secure events or Secure streams if Secure observation reads as off.
    fn not_observed(&self) -> u32 {
        let need = self.programmed.observed;
        // Without such counters, the driver does not read SCR, which may be inaccessible.
        let unobserved = need != 0 && self.secure_observation() == Some(false);
        if unobserved { need } else { 0 }
    }

    /// Returns whether Secure observation is on; `None` if SCR cannot be read.
    #[must_use]
    pub fn secure_observation(&self) -> Option<bool> {
        I::secure_observation(&self.page0)
    }

    /// Waits until all writes to page 0 have arrived. Returns whether CR.E is set.
    ///
    /// A barrier alone may complete before a write has arrived. A read completes only after earlier
    /// writes have arrived.
    fn wait_for_control(&self) -> bool {
        let is_enabled = driver::Hardware::is_enabled(self);
        self.page0.synchronize();
        is_enabled
    }

    /// Returns the counters in use whose settings differ from the programmed settings.
    ///
    /// Reads CNTENSET0 last because, unlike an event or SMR0, it is never zero or all ones.
    fn changed(&self, settings: &Events<I, N>, in_use: u32) -> u32 {
        let Programming { filter: StreamFilter { span, secure, .. }, smr, filtered, .. } =
            self.programmed;
        let mut changed = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            let (value, _) = I::event_type(&self.page0, counter);
            if config.selection.is_some_and(|selection| value.event != selection.into()) {
                changed |= 1 << counter;
            }
            let same_filter = value.span == span && value.secure == secure;
            if counter == 0 && !same_filter {
                changed |= filtered;
            }
        }
        // `None` means that SMR0 did not accept the filter at the start.
        if Some(I::streams(&self.page0)) != smr {
            changed |= filtered;
        }
        match I::enabled_counters(&self.page0) {
            u32::MAX => in_use,
            on => changed | in_use & !on,
        }
    }

    /// Captures all counters at once, and reads the shadows of the counters in use.
    ///
    /// Also returns the overflow flags that belong to the captured values.
    pub fn capture(&mut self, in_use: u32) -> (u32, [Option<u32>; N]) {
        // If a flag was set during a capture, the capture may be from before or after the overflow.
        // Therefore the capture is repeated. Flags stay set, so one capture for each flag and one
        // more are enough.
        let (mut flags, mut shadows) = (self.all_flags(), [None; N]);
        for _ in 0..=N {
            I::capture(&self.page1);
            shadows = self.captured(in_use);
            let before = core::mem::replace(&mut flags, self.all_flags());
            if before == flags {
                break;
            }
        }
        (flags, shadows)
    }

    /// Reads the shadows of the counters in use.
    #[must_use]
    pub fn captured(&self, in_use: u32) -> [Option<u32>; N] {
        core::array::from_fn(|counter| {
            let shadow = || I::shadow(&self.page1, counter);
            (in_use >> counter & 1 == 1).then(shadow)
        })
    }

    /// Reads the overflow flags of these counters and clears the set flags.
    ///
    /// Returns the flags that were set, and the flags that could not be cleared.
    fn take_flags(&self, counters: u32) -> (u32, u32) {
        let up = self.all_flags() & counters;
        if up == 0 {
            return (0, 0);
        }
        I::clear_flags(&self.page1, up);
        // This read completes after the clear has arrived.
        let left = self.all_flags() & up;
        self.page1.synchronize();
        (up, left)
    }

    /// Returns whether the filter is active, but does not apply to the event of this selection.
    #[must_use]
    pub fn is_unfiltered(&self, selection: Option<I::Selection>) -> bool {
        self.filter != StreamFilter::ALL
            && selection.is_some_and(|selection| !obeys_and_is_secure::<I>(selection).0)
    }

    /// Clears the overflow flags of all counters, used or not.
    pub fn acknowledge_all(&mut self) {
        I::clear_flags(&self.page1, self.all_counters());
        self.all_flags();
        self.page1.synchronize();
    }

    fn all_flags(&self) -> u32 {
        I::flags(&self.page1) & counters(N)
    }

    fn value_of(&self, counter: usize) -> u32 {
        I::value(&self.page1, counter)
    }
}

/// Returns whether an event obeys the StreamID filter, and whether it needs Secure observation.
///
/// An unlisted event is assumed to obey the filter and not to be Secure.
pub(crate) fn obeys_and_is_secure<I: Implementation>(selection: I::Selection) -> (bool, bool) {
    I::listed(selection).map_or((true, false), |event| (event.filterable(), event.secure_only()))
}
