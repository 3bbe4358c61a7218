//! The common parts of the Arm PMU crates of this family.
//!
//! Each module covers one subject. Its first page names the item to start with. A module uses only the
//! modules above it in this table:
//!
//! | module | subject | start with |
//! |---|---|---|
//! | [`bus`] | registers, and access to them | [`Bus`](bus::Bus) |
//! | [`event`] | events that a counter can count | [`Event`](event::Event) |
//! | [`count`] | counts, and whether they are exact | [`Count`](count::Count) |
//! | [`metric`] | figures computed from several events | [`Metric`](metric::Metric) |
//! | [`mod@measure`] | measurements with any PMU | [`measure`](measure::measure()) |
//! | [`driver`] | the order of a measurement, for authors of drivers | [`Driver`](driver::Driver) |
//! | [`schedule`] | more events than counters | [`EventSet`](schedule::EventSet) |
//! | [`diagnose`] | why counters read zero | [`Diagnose`](diagnose::Diagnose) |
//! | [`report`] | results as text, CSV or JSON | [`Report`](report::Report) |
//!
//! The crate needs neither `std` nor a heap. By default it has no dependencies; the optional features
//! `defmt` and `serde` each add the crate of that name.
//!
//! This crate is the only library of the family with `unsafe` code. Making an [`Mmio`](bus::Mmio) or a
//! [`Cp15`](bus::Cp15) is `unsafe`; everything built on such a bus is safe.
//!
//! Most users do not depend on this crate directly. The crate of each IP re-exports the names that a first
//! measurement needs, and also this whole crate as `arm_pmu_core`.
//!
//! [Example](measure::measure())
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
