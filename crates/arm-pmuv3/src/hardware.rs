//! Procedures of the driver: its register accesses, their order, and the reasons.

use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU8;

use arm_pmu_core::bus::{Bus, BusError};
use arm_pmu_core::driver::{
    self, Acknowledged, Clock, CounterConfig, FIRST_ROUND, Kept, Latched, Programmed, Settings,
    Stopped, first_round, with_wraps,
};
use arm_pmu_core::event::Selectable;

use crate::filter::{self, Filter};
use crate::registers::{Registers, Space, pmccfiltr_el0, pmcr_el0, pmmir_el1};
use crate::{CommonEvents, Implementation, Mode, ThresholdError, Thresholds, threshold};

/// The PMU of implementation `P` on a bus. The driver uses `N` event counters of the PMU.
pub struct Hardware<P: Implementation, B, M, const N: usize> {
    pub(crate) bus: B,
    /// Counters that assert the interrupt after the next start.
    interrupting: u32,
    /// Filter of all counters after the next start.
    filter: Filter,
    /// Filter last programmed.
    programmed_filter: Filter,
    /// Number of event counters at the end of the last start or resume: PMCR_EL0.N, but not more than `N`.
    available: u8,
    /// ID_AA64DFR0_EL1.PMUVer (its lowest possible value if unknown), combined with the flag
    /// [`IS_SHORT`].
    version: u8,
    /// The upper half of PMCCNTR_EL0 when its last overflow was acknowledged.
    wraps: u32,
    of: PhantomData<fn() -> (P, M)>,
}

impl<P: Implementation, B, M, const N: usize> Hardware<P, B, M, N> {
    /// One bit for each event counter and the cycle counter, at its position in the registers.
    pub(crate) const ALL_COUNTERS: u32 = ((1 << N) - 1) | Clock::BIT;

    /// The PMU behind `bus`. No counter asserts the interrupt.
    #[inline(always)]
    pub const fn new(bus: B) -> Self {
        const { assert!(2 <= N && N <= 31, "a driver uses from 2 to 31 event counters") }
        Self {
            bus,
            interrupting: 0,
            filter: Filter::ALL,
            programmed_filter: Filter::ALL,
            available: 0,
            version: P::VERSION,
            wraps: FIRST_ROUND,
            of: PhantomData,
        }
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
    pub const fn filter(&self) -> Filter {
        self.filter
    }

    /// Selects the filter of all counters after the next start.
    pub const fn set_filter(&mut self, filter: Filter) {
        self.filter = filter;
    }
}

/// Prints the name without an access to the device.
impl<P: Implementation, B, M, const N: usize> fmt::Debug for Hardware<P, B, M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hardware")
    }
}

/// ID_AA64DFR0_EL1.PMUVer of PMUv3p4, which has PMMIR_EL1.
const V3P4: u8 = 5;
/// ID_AA64DFR0_EL1.PMUVer of PMUv3p5, which has event counters of 64 bits.
const V3P5: u8 = 6;
/// ID_AA64DFR0_EL1.PMUVer of a PMU that is not PMUv3.
const OTHER_PMU: u8 = 15;
/// Flag in the version byte, which is set if the last start found 32-bit counters. A hypervisor can limit counters to
/// 32 bits.
const IS_SHORT: u8 = 1 << 7;

/// Whether the version is `first` or a later version of PMUv3.
const fn is_since(first: u8, version: u8) -> bool {
    first <= version && version < OTHER_PMU
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> driver::Hardware<N>
    for Hardware<P, B, M, N>
{
    type Selection = P::Selection;
    type Cycles = Clock;
    type Value = u64;
    const UNROLLED: bool = true;
    type Control = pmcr_el0::R;

    /// A hypervisor can change PMCR_EL0.N at any time, and another core can have another N.
    const MAY_LOSE_COUNTERS: bool = true;

    /// Counter enables are unknown after a reset. Counters beyond PMCR_EL0.N are not accessed, because the effect would
    /// be unpredictable.
    #[inline(always)]
    fn program(&mut self, settings: &Settings<P::Selection, N, Clock>) -> Programmed<pmcr_el0::R> {
        self.reprogram(settings, Kept::NOTHING)
    }

    #[inline(always)]
    fn reprogram(
        &mut self,
        settings: &Settings<P::Selection, N, Clock>,
        mut kept: Kept,
    ) -> Programmed<pmcr_el0::R> {
        let registers = Registers::shared(&self.bus);
        let clock = &settings.cycles;
        let before = registers.pmcr_el0().read();
        // A hypervisor may have changed the number of counters since the last start.
        let available = before.n().bits().min(N as u8);
        // Keeps no setting if a hypervisor changed the number of counters, or if other software enabled the PMU.
        if (available != self.available) | before.e().bit() {
            kept = Kept::NOTHING;
        }
        self.available = available;
        if Self::MAY_BE_LONG && kept == Kept::NOTHING {
            self.version &= !IS_SHORT;
        }
        let mut is_short = false;
        let there = Self::there(available);
        // Event counters that the driver does not use must neither count nor interrupt.
        let all = Self::all_there(before);
        if !kept.enables {
            registers
                .pmcr_el0()
                .modify_from(before, |w| w.e().clear_bit().lc().set_bit().d().clear_bit());
            registers.pmcntenclr_el0().write(|w| w.p().set(all).c().clear_bit_by_one());
            registers.pmcntenclr_el0().synchronize();
        }
        let mut rejected = 0;
        let mut filter = u64::from(self.programmed_filter.bits());
        if kept.settings & Clock::BIT == 0 {
            // This register shows which filter bits the core has, for all counters.
            let pmccfiltr = registers.pmccfiltr_el0();
            let written = u64::from(self.filter.bits());
            pmccfiltr.modify_from(pmccfiltr_el0::R::from_bits(written), |w| w);
            filter = pmccfiltr.read().bits() & filter::MASK;
            self.programmed_filter = Filter::of_register(filter);
            if !filter::is_held(filter, written) {
                rejected = u32::MAX;
            }
        }
        let mut in_use = 0;
        Self::walk(|counter| {
            // Each kept counter still exists, because its event was accepted and PMCR_EL0.N is unchanged.
            if kept.settings >> counter & 1 == 1 {
                in_use |= 1 << counter;
                let pmevcntr = registers.pmevcntr_el0_at(counter);
                let start = self.start(settings.counters[counter].from);
                pmevcntr.write(|w| w.count().set(start));
                if pmevcntr.read().count().bits() != start {
                    rejected |= 1 << counter;
                }
            } else if let CounterConfig { selection: Some(selection), from, .. } =
                settings.counters[counter]
            {
                in_use |= 1 << counter;
                if counter >= available.into() {
                    rejected |= 1 << counter;
                    return;
                }
                let of_type = filter | Self::event_fields(selection);
                let pmevtyper = registers.pmevtyper_el0_at(counter);
                pmevtyper
                    .modify_from(crate::registers::pmevtyper_el0::R::from_bits(of_type), |w| w);
                let pmevcntr = registers.pmevcntr_el0_at(counter);
                let start = self.start(from);
                pmevcntr.write(|w| w.count().set(start));
                let other_type = pmevtyper.read().bits() & Self::TYPE ^ of_type;
                let mut other_value = pmevcntr.read().count().bits() ^ start;
                if Self::MAY_BE_LONG && other_value == first_round(0) {
                    is_short = true;
                    other_value = 0;
                }
                if other_type | other_value != 0 {
                    rejected |= 1 << counter;
                }
            }
        });
        if is_short {
            self.version |= IS_SHORT;
        }
        if clock.on {
            in_use |= Clock::BIT;
            let pmccntr = registers.pmccntr_el0();
            pmccntr.write(|w| w.count().set(first_round(clock.from)));
            if pmccntr.read().count().bits() != first_round(clock.from) {
                rejected |= Clock::BIT;
            }
        }
        rejected &= in_use;
        self.wraps = FIRST_ROUND;
        self.write_flags(all | Clock::BIT);
        if !kept.enables {
            M::set_interrupts(&self.bus, all | Clock::BIT, self.interrupting & in_use & !rejected);
            registers.pmcntenset_el0().write(|w| {
                let w = w.p().set(in_use & there);
                if in_use & Clock::BIT != 0 { w.c().set_bit() } else { w }
            });
        }
        // The settings take effect before the counters run, as in Linux.
        registers.pmcntenset_el0().synchronize();
        // With LC and LP, counters of 64 bits overflow at 2^64.
        let control = pmcr_el0::R::from_bits(pmcr_el0::W::encode(|w| {
            let w = w.x().bit(before.x().bit()).lc().set_bit().dp().bit(clock.needs_debug);
            w.lp().bit(self.is_long())
        }));
        Programmed { in_use, rejected, control }
    }

    #[inline(always)]
    fn control(&self) -> pmcr_el0::R {
        Registers::shared(&self.bus).pmcr_el0().read()
    }

    /// Sets LC, which other software may have cleared since the stop.
    #[inline(always)]
    fn control_to_resume(&self) -> pmcr_el0::R {
        let control = self.control();
        pmcr_el0::R::from_bits(pmcr_el0::W::encode(|w| {
            let w = w.x().bit(control.x().bit()).lc().set_bit().dp().bit(control.dp().bit());
            w.lp().bit(self.is_long())
        }))
    }

    /// A counter that is removed during these writes may miss some writes, so the driver ignores the counter until
    /// the next start.
    #[inline(always)]
    fn enable(&mut self, control: pmcr_el0::R) -> bool {
        let pmcr = Registers::shared(&self.bus).pmcr_el0();
        pmcr.modify_from(control, |w| w.e().set_bit());
        let enabled = pmcr.read();
        // Updates the field only in this rare case, because the running counters would count the
        // store.
        if enabled.n().bits() < self.available {
            self.available = enabled.n().bits();
        }
        pmcr.synchronize();
        is_enabled(enabled)
    }

    #[inline(always)]
    fn is_enabled(&self) -> bool {
        is_enabled(self.control())
    }

    /// Uses a single read of PMCR_EL0.
    #[inline(always)]
    fn readable(&self) -> u32 {
        let pmcr = self.control();
        if is_enabled(pmcr) { self.still_there(pmcr) } else { 0 }
    }

    #[inline(always)]
    fn disable(&mut self) -> pmcr_el0::R {
        let pmcr = Registers::shared(&self.bus).pmcr_el0();
        pmcr.synchronize();
        let before = pmcr.read();
        pmcr.modify_from(before, |w| w.e().clear_bit());
        pmcr.synchronize();
        before
    }

    #[inline(always)]
    fn enables(control: pmcr_el0::R) -> bool {
        control.e().bit()
    }

    /// Reads PMCNTENSET_EL0 and PMCR_EL0 last: at this time, bits of PMCNTENSET_EL0 are 1, and
    /// PMCR_EL0.E is 0. A device that started to read as zeros or ones fails one of these checks.
    #[inline(always)]
    fn latch(
        &mut self,
        settings: &Settings<P::Selection, N, Clock>,
        in_use: u32,
        before: pmcr_el0::R,
        latched: &mut Latched<N, Clock, u64>,
    ) -> Stopped {
        let registers = Registers::shared(&self.bus);
        // There can be fewer counters than at the start if a hypervisor removed some or migrated
        // this software to another core.
        let there = self.still_there(before);
        let filter = u64::from(self.programmed_filter.bits());
        let mut changed = 0;
        Self::walk(|counter| {
            if let Some(selection) = settings.counters[counter].selection {
                if there >> counter & 1 == 0 {
                    changed |= 1 << counter;
                    return;
                }
                latched.values[counter] = self.value(counter);
                let held = registers.pmevtyper_el0_at(counter).read().bits();
                if held & Self::TYPE != filter | Self::event_fields(selection) {
                    changed |= 1 << counter;
                }
            }
        });
        if in_use & Clock::BIT != 0 {
            latched.cycles = self.cycle_value();
            let held = registers.pmccfiltr_el0().read().bits() & filter::MASK;
            let is_same_clock =
                before.lc().bit() & (before.dp().bit() == settings.cycles.needs_debug);
            if (held != filter) | !is_same_clock {
                changed |= Clock::BIT;
            }
        }
        // Other software changed LP or FZO, so the counters may have overflowed at 2^32 or frozen.
        if self.is_long() && (!before.lp().bit() | before.fzo().bit()) {
            changed |= in_use & !Clock::BIT;
        }
        let (overflowed, stuck) = self.take_flags(in_use & there);
        // If a counter was removed meanwhile, its enable reads as zero.
        changed |= stuck | in_use & !self.enables_of_counters();
        Stopped { overflowed, changed, is_stopped: !self.control().e().bit() }
    }

    /// A flag that cannot be cleared would look like a new overflow at every call, so its counter is
    /// disturbed.
    #[inline(always)]
    fn acknowledge(&mut self, in_use: u32) -> Acknowledged {
        let pmcr = self.control();
        let there = self.still_there(pmcr);
        let (overflowed, disturbed) = self.take_flags(in_use & there);
        let disturbed = disturbed | in_use & !there;
        Acknowledged { overflowed, disturbed, is_enabled: is_enabled(pmcr) }
    }

    #[inline(always)]
    fn flags(&self, _: usize) -> u32 {
        self.all_flags()
    }

    #[inline(always)]
    fn value(&self, counter: usize) -> u64 {
        let value = Registers::shared(&self.bus).pmevcntr_el0_at(counter).read().count().bits();
        // With LP = 0, a counter of PMUv3p5 carries into its upper half, and sets its flag at the carry.
        if self.is_long() { with_wraps(value) } else { value }
    }

    #[inline(always)]
    fn counts_wraps(&self) -> bool {
        self.is_long()
    }

    #[inline(always)]
    fn cycle_value(&self) -> u64 {
        with_wraps(self.cycles())
    }

    /// Disables the counter during the write, so that the value can be read back unchanged. An
    /// overflow flag that was set before the write belongs to earlier events, so it is cleared.
    ///
    /// If the counter is removed after the first access, it may miss the new value; the last access detects this. All
    /// writes are read back. The enable is written last, so it shows whether all writes arrived.
    fn rearm(
        &mut self,
        _: &Settings<P::Selection, N, Clock>,
        in_use: u32,
        counter: usize,
        from: u32,
    ) -> u32 {
        let registers = Registers::shared(&self.bus);
        let bit = if counter == N { Clock::BIT } else { 1 << counter };
        let there = self.still_there(self.control());
        // Whether other software had disabled the counter is checked before the write, because `latch` could not detect
        // it afterwards.
        let mut disturbed = bit & !self.enables_of_counters();
        if counter == N {
            registers.pmcntenclr_el0().write(|w| w.c().clear_bit_by_one());
            registers.pmcntenclr_el0().synchronize();
            registers.pmccntr_el0().write(|w| w.count().set(first_round(from)));
            self.wraps = FIRST_ROUND;
            self.clear_flags(bit);
            if self.cycles() != first_round(from) {
                disturbed |= bit;
            }
            disturbed |= bit & self.all_flags();
            registers.pmcntenset_el0().write(|w| w.c().set_bit());
        } else if there & bit != 0 {
            registers.pmcntenclr_el0().write(|w| w.p().set(bit));
            registers.pmcntenclr_el0().synchronize();
            registers.pmevcntr_el0_at(counter).write(|w| w.count().set(self.start(from)));
            self.clear_flags(bit);
            if self.value(counter) != u64::from(from) {
                disturbed |= bit;
            }
            disturbed |= bit & self.all_flags();
            registers.pmcntenset_el0().write(|w| w.p().set(bit));
        }
        disturbed |= bit & !self.enables_of_counters();
        let readable = self.readable();
        registers.pmcr_el0().synchronize();
        disturbed |= in_use & !(there & readable);
        disturbed
    }

    #[inline(always)]
    fn error(&self) -> Option<BusError> {
        self.bus.error()
    }
}

impl<P: Implementation, B: Bus<Space = Space>, M: Mode, const N: usize> Hardware<P, B, M, N> {
    /// Whether event counters can have 64 bits.
    const MAY_BE_LONG: bool = P::HAS_OTHERS || P::VERSION >= V3P5;

    /// Sets the version of the PMU, if the version is known only at run time.
    pub(crate) const fn set_version(&mut self, version: u8) {
        self.version = version;
    }

    /// Whether event counters have 64 bits, according to the last start.
    #[inline(always)]
    const fn is_long(&self) -> bool {
        Self::MAY_BE_LONG && is_since(V3P5, self.version)
    }

    /// The value of an event counter that starts at `from`.
    #[inline(always)]
    const fn start(&self, from: u32) -> u64 {
        if self.is_long() { first_round(from) } else { from as u64 }
    }

    /// Bits of PMEVTYPER that the driver uses.
    pub(crate) const TYPE: u64 =
        filter::MASK | EVENT | if P::HAS_THRESHOLDS { threshold::MASK } else { 0 };

    /// The event of a selection and its threshold, in PMEVTYPER.
    #[inline(always)]
    fn event_fields(selection: P::Selection) -> u64 {
        let event = u64::from(code(selection));
        if P::HAS_THRESHOLDS { event | threshold::fields(selection.options()) } else { event }
    }

    /// Number of operation slots per cycle, read from PMMIR_EL1.
    ///
    /// `None` before PMUv3p4, or if PMMIR_EL1.SLOTS is 0.
    pub fn slots(&self) -> Option<NonZeroU8> {
        NonZeroU8::new(self.machine()?.slots().bits())
    }

    /// The thresholds of the core, read from PMMIR_EL1.
    ///
    /// # Errors
    ///
    /// See [`ThresholdError::Absent`].
    pub fn thresholds(&self) -> Result<Thresholds, ThresholdError> {
        Thresholds::of_width(self.machine().map_or(0, |machine| machine.thwidth().bits()))
    }

    /// Reads PMMIR_EL1; `None` before PMUv3p4, where an access would be undefined.
    fn machine(&self) -> Option<pmmir_el1::R> {
        let has_register = is_since(V3P4, self.version & !IS_SHORT);
        has_register.then(|| Registers::shared(&self.bus).pmmir_el1().read())
    }

    /// Bits of the event counters with numbers below `available`.
    #[inline(always)]
    const fn there(available: u8) -> u32 {
        (1 << available) - 1
    }

    /// Bits of the event counters below PMCR_EL0.N, whether or not the driver uses them.
    #[inline(always)]
    pub(crate) fn all_there(control: pmcr_el0::R) -> u32 {
        let available = control.n().bits();
        Self::there(if P::HAS_OTHERS { available } else { available.min(N as u8) })
    }

    /// Counters that were available at the last start and still exist with this value of PMCR_EL0.
    #[inline(always)]
    fn still_there(&self, control: pmcr_el0::R) -> u32 {
        Self::there(control.n().bits().min(self.available)) | Clock::BIT
    }

    /// Increments these counters by one. Returns the counters that have been removed.
    ///
    /// The result is unpredictable for a counter that does not count software increments.
    #[must_use]
    pub fn increment(&mut self, counters: u32) -> u32 {
        let registers = Registers::shared(&self.bus);
        let there = counters & self.still_there(registers.pmcr_el0().read());
        registers.pmswinc_el0().write(|w| w.p().set(there));
        counters & !there
    }

    /// Reads the set of common events that the core has.
    pub fn common_events(&self) -> CommonEvents {
        let registers = Registers::shared(&self.bus);
        let (first, second) = (registers.pmceid0_el0().read(), registers.pmceid1_el0().read());
        CommonEvents::from_registers(first.bits(), second.bits())
    }

    /// Returns whether the core has a common event; `None` if PMCEID0 and PMCEID1 have no bit for
    /// it.
    pub fn has_event(&self, event: P::Selection) -> Option<bool> {
        let registers = Registers::shared(&self.bus);
        let code = code(event);
        let events = match code {
            0x00..=0x1F => registers.pmceid0_el0().read().events().bits(),
            0x20..=0x3F => registers.pmceid1_el0().read().events().bits(),
            0x4000..=0x401F => registers.pmceid0_el0().read().extended().bits(),
            0x4020..=0x403F => registers.pmceid1_el0().read().extended().bits(),
            _ => return None,
        };
        Some(events >> (code & 0x1F) & 1 == 1)
    }

    #[inline(always)]
    fn cycles(&self) -> u64 {
        Registers::shared(&self.bus).pmccntr_el0().read().count().bits()
    }

    /// Reads the overflow flags of these counters and clears the set flags.
    ///
    /// Returns the overflowed counters and the disturbed counters. A counter is disturbed if its flag cannot be
    /// cleared; the cycle counter is also disturbed if its flag does not match its wraps.
    #[inline(always)]
    fn take_flags(&mut self, counters: u32) -> (u32, u32) {
        let mut up = self.all_flags() & counters;
        let mut overflowed = up & !Clock::BIT;
        let mut disturbed = 0;
        if counters & Clock::BIT != 0 {
            // The cycle counter is read after its flag, so if the flag is set, the value shows the
            // wrap.
            let wraps = (self.cycles() >> 32) as u32;
            let mut expected = 0;
            if wraps != self.wraps {
                overflowed |= Clock::BIT;
                // The cycle counter may have wrapped after the flags were read.
                up |= self.all_flags() & Clock::BIT;
                // Only the first wrap overflows all 64 bits and sets the flag.
                if self.wraps == FIRST_ROUND {
                    expected = Clock::BIT;
                }
                self.wraps = wraps;
            }
            // A difference shows that other software wrote the counter or set the flag.
            disturbed = (up ^ expected) & Clock::BIT;
        }
        if up != 0 {
            self.clear_flags(up);
            disturbed |= up & self.all_flags();
        }
        (overflowed, disturbed)
    }

    /// Clears the overflow flags of all counters, used or not.
    pub fn acknowledge_all(&mut self) {
        let all = Self::all_there(Registers::shared(&self.bus).pmcr_el0().read());
        self.clear_flags(all | Clock::BIT);
    }

    /// Clears overflow flags, which deasserts the interrupt, and waits until the write has taken
    /// effect.
    #[inline(always)]
    fn clear_flags(&self, counters: u32) {
        self.write_flags(counters);
        Registers::shared(&self.bus).pmovsclr_el0().synchronize();
    }

    #[inline(always)]
    fn write_flags(&self, counters: u32) {
        Registers::shared(&self.bus)
            .pmovsclr_el0()
            .write(|w| w.p().set(counters).c().bit(counters & Clock::BIT != 0));
    }

    /// Reads the overflow flags of all counters, used or not.
    #[inline(always)]
    fn all_flags(&self) -> u32 {
        Registers::shared(&self.bus).pmovsclr_el0().read().bits() as u32
    }

    /// Reads the enables of all counters, used or not.
    #[inline(always)]
    pub(crate) fn enables_of_counters(&self) -> u32 {
        Registers::shared(&self.bus).pmcntenset_el0().read().bits() as u32
    }

    /// Permits or forbids EL0 access immediately.
    pub fn user_access(&mut self, open: bool) {
        Registers::shared(&self.bus).pmuserenr_el0().write(|w| w.en().bit(open));
        self.bus.synchronize();
    }
}

/// Event field of PMEVTYPER. PMUv3 implements only the lower ten bits; the upper bits read as zero.
pub(crate) const EVENT: u64 = 0xFFFF;

/// PMCR_EL0.P, which reads as zero.
const EVENT_COUNTER_RESET: u64 = 1 << 1;

/// Returns whether this value of PMCR_EL0 enables the counters. All ones is not a valid value.
#[inline(always)]
fn is_enabled(pmcr: pmcr_el0::R) -> bool {
    pmcr.e().bit() && pmcr.bits() & EVENT_COUNTER_RESET == 0
}

/// Returns the event code of a selection.
#[inline(always)]
fn code(selection: impl Into<u16>) -> u16 {
    selection.into()
}

/// Number of register accesses between the first and last value in a read of `counters` event
/// counters and the cycle counter.
///
/// See [`Driver::read`](driver::Driver::read).
#[must_use]
pub const fn skew(counters: u32) -> u32 {
    // Each event counter takes three accesses: flags, value, flags. Access 2 therefore reads the first value.
    3 * counters + 1 - 2
}
