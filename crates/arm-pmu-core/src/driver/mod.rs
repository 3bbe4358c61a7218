//! The order of a measurement, for all PMUs.
//!
//! [`Hardware`] is the trait of the procedures of one kind of PMU. [`Driver`] calls them in the order that makes
//! counts right. The crate of an IP wraps a `Driver` in a plain struct of its own.
//!
//! | call | order |
//! |---|---|
//! | start | write all settings while the counters are disabled; note rejected settings; enable all counters by one write; read back that they are enabled |
//! | stop | disable all counters by one write; read the values; compare the settings with those programmed; acknowledge overflows; read back that the device still answers |
//! | read | for each counter: read flag, value, flag, and the value again if the flag was set in between; at the end, check that the counters are enabled |
//! | rearm | disable the counter; write its value; clear its flag; enable it |
//!
//! Each check comes after the reads that it confirms. If the registers turn to zeros or ones in between (power,
//! clock, a firewall), the check fails, and the count is an error instead of a wrong number. No order detects a
//! change that begins and ends between two accesses.
//!
//! [Example](crate::measure::StartStop)

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
