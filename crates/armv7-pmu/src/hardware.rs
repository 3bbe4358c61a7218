//! The procedures of the driver: register accesses, their order, and the reasons.

use core::marker::PhantomData;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, CounterConfig, Latched, Programmed, Settings, Stopped,
};
use arm_pmu_core::driver::{Clock, Divider};

use crate::events::COUNTERS;
use crate::registers::{Registers, pmcr};
use crate::{Mode, Selection, Space};

/// The event counters and the cycle counter, with the bits that they have in the registers.
pub(crate) const ALL_COUNTERS: u32 = ((1 << COUNTERS) - 1) | Clock::BIT;

/// The PMU behind a bus, with its interrupt settings.
pub(crate) struct Hardware<B, M> {
    pub(crate) bus: B,
    /// Counters that assert the interrupt from the next start on.
    pub(crate) interrupting: u32,
    mode: PhantomData<M>,
}

impl<B, M> Hardware<B, M> {
    #[inline(always)]
    pub(crate) const fn new(bus: B) -> Self {
        Self { bus, interrupting: 0, mode: PhantomData }
    }
}

impl<B: Bus<Space = Space>, M: Mode> driver::Hardware<COUNTERS> for Hardware<B, M> {
    type Selection = Selection;
    type Cycles = Clock;
    type Control = pmcr::R;

    /// Writes the counters while they are disabled, as PMCCNTR requires, and then reads them back.
    /// The enables are unknown after a reset.
    #[inline(always)]
    fn program(&mut self, settings: &Settings<Selection, COUNTERS, Clock>) -> Programmed<pmcr::R> {
        let registers = Registers::shared(&self.bus);
        let clock = &settings.cycles;
        let (by_64, needs_debug) = (clock.divider == Divider::By64, clock.needs_debug);
        // Read once: from here on, the driver knows what it wrote.
        let before = registers.pmcr().read();
        registers
            .pmcr()
            .modify_from(before, |w| w.e().clear_bit().d().bit(by_64).dp().bit(needs_debug));
        registers.pmcntenclr().write(|w| w.p().set(ALL_COUNTERS as u8).c().clear_bit_by_one());
        registers.pmcntenclr().synchronize();
        let mut in_use = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                in_use |= 1 << counter;
                self.select(counter);
                registers.pmxevtyper().write(|w| w.evt_count().set(selection.code()));
                registers.pmxevcntr().write(|w| w.count().set(from));
            }
        }
        // Read back in a second loop: if other software moved the selector during the first, a
        // write may have changed a counter that was already right.
        let mut rejected = 0;
        for (counter, config) in settings.counters.iter().enumerate() {
            if let CounterConfig { selection: Some(selection), from, .. } = *config {
                self.select(counter);
                let other_event = self.changed_selection(selection);
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
        self.write_flags(ALL_COUNTERS);
        M::set_interrupts(&self.bus, self.interrupting & in_use);
        registers.pmcntenset().write(|w| {
            let w = w.p().set(in_use as u8);
            if in_use & Clock::BIT != 0 { w.c().set_bit() } else { w }
        });
        // The settings take effect before the counters run. Linux does this before each write of
        // PMCR.
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

    /// A register that reads as ones is not PMCR.
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

    /// Reads PMCNTENSET, which has ones, and PMCR, whose E is 0 now, last. If the registers had
    /// begun to read as zeros or ones before, they would differ from that.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<Selection, COUNTERS, Clock>,
        in_use: u32,
        before: pmcr::R,
        latched: &mut Latched<COUNTERS, Clock>,
    ) -> Stopped {
        let registers = Registers::shared(&self.bus);
        let mut changed = 0;
        for counter in 0..COUNTERS {
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
        }
        let (overflowed, stuck) = self.take_flags(in_use);
        changed |= stuck | in_use & !self.enables_of_counters();
        Stopped { overflowed, changed, is_stopped: !registers.pmcr().read().e().bit() }
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
        // Without this, the next access may still reach another counter.
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

    /// Disables the counter while it writes it. PMCCNTR requires that. For event counters, no
    /// document at hand says it. A flag that was set before belongs to the events before, and is
    /// cleared.
    fn rearm(
        &mut self,
        _: &Settings<Selection, COUNTERS, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let registers = Registers::shared(&self.bus);
        let bit = if counter == COUNTERS { Clock::BIT } else { 1 << counter };
        // Checked before the write: after it, `latch` could not see that other software disabled
        // the counter.
        let mut disturbed = bit & !self.enables_of_counters();
        if counter == COUNTERS {
            registers.pmcntenclr().write(|w| w.c().clear_bit_by_one());
            registers.pmcntenclr().synchronize();
            registers.pmccntr().write(|w| w.count().set(from));
            self.write_flags(bit);
            registers.pmcntenset().write(|w| w.c().set_bit());
        } else {
            registers.pmcntenclr().write(|w| w.p().set(bit as u8));
            self.select(counter);
            registers.pmxevcntr().write(|w| w.count().set(from));
            self.write_flags(bit);
            // If the selector was moved, the write changed another counter, which one is not known.
            if !self.is_undisturbed(counter) {
                disturbed |= in_use & !Clock::BIT;
            }
            registers.pmcntenset().write(|w| w.p().set(bit as u8));
        }
        let is_enabled = self.is_enabled();
        registers.pmcr().synchronize();
        disturbed | if is_enabled { 0 } else { in_use }
    }

    /// One by one: each index selects a counter by an instruction of its own.
    #[inline(always)]
    fn walk(mut visit: impl FnMut(usize)) {
        visit(0);
        visit(1);
        visit(2);
        visit(3);
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<B: Bus<Space = Space>, M: Mode> Hardware<B, M> {
    /// Adds one to these counters.
    ///
    /// The result is unpredictable for a counter that does not count SOFTWARE_INCREMENT.
    pub(crate) fn increment(&mut self, counters: u8) {
        Registers::shared(&self.bus).pmswinc().write(|w| w.p().set(counters));
    }

    /// Reads the flags of these counters and clears those that are set.
    ///
    /// Returns the flags that were set, and those that stay set.
    #[inline(always)]
    fn take_flags(&self, counters: u32) -> (u32, u32) {
        let up = self.all_flags() & counters;
        if up == 0 {
            return (0, 0);
        }
        self.clear_flags(up);
        (up, up & self.all_flags())
    }

    /// Clears overflow flags, and with them the interrupt, and waits until that has taken effect.
    #[inline(always)]
    fn clear_flags(&self, counters: u32) {
        self.write_flags(counters);
        Registers::shared(&self.bus).pmovsr().synchronize();
    }

    /// Clears the overflow flags of all counters, used or not.
    pub(crate) fn acknowledge_all(&mut self) {
        self.clear_flags(ALL_COUNTERS);
    }

    #[inline(always)]
    fn write_flags(&self, counters: u32) {
        Registers::shared(&self.bus).pmovsr().write(|w| {
            let w = w.p().set(counters as u8);
            if counters & Clock::BIT != 0 { w.c().clear_bit_by_one() } else { w }
        });
    }

    #[inline(always)]
    fn all_flags(&self) -> u32 {
        let flags = Registers::shared(&self.bus).pmovsr().read();
        set(flags.p().bits(), flags.c().bit())
    }

    #[inline(always)]
    fn enables_of_counters(&self) -> u32 {
        let on = Registers::shared(&self.bus).pmcntenset().read();
        set(on.p().bits(), on.c().bit())
    }

    /// Returns 0 if this counter is still selected.
    ///
    /// As in [`changed_selection`](Self::changed_selection), the field is at the top of the word,
    /// so that the bits beside it need no mask.
    #[inline(always)]
    fn moved_selector(&self, counter: usize) -> u32 {
        u32::from(Registers::shared(&self.bus).pmselr().read().sel().bits() ^ counter as u8) << 27
    }

    /// Returns 0 if the selected counter counts this selection.
    #[inline(always)]
    fn changed_selection(&self, selection: Selection) -> u32 {
        u32::from(
            Registers::shared(&self.bus).pmxevtyper().read().evt_count().bits() ^ selection.code(),
        ) << 24
    }
}

/// Returns a set of counters as a word.
#[inline(always)]
fn set(events: u8, cycles: bool) -> u32 {
    u32::from(events) | u32::from(cycles) << Clock::NUMBER
}
