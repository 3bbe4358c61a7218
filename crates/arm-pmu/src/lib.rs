#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
pub use arm_pmu_core::event_formats;
pub use arm_pmu_core::{
    About, Amount, AssignError, Bus, BusError, Columns, Computed, Count, CountError, CountSnapshot,
    Counter, CounterSet, Cp15, Cp15Space, CycleCounter, Cycles, Diagnose, Diagnosis, Divider,
    Event, EventOrCycles, EventSet, EventSetError, Explained, Figure, Finding, FixableBy, Found,
    Group, Inputs, Interference, Interval, Intervals, InvalidSelection, Location, Measurement,
    MemorySpace, Metric, MetricError, MetricUnit, Mmio, Monitor, MultiplexedCount,
    MultiplexedCounts, MultiplexedRun, Operands, Outcome, Overhead, Passes, Percent, ProbeError,
    ProbeErrorKind, Ratio, Rearm, RegisterSpec, Report, Row, RowValue, Rows, RunningMonitor,
    Scaling, Schedule, Section, Snapshot, Space, Spread, SpreadError, StartStop, Term, Totals,
    TwoPages, UnavailableMetric, Unit, UnknownCode, UnknownEvent, UnknownId, UnknownName, Value,
    Word, calibrate, longest_interval, measure,
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
