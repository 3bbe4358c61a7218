//! The procedures: what is written and read, in which order, and why.

use arm_pmu_core::{Bus, Count};

use crate::pmu::Pmu;
use crate::registers::{CounterBlock, Registers, Space, pmcr};
use crate::revision::Revision;
use crate::running::Overflows;
use crate::{COUNTERS, Divider};

impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Starts counting.
    ///
    /// Counters are written while nothing counts, as Linux does, and read back. So the resets are not
    /// needed, but for the phase of the divider, which CCR may set to 0: that is not documented. CEN
    /// releases all counters together.
    pub(crate) fn begin(&mut self) {
        self.ledger.begin();
        self.programmed_needs_niden = self.needs_niden;
        let (divider, needs_niden) = (self.ledger.divider(), self.needs_niden);
        let registers = Registers::of(&self.bus);
        registers.pmcr().modify(|_, w| {
            let w = w.cen().clear_bit().ccr().set_bit();
            w.ccd().bit(divider == Divider::By64).dp().bit(needs_niden)
        });
        let mut wrong = 0;
        for (number, (slot, block)) in
            self.ledger.events.wanted().iter().zip(&registers.counters()).enumerate()
        {
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
            if let Some(selection) = slot.selection {
                select::<R, B>(block, selection);
                block.event_count().write(|w| w.count().set(slot.from));
                if value(block) != slot.from {
                    wrong |= 1 << number;
                }
            }
            // Flags of counters not in use too: each holds an interrupt.
            clear_flag(block);
        }
        let [slot] = *self.ledger.clock.wanted();
        let mut cycles_wrong = false;
        registers.cycle_count_control().write(|w| w.enable().bit(slot.selection.is_some()));
        if slot.selection.is_some() {
            registers.cycle_count().write(|w| w.count().set(slot.from));
            cycles_wrong = registers.cycle_count().read().count().bits() != slot.from;
        }
        registers.cycle_overflow_status().write(|w| w.flag().clear_bit_by_one());
        self.ledger.add_loss(wrong, cycles_wrong, false);
        self.enable();
    }

    /// Lets the counters run, and waits until they do.
    pub(crate) fn enable(&mut self) {
        Registers::of(&self.bus).pmcr().modify(|_, w| w.cen().set_bit());
        let enabled = self.wait_for_writes().cen().bit();
        self.ledger.add_loss(0, false, !enabled);
    }

    /// Waits until all writes have reached the device, and gives PMCR as it is then.
    ///
    /// A barrier alone may end when a write is on its way; a read comes back after it arrived.
    fn wait_for_writes(&self) -> pmcr::R {
        let pmcr = Registers::of(&self.bus).pmcr().read();
        self.bus.synchronize();
        pmcr
    }

    /// Stops counting, finds out whether anybody interfered, and takes the counts.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let mut before = pmcr::R::from_bits(0);
        registers.pmcr().modify(|r, w| {
            before = r;
            w.cen().clear_bit()
        });
        self.bus.synchronize();
        let mut changed = 0;
        let values = self.each_in_use(|number, selection, block| {
            if !counts::<R, B>(block, selection) {
                changed |= 1 << number;
            }
            value(block)
        });
        let (divider, needs_niden) = (self.ledger.divider(), self.programmed_needs_niden);
        let cycles =
            self.ledger.counts_cycles().then(|| registers.cycle_count().read().count().bits());
        let clock_changed = self.ledger.counts_cycles()
            && !(registers.cycle_count_control().read().enable().bit()
                && before.ccd().bit() == (divider == Divider::By64)
                && before.dp().bit() == needs_niden);
        // Whoever handles the interrupt finds it gone, and no flag, after this.
        self.acknowledge();
        let off = !before.cen().bit();
        self.ledger.add_loss(changed, clock_changed, off);
        let fault = self.bus.fault().is_some();
        self.ledger.settle(values, cycles, fault);
    }

    /// What the event counters hold while they count.
    pub(crate) fn running_events(&self) -> [Count; COUNTERS] {
        let enabled = self.enabled();
        let fault = || self.bus.fault().is_some();
        let counts = self.each_in_use(|number, _, block| {
            self.ledger.events.snapshot(number, enabled, || flag(block), || value(block), fault)
        });
        counts.map(|count| count.unwrap_or(Count::NOTHING))
    }

    /// What the cycle counter holds while it counts.
    pub(crate) fn running_cycles(&self) -> Count {
        if !self.ledger.counts_cycles() {
            return Count::NOTHING;
        }
        let registers = Registers::of(&self.bus);
        let flag = || registers.cycle_overflow_status().read().flag().bit();
        let value = || registers.cycle_count().read().count().bits();
        self.ledger.clock.snapshot(0, self.enabled(), flag, value, || self.bus.fault().is_some())
    }

    /// Without CEN, or without access, nothing counts.
    fn enabled(&self) -> bool {
        Registers::of(&self.bus).pmcr().read().cen().bit()
    }

    /// Reads and clears the overflow flags, and waits until the interrupts are gone.
    pub(crate) fn acknowledge(&mut self) -> Overflows {
        let overflows = self.take_flags();
        self.wait_for_writes();
        overflows
    }

    /// Reads the flags of the counters in use, clears those that are up, and remembers them.
    fn take_flags(&mut self) -> Overflows {
        let flags = self.each_in_use(|_, _, block| {
            let up = flag(block);
            if up {
                clear_flag(block);
            }
            up
        });
        let mut overflows = Overflows::NONE;
        overflows.counters = flags.map(|up| up.unwrap_or(false));
        let status = Registers::of(&self.bus).cycle_overflow_status();
        if self.ledger.counts_cycles() && status.read().flag().bit() {
            status.write(|w| w.flag().clear_bit_by_one());
            overflows.cycles = true;
        }
        self.ledger.add_overflows(overflows);
        overflows
    }

    /// Lets one counter count from another value on, while it counts.
    ///
    /// A count may be written at any time.
    pub(crate) fn restart(&mut self, number: usize, from: u32) {
        if self.ledger.events.restart(number, from)
            && let Some(block) = Registers::of(&self.bus).counters().get(number)
        {
            block.event_count().write(|w| w.count().set(from));
        }
        if number == COUNTERS && self.ledger.clock.restart(0, from) {
            Registers::of(&self.bus).cycle_count().write(|w| w.count().set(from));
        }
        self.wait_for_writes();
    }

    /// Does something with each counter that the device was told to use: number, selection,
    /// registers. The ledger gives numbers of counters, so no index is out of range.
    fn each_in_use<T>(
        &self,
        mut work: impl FnMut(usize, R::Selection, &CounterBlock<'_, B>) -> T,
    ) -> [Option<T>; COUNTERS] {
        let blocks = Registers::of(&self.bus).counters();
        self.ledger.events.each_in_use(|number, selection| work(number, selection, &blocks[number]))
    }
}

/// What is written to a stopped PMU.
impl<R: Revision, B: Bus<Space = Space>> Pmu<R, B> {
    /// Clears the overflow flags of all counters, and with them the interrupts, whoever left them: for
    /// a handler that is called while nothing counts.
    ///
    /// `start` and [`stop`](crate::Running::stop) do so too.
    pub fn acknowledge_all(&mut self) {
        let registers = Registers::of(&self.bus);
        for block in &registers.counters() {
            clear_flag(block);
        }
        registers.cycle_overflow_status().write(|w| w.flag().clear_bit_by_one());
        self.wait_for_writes();
    }
}

fn select<R: Revision, B: Bus<Space = Space>>(
    block: &CounterBlock<'_, B>,
    selection: R::Selection,
) {
    let (source, code) = R::source_and_code(selection);
    block.event_select().write(|w| w.source().set(source).event().set(code));
}

/// Whether the counter is on and counts this.
fn counts<R: Revision, B: Bus<Space = Space>>(
    block: &CounterBlock<'_, B>,
    selection: R::Selection,
) -> bool {
    let select = block.event_select().read();
    let selected = (select.source().bits(), select.event().bits());
    block.count_control().read().enable().bit() && selected == R::source_and_code(selection)
}

fn value<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> u32 {
    block.event_count().read().count().bits()
}

fn flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) -> bool {
    block.overflow_status().read().flag().bit()
}

fn clear_flag<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>) {
    block.overflow_status().write(|w| w.flag().clear_bit_by_one());
}
