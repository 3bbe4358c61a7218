//! Procedures of the driver: its register accesses, their order, and the reasons.

use core::fmt;
use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Kept, Latched, Programmed, Settings, Stopped,
};
use arm_pmu_core::driver::{Clock, Divider};

use crate::filter::{self, FilterOf};
use crate::registers::{Registers, Space, pmcr, pmxevtyper};
use crate::{Implementation, Mode};

/// The PMU of implementation `P` with `N` event counters on a bus, with its interrupt settings.
pub struct Hardware<P: Implementation, B, M, const N: usize> {
    pub(crate) bus: B,
    /// Counters that assert the interrupt after the next start.
    interrupting: u32,
    /// Filter of all counters after the next start.
    filter: P::Filter,
    /// Filter last programmed.
    programmed_filter: P::Filter,
    of: PhantomData<fn() -> (P, M)>,
}

impl<P: Implementation, B, M, const N: usize> Hardware<P, B, M, N> {
    /// One bit for each event counter and the cycle counter, at its position in the registers.
    pub(crate) const ALL_COUNTERS: u32 = ((1 << N) - 1) | Clock::BIT;

    /// The PMU behind `bus`. No counter asserts the interrupt.
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        let filter = <P::Filter as FilterOf>::ALL;
        Self { bus, interrupting: 0, filter, programmed_filter: filter, of: PhantomData }
    }

    /// Returns the bus.
    #[inline(always)]
    pub const fn bus(&self) -> &B {
        &self.bus
    }

    /// Returns the bus, for access to all registers of the device.
    #[inline(always)]
    pub const fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Returns the bus.
    #[inline(always)]
    pub fn into_bus(self) -> B {
        self.bus
    }

    /// Returns the counters whose overflow asserts the interrupt, from the next start on.
    pub const fn interrupting(&self) -> u32 {
        self.interrupting
    }

    /// Selects the counters whose overflow asserts the interrupt, from the next start on.
    pub const fn interrupt(&mut self, counters: u32) {
        self.interrupting = counters;
    }

    /// Returns the filter of all counters after the next start.
    pub const fn filter(&self) -> P::Filter {
        self.filter
    }

    /// Selects the filter of all counters after the next start.
    pub const fn set_filter(&mut self, filter: P::Filter) {
        self.filter = filter;
    }
}

/// Prints the name without an access to the device.
impl<P: Implementation, B, M, const N: usize> fmt::Debug for Hardware<P, B, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hardware")
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> driver::Hardware<N>
    for Hardware<P, B, M, N>
{
    type Selection = P::Selection;
    type Cycles = Clock;
    type Value = u32;
    const UNROLLED: bool = true;
    type Control = pmcr::R;

    /// Writes the counters while they are disabled, as PMCCNTR requires, and then reads them back.
    /// Counter enables are unknown after a reset.
    #[inline(always)]
    fn program(&mut self, settings: &Settings<P::Selection, N, Clock>) -> Programmed<pmcr::R> {
        self.reprogram(settings, Kept::NOTHING)
    }

    #[inline(always)]
    fn reprogram(
        &mut self,
        settings: &Settings<P::Selection, N, Clock>,
        mut kept: Kept,
    ) -> Programmed<pmcr::R> {
        let registers = Registers::shared(&self.bus);
        let clock = &settings.cycles;
        let (by_64, needs_debug) = (clock.divider == Divider::By64, clock.needs_debug);
        // Read once, because afterwards the driver knows the value from its own writes.
        let before = registers.pmcr().read();
        // Other software may have enabled the PMU.
        if before.e().bit() {
            kept = Kept::NOTHING;
        }
        let is_kept = |counter: usize| kept.settings >> counter & 1 == 1;
        if !kept.enables {
            registers
                .pmcr()
                .modify_from(before, |w| w.e().clear_bit().d().bit(by_64).dp().bit(needs_debug));
            registers.pmcntenclr().write(|w| w.p().set(Self::ALL_COUNTERS).c().clear_bit_by_one());
            registers.pmcntenclr().synchronize();
        }
        self.programmed_filter = self.filter;
        let no_event = pmxevtyper::R::from_bits(self.filter.word());
        let mut in_use = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                self.select(counter);
                let pmxevtyper = registers.pmxevtyper();
                if is_kept(counter) {
                    // The event is not written again; the next stop checks the register.
                } else if P::Filter::EXISTS {
                    pmxevtyper.modify_from(no_event, |w| w.evt_count().set(code(selection)));
                } else {
                    pmxevtyper.write(|w| w.evt_count().set(code(selection)));
                }
                registers.pmxevcntr().write(|w| w.count().set(from));
            }
        }
        let mut rejected = 0;
        if clock.on && P::Filter::EXISTS && !is_kept(Clock::NUMBER) {
            self.select(FILTER_OF_CYCLES);
            registers.pmxevtyper().modify_from(no_event, |w| w);
            if self.changed_selected_filter() != 0 {
                rejected |= Clock::BIT;
            }
        }
        // Read back after all writes, because a write may have changed another counter if other software moved the
        // selector.
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                self.select(counter);
                let other_event =
                    if is_kept(counter) { 0 } else { self.changed_selection(selection) };
                let other_value = registers.pmxevcntr().read().count().bits() ^ from;
                if other_event | other_value | self.moved_selector(counter) != 0 {
                    rejected |= 1 << counter;
                }
            }
        }
        if clock.on {
            in_use |= Clock::BIT;
            registers.pmccntr().write(|w| w.count().set(clock.from));
            if registers.pmccntr().read().count().bits() != clock.from {
                rejected |= Clock::BIT;
            }
        }
        self.write_flags(Self::ALL_COUNTERS);
        if !kept.enables {
            M::set_interrupts(&self.bus, Self::ALL_COUNTERS, self.interrupting & in_use);
            registers.pmcntenset().write(|w| {
                let w = w.p().set(in_use);
                if in_use & Clock::BIT != 0 { w.c().set_bit() } else { w }
            });
        }
        // The settings must take effect before the counters run. Linux also synchronizes before each
        // write of PMCR.
        registers.pmcntenset().synchronize();
        let control = pmcr::R::from_bits(pmcr::W::encode(|w| {
            w.x().bit(before.x().bit()).d().bit(by_64).dp().bit(needs_debug)
        }));
        Programmed { in_use, rejected, control }
    }

    #[inline(always)]
    fn control(&self) -> pmcr::R {
        Registers::shared(&self.bus).pmcr().read()
    }

    #[inline(always)]
    fn enable(&mut self, control: pmcr::R) -> bool {
        let pmcr = Registers::shared(&self.bus).pmcr();
        pmcr.modify_from(control, |w| w.e().set_bit());
        let is_enabled = self.is_enabled();
        pmcr.synchronize();
        is_enabled
    }

    /// All ones is not a valid value of PMCR.
    #[inline(always)]
    fn is_enabled(&self) -> bool {
        let pmcr = self.control();
        pmcr.e().bit() & (pmcr.bits() != u32::MAX)
    }

    #[inline(always)]
    fn disable(&mut self) -> pmcr::R {
        let pmcr = Registers::shared(&self.bus).pmcr();
        pmcr.synchronize();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.e().clear_bit());
        pmcr.synchronize();
        before
    }

    #[inline(always)]
    fn enables(control: pmcr::R) -> bool {
        control.e().bit()
    }

    /// Reads PMCNTENSET and PMCR last: PMCNTENSET is not zero now, and PMCR.E is 0. A device that
    /// started to read as zeros or ones fails one of these checks.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<P::Selection, N, Clock>,
        in_use: u32,
        before: pmcr::R,
        latched: &mut Latched<N, Clock>,
    ) -> Stopped {
        let registers = Registers::shared(&self.bus);
        let mut changed = 0;
        for counter in 0..N {
            if let Some(selection) = settings.counters[counter].selection {
                self.select(counter);
                latched.values[counter] = registers.pmxevcntr().read().count().bits();
                let other_event = self.changed_selection(selection);
                if other_event | self.moved_selector(counter) != 0 {
                    changed |= 1 << counter;
                }
            }
        }
        if in_use & Clock::BIT != 0 {
            latched.cycles = registers.pmccntr().read().count().bits();
            let clock = &settings.cycles;
            let by_64 = clock.divider == Divider::By64;
            if (before.d().bit() != by_64) | (before.dp().bit() != clock.needs_debug) {
                changed |= Clock::BIT;
            }
            if P::Filter::EXISTS && self.changed_filter_of_cycles() != 0 {
                changed |= Clock::BIT;
            }
        }
        let (overflowed, stuck) = self.take_flags(in_use);
        changed |= stuck | in_use & !self.enables_of_counters();
        Stopped { overflowed, changed, is_stopped: !registers.pmcr().read().e().bit() }
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
    fn value(&self, _: usize) -> u32 {
        Registers::shared(&self.bus).pmxevcntr().read().count().bits()
    }

    #[inline(always)]
    fn select(&self, counter: usize) {
        let selector = Registers::shared(&self.bus).pmselr();
        selector.write(|w| w.sel().set(counter as u8));
        // Without this barrier, the next access may still reach another counter.
        selector.synchronize();
    }

    #[inline(always)]
    fn is_undisturbed(&self, counter: usize) -> bool {
        self.moved_selector(counter) == 0
    }

    #[inline(always)]
    fn cycle_flags(&self) -> u32 {
        self.all_flags()
    }

    #[inline(always)]
    fn cycle_value(&self) -> u32 {
        Registers::shared(&self.bus).pmccntr().read().count().bits()
    }

    /// Disables the counter during the write, as PMCCNTR requires. No available document requires this for event
    /// counters. An overflow flag that was set before the write belongs to earlier events, so it is cleared.
    ///
    /// Reads everything back. The enable is written last, so it shows whether all writes arrived.
    fn rearm(
        &mut self,
        _: &Settings<P::Selection, N, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let registers = Registers::shared(&self.bus);
        let bit = if counter == N { Clock::BIT } else { 1 << counter };
        // Whether other software had disabled the counter is checked before the write, because
        // `latch` could not detect it afterwards.
        let mut disturbed = bit & !self.enables_of_counters();
        let held = if counter == N {
            registers.pmcntenclr().write(|w| w.c().clear_bit_by_one());
            registers.pmcntenclr().synchronize();
            registers.pmccntr().write(|w| w.count().set(from));
            self.clear_flags(bit);
            self.cycle_value()
        } else {
            registers.pmcntenclr().write(|w| w.p().set(bit));
            self.select(counter);
            registers.pmxevcntr().write(|w| w.count().set(from));
            self.clear_flags(bit);
            let held = self.value(counter);
            // If the selector was moved, the write changed another, unknown counter.
            if !self.is_undisturbed(counter) {
                disturbed |= in_use & !Clock::BIT;
            }
            held
        };
        disturbed |= bit & self.all_flags();
        if held != from {
            disturbed |= bit;
        }
        registers.pmcntenset().write(|w| match bit {
            Clock::BIT => w.c().set_bit(),
            _ => w.p().set(bit),
        });
        disturbed |= bit & !self.enables_of_counters();
        let is_enabled = self.is_enabled();
        registers.pmcr().synchronize();
        disturbed | if is_enabled { 0 } else { in_use }
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Hardware<P, B, M, N> {
    /// Increments these counters by one.
    ///
    /// The result is unpredictable for a counter that does not count SOFTWARE_INCREMENT.
    pub fn increment(&mut self, counters: u32) {
        Registers::shared(&self.bus).pmswinc().write(|w| w.p().set(counters));
    }

    /// Reads the overflow flags of these counters and clears the set flags.
    ///
    /// Returns the flags that were set, and the flags that could not be cleared.
    #[inline(always)]
    fn take_flags(&self, counters: u32) -> (u32, u32) {
        let up = self.all_flags() & counters;
        if up == 0 {
            return (0, 0);
        }
        self.clear_flags(up);
        (up, up & self.all_flags())
    }

    /// Clears overflow flags, which deasserts the interrupt, and waits until the write has taken
    /// effect.
    #[inline(always)]
    fn clear_flags(&self, counters: u32) {
        self.write_flags(counters);
        Registers::shared(&self.bus).pmovsr().synchronize();
    }

    /// Clears the overflow flags of all counters, used or not.
    pub fn acknowledge_all(&mut self) {
        self.clear_flags(Self::ALL_COUNTERS);
    }

    #[inline(always)]
    fn write_flags(&self, counters: u32) {
        Registers::shared(&self.bus)
            .pmovsr()
            .write(|w| w.p().set(counters).c().bit(counters & Clock::BIT != 0));
    }

    #[inline(always)]
    fn all_flags(&self) -> u32 {
        let flags = Registers::shared(&self.bus).pmovsr().read();
        Self::set(flags.p().bits(), flags.c().bit())
    }

    #[inline(always)]
    fn enables_of_counters(&self) -> u32 {
        let on = Registers::shared(&self.bus).pmcntenset().read();
        Self::set(on.p().bits(), on.c().bit())
    }

    /// Returns 0 if this counter is still selected.
    ///
    /// As in [`changed_selection`](Self::changed_selection), the shift to the top of the word drops
    /// all other bits, so no mask is needed.
    #[inline(always)]
    fn moved_selector(&self, counter: usize) -> u32 {
        u32::from(Registers::shared(&self.bus).pmselr().read().sel().bits() ^ counter as u8) << 27
    }

    /// Returns the bits in which the selected counter's settings differ from this selection; 0 if
    /// they are equal.
    #[inline(always)]
    fn changed_selection(&self, selection: P::Selection) -> u32 {
        let held = Registers::shared(&self.bus).pmxevtyper().read();
        u32::from(held.evt_count().bits() ^ code(selection)) << 24 | self.changed_filter(held)
    }

    /// Returns 0 if this register holds the filter last programmed.
    #[inline(always)]
    fn changed_filter(&self, held: pmxevtyper::R) -> u32 {
        match P::Filter::EXISTS {
            true => (held.bits() ^ self.programmed_filter.word()) & filter::MASK,
            false => 0,
        }
    }

    /// Returns 0 if the cycle counter has the filter last programmed. With a filter, this call moves the
    /// selector.
    #[inline(always)]
    fn changed_filter_of_cycles(&self) -> u32 {
        if !P::Filter::EXISTS {
            return 0;
        }
        driver::Hardware::select(self, FILTER_OF_CYCLES);
        self.changed_selected_filter()
    }

    /// Returns 0 if PMSELR still selects the filter of the cycle counter, and this filter has its
    /// last programmed value.
    #[inline(always)]
    fn changed_selected_filter(&self) -> u32 {
        let held = Registers::shared(&self.bus).pmxevtyper().read();
        self.changed_filter(held) | self.moved_selector(FILTER_OF_CYCLES)
    }

    /// Permits or forbids access in User mode immediately.
    pub fn user_access(&mut self, open: bool) {
        Registers::shared(&self.bus).pmuserenr().write(|w| w.en().bit(open));
        self.bus.synchronize();
    }

    /// Returns a set of counters as a word, limited to the existing counters.
    #[inline(always)]
    fn set(events: u32, cycles: bool) -> u32 {
        (events | u32::from(cycles) << Clock::NUMBER) & Self::ALL_COUNTERS
    }
}

/// PMSELR value that makes PMXEVTYPER the filter of the cycle counter.
pub(crate) const FILTER_OF_CYCLES: usize = 31;

/// Returns the event code of a selection.
#[inline(always)]
fn code(selection: impl Into<u16>) -> u8 {
    selection.into() as u8
}

/// Number of register accesses between the first and last value in a read of `counters` event
/// counters and the cycle counter.
///
/// See [`Driver::read`](driver::Driver::read).
#[must_use]
pub const fn skew(counters: u32) -> u32 {
    // Each event counter takes five accesses: selection, flags, value, flags, selection. Access 3 therefore reads the
    // first value. The cycle counter is read after its flag.
    5 * counters + 2 - 3
}
