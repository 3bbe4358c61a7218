#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub use arm_pmu_core::event_items;
#[doc(inline)]
pub use arm_pmu_core::{bus, count, diagnose, driver, measure, metric, report, sample, schedule};

/// Events and selections of counters.
///
/// The items of [`arm_pmu_core::event`], and the derive macro of [`Event`](trait@event::Event).
///
/// [Example](trait@event::Event)
pub mod event {
    #[doc(inline)]
    pub use arm_pmu_core::event::*;
    pub use arm_pmu_derive::Event;
}

// Re-exports of all IPs.
include!("generated/ips.rs");

#[rustfmt::skip]
mod generated {
    pub mod platforms;
    mod pmus;
}

#[doc(inline)]
pub use generated::platforms;
