//! What tells the cores apart: their events, and the bits of their control register.

use core::fmt::{Debug, Display};
use core::hash::Hash;

use arm_pmu_core::{Bus, Cp15, Divider, Event};

use crate::{COUNTERS, Counters, generated};

/// An ARM11 core: [`Arm1136`], [`Arm1156`] or [`Arm1176`]. Nobody else can implement this.
pub trait Core: access::Registers + crate::diagnose::Rows + Copy + Debug + 'static {
    /// What the core can count.
    type Event: Event;
    /// What one counter is told to count.
    type Selection: Copy + Debug + Display + Eq + Hash + From<Self::Event>;
    /// Bits 15 to 4 of its Main ID Register.
    const MAIN_ID_PART: u16;
    /// What a counter is set to that is not in use, as none can be off by itself: an input that is
    /// quiet unless a trace macrocell drives it.
    const IDLE: Self::Selection;
    /// The number that the control register is to hold for this.
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

/// What is to stand in the control register, but for actions and flags.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Event numbers.
    pub(crate) events: [u8; COUNTERS],
    pub(crate) divider: Divider,
    pub(crate) interrupts: Counters,
    /// For an ARM1156.
    pub(crate) fast_interrupts: Counters,
}

/// What a write of the control register does at once.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// Whether the counters count from then on.
    pub(crate) enable: bool,
    /// Whether they are set to zero.
    pub(crate) reset: Counters,
    /// The overflow flags to be cleared.
    pub(crate) clear: Counters,
}

impl Action {
    pub(crate) const fn enable(enable: bool) -> Self {
        Self { enable, reset: Counters::NONE, clear: Counters::NONE }
    }
}

/// What the control register says.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(crate) enabled: bool,
    pub(crate) events: [u8; COUNTERS],
    pub(crate) divider: Divider,
    pub(crate) flags: Counters,
}

mod access {
    use super::{Action, Bus, COUNTERS, Cp15, Setting, State};

    /// The registers of a core. Sealed: nobody else can name it.
    pub trait Registers {
        /// Reads the control register.
        fn state<B: Bus<Space = Cp15>>(bus: &B) -> State;
        /// Writes the control register: all of the setting, and the action. The export of events (X)
        /// stays as it is.
        fn program<B: Bus<Space = Cp15>>(bus: &B, setting: &Setting, action: Action);
        /// Writes the control register: the action only.
        fn act<B: Bus<Space = Cp15>>(bus: &B, action: Action);
        /// Reads the event counters.
        fn counts<B: Bus<Space = Cp15>>(bus: &B) -> [u32; COUNTERS];
        /// Writes the event counters.
        fn set_counts<B: Bus<Space = Cp15>>(bus: &B, counts: [u32; COUNTERS]);
        /// Writes one event counter, if it is there.
        fn set_count<B: Bus<Space = Cp15>>(bus: &B, number: usize, count: u32);
        /// Reads the cycle counter.
        fn cycles<B: Bus<Space = Cp15>>(bus: &B) -> u32;
        /// Writes the cycle counter.
        fn set_cycles<B: Bus<Space = Cp15>>(bus: &B, cycles: u32);
    }
}

/// The registers of the three cores differ in the fast interrupt only, but are types of their own.
macro_rules! core {
    ($Core:ident, $unit:ident, $Event:ident, |$w:ident, $fast:ident| $set_fast:expr) => {
        impl Core for $Core {
            type Event = generated::$unit::events::$Event;
            type Selection = generated::$unit::events::Selection;
            const MAIN_ID_PART: u16 = generated::$unit::registers::MAIN_ID_PART;
            const IDLE: Self::Selection = Self::Selection::event(Self::Event::Etmextout0);

            #[inline(always)]
            fn number(selection: Self::Selection) -> u8 {
                // It has no more than eight bits.
                selection.id() as u8
            }
        }

        impl access::Registers for $Core {
            #[inline(always)]
            fn state<B: Bus<Space = Cp15>>(bus: &B) -> State {
                let r = generated::$unit::registers::Registers::of(bus).pmnc().read();
                State {
                    enabled: r.e().bit(),
                    events: [r.evt_count0().bits(), r.evt_count1().bits()],
                    divider: if r.d().bit() { Divider::By64 } else { Divider::By1 },
                    flags: Counters {
                        counters: [r.oc0().bit(), r.oc1().bit()],
                        cycles: r.occ().bit(),
                    },
                }
            }

            #[inline(always)]
            fn program<B: Bus<Space = Cp15>>(bus: &B, setting: &Setting, action: Action) {
                let Setting {
                    events: [event0, event1],
                    divider,
                    interrupts,
                    fast_interrupts: $fast,
                } = *setting;
                let Action { enable, reset, clear } = action;
                generated::$unit::registers::Registers::of(bus).pmnc().modify(|_, w| {
                    let w = w.evt_count0().set(event0).evt_count1().set(event1);
                    let w = w.d().bit(divider == Divider::By64);
                    let [ec0, ec1] = interrupts.counters;
                    let w = w.ec0().bit(ec0).ec1().bit(ec1).ecc().bit(interrupts.cycles);
                    let $w = w.p().bit(reset.counters.contains(&true)).c().bit(reset.cycles);
                    let w = $set_fast;
                    let [oc0, oc1] = clear.counters;
                    w.oc0().bit(oc0).oc1().bit(oc1).occ().bit(clear.cycles).e().bit(enable)
                });
            }

            #[inline(always)]
            fn act<B: Bus<Space = Cp15>>(bus: &B, action: Action) {
                let Action { enable, reset, clear } = action;
                generated::$unit::registers::Registers::of(bus).pmnc().modify(|_, w| {
                    let w = w.p().bit(reset.counters.contains(&true)).c().bit(reset.cycles);
                    let [oc0, oc1] = clear.counters;
                    w.oc0().bit(oc0).oc1().bit(oc1).occ().bit(clear.cycles).e().bit(enable)
                });
            }

            #[inline(always)]
            fn counts<B: Bus<Space = Cp15>>(bus: &B) -> [u32; COUNTERS] {
                let registers = generated::$unit::registers::Registers::of(bus);
                [registers.pmn0().read().count().bits(), registers.pmn1().read().count().bits()]
            }

            #[inline(always)]
            fn set_counts<B: Bus<Space = Cp15>>(bus: &B, [count0, count1]: [u32; COUNTERS]) {
                let registers = generated::$unit::registers::Registers::of(bus);
                registers.pmn0().write(|w| w.count().set(count0));
                registers.pmn1().write(|w| w.count().set(count1));
            }

            #[inline(always)]
            fn set_count<B: Bus<Space = Cp15>>(bus: &B, number: usize, count: u32) {
                let registers = generated::$unit::registers::Registers::of(bus);
                match number {
                    0 => registers.pmn0().write(|w| w.count().set(count)),
                    1 => registers.pmn1().write(|w| w.count().set(count)),
                    _ => {}
                }
            }

            #[inline(always)]
            fn cycles<B: Bus<Space = Cp15>>(bus: &B) -> u32 {
                generated::$unit::registers::Registers::of(bus).ccnt().read().count().bits()
            }

            #[inline(always)]
            fn set_cycles<B: Bus<Space = Cp15>>(bus: &B, cycles: u32) {
                generated::$unit::registers::Registers::of(bus)
                    .ccnt()
                    .write(|w| w.count().set(cycles));
            }
        }
    };
}

core!(Arm1136, arm1136, Arm1136Event, |w, _fast| w);
core!(Arm1156, arm1156, Arm1156Event, |w, fast| {
    let [fc0, fc1] = fast.counters;
    w.fc0().bit(fc0).fc1().bit(fc1).fcc().bit(fast.cycles)
});
core!(Arm1176, arm1176, Arm1176Event, |w, _fast| w);
