//! Trace hooks that the executor calls at each task switch. Each counted task has its own bank of counts.

use core::cell::RefCell;
use core::fmt;

use crate::processor::driver::arm_pmu_core::measure::{Bank, BankedPmu};
use crate::processor::driver::metrics::InstructionsPerCycle;

#[cfg(target_arch = "aarch64")]
type Pmu = crate::processor::driver::Pmu<crate::processor::driver::Sysreg>;
#[cfg(target_arch = "arm")]
type Pmu = crate::processor::driver::Pmu<crate::processor::driver::Cp15>;

/// Number of counted tasks: the tasks that are spawned first.
pub const TASKS: usize = 2;

/// A counted task.
struct Task {
    id: u32,
    /// `None` while the PMU has the bank.
    bank: Option<Bank<Pmu>>,
}

struct Counting {
    pmu: BankedPmu<Pmu>,
    tasks: [Option<Task>; TASKS],
}

struct Shared(RefCell<Option<Counting>>);

// SAFETY: there is one core, and no interrupt handler uses the counts.
unsafe impl Sync for Shared {}

static COUNTING: Shared = Shared(RefCell::new(None));

/// Calls `change` with the counts, if [`start`] was called.
fn with(change: impl FnOnce(&mut Counting)) {
    COUNTING.0.borrow_mut().as_mut().map(change);
}

/// From now on, counts the events of each task.
pub fn start(pmu: Pmu) {
    *COUNTING.0.borrow_mut() =
        Some(Counting { pmu: BankedPmu::new(pmu), tasks: [const { None }; TASKS] });
}

/// Prints the counts of the tasks.
pub fn report(to: &mut impl fmt::Write) -> fmt::Result {
    let counting = COUNTING.0.borrow();
    let tasks = counting.iter().flat_map(|counting| &counting.tasks).flatten();
    for (nth, bank) in tasks.flat_map(|task| &task.bank).enumerate() {
        for (selection, amount) in bank.pairs() {
            writeln!(to, "{amount:>12}  {selection} of task {nth}")?;
        }
    }
    Ok(())
}

#[unsafe(no_mangle)]
fn _embassy_trace_task_new(_executor: u32, id: u32) {
    with(|counting| {
        if let Some(free) = counting.tasks.iter_mut().find(|task| task.is_none()) {
            // The core has these events.
            let bank = Bank::new(InstructionsPerCycle.events()).ok();
            *free = Some(Task { id, bank });
        }
    });
}

#[unsafe(no_mangle)]
fn _embassy_trace_task_exec_begin(_executor: u32, id: u32) {
    with(|Counting { pmu, tasks }| {
        if let Some(task) = tasks.iter_mut().flatten().find(|task| task.id == id) {
            pmu.switch(task.bank.take());
        }
    });
}

#[unsafe(no_mangle)]
fn _embassy_trace_task_exec_end(_executor: u32, id: u32) {
    with(|Counting { pmu, tasks }| {
        if let Some(task) = tasks.iter_mut().flatten().find(|task| task.id == id) {
            task.bank = pmu.switch(None);
        }
    });
}

#[unsafe(no_mangle)]
fn _embassy_trace_task_end(_executor: u32, _id: u32) {}

#[unsafe(no_mangle)]
fn _embassy_trace_task_ready_begin(_executor: u32, _id: u32) {}

#[unsafe(no_mangle)]
fn _embassy_trace_poll_start(_executor: u32) {}

#[unsafe(no_mangle)]
fn _embassy_trace_executor_idle(_executor: u32) {}
