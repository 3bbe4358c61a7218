//! The PMU of a revision 0 CCI-400 (r0p0 to r0p4).
//!
//! Revision 0 has fewer events than revision 1, and numbers the master interface events
//! differently. All other items are the same.
//!
//! ```
//! use cci400::r0::{M0, MasterEvent, Pmu, S3, SlaveEvent};
//!
//! # let device = Box::leak(Box::new(arm_pmu_sim::Cci400::new()));
//! # device.set_revision(4);
//! # let bus = device.bus();
//! let mut pmu = Pmu::probe(bus)?;
//! let [reads, hazards, ..] = pmu.counters();
//! reads.count(S3.event(SlaveEvent::ReadRequestAny));
//! hazards.count(M0.event(MasterEvent::ReadAddressHazardStall));
//! let running = pmu.start();
//! # device.signal_raw(5, 0x15, arm_pmu_sim::Security::NonSecure, 3);
//! let pmu = running.stop();
//! let [_, hazards, ..] = pmu.counts();
//! assert_eq!(hazards.exact()?, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(no_inline)]
pub use self::events::sources::*;
pub use crate::generated::r0::events::{MasterEvent, Selection, SlaveEvent};
pub use crate::generated::r0::{events, metrics};

use crate::revision::{self, R0};

/// The stopped performance monitoring unit (PMU) of one CCI-400, revision 0.
pub type Pmu<B> = revision::Pmu<R0, B>;

/// The running performance monitoring unit (PMU) of one CCI-400, revision 0.
pub type Running<B> = revision::Running<R0, B>;

/// Access to one event counter, to select its event.
///
/// Returned by [`Pmu::counters`](revision::Pmu::counters).
pub type Counter<'p> = arm_pmu_core::driver::Counter<'p, Selection>;
