//! A driver of the CCI-550's PMU as somebody writes it who needs no other, and wants the same from it:
//! values that are read back, flags that are remembered, and a setting that is compared at the stop.

use crate::hand::Memory;
use crate::reading::Reading;

pub const COUNTERS: usize = 8;

const PMCR: usize = 0x100;
const CEN: u32 = 1 << 0;
const RST: u32 = 1 << 1;
const EX: u32 = 1 << 4;
/// An event that nothing signals.
const STANDSTILL: u16 = 0x11F;
const EVENT: u32 = 0x1FF;

const fn select(counter: usize) -> usize {
    0x1_0000 * (counter + 1)
}

const fn count(counter: usize) -> usize {
    select(counter) + 4
}

const fn control(counter: usize) -> usize {
    select(counter) + 8
}

const fn flag(counter: usize) -> usize {
    select(counter) + 0xC
}

pub struct Pmu<M> {
    pub memory: M,
    /// From the next start on.
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
        // One look is enough, as nobody else writes it.
        let kept = memory.read(PMCR) & EX;
        memory.write(PMCR, kept);
        for (n, event) in self.events.iter().enumerate() {
            if event.is_some() {
                memory.write(select(n), STANDSTILL.into());
            }
            memory.write(control(n), event.is_some().into());
        }
        memory.write(PMCR, kept | CEN);
        memory.write(PMCR, kept | CEN | RST);
        let mut lost = 0;
        for (n, (event, from)) in self.events.iter().zip(self.from).enumerate() {
            if from != 0 {
                memory.write(count(n), from);
            }
            memory.write(flag(n), 1);
            if event.is_some() && memory.read(count(n)) != from {
                lost |= 1 << n;
            }
        }
        memory.write(PMCR, kept);
        for (n, event) in self.events.iter().enumerate() {
            if let Some(event) = *event {
                memory.write(select(n), event.into());
            }
        }
        memory.write(PMCR, kept | CEN);
        let enabled = memory.read(PMCR) & CEN != 0;
        memory.barrier();
        self.lost = lost;
        self.disabled = !enabled;
    }

    #[inline(always)]
    pub fn stop(&mut self) {
        let memory = &self.memory;
        memory.barrier();
        let before = memory.read(PMCR);
        memory.write(PMCR, before & EX);
        memory.barrier();
        let mut values = [0; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if let Some(event) = *event {
                let same = memory.read(select(n)) & EVENT == event.into();
                let on = memory.read(control(n)) & 1 != 0;
                if !(same && on) {
                    self.lost |= 1 << n;
                }
                values[n] = memory.read(count(n));
            }
        }
        self.acknowledge();
        self.disabled |= before & CEN == 0;
        for (n, (event, value)) in self.programmed.iter().zip(values).enumerate() {
            if event.is_some() {
                self.readings[n] = self.judge(n, value, self.disabled, false);
            }
        }
    }

    #[inline(always)]
    pub fn running(&self) -> [Reading; COUNTERS] {
        let memory = &self.memory;
        let off = memory.read(PMCR) & CEN == 0;
        let mut readings = [Reading::NOTHING; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if event.is_some() {
                let up = || memory.read(flag(n)) & 1 != 0;
                let before = up();
                let first = memory.read(count(n));
                let after = up();
                let value = if before == after { first } else { memory.read(count(n)) };
                readings[n] = self.judge(n, value, off || self.disabled, before || after);
            }
        }
        readings
    }

    #[inline(always)]
    pub fn acknowledge(&mut self) -> [bool; COUNTERS] {
        let memory = &self.memory;
        let mut up = [false; COUNTERS];
        for (n, event) in self.programmed.iter().enumerate() {
            if event.is_some() && memory.read(flag(n)) & 1 != 0 {
                memory.write(flag(n), 1);
                up[n] = true;
                self.overflowed |= 1 << n;
            }
        }
        memory.read(PMCR);
        memory.barrier();
        up
    }

    #[inline(always)]
    fn judge(&self, n: usize, value: u32, off: bool, up: bool) -> Reading {
        let lost = off || self.lost >> n & 1 != 0;
        let overflowed = up || self.overflowed >> n & 1 != 0;
        Reading::new(self.started_from[n], value, lost, overflowed)
    }
}
