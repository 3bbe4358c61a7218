//! A hand-written driver of the CCI-550's PMU alone, with the same guarantees:
//! values that are read back, flags that are remembered, and a setting that is compared at the stop.

use crate::hand::Memory;
use crate::reading::Reading;

pub const COUNTERS: usize = 8;

const PMCR: usize = 0x100;
const CEN: u32 = 1 << 0;
const RST: u32 = 1 << 1;
const EX: u32 = 1 << 4;
/// The number of counters, by which the driver recognizes the device.
const NUMBER: u32 = 0x1F << 11;
const ALL: u32 = (COUNTERS as u32) << 11;
/// An event that nothing signals.
const STANDSTILL: u16 = 0x11F;
const EVENT: u32 = 0x1FF;

/// Offsets in the block of a counter.
const SELECT: usize = 0;
const COUNT: usize = 4;
const CONTROL: usize = 8;
const FLAG: usize = 0xC;

const fn block(counter: usize) -> usize {
    0x1_0000 * (counter + 1)
}

pub struct Pmu<M> {
    pub memory: M,
    /// Applies from the next start on.
    pub events: [Option<u16>; COUNTERS],
    pub from: [u32; COUNTERS],
    /// Since the last start.
    programmed: [Option<u16>; COUNTERS],
    started_from: [u32; COUNTERS],
    overflowed: u32,
    lost: u32,
    disabled: bool,
    pub readings: [Reading; COUNTERS],
}

impl<M: Memory> Pmu<M> {
    #[cfg(test)]
    pub fn new(memory: M) -> Self {
        Self {
            memory,
            events: [None; COUNTERS],
            from: [0; COUNTERS],
            programmed: [None; COUNTERS],
            started_from: [0; COUNTERS],
            overflowed: 0,
            lost: 0,
            disabled: false,
            readings: [Reading::NOTHING; COUNTERS],
        }
    }

    #[inline(always)]
    pub fn start(&mut self) {
        self.programmed = self.events;
        self.started_from = self.from;
        self.overflowed = 0;
        self.readings = [Reading::NOTHING; COUNTERS];
        let memory = &self.memory;
        // One read is enough, because no other code writes it.
        let kept = memory.read::<PMCR>(0) & EX;
        memory.write::<PMCR>(0, kept);
        for (n, event) in self.events.iter().enumerate() {
            if event.is_some() {
                memory.write::<SELECT>(block(n), STANDSTILL.into());
            }
            memory.write::<CONTROL>(block(n), event.is_some().into());
        }
        memory.write::<PMCR>(0, kept | CEN);
        memory.write::<PMCR>(0, kept | CEN | RST);
        for (n, (event, from)) in self.events.iter().zip(self.from).enumerate() {
            memory.write::<FLAG>(block(n), 1);
            if event.is_some() {
                memory.write::<COUNT>(block(n), from);
            }
        }
        memory.write::<PMCR>(0, kept);
        // Otherwise the read at the end would confirm nothing.
        let cleared = memory.read::<PMCR>(0) & (NUMBER | CEN) == ALL;
        let mut lost = 0;
        for (n, (event, from)) in self.events.iter().zip(self.from).enumerate() {
            memory.write::<FLAG>(block(n), 1);
            if let Some(event) = *event {
                let value = memory.read::<COUNT>(block(n));
                if (value != from) | (memory.read::<FLAG>(block(n)) & 1 != 0) {
                    lost |= 1 << n;
                }
                memory.write::<SELECT>(block(n), event.into());
            }
        }
        memory.write::<PMCR>(0, kept | CEN);
        let enabled = memory.read::<PMCR>(0) & (NUMBER | CEN) == ALL | CEN;
        memory.barrier();
        self.lost = lost;
        self.disabled = !(cleared & enabled);
    }

    #[inline(always)]
    pub fn stop(&mut self) {
        let memory = &self.memory;
        memory.barrier();
        let before = memory.read::<PMCR>(0);
        memory.write::<PMCR>(0, before & EX);
        memory.barrier();
        let mut values = [0; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if let Some(event) = *event {
                values[n] = memory.read::<COUNT>(block(n));
                let same = memory.read::<SELECT>(block(n)) & EVENT == event.into();
                let on = memory.read::<CONTROL>(block(n)) & 1 != 0;
                if !(same && on) {
                    self.lost |= 1 << n;
                }
            }
        }
        self.take_flags();
        let stopped = self.wait_for_writes() & (NUMBER | CEN) == ALL;
        self.disabled |= before & CEN == 0 || !stopped;
        for (n, (event, value)) in self.programmed.iter().zip(values).enumerate() {
            if event.is_some() {
                self.readings[n] = self.judge(n, value, self.disabled, false);
            }
        }
    }

    #[inline(always)]
    pub fn running(&self) -> [Reading; COUNTERS] {
        let memory = &self.memory;
        let mut readings = [Reading::NOTHING; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if event.is_some() {
                let up = || memory.read::<FLAG>(block(n)) & 1 != 0;
                let before = up();
                let first = memory.read::<COUNT>(block(n));
                let after = up();
                let value = if before == after { first } else { memory.read::<COUNT>(block(n)) };
                readings[n] = self.judge(n, value, self.disabled, before || after);
            }
        }
        if memory.read::<PMCR>(0) & (NUMBER | CEN) != ALL | CEN {
            for (n, event) in self.programmed.iter().enumerate() {
                if event.is_some() {
                    readings[n] = self.judge(n, 0, true, false);
                }
            }
        }
        readings
    }

    #[inline(always)]
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        let up = self.take_flags();
        let memory = &self.memory;
        let mut stuck = false;
        for (n, up) in up.iter().enumerate() {
            stuck |= *up && memory.read::<FLAG>(block(n)) & 1 != 0;
        }
        if stuck {
            let before = memory.read::<PMCR>(0);
            memory.write::<PMCR>(0, before & EX);
            for (n, up) in up.iter().enumerate() {
                if *up {
                    memory.write::<FLAG>(block(n), 1);
                }
            }
            memory.write::<PMCR>(0, before & (EX | CEN));
            self.disabled = true;
        }
        self.disabled |= self.wait_for_writes() & (NUMBER | CEN) != ALL | CEN;
        up
    }

    #[inline(always)]
    fn take_flags(&mut self) -> [bool; COUNTERS] {
        let memory = &self.memory;
        let mut up = [false; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if event.is_some() && memory.read::<FLAG>(block(n)) & 1 != 0 {
                memory.write::<FLAG>(block(n), 1);
                up[n] = true;
                self.overflowed |= 1 << n;
            }
        }
        up
    }

    #[inline(always)]
    fn wait_for_writes(&self) -> u32 {
        let pmcr = self.memory.read::<PMCR>(0);
        self.memory.barrier();
        pmcr
    }

    #[inline(always)]
    fn judge(&self, n: usize, value: u32, off: bool, up: bool) -> Reading {
        let lost = off || self.lost >> n & 1 != 0;
        let overflowed = up || self.overflowed >> n & 1 != 0;
        Reading::new(self.started_from[n], value, lost, overflowed)
    }
}
