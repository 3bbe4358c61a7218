//! How many instructions more than by hand the driver may take.
//!
//! The goal is 5 % more. Where that is missed, the bound is the figure of the number of counters that is the
//! worst and a little more, so that growth is seen. Lower it with each improvement of the driver.

/// One operation, and its bound.
pub struct Bound {
    pub name: &'static str,
    /// In percent of the code by hand.
    pub percent: u32,
    /// Why it takes more or less than the code by hand.
    pub reason: &'static str,
}

/// `Monitor::run`, up to the work.
pub const START: Bound = Bound {
    name: "start",
    percent: 105,
    reason: "an event is cut out of a word, and the bits of PMCR are put together; by hand they are stored so",
};

/// Event counters and cycles of a running PMU.
pub const READ: Bound = Bound {
    name: "read",
    percent: 103,
    reason: "of a counter that is not in use the value is written, too, which counts where few are used",
};

/// `Monitor::run`, after the work.
pub const STOP: Bound = Bound {
    name: "stop",
    percent: 82,
    reason: "what was counted is judged when it is asked for; by hand, here",
};

/// `Pmu::start`, `Running::stop` and the counts, in the function that sets the driver up.
pub const BY_VALUE: Bound = Bound {
    name: "start, stop and counts by value",
    percent: 146,
    reason: "what the driver holds is kept in more places than there are registers; without the counts, \
             which by hand are part of the stop, it is less than by hand",
};

/// The same, of a driver that another function set up.
pub const MOVED: Bound = Bound {
    name: "start, stop and counts of a driver from elsewhere",
    percent: 252,
    reason: "the driver is moved, field by field, as nothing is known of it when this is compiled; \
             `measure` and `Monitor::run` move nothing",
};

/// `measure` of no work, with a new driver.
pub const MEASURE: Bound = Bound {
    name: "measure",
    percent: 105,
    reason: "selections are looked at twice, so that nothing has changed if they are refused, and given \
             back with the counts; but the compiler knows how many there are, the assembly does not",
};

/// The same, with a driver that has measured before.
pub const MEASURE_AGAIN: Bound = Bound {
    name: "measure again",
    percent: 107,
    reason: "as the first time; what is to be counted is kept apart from what was, until the start, and with it \
             which of the selections is the cycles",
};
