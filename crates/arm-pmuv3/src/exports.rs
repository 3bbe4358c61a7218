//! Items at the root of an implementation's crate.

/// Defines the items at the root of a crate. The arguments are the register module, the event type, the function that
/// recognizes the core, and the number of event counters as a word, such as "six".
#[doc(hidden)]
#[macro_export]
macro_rules! exports {
    ($module:ident, $Event:ident, $is_processor:ident, $counters:literal) => {
        pub use arm_pmu_core;
        pub use arm_pmu_core::bus::Bus;
        pub use arm_pmu_core::count::{Count, CountError};
        pub use arm_pmu_core::diagnose::Diagnose;
        pub use arm_pmu_core::driver::ProbeError;
        pub use arm_pmu_core::event::{Event, EventOrCycles};
        pub use arm_pmu_core::measure::{AssignError, Monitor, measure};
        pub use arm_pmu_core::metric::Metric;
        #[doc(inline)]
        pub use arm_pmuv3::$module::registers;
        pub use arm_pmuv3::{Cycles, Filter, Mode, Privileged, Space, User};
        use events::COUNTERS;
        pub use generated::events;
        pub use generated::events::{Selection, $Event};
        pub use generated::findings::Finding;
        pub use generated::identity::$is_processor;
        pub use generated::pmu::{Pmu, UserPmu, UserRunning};
        pub use generated::running::Running;

        /// Access to one event counter, to select its event. Returned by [`Pmu::counters`].
        pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;

        #[doc = concat!("A subset of the ", $counters, " event counters and the cycle counter.")]
        pub type Counters = arm_pmu_core::driver::CounterSet<COUNTERS>;

        /// The PMU registers of the core that executes this code.
        pub type Sysreg = arm_pmu_core::bus::Sysreg<Space>;
    };
}
