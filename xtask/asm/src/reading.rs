//! A counter's result in the drivers by hand: a number, or why there is none. The rules come from
//! [`Count`](arm_pmu_core::count::Count).

/// Outcome of reading a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Since the start, modulo 2^32.
    pub events: u32,
    pub doubt: Doubt,
}

/// Why a reading is not the number of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    None,
    Overflowed,
    Interference,
    NotCounted,
}

impl Reading {
    pub const NOTHING: Self = Self { events: 0, doubt: Doubt::NotCounted };

    /// Outcome for a counter that started at `from` and holds `value`.
    pub fn new(from: u32, value: u32, lost: bool, overflowed: bool) -> Self {
        let doubt = if lost {
            Doubt::Interference
        } else if overflowed {
            Doubt::Overflowed
        } else if value < from {
            Doubt::Interference
        } else {
            Doubt::None
        };
        Self { events: value.wrapping_sub(from), doubt }
    }
}
