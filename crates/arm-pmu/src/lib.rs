#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub use arm_pmu_core::event_formats;
pub use arm_pmu_core::{
    About, Alike, Amount, AssignError, Bus, Columns, Computed, CoreCp15, Count, CountSnapshot,
    Counter, CounterSet, Counting, Cp15, CycleCounter, Cycles, Diagnose, Diagnosis, Divider, Event,
    EventOrCycles, Explained, Fault, Figure, Finding, Found, Group, Inexact, Inputs, Interval,
    Intervals, InvalidSelection, Located, Lost, Measurement, Memory, MendedBy, Metric, MetricUnit,
    Mmio, Monitor, NoValue, NotComputable, NotExact, Operands, Overhead, Passes, Percent, Plan,
    PlanError, Ratio, Rearm, Reason, Refused, Report, Rotated, Rotation, Row, RowValue, Rows,
    Sampled, Schedule, Section, Share, Snapshot, Space, Spread, Start, Suspect, Term, Totals, Unit,
    UnknownCode, UnknownId, UnknownName, Value, Verdict, calibrate, longest_interval, measure,
};
pub use arm_pmu_derive::Event;

#[cfg(feature = "arm11")]
pub use arm11;
#[cfg(feature = "cci400")]
pub use cci400;
#[cfg(feature = "cci500")]
pub use cci500;
#[cfg(feature = "cci550")]
pub use cci550;
#[cfg(feature = "cortex-a8")]
pub use cortex_a8;
#[cfg(feature = "mmu600")]
pub use mmu600;

/// The example of the workspace's README, compiled.
#[cfg(all(doctest, feature = "cci550"))]
#[doc = include_str!("../../../README.md")]
struct WorkspaceReadme;
