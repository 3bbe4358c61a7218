//! Counts one event of a Cortex-A8.
#![no_std]
#![no_main]

use cortex_a8::{CortexA8Event, Cp15, Pmu};

size::program!(() Pmu::new(Cp15::new()), CortexA8Event::InstructionExecuted);
