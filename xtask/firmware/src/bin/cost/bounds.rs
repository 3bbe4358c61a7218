//! How many instructions more than by hand the driver may take.
//!
//! The goal is 5 % more, which the stop alone reaches. These are the figures of rustc 1.96 for the
//! number of counters that is the worst, and a little more, so that growth is seen. Whoever makes the
//! driver better lowers them.

/// One thing that is done, and what it may cost.
pub struct Bound {
    pub name: &'static str,
    /// In percent of what is written by hand.
    pub percent: u32,
    /// Why it is that much.
    pub reason: &'static str,
}

/// `Monitor::run`, up to the work.
pub const START: Bound = Bound {
    name: "start",
    percent: 123,
    reason: "a barrier takes a register with zero, as on ARMv6, by hand it is `dsb` and `isb`; what the \
             counters were told is kept apart from what they were told since",
};

/// Event counters and cycles of a running PMU.
pub const READ: Bound = Bound {
    name: "read",
    percent: 124,
    reason: "events and cycles are read by two methods; a count that is not in use is written twice",
};

/// `Monitor::run`, after the work.
pub const STOP: Bound = Bound {
    name: "stop",
    percent: 81,
    reason: "what was counted is judged when it is asked for; by hand, here",
};

/// `Pmu::start` and `Running::stop`.
pub const BY_VALUE: Bound = Bound {
    name: "start and stop by value",
    percent: 245,
    reason: "the driver is moved, field by field, as nothing is known of it when this is compiled; \
             `measure` and `Monitor::run` move nothing",
};

/// `measure` around nothing.
pub const MEASURE: Bound = Bound {
    name: "measure",
    percent: 134,
    reason: "selections are looked at twice, so that nothing has changed if they are refused, and given \
             back with the counts",
};
