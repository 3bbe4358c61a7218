//! A hand-written driver of the Cortex-A53's PMU, for AArch64 only, with the guarantees of the crate: it accesses no
//! counters beyond PMCR_EL0.N, reads values back, remembers flags, and compares the settings at a stop.

use crate::reading::Reading;

pub const COUNTERS: usize = 6;

const E: u64 = 1 << 0;
const X: u64 = 1 << 4;
const DP: u64 = 1 << 5;
const LC: u64 = 1 << 6;
/// The cycle counter's bit in sets of counters.
const CYCLES: u32 = 1 << 31;
/// The filter and the event in PMEVTYPER and PMCCFILTR.
const FILTER: u64 = 0xFC00_0000;
const EVENT: u64 = 0x3FF;
/// The upper half of PMCCNTR at a start: both halves wrap together.
const FIRST: u64 = 0xFFFF_FFFF << 32;

/// The registers, by op1, CRn, CRm and op2: op0 is 3.
pub trait Registers {
    fn read<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self) -> u64;
    fn write<const OP1: u8, const CRN: u8, const CRM: u8, const OP2: u8>(&self, value: u64);
    /// An `isb`.
    fn barrier(&self);

    fn pmcr(&self) -> u64 {
        self.read::<3, 9, 12, 0>()
    }
    fn set_pmcr(&self, value: u64) {
        self.write::<3, 9, 12, 0>(value);
    }
    fn flags(&self) -> u32 {
        self.read::<3, 9, 12, 3>() as u32
    }
    fn clear_flags(&self, flags: u32) {
        self.write::<3, 9, 12, 3>(flags.into());
    }
    fn cycles(&self) -> u64 {
        self.read::<3, 9, 13, 0>()
    }
    fn filter_of_cycles(&self) -> u64 {
        self.read::<3, 14, 15, 7>() & FILTER
    }
}

fn is_running(pmcr: u64) -> bool {
    pmcr & E != 0 && pmcr as u32 != u32::MAX
}

/// The counters of the last start that still exist.
fn still_there(pmcr: u64, available: u8) -> u32 {
    ((1 << ((pmcr >> 11) as u8 & 0x1F).min(available)) - 1) | CYCLES
}

/// Does the same for each counter, whose number is a part of the instructions.
macro_rules! each {
    ($N:ident => $body:block) => {{
        each!(@one $N = 0 => $body);
        each!(@one $N = 1 => $body);
        each!(@one $N = 2 => $body);
        each!(@one $N = 3 => $body);
        each!(@one $N = 4 => $body);
        each!(@one $N = 5 => $body);
    }};
    (@one $N:ident = $number:literal => $body:block) => {{
        const $N: u8 = $number;
        $body
    }};
}

/// Settings written at each start.
#[derive(Clone, Copy, Default)]
pub struct Setting {
    pub events: [Option<u16>; COUNTERS],
    pub from: [u32; COUNTERS],
    /// Start value of the cycle counter, if it counts.
    pub cycles: Option<u32>,
    pub needs_debug: bool,
    pub interrupts: u32,
    /// Bits 31 to 26 of PMEVTYPER.
    pub filter: u32,
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
    /// Counters of this software at the last start.
    available: u8,
    /// The upper half of PMCCNTR when its last overflow was acknowledged.
    wraps: u32,
    pub readings: [Reading; COUNTERS],
    pub cycles: Reading,
}

impl<R: Registers> Pmu<R> {
    #[cfg(test)]
    pub fn new(registers: R) -> Self {
        let wanted = Setting { filter: 1 << 27, ..Setting::default() };
        Self {
            registers,
            wanted,
            set: wanted,
            in_use: 0,
            overflowed: 0,
            lost: 0,
            disabled: false,
            available: 0,
            wraps: u32::MAX,
            readings: [Reading::NOTHING; COUNTERS],
            cycles: Reading::NOTHING,
        }
    }

    #[inline(always)]
    pub fn start(&mut self) {
        let Setting { events, from, cycles, needs_debug, interrupts, filter } = self.wanted;
        self.set = self.wanted;
        self.overflowed = 0;
        self.readings = [Reading::NOTHING; COUNTERS];
        self.cycles = Reading::NOTHING;
        let registers = &self.registers;
        let before = registers.pmcr();
        let available = ((before >> 11) as u8 & 0x1F).min(COUNTERS as u8);
        let there = (1 << available) - 1;
        let all = there | CYCLES;
        registers.set_pmcr(before & (X | DP) | LC);
        registers.write::<3, 9, 12, 2>(all.into());
        registers.barrier();
        let (mut in_use, mut lost) = (0, 0);
        each!(N => {
            if let Some(event) = events[N as usize] {
                in_use |= 1 << N;
                if N < available {
                    let (of_type, from) = (u64::from(filter) | u64::from(event), from[N as usize]);
                    registers.write::<3, 14, 12, N>(of_type);
                    registers.write::<3, 14, 8, N>(from.into());
                    let is_same = registers.read::<3, 14, 12, N>() & (FILTER | EVENT) == of_type;
                    if !is_same | (registers.read::<3, 14, 8, N>() as u32 != from) {
                        lost |= 1 << N;
                    }
                } else {
                    lost |= 1 << N;
                }
            }
        });
        if let Some(from) = cycles {
            in_use |= CYCLES;
            let from = FIRST | u64::from(from);
            registers.write::<3, 9, 13, 0>(from);
            registers.write::<3, 14, 15, 7>(filter.into());
            let is_same = registers.cycles() == from;
            if !is_same | (registers.filter_of_cycles() != filter.into()) {
                lost |= CYCLES;
            }
        }
        registers.clear_flags(all);
        registers.write::<0, 9, 14, 2>(all.into());
        registers.write::<0, 9, 14, 1>((interrupts & in_use & !lost).into());
        registers.write::<3, 9, 12, 1>((in_use & all).into());
        registers.barrier();
        let control = before & X | LC | if needs_debug { DP } else { 0 };
        self.available = available;
        self.wraps = u32::MAX;
        self.in_use = in_use;
        self.lost = lost;
        registers.set_pmcr(control | E);
        let pmcr = registers.pmcr();
        let number = (pmcr >> 11) as u8 & 0x1F;
        if number < available {
            self.available = number;
        }
        registers.barrier();
        self.disabled = !is_running(pmcr);
    }

    #[inline(always)]
    pub fn stop(&mut self) {
        let registers = &self.registers;
        registers.barrier();
        let before = registers.pmcr();
        registers.set_pmcr(before & (X | DP | LC | 1 << 3));
        registers.barrier();
        let there = still_there(before, self.available);
        let filter = u64::from(self.set.filter);
        let mut lost = 0;
        let mut values = [0; COUNTERS];
        each!(N => {
            if let Some(event) = self.set.events[N as usize] {
                if there >> N & 1 != 0 {
                    values[N as usize] = registers.read::<3, 14, 8, N>() as u32;
                    let held = registers.read::<3, 14, 12, N>() & (FILTER | EVENT);
                    if held != filter | u64::from(event) {
                        lost |= 1 << N;
                    }
                } else {
                    lost |= 1 << N;
                }
            }
        });
        let mut cycles = 0;
        if self.in_use & CYCLES != 0 {
            cycles = registers.cycles() as u32;
            let is_same_filter = registers.filter_of_cycles() == filter;
            let is_same = (before & LC != 0) & ((before & DP != 0) == self.set.needs_debug);
            if !is_same_filter | !is_same {
                lost |= CYCLES;
            }
        }
        self.take_flags(self.in_use & there);
        lost |= self.in_use & !(self.registers.read::<3, 9, 12, 1>() as u32);
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
        let readable = || match registers.pmcr() {
            pmcr if is_running(pmcr) => still_there(pmcr, self.available),
            _ => 0,
        };
        let there = readable();
        let mut readings = [Reading::NOTHING; COUNTERS];
        each!(N => {
            if self.set.events[N as usize].is_some() && there >> N & 1 != 0 {
                let count = || registers.read::<3, 14, 8, N>() as u32;
                let up = || registers.flags() >> N & 1 != 0;
                let before = up();
                let first = count();
                let after = up();
                let value = if before == after { first } else { count() };
                readings[N as usize] = self.judge(
                    1 << N,
                    self.set.from[N as usize],
                    value,
                    self.disabled,
                    before || after,
                );
            }
        });
        let lost = self.in_use & !(there & readable());
        if lost != 0 {
            for (n, reading) in readings.iter_mut().enumerate() {
                if lost >> n & 1 != 0 {
                    *reading = self.judge(1 << n, 0, 0, true, false);
                }
            }
        }
        readings
    }

    /// Gives the counters that overflowed.
    #[inline(always)]
    pub fn acknowledge(&mut self) -> u32 {
        let pmcr = self.registers.pmcr();
        let there = still_there(pmcr, self.available);
        self.disabled |= !is_running(pmcr);
        self.lost |= self.in_use & !there;
        self.take_flags(self.in_use & there)
    }

    #[inline(always)]
    fn take_flags(&mut self, counters: u32) -> u32 {
        let registers = &self.registers;
        let mut up = registers.flags() & counters;
        let mut overflowed = up & !CYCLES;
        if counters & CYCLES != 0 {
            let wraps = (registers.cycles() >> 32) as u32;
            let wrapped = wraps != self.wraps;
            if wrapped {
                overflowed |= CYCLES;
                up |= registers.flags() & CYCLES;
            }
            let sets_flag = wrapped && self.wraps == u32::MAX;
            if sets_flag != (up & CYCLES != 0) {
                self.lost |= CYCLES;
            }
            self.wraps = wraps;
        }
        if up != 0 {
            registers.clear_flags(up);
            registers.barrier();
            self.lost |= up & registers.flags();
        }
        self.overflowed |= overflowed;
        overflowed
    }

    #[inline(always)]
    fn judge(&self, counter: u32, from: u32, value: u32, off: bool, up: bool) -> Reading {
        let lost = off || self.lost & counter != 0;
        let overflowed = up || self.overflowed & counter != 0;
        Reading::new(from, value, lost, overflowed)
    }
}
