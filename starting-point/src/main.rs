//! Measures a piece of work, and prints the counts on a UART.

#![no_std]
#![no_main]

#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "armv7.rs")]
mod processor;
mod uart;

use core::fmt::{self, Write as _};
use core::hint::black_box;

use processor::driver::metrics::InstructionsPerCycle;
use processor::driver::{Diagnose as _, measure};
use uart::Uart;

/// The measured work: replace it with your own code.
fn work() {
    let mut sum = 0_u32;
    for number in 0..1_000 {
        sum = sum.wrapping_add(black_box(number));
    }
    black_box(sum);
}

/// Measures the work. Prints counts, a metric, and the reason if all counts are zero.
fn report(uart: &mut Uart) -> fmt::Result {
    let mut pmu = match processor::pmu() {
        Ok(pmu) => pmu,
        Err(kind) => return writeln!(uart, "no driver: {kind}"),
    };
    // Events of a metric. An array `[CortexA53Event::L1dCache.into(), ..]` selects other events.
    let events = InstructionsPerCycle.events();
    match measure(&mut pmu, events, work) {
        Ok(measured) => {
            writeln!(uart, "{measured}")?;
            writeln!(uart, "instructions per cycle: {}", measured.metric(&InstructionsPerCycle))?;
            if measured.all_zero() {
                writeln!(uart, "{}", pmu.diagnose_with(None, work))?;
            }
            Ok(())
        }
        Err(error) => writeln!(uart, "cannot count this: {error}"),
    }
}

/// Entry point from the start-up code, with a stack and initialized statics.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    let mut uart = Uart::new();
    // Writing to this UART cannot fail.
    let _ = report(&mut uart);
    processor::power_off()
}
