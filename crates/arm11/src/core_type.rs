//! The ARM11 cores, which differ in their events and in bits of the control register.

use core::fmt::{Debug, Display};
use core::hash::Hash;

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::Clock;
use arm_pmu_core::event::Event;

use crate::{COUNTERS, Space, generated};

/// An ARM11 core: [`Arm1136`], [`Arm1156`] or [`Arm1176`]. This trait is sealed.
pub trait Core: access::Registers + crate::findings::Findings + Copy + Debug + 'static {
    /// Events of the core.
    type Event: Event;
    /// Selection of one counter.
    type Selection: Copy + Debug + Display + Eq + Hash + From<Self::Event>;
    /// Bits 15 to 4 of the Main ID Register.
    const MAIN_ID_PART: u16;
    /// Selection for unused counters, because a single counter cannot be switched off.
    ///
    /// ETMEXTOUT is an input that is quiet unless a trace macrocell drives it.
    const IDLE: Self::Selection;
    /// Returns the number of a selection in the control register.
    fn number(selection: Self::Selection) -> u8;
}

/// ARM1136J-S and ARM1136JF-S.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm1136 {}

/// ARM1156T2-S and ARM1156T2F-S.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm1156 {}

/// ARM1176JZ-S and ARM1176JZF-S.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arm1176 {}

/// Actions that a write to the control register triggers.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// Whether the counters are enabled.
    pub(crate) enable: bool,
    /// Whether the event counters are reset to zero.
    pub(crate) reset_events: bool,
    /// Whether the cycle counter is reset to zero.
    pub(crate) reset_cycles: bool,
    /// Overflow flags to clear, one bit each.
    pub(crate) clear: u32,
}

impl Action {
    #[inline(always)]
    pub(crate) const fn enable(enable: bool) -> Self {
        Self { enable, reset_events: false, reset_cycles: false, clear: 0 }
    }
}

mod access {
    use super::{Action, Bus, COUNTERS, Space};

    /// Access to the registers of a core. This trait is sealed.
    ///
    /// In this trait, the control register is a word, and a set of counters is a word with one bit for each counter.
    pub trait Registers {
        /// Reads the control register.
        fn state<B: Bus<Space = Space>>(bus: &B) -> u32;
        /// Returns whether this value of the control register enables the counters.
        fn enabled(state: u32) -> bool;
        /// Returns the overflow flags in this value of the control register.
        fn flags(state: u32) -> u32;
        /// Returns the event codes that this value of the control register selects.
        fn events(state: u32) -> [u8; COUNTERS];
        /// Returns a value of the control register with these events and interrupts.
        ///
        /// The counters are disabled, and flags and action bits are 0. Only an ARM1156 has fast
        /// interrupts.
        fn setting(events: [u8; COUNTERS], by_64: bool, interrupts: u32, fast: u32) -> u32;
        /// Returns the counters whose settings differ between `state` and `setting`.
        fn changed(state: u32, setting: u32) -> u32;
        /// Writes the setting and the action to the control register. Keeps the export of events
        /// (X).
        fn program<B: Bus<Space = Space>>(bus: &B, setting: u32, action: Action);
        /// Writes `state` to the control register, with its action bits replaced by `action`.
        fn act_from<B: Bus<Space = Space>>(bus: &B, state: u32, action: Action);
        /// Writes the action to the control register, and keeps all other bits.
        #[inline(always)]
        fn act<B: Bus<Space = Space>>(bus: &B, action: Action) {
            Self::act_from(bus, Self::state(bus), action);
        }
        /// Reads the event counters.
        fn counts<B: Bus<Space = Space>>(bus: &B) -> [u32; COUNTERS];
        /// Writes one event counter, or the cycle counter, whose number is `COUNTERS`.
        fn set_count<B: Bus<Space = Space>>(bus: &B, number: usize, count: u32);
        /// Reads the cycle counter.
        fn cycles<B: Bus<Space = Space>>(bus: &B) -> u32;
    }
}

/// Implements a core. The registers of each core have their own types, but differ only in the fast interrupt.
macro_rules! core {
    ($Core:ident, $unit:ident, $Event:ident, |$w:ident, $fast:ident| $set_fast:expr) => {
        impl Core for $Core {
            type Event = generated::$unit::events::$Event;
            type Selection = generated::$unit::events::Selection;
            const MAIN_ID_PART: u16 = generated::$unit::registers::MAIN_ID_PART;
            const IDLE: Self::Selection = Self::Selection::event(Self::Event::Etmextout0);

            #[inline(always)]
            fn number(selection: Self::Selection) -> u8 {
                // The code has at most eight bits.
                selection.code()
            }
        }

        impl access::Registers for $Core {
            #[inline(always)]
            fn state<B: Bus<Space = Space>>(bus: &B) -> u32 {
                generated::$unit::registers::Registers::shared(bus).pmnc().read().bits()
            }

            #[inline(always)]
            fn enabled(state: u32) -> bool {
                generated::$unit::registers::pmnc::R::from_bits(state).e().bit()
            }

            #[inline(always)]
            fn flags(state: u32) -> u32 {
                let r = generated::$unit::registers::pmnc::R::from_bits(state);
                word([r.oc0().bit(), r.oc1().bit()], r.occ().bit())
            }

            fn events(state: u32) -> [u8; COUNTERS] {
                let r = generated::$unit::registers::pmnc::R::from_bits(state);
                [r.evt_count0().bits(), r.evt_count1().bits()]
            }

            #[inline(always)]
            fn setting(
                [event0, event1]: [u8; COUNTERS],
                by_64: bool,
                interrupts: u32,
                fast: u32,
            ) -> u32 {
                generated::$unit::registers::pmnc::W::encode(|w| {
                    let w = w.evt_count0().set(event0).evt_count1().set(event1).d().bit(by_64);
                    let w = w.ec0().bit(interrupts & 1 != 0).ec1().bit(interrupts & 2 != 0);
                    let $w = w.ecc().bit(interrupts & Clock::BIT != 0);
                    let $fast = fast;
                    $set_fast
                })
            }

            #[inline(always)]
            fn changed(state: u32, setting: u32) -> u32 {
                let [found, set] =
                    [state, setting].map(generated::$unit::registers::pmnc::R::from_bits);
                word(
                    [
                        found.evt_count0().bits() != set.evt_count0().bits(),
                        found.evt_count1().bits() != set.evt_count1().bits(),
                    ],
                    found.d().bit() != set.d().bit(),
                )
            }

            #[inline(always)]
            fn program<B: Bus<Space = Space>>(bus: &B, setting: u32, action: Action) {
                let Action { enable, reset_events, reset_cycles, clear } = action;
                let pmnc = generated::$unit::registers::Registers::shared(bus).pmnc();
                let exported = pmnc.read().x().bit();
                pmnc.modify_from(generated::$unit::registers::pmnc::R::from_bits(setting), |w| {
                    let w = w.x().bit(exported).p().bit(reset_events).c().bit(reset_cycles);
                    let w = w.oc0().bit(clear & 1 != 0).oc1().bit(clear & 2 != 0);
                    w.occ().bit(clear & Clock::BIT != 0).e().bit(enable)
                });
            }

            #[inline(always)]
            fn act_from<B: Bus<Space = Space>>(bus: &B, state: u32, action: Action) {
                let Action { enable, reset_events, reset_cycles, clear } = action;
                let pmnc = generated::$unit::registers::Registers::shared(bus).pmnc();
                pmnc.modify_from(generated::$unit::registers::pmnc::R::from_bits(state), |w| {
                    let w = w.p().bit(reset_events).c().bit(reset_cycles);
                    let w = w.oc0().bit(clear & 1 != 0).oc1().bit(clear & 2 != 0);
                    w.occ().bit(clear & Clock::BIT != 0).e().bit(enable)
                });
            }

            #[inline(always)]
            fn counts<B: Bus<Space = Space>>(bus: &B) -> [u32; COUNTERS] {
                let registers = generated::$unit::registers::Registers::shared(bus);
                [registers.pmn0().read().count().bits(), registers.pmn1().read().count().bits()]
            }

            #[inline(always)]
            fn set_count<B: Bus<Space = Space>>(bus: &B, number: usize, count: u32) {
                let registers = generated::$unit::registers::Registers::shared(bus);
                match number {
                    0 => registers.pmn0().write(|w| w.count().set(count)),
                    1 => registers.pmn1().write(|w| w.count().set(count)),
                    _ => registers.ccnt().write(|w| w.count().set(count)),
                }
            }

            #[inline(always)]
            fn cycles<B: Bus<Space = Space>>(bus: &B) -> u32 {
                generated::$unit::registers::Registers::shared(bus).ccnt().read().count().bits()
            }
        }
    };
}

/// Returns a set of counters as a word.
#[inline(always)]
fn word([first, second]: [bool; COUNTERS], cycles: bool) -> u32 {
    u32::from(first) | u32::from(second) << 1 | u32::from(cycles) << Clock::BIT.trailing_zeros()
}

core!(Arm1136, arm1136, Arm1136Event, |w, _fast| w);
core!(Arm1156, arm1156, Arm1156Event, |w, fast| {
    w.fc0().bit(fast & 1 != 0).fc1().bit(fast & 2 != 0).fcc().bit(fast & Clock::BIT != 0)
});
core!(Arm1176, arm1176, Arm1176Event, |w, _fast| w);
