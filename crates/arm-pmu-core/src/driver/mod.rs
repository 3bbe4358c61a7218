//! The order of accesses in a measurement, for all PMUs.
//!
//! [`Hardware`] is the trait for the procedures of a kind of PMU. [`Driver`] calls these procedures in the
//! order that makes counts exact. The crate of an IP wraps a `Driver` in a plain struct.
//!
//! | call | order |
//! |---|---|
//! | start | write all settings while the counters are disabled; note rejected settings; enable all counters by one write; read back that they are enabled |
//! | stop | disable all counters by one write; read the values; check that the settings are as programmed; acknowledge overflows; read back that the device still answers |
//! | switch | as a start; settings that the device still holds are not written again |
//! | resume | enable all counters by one write; read back that they are enabled |
//! | read | for each counter: read flag, value, flag, and the value again if the flag was set in between; at the end, check that the counters are enabled |
//! | rearm | disable the counter; write its value; clear its flag; read both back; enable it; read the enable back |
//!
//! Each check comes after the reads that it confirms. If the registers change to zeros or ones in between
//! (power, clock, a firewall), the check fails, and the count is an error instead of a wrong number.
//!
//! # Which call detects what
//!
//! A call that detects an incident makes the counts [disturbed](crate::count::CountError::Disturbed). A read of running
//! counters invalidates only the returned counts; every other call invalidates all counts up to the next start. The
//! incidents:
//!
//! - disabled: the PMU as a whole is disabled, or loses its power, while it counts
//! - changed: while a counter counts, another party disables the counter, or makes it count another
//!   event
//! - silent: from some access on, until the end of a call, registers read as zeros or ones, or fail
//! - ignored: from some access on, until the end of a call, stores have no effect
//! - power: the PMU loses its power between a stop and a resume
//!
//! | PMU | disabled | changed | silent | ignored | power |
//! |---|---|---|---|---|---|
//! | ARM11 | read, acknowledge, rearm, stop | stop | that call (1) | start, rearm, stop | resume (1) |
//! | Cortex-A7, A8, A9 | read, rearm, stop | stop (2) | that call | start (3), rearm, stop | stop (4) |
//! | PMUv3, DSU | read, acknowledge, rearm, stop | stop (2) | that call | start (3), rearm, stop | stop (4) |
//! | CCI-400, CCI-5xx | read, acknowledge, rearm, stop | stop (2) | that call | start, rearm, stop | stop |
//! | L2C-310 | read, acknowledge, rearm, stop | stop (2) | that call | start, rearm, stop | stop |
//! | SMMUv3 PMCG | read, rearm, stop | stop | that call (5) | start, rearm, stop (6) | stop |
//!
//! 1. Not detected if all settings are zero: event 0x00 on both counters, no divider, no interrupt.
//! 2. A rearm also detects that its counter was disabled; on a CCI or L2C-310, it also detects that its counter
//!    counts another event. On a Cortex-A7, A8, A9 or DSU, every call detects a changed counter selector. On a core
//!    with PMUv3, every call detects that a hypervisor has removed a counter.
//! 3. Not detected if an earlier owner left the PMU enabled.
//! 4. Not detected if events and enables happen to have the programmed values. This is possible, because their values
//!    after a reset are unknown.
//! 5. Not detected if only page 1 reads as zeros, because zero is a possible value of each register
//!    on page 1.
//! 6. If the device ignores a capture, the reads return the values of the previous capture.
//!
//! # What no call detects
//!
//! - Registers return wrong values for a while, but correct values at the next check. The number is wrong without an
//!   error, on every PMU and in every call.
//! - Other software writes a counter, and at the next read the counter is not below its start value. With a counter of
//!   64 bits, the write is detected if the upper half then contradicts the overflow flag.
//! - A PMUv3 counter is removed and restored between two reads of PMCR_EL0.N.
//!
//! [Example](crate::measure::StartStop)

mod context;
mod counter;
mod cycle_counter;
mod cycle_setting;
mod driver;
mod hardware;
mod probe_error;
mod product;
mod rounds;
mod run;
mod state;
mod value;

pub use context::Context;
pub use counter::{Counter, CounterConfig};
pub use cycle_counter::{Clock, CounterSet, Cycles, Divider, UndividedCycles};
pub use cycle_setting::CycleSetting;
pub use driver::Driver;
pub use hardware::{Acknowledged, Hardware, Programmed, Stopped};
pub use probe_error::{ProbeError, ProbeErrorKind};
pub use rounds::{FIRST_ROUND, first_round, with_wraps};
pub use state::{Kept, Latched, Settings};
pub use value::CounterValue;
