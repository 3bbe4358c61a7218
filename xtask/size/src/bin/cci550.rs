//! Counts one event of a CCI-550.
#![no_std]
#![no_main]

use cci550::{Mmio, Pmu, SI3, SlaveEvent};

size::program!((base: usize) Pmu::new(Mmio::new(base)), SI3.event(SlaveEvent::ReadRequestAny));
