//! The driver while it does not count, and the procedures that start and stop it.

use core::fmt;

use arm_pmu_core::{Bus, Count, Inexact, Lost};

use crate::registers::{CounterBlock, Registers, Space};
use crate::{COUNTERS, Counter, Running, Selection};

/// The performance monitoring unit of one CCI-550, stopped.
///
/// Choose what to count with [`counters`](Self::counters), [`start`](Self::start), let the work be
/// done, [`stop`](Running::stop), and read [`counts`](Self::counts).
///
/// Nothing is written to the device before `start`, which writes everything it relies on: it does
/// not matter what firmware or an earlier owner left behind.
pub struct Pmu<B> {
    bus: B,
    slots: [Slot; COUNTERS],
    /// Counters whose overflow was acknowledged since the start: their flags do not tell any more.
    acknowledged: u8,
    lost: Option<Lost>,
}

/// What one counter is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) selection: Option<Selection>,
    /// Where it starts.
    pub(crate) from: u32,
}

impl Slot {
    pub(crate) const OFF: Self = Self { selection: None, from: 0 };
}

/// An event id that nothing signals: master interface 0 has no code 0x1F. A counter that counts it
/// is clocked and stands still.
const STANDSTILL: Selection = Selection::raw(0x11F).expect("9 bits");

impl<B: Bus<Space = Space>> Pmu<B> {
    /// Takes over the PMU behind `bus`, trusting that it is one: see [`probe`](Self::probe).
    #[must_use]
    pub const fn new(bus: B) -> Self {
        Self { bus, slots: [Slot::OFF; COUNTERS], acknowledged: 0, lost: None }
    }

    /// All eight counters, to say what each counts.
    ///
    /// A counter that is not told otherwise counts what it counted before; at first, nothing.
    ///
    /// ```
    /// use cci550::{MasterEvent, MI0, Pmu, SI3, SlaveEvent};
    /// # let device = arm_pmu_sim::Cci550::new();
    /// # let bus = device.bus();
    /// let mut pmu = Pmu::new(bus);
    /// let [reads, beats, ..] = pmu.counters();
    /// reads.count(SI3.event(SlaveEvent::ReadRequestAny));
    /// beats.count(MI0.event(MasterEvent::ReadDataBeat));
    /// ```
    pub fn counters(&mut self) -> [Counter<'_>; COUNTERS] {
        self.slots.each_mut().map(Counter::new)
    }

    /// Counts from zero, or from where [`Counter::count_from`] said.
    ///
    /// All counters start in the same clock cycle, and the measured code does not begin before.
    pub fn start(mut self) -> Running<B> {
        self.begin();
        Running::new(self)
    }

    /// Goes on counting from where the counters stand.
    ///
    /// What was [lost](Self::lost) or overflowed before stays so.
    pub fn resume(self) -> Running<B> {
        Registers::of(&self.bus).pmcr().modify(|_, w| w.cen().set_bit());
        self.bus.synchronize();
        Running::new(self)
    }

    /// What the counters hold, one for one with [`counters`](Self::counters).
    ///
    /// Of a counter that counts nothing, 0.
    pub fn counts(&mut self) -> [Count; COUNTERS] {
        core::array::from_fn(|number| self.stopped_count(number))
    }

    /// What somebody else changed since the last [`start`](Self::start), if they did. The counts concerned are
    /// [`Inexact::Lost`].
    #[must_use]
    pub const fn lost(&self) -> Option<Lost> {
        self.lost
    }

    /// All registers of the device.
    ///
    /// Nothing that is done there breaks memory safety, but counts may come out wrong.
    pub fn registers(&mut self) -> Registers<'_, B> {
        Registers::new(&mut self.bus)
    }

    /// Gives the bus back. The PMU stays stopped.
    pub fn release(self) -> B {
        self.bus
    }

    pub(crate) fn slots(&mut self) -> &mut [Slot; COUNTERS] {
        &mut self.slots
    }

    /// Starts counting.
    pub(crate) fn begin(&mut self) {
        self.lost = None;
        self.acknowledged = 0;
        let registers = Registers::of(&self.bus);
        let pmcr = registers.pmcr();
        pmcr.modify(|_, w| w.cen().clear_bit());
        if self.slots.iter().all(|slot| slot.from == 0) {
            self.set_up();
            // A reset may pass by a counter that has no clock, and it has one only while its own
            // enable and CEN are set. So it counts first, and is reset then.
            pmcr.modify(|_, w| w.cen().set_bit());
            pmcr.modify(|_, w| w.cen().set_bit().rst().set_bit());
            // What wrapped before the reset was not counted.
            self.clear_flags();
        } else {
            self.load();
            self.set_up();
            // Before the counters run: one that starts just below 2^32 may wrap at once.
            self.clear_flags();
            pmcr.modify(|_, w| w.cen().set_bit());
        }
        self.bus.synchronize();
    }

    /// Stops counting, and finds out whether anybody interfered.
    pub(crate) fn end(&mut self) {
        self.bus.synchronize();
        let registers = Registers::of(&self.bus);
        let mut enabled = false;
        registers.pmcr().modify(|r, w| {
            enabled = r.cen().bit();
            w.cen().clear_bit()
        });
        self.bus.synchronize();
        // A run that was resumed is as good as its worst part.
        let (mut changed, disabled) =
            self.lost.map_or((0, false), |lost| (lost.counters, lost.disabled));
        for (number, (slot, block)) in self.slots.iter().zip(registers.counters()).enumerate() {
            if slot.selection.is_some_and(|selection| !counts(&block, selection)) {
                changed |= 1 << number;
            }
        }
        self.lost = Lost::new(changed, disabled || !enabled);
    }

    /// Reads and clears the overflow flags of the counters in use.
    pub(crate) fn acknowledge(&mut self) -> [bool; COUNTERS] {
        let mut overflowed = [false; COUNTERS];
        for (number, block) in Registers::of(&self.bus).counters().into_iter().enumerate() {
            if self.slots[number].selection.is_some() && flag(&block) {
                clear_flag(&block);
                overflowed[number] = true;
                self.acknowledged |= 1 << number;
            }
        }
        overflowed
    }

    /// What a counter holds while it counts.
    pub(crate) fn running_count(&self, number: usize) -> Count {
        self.count(number, |block| {
            let before = flag(block);
            let value = value(block);
            let after = flag(block);
            // A wrap between the reads: the value may be from before it, the flag is from after.
            (if before == after { value } else { self::value(block) }, after)
        })
    }

    /// What a counter holds while nothing counts.
    pub(crate) fn stopped_count(&self, number: usize) -> Count {
        self.count(number, |block| (value(block), flag(block)))
    }

    fn count(
        &self,
        number: usize,
        read: impl FnOnce(&CounterBlock<'_, B>) -> (u32, bool),
    ) -> Count {
        if self.slots[number].selection.is_none() {
            return Count::exactly(0);
        }
        let (value, flag) = read(&Registers::of(&self.bus).counters()[number]);
        if self.bus.fault().is_some() {
            Count::doubtful(value, Inexact::Fault)
        } else if self.lost.is_some_and(|lost| lost.counter(number as u32)) {
            Count::doubtful(value, Inexact::Lost)
        } else if flag || self.acknowledged >> number & 1 == 1 {
            Count::doubtful(value, Inexact::Overflowed)
        } else {
            Count::exactly(value)
        }
    }

    /// Writes the selection and the enable of every counter.
    fn set_up(&self) {
        for (slot, block) in self.slots.iter().zip(Registers::of(&self.bus).counters()) {
            if let Some(selection) = slot.selection {
                select(&block, selection);
            }
            block.count_control().write(|w| w.enable().bit(slot.selection.is_some()));
        }
    }

    /// Writes the values to start from.
    ///
    /// What is written to a counter without a clock is lost, and a counter with a clock counts. So
    /// each is clocked for as long as it takes to write it, and counts what never happens.
    fn load(&self) {
        let registers = Registers::of(&self.bus);
        for block in registers.counters() {
            block.count_control().write(|w| w.enable().clear_bit());
        }
        registers.pmcr().modify(|_, w| w.cen().set_bit());
        for (slot, block) in self.slots.iter().zip(registers.counters()) {
            if slot.selection.is_some() {
                select(&block, STANDSTILL);
                block.count_control().write(|w| w.enable().set_bit());
                block.event_count().write(|w| w.count().set(slot.from));
                block.count_control().write(|w| w.enable().clear_bit());
            }
        }
        registers.pmcr().modify(|_, w| w.cen().clear_bit());
    }

    fn clear_flags(&self) {
        for (slot, block) in self.slots.iter().zip(Registers::of(&self.bus).counters()) {
            if slot.selection.is_some() {
                clear_flag(&block);
            }
        }
    }
}

/// What each counter counts. The device is not accessed, so the bus need not be shown.
impl<B> fmt::Debug for Pmu<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selections = self.slots.map(|slot| slot.selection);
        f.debug_struct("Pmu")
            .field("selections", &selections)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}

fn select<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) {
    block
        .event_select()
        .write(|w| w.source().set(selection.source_id() as u8).event().set(selection.code() as u8));
}

/// Whether the counter is on and counts this.
fn counts<B: Bus<Space = Space>>(block: &CounterBlock<'_, B>, selection: Selection) -> bool {
    let select = block.event_select().read();
    block.count_control().read().enable().bit()
        && u16::from(select.source().bits()) == selection.source_id()
        && u16::from(select.event().bits()) == selection.code()
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
