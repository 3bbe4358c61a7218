//! One event of a CCI-400.
#![cfg_attr(target_os = "none", no_std, no_main)]
#![allow(unsafe_code)]

use cci400::{Mmio, Pmu, S3, SlaveEvent};
use size::{answer, work};

/// Counts one event around [`work`].
// The entry point of the program: nothing else has this name.
#[cfg_attr(target_os = "none", unsafe(no_mangle))]
extern "C" fn _start(base: usize, result: &mut u32) -> u32 {
    // SAFETY: the caller gives the base of the device and uses it no longer.
    let mut pmu = Pmu::new(unsafe { Mmio::new(base) });
    let [counter, ..] = pmu.counters();
    counter.count(S3.event(SlaveEvent::ReadRequestAny));
    let running = pmu.start();
    work();
    let pmu = running.stop();
    let [count, ..] = pmu.counts();
    answer(count, result)
}

#[cfg(not(target_os = "none"))]
fn main() {}
