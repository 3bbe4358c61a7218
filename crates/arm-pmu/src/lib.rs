#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub use arm_pmu_core::event_formats;
pub use arm_pmu_core::{
    Alike, Amount, AssignError, Bus, Columns, CoreCp15, Count, Counter, CounterSet, Counting, Cp15,
    CycleCounter, Cycles, Divider, Event, EventOrCycles, Fault, Group, Inexact, Interval,
    Intervals, InvalidSelection, Located, Lost, Measurement, Memory, Mmio, Monitor, NotExact,
    Operands, Overhead, Passes, Percent, Plan, PlanError, Rearm, Reason, Refused, Report, Rotated,
    Rotation, Row, RowValue, Rows, Sampled, Schedule, Section, Share, Snapshot, Space, Spread,
    Start, Totals, Unit, UnknownCode, UnknownId, UnknownName, calibrate, longest_interval, measure,
};
pub use arm_pmu_derive::Event;

#[cfg(feature = "arm11")]
pub use arm11;
#[cfg(feature = "cci400")]
pub use cci400;
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
