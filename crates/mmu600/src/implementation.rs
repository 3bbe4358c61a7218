//! The units of the MMU-600 among the implementations of a PMCG, and the accesses to their registers.

use core::marker::PhantomData;

use arm_pmu_core::bus::Bus;
use smmuv3_pmcg::{EventType, Identification, part_number};

use crate::registers::{Page0, Page0Registers, Page1, Page1Registers, capr, cfgr, pmdevarch};
use crate::{COUNTERS, Component, Finding};

/// The PMCG of a unit.
#[derive(Debug)]
pub struct Implementation<C>(PhantomData<C>);

/// The procedures of a PMCG on the pages of a unit.
pub(crate) type Hardware<C, P0, P1> =
    smmuv3_pmcg::Hardware<Implementation<C>, P0, P1, COUNTERS, STREAM_ID_BITS>;

/// Number of bits of a StreamID. A PMU may compare fewer of them.
pub(crate) const STREAM_ID_BITS: u32 = 24;

impl<C: Component> smmuv3_pmcg::Implementation for Implementation<C> {
    type Selection = C::Selection;
    type Event = C::Event;
    type Finding = Finding;
    type Page0 = Page0;
    type Page1 = Page1;

    const CYCLES: C::Selection = C::CYCLES;
    const PARTS: &'static [u16] = &[part_number(C::PIDR[0], C::PIDR[1])];
    const ARCHITECTURE: u32 = pmdevarch::RESET;
    const CONFIGURATION: u32 = cfgr::RESET;
    const VARIABLE_COUNTERS: u32 = 0;

    fn listed(selection: C::Selection) -> Option<C::Event> {
        C::listed(selection)
    }

    fn identification<B: Bus<Space = Page0>>(page0: &B) -> Identification {
        let registers = Page0Registers::shared(page0);
        let pidr = [registers.pidr0().read().bits(), registers.pidr1().read().bits()];
        let cfgr = registers.cfgr().read();
        let architecture = registers.pmdevarch().read().bits();
        let (configuration, last_counter) = (cfgr.bits(), cfgr.nctr().bits());
        Identification { pidr, configuration, last_counter, architecture }
    }

    fn last_counter<B: Bus<Space = Page0>>(page0: &B) -> u8 {
        Page0Registers::shared(page0).cfgr().read().nctr().bits()
    }

    #[inline(always)]
    fn enable<B: Bus<Space = Page0>>(page0: &B, enabled: bool) {
        Page0Registers::shared(page0).cr().write(|w| w.e().bit(enabled));
    }

    #[inline(always)]
    fn control<B: Bus<Space = Page0>>(page0: &B) -> u32 {
        Page0Registers::shared(page0).cr().read().bits()
    }

    #[inline(always)]
    fn enable_counters<B: Bus<Space = Page0>>(page0: &B, counters: u32) {
        Page0Registers::shared(page0).cntenset0_lo().write(|w| w.cnten().set(counters as u8));
    }

    #[inline(always)]
    fn disable_counters<B: Bus<Space = Page0>>(page0: &B, counters: u32) {
        Page0Registers::shared(page0).cntenclr0_lo().write(|w| w.cnten().set(counters as u8));
    }

    #[inline(always)]
    fn enabled_counters<B: Bus<Space = Page0>>(page0: &B) -> u32 {
        Page0Registers::shared(page0).cntenset0_lo().read().cnten().bits().into()
    }

    #[inline(always)]
    fn enable_interrupts<B: Bus<Space = Page0>>(page0: &B, counters: u32) {
        Page0Registers::shared(page0).intenset0_lo().write(|w| w.inten().set(counters as u8));
    }

    #[inline(always)]
    fn disable_interrupts<B: Bus<Space = Page0>>(page0: &B, counters: u32) {
        Page0Registers::shared(page0).intenclr0_lo().write(|w| w.inten().set(counters as u8));
    }

    #[inline(always)]
    fn enabled_interrupts<B: Bus<Space = Page0>>(page0: &B) -> u32 {
        Page0Registers::shared(page0).intenset0_lo().read().inten().bits().into()
    }

    #[inline(always)]
    fn set_event_type<B: Bus<Space = Page0>>(page0: &B, counter: usize, value: EventType) {
        let EventType { event, capture, span, secure } = value;
        Page0Registers::shared(page0).evtyper_at(counter).write(|w| {
            let w = w.event().set(event).ovfcap().bit(capture);
            w.filter_sid_span().bit(span).filter_sec_sid().bit(secure)
        });
    }

    #[inline(always)]
    fn event_type<B: Bus<Space = Page0>>(page0: &B, counter: usize) -> (EventType, u32) {
        let value = Page0Registers::shared(page0).evtyper_at(counter).read();
        let event_type = EventType {
            event: value.event().bits(),
            capture: value.ovfcap().bit(),
            span: value.filter_sid_span().bit(),
            secure: value.filter_sec_sid().bit(),
        };
        (event_type, value.bits())
    }

    #[inline(always)]
    fn set_streams<B: Bus<Space = Page0>>(page0: &B, code: u32) {
        Page0Registers::shared(page0).smr0().write(|w| w.streamid().set(code));
    }

    #[inline(always)]
    fn streams<B: Bus<Space = Page0>>(page0: &B) -> u32 {
        Page0Registers::shared(page0).smr0().read().streamid().bits()
    }

    #[inline(always)]
    fn secure_observation<B: Bus<Space = Page0>>(page0: &B) -> Option<bool> {
        let scr = Page0Registers::shared(page0).scr().read();
        scr.reads_as_one().bit().then(|| scr.so().bit())
    }

    fn enable_interrupt<B: Bus<Space = Page0>>(page0: &B, enabled: bool) {
        Page0Registers::shared(page0).irq_ctrl().write(|w| w.irqen().bit(enabled));
    }

    fn interrupt_enable<B: Bus<Space = Page0>>(page0: &B) -> bool {
        Page0Registers::shared(page0).irq_ctrl().read().irqen().bit()
    }

    fn acknowledged_enable<B: Bus<Space = Page0>>(page0: &B) -> bool {
        Page0Registers::shared(page0).irq_ctrlack().read().irqen().bit()
    }

    fn common_events<B: Bus<Space = Page0>>(page0: &B, word: u16) -> Option<u32> {
        let page0 = Page0Registers::shared(page0);
        match word {
            0 => Some(page0.ceid0_lo().read().bits()),
            1 => Some(page0.ceid0_hi().read().bits()),
            2 => Some(page0.ceid1_lo().read().bits()),
            3 => Some(page0.ceid1_hi().read().bits()),
            _ => None,
        }
    }

    #[inline(always)]
    fn value<B: Bus<Space = Page1>>(page1: &B, counter: usize) -> u32 {
        Page1Registers::shared(page1).evcntr_at(counter).read().counter_value().bits()
    }

    #[inline(always)]
    fn set_value<B: Bus<Space = Page1>>(page1: &B, counter: usize, value: u32) {
        Page1Registers::shared(page1).evcntr_at(counter).write(|w| w.counter_value().set(value));
    }

    #[inline(always)]
    fn shadow<B: Bus<Space = Page1>>(page1: &B, counter: usize) -> u32 {
        Page1Registers::shared(page1).svr_at(counter).read().shadow_counter_value().bits()
    }

    #[inline(always)]
    fn flags<B: Bus<Space = Page1>>(page1: &B) -> u32 {
        Page1Registers::shared(page1).ovsset0_lo().read().ovs().bits().into()
    }

    #[inline(always)]
    fn clear_flags<B: Bus<Space = Page1>>(page1: &B, counters: u32) {
        Page1Registers::shared(page1).ovsclr0_lo().write(|w| w.ovs().set(counters as u8));
    }

    #[inline(always)]
    fn capture<B: Bus<Space = Page1>>(page1: &B) {
        Page1Registers::shared(page1).capr().write(|w| w.capture().set_bit());
    }

    fn page1_words<B: Bus<Space = Page1>>(page1: &B) -> [u32; 3] {
        let registers = Page1Registers::shared(page1);
        let set = registers.ovsset0_lo().read().bits();
        let clear = registers.ovsclr0_lo().read().bits();
        // CAPR is write-only, so the typed registers have no read of it.
        [set, clear, page1.load::<capr::CaprSpec>(0)]
    }
}

impl From<smmuv3_pmcg::Finding> for Finding {
    fn from(finding: smmuv3_pmcg::Finding) -> Self {
        use smmuv3_pmcg::Finding as Of;
        match finding {
            Of::BusError => Self::BusError,
            Of::ReadsAsZero => Self::ReadsAsZero,
            Of::ReadsAsOnes => Self::ReadsAsOnes,
            Of::WritesIgnored => Self::WritesIgnored,
            Of::EnableLost => Self::EnableLost,
            Of::Interference => Self::Interference,
            Of::AnotherProduct => Self::AnotherProduct,
            Of::NotAPmu => Self::NotAPmu,
            Of::Configuration => Self::Configuration,
            Of::Page1Elsewhere => Self::Page1Elsewhere,
            Of::IrqNotAcknowledged => Self::IrqNotAcknowledged,
            Of::ClockStandsStill => Self::ClockStandsStill,
            Of::EventAbsent => Self::EventAbsent,
            Of::SecureNotObserved => Self::SecureNotObserved,
            Of::SecureObservationUnknown => Self::SecureObservationUnknown,
            Of::FilterNotTaken => Self::FilterNotTaken,
            Of::FilterPassesNothing => Self::FilterPassesNothing,
            Of::ExpectedEventNotCounted => Self::ExpectedEventNotCounted,
        }
    }
}
