//! Counts cache misses with budgets. When the misses have used up a budget, an interrupt handler starts the next
//! budget.
//!
//! The main program and the handler share the driver. The example runs on a simulated Cortex-A8 and polls its interrupt
//! output:
//!
//! ```text
//! cargo run -p arm-pmu --example budget
//! ```

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError}; // in firmware: a critical section

use arm_pmu::bus::Bus;
use arm_pmu::cortex_a8::{CortexA8Event, Counters, Pmu, Running, Space};
use arm_pmu::count::Amount;
use arm_pmu::measure::Rearm;
use arm_pmu::report::{Report, Row, Section};
use arm_pmu_sim::CortexA8;

/// Number of L2 cache misses in a budget.
const BUDGET: NonZeroU32 = NonZeroU32::new(1_000).unwrap();

/// State shared by the main program and the interrupt handler.
struct Shared<B> {
    running: Running<B>,
    used_up: u64,
    beyond: u64,
}

/// Handles the interrupt nPMUIRQ.
fn overflow_handler<B: Bus<Space = Space>>(shared: &Mutex<Option<Shared<B>>>) {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Shared { running, used_up, beyond }) = shared.as_mut() else { return };
    // The interrupt is level-sensitive, so the core would take it again immediately without the acknowledgement.
    let [misses, ..] = running.acknowledge().counters;
    if misses {
        let [count, ..] = running.counts();
        *used_up += 1;
        *beyond += count.lower_bound() - u64::from(BUDGET.get());
        // A bandwidth regulator would stop the core here until its timer expires.
        running.rearm(0, BUDGET);
    }
}

fn main() {
    let core = CortexA8::new();
    // On a core: let mut pmu = Pmu::new(unsafe { cortex_a8::Cp15::new() });
    let mut pmu = Pmu::new(core.bus());
    let [misses, instructions, ..] = pmu.counters();
    misses.overflow_after(CortexA8Event::L2CacheMiss, BUDGET);
    instructions.count(CortexA8Event::InstructionExecuted);
    pmu.interrupts(Counters { counters: [true, false, false, false], cycles: false });

    let shared = Mutex::new(None);
    let started = Shared { running: pmu.start(), used_up: 0, beyond: 0 };
    *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(started);
    for part in 0..500 {
        core.signal(CortexA8Event::L2CacheMiss, 7 + part % 3);
        core.signal(CortexA8Event::InstructionExecuted, 2_000);
        if core.interrupt() {
            overflow_handler(&shared);
        }
    }

    let shared = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(Shared { running, used_up, beyond }) = shared else { return };
    let [of_last_budget, instructions, ..] = running.stop().counts();
    let rows = [
        Row::events(&"budgets of 1000 misses used up", Amount::new(used_up)),
        Row::events(&"misses before the handler ran", Amount::new(beyond)),
        Row::events(&"misses of the last budget", of_last_budget.into()),
        Row::events(&"instructions", instructions.into()),
    ];
    print!("{}", Report::new(&[Section { title: &"Cortex-A8", rows: &rows }]));
}
