//! The order of a measurement, once for all PMUs.
//!
//! [`Hardware`] holds the procedures of one kind of PMU; [`Driver`] calls them in the order that makes
//! counts right. The crate of an IP wraps a `Driver` in a plain struct of its own.
//!
//! | | |
//! |---|---|
//! | start | write all settings while the counters are disabled; note what was not taken; enable all counters by one write; read back that they are enabled |
//! | stop | disable all counters by one write; read the values; compare the settings with what was programmed; acknowledge overflows; read back that the device still answers |
//! | read | for each counter: flag, value, flag, and once more the value if the flag came up; at the end, that the counters are enabled |
//! | rearm | disable the counter; write its value; clear its flag; enable it |
//!
//! What confirms a value is read after it: if the registers turn to zeros or ones in between (power,
//! clock, a firewall), the confirmation fails, and the count is an error instead of a wrong number. What
//! comes and goes between two accesses cannot be found out by any order.

mod counter;
mod cycle_counter;
mod cycle_setting;
mod driver;
mod hardware;
mod probe_error;
mod product;
mod run;
mod state;
#[cfg(test)]
mod tests;

pub use counter::{Counter, CounterConfig};
pub use cycle_counter::{Clock, CounterSet, Cycles, Divider};
pub use cycle_setting::CycleSetting;
pub use driver::Driver;
pub use hardware::{Acknowledged, Hardware, Programmed, Stopped};
pub use probe_error::{ProbeError, ProbeErrorKind};
pub use state::{Latched, Settings};
