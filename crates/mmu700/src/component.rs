//! The two kinds of units with a PMU: TCU and TBU.

use core::fmt::{Debug, Display};
use core::hash::Hash;

use arm_pmu_core::event::Event;
use smmuv3_pmcg::part_number;

use crate::generated::{tbu, tcu};
use crate::registers::{pidr0, pidr1};

/// A unit of the MMU-700 with a PMU: [`Tcu`] or [`Tbu`].
///
/// The PMUs of both units have the same registers and count different events. This trait is sealed.
pub trait Component: sealed::Component + Copy + Debug + 'static {
    /// Events of the unit.
    type Event: Event;
    /// Selection of one counter.
    type Selection: Copy + Debug + Display + Eq + Hash + From<Self::Event> + Into<u16>;
    /// Selection of the clock cycles of the unit, which any counter can count.
    const CYCLES: Self::Selection;
    /// Part numbers of the unit, most likely first.
    ///
    /// The documents disagree about the part number of a TBU, so the list has two numbers for a TBU.
    const PARTS: &'static [u16];

    /// Returns the event of a selection if the manual lists it.
    fn listed(selection: Self::Selection) -> Option<Self::Event>;
}

mod sealed {
    pub trait Component {}
    impl Component for super::Tcu {}
    impl Component for super::Tbu {}
}

/// Translation Control Unit: walks translation tables.
///
/// The TCU caches walks and configurations. An MMU-700 has one TCU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tcu {}

/// Translation Buffer Unit: translates the transactions of its masters.
///
/// A TBU has two levels of TLB. An MMU-700 has up to 62 TBUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tbu {}

impl Component for Tcu {
    type Event = tcu::events::TcuEvent;
    type Selection = tcu::events::Selection;
    const CYCLES: Self::Selection = Self::Selection::event(Self::Event::ClockCycle);
    const PARTS: &'static [u16] = &[part_number(pidr0::RESET_TCU, pidr1::RESET)];

    fn listed(selection: Self::Selection) -> Option<Self::Event> {
        selection.listed()
    }
}

impl Component for Tbu {
    type Event = tbu::events::TbuEvent;
    type Selection = tbu::events::Selection;
    const CYCLES: Self::Selection = Self::Selection::event(Self::Event::ClockCycle);
    const PARTS: &'static [u16] = &[
        part_number(pidr0::RESET_TBU, pidr1::RESET),
        // In the manual, a TBU has the part number of the TCU.
        part_number(pidr0::RESET_TCU, pidr1::RESET),
    ];

    fn listed(selection: Self::Selection) -> Option<Self::Event> {
        selection.listed()
    }
}
