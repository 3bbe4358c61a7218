//! Counts one event of an ARM1176.
#![no_std]
#![no_main]

use arm11::Cp15;
use arm11::arm1176::{Arm1176Event, Pmu};

size::program!(() Pmu::new(Cp15::new()), Arm1176Event::InstructionExecuted);
