//! What every Arm PMU crate of this family shares.
//!
//! Each module is about one subject, and says at its head with which item to start. In this order, a
//! module uses those above it only:
//!
//! | module | subject | start with |
//! |---|---|---|
//! | [`bus`] | registers, and access to them | [`Bus`](bus::Bus) |
//! | [`event`] | what a counter can count | [`Event`](event::Event) |
//! | [`count`] | how many events there were, and how certain that is | [`Count`](count::Count) |
//! | [`metric`] | figures of several events | [`Metric`](metric::Metric) |
//! | [`mod@measure`] | measurements with any PMU | [`measure`](measure::measure()) |
//! | [`driver`] | the order of a measurement, for drivers | [`Driver`](driver::Driver) |
//! | [`schedule`] | more events than counters | [`EventSet`](schedule::EventSet) |
//! | [`diagnose`] | why counters read zero | [`Diagnose`](diagnose::Diagnose) |
//! | [`report`] | what was measured, as text, CSV or JSON | [`Report`](report::Report) |
//!
//! The crate has no dependencies but those that its features `defmt` and `serde` name, and needs neither
//! `std` nor a heap. It is the only library of the family with `unsafe` code: the caller makes one promise,
//! when it makes a [`Mmio`](bus::Mmio) or a [`Cp15`](bus::Cp15). Everything behind that is safe.
//!
//! Most users do not depend on this crate directly. The crate of each IP re-exports what a first
//! measurement needs, and this crate as `arm_pmu_core`.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bus;
pub mod count;
pub mod diagnose;
pub mod driver;
#[cfg(feature = "serde")]
mod encoding;
pub mod event;
#[doc(hidden)]
pub mod formats;
pub mod measure;
pub mod metric;
pub mod report;
pub mod schedule;
