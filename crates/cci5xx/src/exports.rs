//! Items at the root of each implementation's crate.

/// Defines these items from the register module and the product's name.
#[doc(hidden)]
#[macro_export]
macro_rules! exports {
    ($module:ident, $product:literal) => {
        pub use arm_pmu_core;
        pub use arm_pmu_core::bus::Bus;
        pub use arm_pmu_core::count::{Count, CountError};
        pub use arm_pmu_core::diagnose::Diagnose;
        pub use arm_pmu_core::driver::ProbeError;
        pub use arm_pmu_core::event::Event;
        pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
        pub use arm_pmu_core::metric::Metric;
        pub use cci5xx::Space;
        #[doc(inline)]
        pub use cci5xx::$module::registers;
        #[doc(no_inline)]
        pub use events::sources::*;
        pub use generated::events;
        pub use generated::events::{GlobalEvent, MasterEvent, Selection, SlaveEvent};
        pub use generated::findings::Finding;
        pub use generated::pmu::Pmu;
        pub use generated::running::Running;

        /// Access to one counter, to select its event. Returned by [`Pmu::counters`].
        pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

        #[doc = concat!("The memory-mapped registers of a ", $product, ".")]
        ///
        /// The registers take [`LENGTH`](registers::LENGTH) bytes from their base address.
        ///
        /// The base is the address of the block with PMCR at offset 0x100. The base is not PERIPHBASE, the base of
        /// the cluster's private peripherals: look up the CCI's own base.
        pub type Mmio = arm_pmu_core::bus::Mmio<Space>;
    };
}
