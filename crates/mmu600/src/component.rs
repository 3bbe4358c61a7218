//! What tells the PMU of a TCU from that of a TBU.

use core::fmt::{Debug, Display};
use core::hash::Hash;

use arm_pmu_core::event::Event;

use crate::generated::{tbu, tcu};
use crate::registers::{pidr0, pidr1};

/// What a PMU of the MMU-600 sits in: a [`Tcu`] or a [`Tbu`].
///
/// Their PMUs have the same registers and count different events. Nobody else can implement this.
pub trait Component: sealed::Component + Copy + Debug + 'static {
    /// What it can count.
    type Event: Event;
    /// What one counter is told to count.
    type Selection: Copy + Debug + Display + Eq + Hash + From<Self::Event> + Into<u16>;
    /// Selects the cycles of its clock, which any counter can count.
    const CYCLES: Self::Selection;
    /// What PIDR0 and PIDR1, which have the part number, hold.
    const PIDR: [u32; 2];

    /// The event, if the manual lists it.
    fn listed(selection: Self::Selection) -> Option<Self::Event>;
}

mod sealed {
    pub trait Component {}
    impl Component for super::Tcu {}
    impl Component for super::Tbu {}
}

/// Translation Control Unit: walks tables, with caches of the walks and of configurations. An MMU-600
/// has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tcu {}

/// Translation Buffer Unit: translates the transactions of its masters, with two levels of TLB. An
/// MMU-600 has up to 62.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tbu {}

impl Component for Tcu {
    type Event = tcu::events::TcuEvent;
    type Selection = tcu::events::Selection;
    const CYCLES: Self::Selection = Self::Selection::event(Self::Event::ClockCycle);
    const PIDR: [u32; 2] = [pidr0::RESET_TCU, pidr1::RESET_TCU];

    fn listed(selection: Self::Selection) -> Option<Self::Event> {
        selection.listed()
    }
}

impl Component for Tbu {
    type Event = tbu::events::TbuEvent;
    type Selection = tbu::events::Selection;
    const CYCLES: Self::Selection = Self::Selection::event(Self::Event::ClockCycle);
    const PIDR: [u32; 2] = [pidr0::RESET_TBU, pidr1::RESET_TBU];

    fn listed(selection: Self::Selection) -> Option<Self::Event> {
        selection.listed()
    }
}
