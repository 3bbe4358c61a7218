//! State of a PMCG.

use super::Stream;
use super::map::*;
use crate::access::Security;
use crate::noise::Noise;
use crate::port::Device;
use crate::register::Register;
use crate::register_file::RegisterFile;
use crate::violation::MemoryViolation;

/// A unit of a product.
pub(crate) struct Product {
    /// Path of the product in the crate of the driver.
    pub(crate) name: &'static str,
    pub(crate) unit: Unit,
    /// Returns the registers of a unit with this number of counters; `None` if there is no such
    /// unit.
    pub(crate) registers: fn(usize) -> Option<&'static [Register]>,
    /// Returns the settings that decide whether an event is counted.
    pub(crate) kind: fn(u16) -> Kind,
    /// All bits of a StreamID.
    pub(crate) stream_id: u32,
}

impl std::fmt::Debug for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Registers, input signals, and settings for behaviour that the manual leaves open.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) product: &'static Product,
    pub(crate) counters: usize,
    pub(crate) registers: RegisterFile,
    pub(crate) clock_gated: bool,
    /// Number of edges of the interrupt output.
    pub(crate) interrupts: usize,
    /// Implemented bits of EVTYPER.EVENT.
    pub(crate) event_bits: u32,
    /// Implemented bits of SMR0.STREAMID.
    pub(crate) stream_bits: u32,
    /// Number of accesses after which IRQ_CTRLACK follows IRQ_CTRL; `None` if accesses have no
    /// effect.
    pub(crate) acknowledge_after: Option<usize>,
    /// Number of cycles after which IRQ_CTRLACK follows IRQ_CTRL even without accesses; if `None`, it follows only
    /// after accesses.
    pub(crate) acknowledge_within: Option<u64>,
    /// Number of further accesses after which IRQ_CTRLACK follows IRQ_CTRL.
    acknowledge_in: Option<usize>,
    /// Number of further cycles after which IRQ_CTRLACK follows IRQ_CTRL even without accesses.
    acknowledge_in_cycles: Option<u64>,
    pub(crate) software_overflow_acts: bool,
}

impl State {
    pub(crate) fn new(product: &'static Product) -> Self {
        let Product { unit, stream_id, .. } = product;
        let mut state = Self {
            product,
            counters: unit.counters,
            registers: RegisterFile::new(registers(product, unit.counters), Noise::Seeded(600)),
            clock_gated: false,
            interrupts: 0,
            event_bits: EVENT,
            stream_bits: *stream_id,
            acknowledge_after: Some(2),
            acknowledge_within: Some(1_000),
            acknowledge_in: None,
            acknowledge_in_cycles: None,
            software_overflow_acts: false,
        };
        state.limit_streams();
        state
    }

    /// Builds the unit with another number of counters.
    pub(crate) fn set_counters(&mut self, counters: usize) {
        let (table, noise) = (registers(self.product, counters), self.registers.noise);
        let old = std::mem::replace(&mut self.registers, RegisterFile::new(table, noise));
        for register in [PIDR0, PIDR1, PIDR2, PIDR3].map(|register| register.moved(PAGE0)) {
            self.registers.identify(register.offset, u32::MAX, old.load(register.offset));
        }
        self.counters = counters;
        self.power_up();
    }

    pub(crate) fn power_up(&mut self) {
        self.registers.reset();
        self.acknowledge_in = None;
        self.acknowledge_in_cycles = None;
        self.limit_events();
        self.limit_streams();
    }

    /// Fills all mutable bits with noise, except SCR.
    pub(crate) fn scramble(&mut self, noise: &mut Noise) {
        self.registers.reset_with(noise);
        self.registers.scramble(&[CR, IRQ_CTRL].map(|register| register.moved(PAGE0)), noise);
        self.acknowledge();
        self.limit_events();
        self.limit_streams();
    }

    /// Writes a number into these bits of an identification register.
    pub(crate) fn identify(&mut self, register: Register, bits: u32, number: u8) {
        let value = u32::from(number) << bits.trailing_zeros();
        self.registers.identify(PAGE0 + register.offset, bits, value);
    }

    /// Zeroes the bits of EVTYPER.EVENT that are not implemented.
    pub(crate) fn limit_events(&mut self) {
        for counter in 0..self.counters {
            let offset = evtyper(counter);
            let value = self.registers.load(offset) & (!EVENT | self.event_bits);
            self.registers.poke(offset, value);
        }
    }

    /// Zeroes the bits of SMR0.STREAMID that are not implemented.
    pub(crate) fn limit_streams(&mut self) {
        self.set(SMR0, self.get(SMR0) & self.stream_bits);
    }

    /// Returns the value of a single register of page 0.
    pub(crate) fn get(&self, register: Register) -> u32 {
        self.registers.load(PAGE0 + register.offset)
    }

    /// Sets the value of a single register of page 0.
    pub(crate) fn set(&mut self, register: Register, value: u32) {
        self.registers.poke(PAGE0 + register.offset, value);
    }

    /// Returns the registers of this unit.
    pub(crate) fn all_registers(&self) -> &'static [Register] {
        registers(self.product, self.counters)
    }

    fn observes_secure(&self) -> bool {
        self.get(SCR) & SO != 0
    }

    pub(crate) fn signal(&mut self, event: u16, stream: Stream, times: u32) {
        let counted = match (self.product.kind)(event) {
            Kind::None => false,
            Kind::Cycles => return self.clock(u64::from(times)),
            Kind::Filterable => self.passes(stream),
            Kind::Secure => self.observes_secure(),
            Kind::Unfilterable => true,
        };
        if counted {
            self.count(event, u64::from(times));
        }
    }

    /// Returns whether the filter passes a StreamID. All counters use the filter of counter 0.
    fn passes(&self, stream: Stream) -> bool {
        let observes_secure = self.observes_secure();
        if stream.security == Security::Secure && !observes_secure {
            return false;
        }
        let filter = self.get(EVTYPER0);
        let wanted = self.get(SMR0);
        let span = filter & FILTER_SID_SPAN != 0;
        if span && wanted == self.stream_bits {
            return true;
        }
        let secure = filter & FILTER_SEC_SID != 0 && observes_secure;
        // The lowest zero bit and the bits below it are ignored. If the top bit is the lowest zero,
        // all StreamIDs of one security state match.
        let ignored = if span { wanted.trailing_ones() + 1 } else { 0 };
        let differs = (stream.id & self.stream_bits) ^ wanted;
        (stream.security == Security::Secure) == secure
            && differs.checked_shr(ignored).unwrap_or(0) == 0
    }

    /// Adds `times` to all enabled counters that select this event.
    fn count(&mut self, event: u16, times: u64) {
        const ROUND: u64 = 1 << 32;
        if self.get(CR) == 0 {
            return;
        }
        let enabled = self.get(CNTENSET0);
        let counts = |counter: &usize| {
            let selected = self.registers.load(evtyper(*counter)) & EVENT;
            enabled >> counter & 1 == 1 && selected == u32::from(event)
        };
        let counting: Vec<usize> = (0..self.counters).filter(counts).collect();
        // After 2^32 events, all counters have their old values, and all have overflowed.
        let mut left = if times < ROUND { times } else { ROUND + times % ROUND };
        let mut interrupted = false;
        // Count only up to the next overflow in each step, because an overflow can capture all
        // counters at that moment.
        while left > 0 && !counting.is_empty() {
            let counts: Vec<u32> =
                counting.iter().map(|counter| self.registers.load(self.evcntr(*counter))).collect();
            let steps = counts.iter().map(|count| ROUND - u64::from(*count)).min();
            let step = left.min(steps.unwrap_or(ROUND));
            let mut overflowed = 0;
            for (counter, count) in counting.iter().zip(counts) {
                let sum = u64::from(count) + step;
                self.registers.poke(self.evcntr(*counter), sum as u32);
                overflowed |= u32::from(sum == ROUND) << counter;
            }
            interrupted |= self.overflow(overflowed);
            left -= step;
        }
        self.interrupts += usize::from(interrupted);
    }

    /// Sets the flags of counters that overflow, one bit each. Returns whether these overflows
    /// cause an interrupt.
    fn overflow(&mut self, counters: u32) -> bool {
        let flags = self.product.unit.page1 + OVSSET0.offset;
        self.registers.poke(flags, self.registers.load(flags) | counters);
        self.react(counters)
    }

    /// Applies the effects of an overflow, except for its flag.
    fn react(&mut self, counters: u32) -> bool {
        let captures = (0..self.counters).any(|counter| {
            counters >> counter & 1 == 1 && self.registers.load(evtyper(counter)) & OVFCAP != 0
        });
        if captures {
            self.capture();
        }
        counters & self.get(INTENSET0) != 0 && self.get(IRQ_CTRLACK) != 0
    }

    /// Copies all counters to their shadows.
    pub(crate) fn capture(&mut self) {
        for counter in 0..self.counters {
            let count = self.registers.load(self.evcntr(counter));
            self.registers.poke(self.product.unit.page1 + SVR.element(counter), count);
        }
    }

    /// Makes IRQ_CTRLACK follow IRQ_CTRL, which then takes effect.
    fn acknowledge(&mut self) {
        self.set(IRQ_CTRLACK, self.get(IRQ_CTRL));
        self.acknowledge_in = None;
        self.acknowledge_in_cycles = None;
    }

    fn evcntr(&self, counter: usize) -> usize {
        self.product.unit.page1 + EVCNTR.element(counter)
    }
}

/// Returns the offset of an EVTYPER in the region.
pub(crate) const fn evtyper(counter: usize) -> usize {
    PAGE0 + EVTYPER0.offset + EVTYPER.stride * counter
}

/// Settings outside the counters that decide whether an event is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no such event.
    None,
    /// The clock.
    Cycles,
    /// The StreamID filter.
    Filterable,
    /// SCR.SO.
    Secure,
    /// Neither the StreamID filter nor SCR.SO affects the event.
    Unfilterable,
}

/// Returns the registers of a unit with `counters` counters.
fn registers(product: &Product, counters: usize) -> &'static [Register] {
    let found = (product.registers)(counters);
    found.unwrap_or_else(|| panic!("{product:?} cannot have {counters} counters"))
}

impl Device for State {
    fn admits(&self, offset: usize, security: Security, _: bool) -> bool {
        match security {
            Security::Secure => true,
            Security::NonSecure => self.get(SCR) & NSRA != 0 && offset != PAGE0 + SCR.offset,
        }
    }

    fn clock(&mut self, cycles: u64) {
        if self.clock_gated {
            return;
        }
        self.count(0, cycles);
        match self.acknowledge_in_cycles {
            Some(left) if left <= cycles => self.acknowledge(),
            Some(left) => self.acknowledge_in_cycles = Some(left - cycles),
            None => {}
        }
    }

    fn elapse(&mut self, cycles: u64) {
        self.clock(cycles);
        match self.acknowledge_in {
            Some(0) => self.acknowledge(),
            Some(accesses) => self.acknowledge_in = Some(accesses - 1),
            None => {}
        }
    }

    fn other_width(&mut self, offset: usize, bytes: usize) {
        self.registers.record(MemoryViolation::Width { offset, bytes });
    }

    fn load(&mut self, offset: usize) -> u32 {
        self.registers.read(offset)
    }

    fn store(&mut self, offset: usize, value: u32) {
        self.registers.check_store(offset, value);
        let before = self.registers.load(offset);
        let acts = self.registers.store(offset, value);
        let page1 = self.product.unit.page1;
        if (0..self.counters).any(|counter| offset == evtyper(counter)) {
            self.limit_events();
        } else if offset == PAGE0 + SMR0.offset {
            self.limit_streams();
        } else if offset == PAGE0 + IRQ_CTRL.offset {
            self.acknowledge_in = self.acknowledge_after;
            // A unit that never acknowledges has no clock.
            self.acknowledge_in_cycles =
                self.acknowledge_within.filter(|_| self.acknowledge_after.is_some());
            if self.acknowledge_after == Some(0) {
                self.acknowledge();
            }
        } else if offset == page1 + CAPR.offset && acts != 0 {
            self.capture();
        } else if offset == page1 + OVSSET0.offset && self.software_overflow_acts {
            let risen = self.registers.load(offset) & !before;
            let interrupted = self.react(risen);
            self.interrupts += usize::from(interrupted);
        }
    }
}
