#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub use arm_pmu_core::event_formats;
#[doc(inline)]
pub use arm_pmu_core::{bus, count, diagnose, driver, measure, metric, report, schedule};

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

#[cfg(feature = "arm-pmuv3")]
pub use arm_pmuv3;
#[cfg(feature = "arm11")]
pub use arm11;
#[cfg(feature = "cci400")]
pub use cci400;
// Before its IPs, so that messages of the compiler name their shared space `cci5xx::Space`.
#[cfg(any(feature = "cci500", feature = "cci550"))]
pub use cci5xx;
#[cfg(feature = "cci500")]
pub use cci500;
#[cfg(feature = "cci550")]
pub use cci550;
#[cfg(feature = "cortex-a7")]
pub use cortex_a7;
#[cfg(feature = "cortex-a8")]
pub use cortex_a8;
#[cfg(feature = "cortex-a9")]
pub use cortex_a9;
#[cfg(feature = "cortex-a53")]
pub use cortex_a53;
#[cfg(feature = "cortex-a55")]
pub use cortex_a55;
#[cfg(feature = "cortex-a72")]
pub use cortex_a72;
#[cfg(feature = "l2c-310")]
pub use l2c_310;
#[cfg(feature = "mmu600")]
pub use mmu600;
#[cfg(feature = "mmu700")]
pub use mmu700;

// Laid out by `cargo xtask gen`.
#[rustfmt::skip]
pub mod platforms;
