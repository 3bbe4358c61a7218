//! Counts one event of a TBU of an MMU-600.
#![no_std]
#![no_main]

use mmu600::TbuEvent;
use mmu600::tbu::{Pmu, Region};

size::program!((base: usize) Pmu::at(Region::new(base)), TbuEvent::MainTlbLookup);
