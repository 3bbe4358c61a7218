//! A simulated device that records the calls of its procedures.

extern crate std;

use core::cell::{Cell, RefCell};
use std::rc::Rc;
use std::vec::Vec;

use crate::bus::BusError;
use crate::diagnose::{Diagnosable, Found, Trials};
use crate::driver::Clock;
use crate::driver::{
    Acknowledged, CounterConfig, CycleSetting, Driver, Hardware, Latched, Programmed, Settings,
    Stopped,
};

/// Number of event counters of the device.
pub(super) const COUNTERS: usize = 2;
/// Control value that `program` returns.
pub(super) const PROGRAMMED: u32 = 0x10;
/// Control value that `control` returns.
pub(super) const CURRENT: u32 = 0x20;
/// Control value before the stop of an enabled PMU.
pub(super) const ENABLED: u32 = 0x31;
/// Control value before the stop of a disabled PMU.
pub(super) const DISABLED: u32 = 0x30;

/// Settings in a call: event counters, and the start value of the cycle counter.
pub(super) type CallSettings = ([CounterConfig<char>; COUNTERS], u32);

/// A call of a procedure or of the measured code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Call {
    Program(CallSettings),
    Control,
    Enable(u32),
    IsEnabled,
    Disable,
    Latch { settings: CallSettings, in_use: u32, before: u32 },
    Acknowledge { in_use: u32 },
    Select(usize),
    Flags(usize),
    Value(usize),
    IsUndisturbed(usize),
    CycleFlags,
    CycleValue,
    Rearm { settings: CallSettings, in_use: u32, counter: usize, from: u32 },
    Error,
    Work,
    Save,
    SetUp(bool),
    Counts { trial: bool, before: u32 },
    Restore,
}

/// Behaviour of the simulated device. By default, no procedure fails.
#[derive(Clone, Debug)]
pub(super) struct Device {
    pub(super) calls: Rc<RefCell<Vec<Call>>>,
    /// Values of the event counters, running and stopped.
    pub(super) values: [u32; COUNTERS],
    /// Value of the cycle counter, running and stopped.
    pub(super) cycles: u32,
    /// Overflow flags of running counters.
    pub(super) flags: Cell<u32>,
    /// Overflow flags that the read of a value sets.
    pub(super) raised_by_read: u32,
    pub(super) rejected: u32,
    pub(super) is_enabled_by_enable: bool,
    pub(super) is_enabled: bool,
    pub(super) before: u32,
    pub(super) stopped: Stopped,
    pub(super) acknowledged: Acknowledged,
    pub(super) disturbed_by_rearm: u32,
    /// Event counters whose reads may have returned the value of another counter.
    pub(super) disturbed_by_read: u32,
    pub(super) error: Option<BusError>,
    pub(super) saved: Result<(), Found<char>>,
    pub(super) restored: Result<(), Found<char>>,
    pub(super) try_out: TryOut,
    /// Results of the next trials, in reverse order. If there are no results left, a trial fails.
    pub(super) results: RefCell<Vec<u32>>,
}

/// An implementation of `try_out`.
pub(super) type TryOut =
    fn(&mut Trials<'_, Device, COUNTERS>, Option<char>) -> Result<(), Found<char>>;

impl Device {
    pub(super) fn new() -> Self {
        Self {
            calls: Rc::default(),
            values: [11, 22],
            cycles: 33,
            flags: Cell::new(0),
            raised_by_read: 0,
            rejected: 0,
            is_enabled_by_enable: true,
            is_enabled: true,
            before: ENABLED,
            stopped: Stopped { overflowed: 0, changed: 0, is_stopped: true },
            acknowledged: Acknowledged { overflowed: 0, disturbed: 0, is_enabled: true },
            disturbed_by_rearm: 0,
            disturbed_by_read: 0,
            error: None,
            saved: Ok(()),
            restored: Ok(()),
            try_out: |_, _| Ok(()),
            results: RefCell::default(),
        }
    }

    fn record(&self, call: Call) {
        self.calls.borrow_mut().push(call);
    }
}

/// Driver of a device with a cycle counter.
pub(super) type CycleDriver = Driver<Device, char, COUNTERS, Clock>;
/// Driver of a device without a cycle counter.
pub(super) type EventDriver = Driver<EventDevice, char, COUNTERS>;

/// A device without a cycle counter.
#[derive(Clone, Debug)]
pub(super) struct EventDevice(pub(super) Device);

/// Returns the calls since this function was last called.
pub(super) fn take_calls(calls: &RefCell<Vec<Call>>) -> Vec<Call> {
    core::mem::take(&mut *calls.borrow_mut())
}

fn call_settings<C: CycleSetting>(settings: &Settings<char, COUNTERS, C>) -> CallSettings {
    (settings.counters, settings.cycles.from())
}

impl Device {
    fn program(&self, settings: CallSettings, cycles_on: bool) -> Programmed<u32> {
        self.record(Call::Program(settings));
        let [first, second] = settings.0.map(|config| u32::from(config.selection.is_some()));
        let in_use = first | second << 1 | u32::from(cycles_on) << Clock::NUMBER;
        Programmed { in_use, rejected: self.rejected, control: PROGRAMMED }
    }
}

impl Hardware<COUNTERS> for Device {
    type Selection = char;
    type Cycles = Clock;
    type Value = u32;
    type Control = u32;

    fn program(&mut self, settings: &Settings<char, COUNTERS, Clock>) -> Programmed<u32> {
        Device::program(self, call_settings(settings), settings.cycles.on)
    }

    fn control(&self) -> u32 {
        self.record(Call::Control);
        CURRENT
    }

    fn enable(&mut self, control: u32) -> bool {
        self.record(Call::Enable(control));
        self.is_enabled_by_enable
    }

    fn is_enabled(&self) -> bool {
        self.record(Call::IsEnabled);
        self.is_enabled
    }

    fn disable(&mut self) -> u32 {
        self.record(Call::Disable);
        self.before
    }

    fn enables(control: u32) -> bool {
        control & 1 != 0
    }

    fn latch(
        &mut self,
        settings: &Settings<char, COUNTERS, Clock>,
        in_use: u32,
        before: u32,
        latched: &mut Latched<COUNTERS, Clock>,
    ) -> Stopped {
        self.record(Call::Latch { settings: call_settings(settings), in_use, before });
        *latched = Latched { values: self.values, cycles: self.cycles };
        self.stopped
    }

    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        self.record(Call::Acknowledge { in_use });
        self.acknowledged
    }

    fn select(&self, counter: usize) {
        self.record(Call::Select(counter));
    }

    fn flags(&self, counter: usize) -> u32 {
        self.record(Call::Flags(counter));
        self.flags.get()
    }

    fn value(&self, counter: usize) -> u32 {
        self.record(Call::Value(counter));
        self.flags.set(self.flags.get() | self.raised_by_read);
        self.values[counter]
    }

    fn is_undisturbed(&self, counter: usize) -> bool {
        self.record(Call::IsUndisturbed(counter));
        self.disturbed_by_read >> counter & 1 == 0
    }

    fn cycle_flags(&self) -> u32 {
        self.record(Call::CycleFlags);
        self.flags.get()
    }

    fn cycle_value(&self) -> u32 {
        self.record(Call::CycleValue);
        self.flags.set(self.flags.get() | self.raised_by_read);
        self.cycles
    }

    fn rearm(
        &mut self,
        settings: &Settings<char, COUNTERS, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        self.record(Call::Rearm { settings: call_settings(settings), in_use, counter, from });
        self.disturbed_by_rearm
    }

    fn walk(mut visit: impl FnMut(usize)) {
        visit(0);
        visit(1);
    }

    fn error(&self) -> Option<BusError> {
        self.record(Call::Error);
        self.error
    }
}

/// Implements only the required procedures. The optional procedures have the defaults of the trait.
impl Hardware<COUNTERS> for EventDevice {
    type Selection = char;
    type Cycles = ();
    type Value = u32;
    type Control = u32;

    fn program(&mut self, settings: &Settings<char, COUNTERS, ()>) -> Programmed<u32> {
        self.0.program(call_settings(settings), false)
    }

    fn control(&self) -> u32 {
        self.0.control()
    }

    fn enable(&mut self, control: u32) -> bool {
        self.0.enable(control)
    }

    fn is_enabled(&self) -> bool {
        self.0.is_enabled()
    }

    fn disable(&mut self) -> u32 {
        self.0.disable()
    }

    fn enables(control: u32) -> bool {
        Device::enables(control)
    }

    fn latch(
        &mut self,
        settings: &Settings<char, COUNTERS, ()>,
        in_use: u32,
        before: u32,
        latched: &mut Latched<COUNTERS, ()>,
    ) -> Stopped {
        self.0.record(Call::Latch { settings: call_settings(settings), in_use, before });
        latched.values = self.0.values;
        self.0.stopped
    }

    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        self.0.acknowledge(in_use)
    }

    fn flags(&self, counter: usize) -> u32 {
        self.0.flags(counter)
    }

    fn value(&self, counter: usize) -> u32 {
        self.0.value(counter)
    }

    fn rearm(
        &mut self,
        settings: &Settings<char, COUNTERS, ()>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        self.0.record(Call::Rearm { settings: call_settings(settings), in_use, counter, from });
        self.0.disturbed_by_rearm
    }

    fn walk(visit: impl FnMut(usize)) {
        Device::walk(visit);
    }

    fn error(&self) -> Option<BusError> {
        self.0.error()
    }
}

impl Diagnosable<COUNTERS> for Device {
    type Finding = char;
    type Saved = ();
    type Trial = bool;
    type Counts = u32;
    const BUS_ERROR: char = 'B';
    const INTERFERENCE: char = 'I';

    fn save(&mut self) -> Result<(), Found<char>> {
        self.record(Call::Save);
        self.saved
    }

    fn restore(&mut self, (): &()) -> Result<(), Found<char>> {
        self.record(Call::Restore);
        self.restored
    }

    fn try_out(
        trials: &mut Trials<'_, Self, COUNTERS>,
        expected: Option<char>,
    ) -> Result<(), Found<char>> {
        (trials.hardware().try_out)(trials, expected)
    }

    fn set_up(&mut self, trial: &mut bool) -> Result<(), Found<char>> {
        self.record(Call::SetUp(*trial));
        Ok(())
    }

    fn counts(&self, trial: &bool, before: u32) -> Result<u32, Found<char>> {
        self.record(Call::Counts { trial: *trial, before });
        self.results.borrow_mut().pop().ok_or(Found::new('E', 5))
    }
}
