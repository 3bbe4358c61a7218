//! The simulated CCI-550, through its buses.

mod counting;
mod knobs;
mod registers;
#[path = "../support/mod.rs"]
mod support;
mod words;

/// The files beside this one are also the tests of the CCI-500, which differs in these.
type Device = arm_pmu_sim::Cci550;
const PART: u32 = 0x423;
/// How many master interfaces there are.
const MASTERS: usize = 7;
/// The bit of Secure Access that lets Secure events be counted.
const OBSERVATION: u32 = 0b100;
