//! Counting under Linux.

#[cfg(target_os = "linux")]
pub mod check;
pub mod core_pmu;
#[cfg(target_os = "linux")]
pub mod cores;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
pub mod live;
pub mod perf;
pub mod report;
#[cfg(target_os = "linux")]
pub mod stat;
mod stream;
