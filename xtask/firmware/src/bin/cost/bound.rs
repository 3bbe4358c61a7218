//! How many instructions more than by hand the driver may take.

use crate::product::bounds;

/// One operation, and its bound.
pub struct Bound {
    pub name: &'static str,
    pub limit: Limit,
}

/// The bound of one operation on one product.
///
/// The goal is 5 % more. Where that is missed, the bound is the figure of the number of counters that is the
/// worst and a little more, so that growth is seen. Lower it with each improvement of the driver.
pub struct Limit {
    /// In percent of the code by hand.
    pub percent: u32,
    /// Why it takes more or less than the code by hand.
    pub reason: &'static str,
}

/// `Monitor::run`, up to the work.
pub const START: Bound = Bound { name: "start", limit: bounds::START };

/// Event counters and cycles of a running PMU.
pub const READ: Bound = Bound { name: "read", limit: bounds::READ };

/// Of one overflow.
pub const ACKNOWLEDGE: Bound = Bound { name: "acknowledge", limit: bounds::ACKNOWLEDGE };

/// `Monitor::run`, after the work.
pub const STOP: Bound = Bound { name: "stop", limit: bounds::STOP };

/// `Pmu::start`, `Running::stop` and the counts, in the function that sets the driver up.
pub const BY_VALUE: Bound =
    Bound { name: "start, stop and counts by value", limit: bounds::BY_VALUE };

/// The same, of a driver that another function set up.
pub const MOVED: Bound =
    Bound { name: "start, stop and counts of a driver from elsewhere", limit: bounds::MOVED };

/// `measure` of no work, with a new driver.
pub const MEASURE: Bound = Bound { name: "measure", limit: bounds::MEASURE };

/// The same, with a driver that has measured before.
pub const MEASURE_AGAIN: Bound = Bound { name: "measure again", limit: bounds::MEASURE_AGAIN };
