//! The simulated CCI-500, through its buses: the tests of the CCI-550, with the differences.

#[path = "../cci550/counting.rs"]
mod counting;
#[path = "../cci550/knobs.rs"]
mod knobs;
#[path = "../cci550/registers.rs"]
mod registers;
#[path = "../support/mod.rs"]
mod support;
#[path = "../cci550/words.rs"]
mod words;

type Device = arm_pmu_sim::Cci500;
const PART: u32 = 0x422;
const MASTERS: usize = 6;
const OBSERVATION: u32 = 0;
