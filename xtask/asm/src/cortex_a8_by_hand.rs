//! A hand-written driver of the Cortex-A8's PMU alone, with the same guarantees:
//! values that are read back, flags that are remembered, and a setting that is compared at the stop.

use crate::reading::Reading;

pub const COUNTERS: usize = 4;

const E: u32 = 1 << 0;
const D: u32 = 1 << 3;
const X: u32 = 1 << 4;
const DP: u32 = 1 << 5;
/// The cycle counter's bit in sets of counters.
const CYCLES: u32 = 1 << 31;
const ALL: u32 = CYCLES | 0xF;

/// The registers, by CRm and opc2: opc1 is 0 and CRn is 9.
pub trait Registers {
    fn read<const CRM: u8, const OPC2: u8>(&self) -> u32;
    fn write<const CRM: u8, const OPC2: u8>(&self, value: u32);
    fn barrier(&self);

    fn pmcr(&self) -> u32 {
        self.read::<12, 0>()
    }
    fn is_running(&self) -> bool {
        let pmcr = self.pmcr();
        pmcr & E != 0 && pmcr != u32::MAX
    }
    fn set_pmcr(&self, value: u32) {
        self.write::<12, 0>(value);
    }
    /// From now on, PMXEVTYPER and PMXEVCNTR access this counter.
    fn select(&self, counter: u32) {
        self.write::<12, 5>(counter);
        self.barrier();
    }
    fn selected(&self) -> u32 {
        self.read::<12, 5>() & 0x1F
    }
    fn flags(&self) -> u32 {
        self.read::<12, 3>()
    }
    fn clear_flags(&self, flags: u32) {
        self.write::<12, 3>(flags);
    }
    fn event(&self) -> u32 {
        self.read::<13, 1>() & 0xFF
    }
    fn set_event(&self, event: u8) {
        self.write::<13, 1>(event.into());
    }
    fn count(&self) -> u32 {
        self.read::<13, 2>()
    }
    fn set_count(&self, value: u32) {
        self.write::<13, 2>(value);
    }
    fn cycles(&self) -> u32 {
        self.read::<13, 0>()
    }
    fn set_cycles(&self, value: u32) {
        self.write::<13, 0>(value);
    }
}

/// Settings written at each start.
#[derive(Clone, Copy, Default)]
pub struct Setting {
    pub events: [Option<u8>; COUNTERS],
    pub from: [u32; COUNTERS],
    /// Start value of the cycle counter, if it counts.
    pub cycles: Option<u32>,
    pub by_64: bool,
    pub needs_debug: bool,
    pub interrupts: u32,
}

pub struct Pmu<R> {
    pub registers: R,
    /// Applies from the next start on.
    pub wanted: Setting,
    /// Since the last start.
    set: Setting,
    in_use: u32,
    overflowed: u32,
    lost: u32,
    disabled: bool,
    pub readings: [Reading; COUNTERS],
    pub cycles: Reading,
}

impl<R: Registers> Pmu<R> {
    #[cfg(test)]
    pub fn new(registers: R) -> Self {
        let wanted = Setting::default();
        Self {
            registers,
            wanted,
            set: wanted,
            in_use: 0,
            overflowed: 0,
            lost: 0,
            disabled: false,
            readings: [Reading::NOTHING; COUNTERS],
            cycles: Reading::NOTHING,
        }
    }

    #[inline(always)]
    pub fn start(&mut self) {
        let Setting { events, from, cycles, by_64, needs_debug, interrupts } = self.wanted;
        self.set = self.wanted;
        self.overflowed = 0;
        self.readings = [Reading::NOTHING; COUNTERS];
        self.cycles = Reading::NOTHING;
        let registers = &self.registers;
        let mut control = registers.pmcr() & X;
        if by_64 {
            control |= D;
        }
        if needs_debug {
            control |= DP;
        }
        registers.set_pmcr(control);
        registers.write::<12, 2>(ALL);
        registers.barrier();
        let (mut in_use, mut lost) = (0, 0);
        for (n, (event, from)) in events.into_iter().zip(from).enumerate() {
            if let Some(event) = event {
                in_use |= 1 << n;
                registers.select(n as u32);
                registers.set_event(event);
                registers.set_count(from);
            }
        }
        // Again: another owner may have changed the selector meanwhile.
        for (n, (event, from)) in events.into_iter().zip(from).enumerate() {
            if let Some(event) = event {
                registers.select(n as u32);
                let taken = (registers.event() == event.into()) & (registers.count() == from);
                if !taken | (registers.selected() != n as u32) {
                    lost |= 1 << n;
                }
            }
        }
        if let Some(from) = cycles {
            in_use |= CYCLES;
            registers.set_cycles(from);
            if registers.cycles() != from {
                lost |= CYCLES;
            }
        }
        registers.clear_flags(ALL);
        registers.write::<14, 2>(ALL);
        registers.write::<14, 1>(interrupts & in_use);
        registers.write::<12, 1>(in_use);
        registers.barrier();
        registers.set_pmcr(control | E);
        let enabled = registers.is_running();
        registers.barrier();
        self.in_use = in_use;
        self.lost = lost;
        self.disabled = !enabled;
    }

    #[inline(always)]
    pub fn stop(&mut self) {
        let registers = &self.registers;
        registers.barrier();
        let before = registers.pmcr();
        registers.set_pmcr(before & (X | D | DP));
        registers.barrier();
        let mut lost = 0;
        let mut values = [0; COUNTERS];
        for (n, (value, event)) in values.iter_mut().zip(self.set.events).enumerate() {
            if let Some(event) = event {
                registers.select(n as u32);
                *value = registers.count();
                let same = registers.event() == event.into();
                if registers.selected() != n as u32 || !same {
                    lost |= 1 << n;
                }
            }
        }
        let mut cycles = 0;
        if self.in_use & CYCLES != 0 {
            cycles = registers.cycles();
            let as_set = [(D, self.set.by_64), (DP, self.set.needs_debug)];
            if as_set.into_iter().any(|(bit, set)| (before & bit != 0) != set) {
                lost |= CYCLES;
            }
        }
        self.acknowledge();
        lost |= self.in_use & !self.registers.read::<12, 1>();
        let still_enabled = self.registers.pmcr() & E != 0;
        self.lost |= lost;
        self.disabled |= before & E == 0 || still_enabled;
        for (n, (event, value)) in self.set.events.iter().zip(values).enumerate() {
            if event.is_some() {
                self.readings[n] =
                    self.judge(1 << n, self.set.from[n], value, self.disabled, false);
            }
        }
        if let Some(from) = self.set.cycles {
            self.cycles = self.judge(CYCLES, from, cycles, self.disabled, false);
        }
    }

    #[inline(always)]
    pub fn running(&self) -> [Reading; COUNTERS] {
        let registers = &self.registers;
        let mut readings = [Reading::NOTHING; COUNTERS];
        for (n, event) in self.set.events.iter().enumerate() {
            if event.is_some() {
                registers.select(n as u32);
                let up = || registers.flags() >> n & 1 != 0;
                let before = up();
                let first = registers.count();
                let after = up();
                let value = if before == after { first } else { registers.count() };
                let off = registers.selected() != n as u32 || self.disabled;
                readings[n] = self.judge(1 << n, self.set.from[n], value, off, before || after);
            }
        }
        if !registers.is_running() {
            for (n, event) in self.set.events.iter().enumerate() {
                if event.is_some() {
                    readings[n] = self.judge(1 << n, 0, 0, true, false);
                }
            }
        }
        readings
    }

    /// Gives the flags that were up.
    #[inline(always)]
    pub fn acknowledge(&mut self) -> u32 {
        let up = self.registers.flags() & self.in_use;
        if up != 0 {
            self.registers.clear_flags(up);
            self.registers.barrier();
            self.overflowed |= up;
            self.lost |= up & self.registers.flags();
        }
        up
    }

    #[inline(always)]
    fn judge(&self, counter: u32, from: u32, value: u32, off: bool, up: bool) -> Reading {
        let lost = off || self.lost & counter != 0;
        let overflowed = up || self.overflowed & counter != 0;
        Reading::new(from, value, lost, overflowed)
    }
}
