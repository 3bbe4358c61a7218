//! Counts instructions and cycles of each Embassy task.

#![no_std]
#![no_main]

#[cfg_attr(target_arch = "aarch64", path = "../../src/aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "../../src/armv7.rs")]
mod processor;
mod trace;
#[path = "../../src/uart.rs"]
mod uart;

use core::fmt::Write as _;
use core::hint::black_box;
use core::sync::atomic::{AtomicUsize, Ordering};

use embassy_executor::Executor;
use embassy_futures::yield_now;
use static_cell::StaticCell;
use uart::Uart;

/// Number of turns of each task.
const TURNS: usize = 10_000;
/// Number of tasks that have finished.
static FINISHED: AtomicUsize = AtomicUsize::new(0);

/// A task that works in many short turns, between which other tasks run. Replace it with your own
/// tasks.
#[embassy_executor::task(pool_size = 2)]
async fn work(steps: usize) {
    for _ in 0..TURNS {
        for step in 0..steps {
            black_box(step);
        }
        yield_now().await;
    }
    FINISHED.fetch_add(1, Ordering::Relaxed);
}

/// A task that is not counted, because it has no bank.
#[embassy_executor::task]
async fn report() {
    while FINISHED.load(Ordering::Relaxed) < trace::TASKS {
        yield_now().await;
    }
    // Writing to this UART cannot fail.
    let _ = trace::report(&mut Uart::new());
    processor::power_off()
}

/// Entry point from the start-up code, with a stack and initialized statics.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();
    match processor::pmu() {
        Ok(pmu) => trace::start(pmu),
        Err(kind) => panic!("no driver: {kind}"),
    }
    EXECUTOR.init(Executor::new()).run(|spawner| {
        // The task pools have room for these tasks, so no `unwrap` panics.
        spawner.spawn(work(100).unwrap());
        spawner.spawn(work(300).unwrap());
        spawner.spawn(report().unwrap());
    })
}
