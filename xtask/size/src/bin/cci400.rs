//! Counts one event of a CCI-400.
#![no_std]
#![no_main]

use cci400::{Mmio, Pmu, S3, SlaveEvent};

size::program!((base: usize) Pmu::new(Mmio::new(base)), S3.event(SlaveEvent::ReadRequestAny));
