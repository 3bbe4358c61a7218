//! Samples a program about every 10,000 cycles, and prints the sample count of each address.

#![no_std]
#![no_main]

#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "armv7.rs")]
mod entry;
mod interrupt;
#[cfg_attr(target_arch = "aarch64", path = "../../aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "../../armv7.rs")]
mod processor;
#[path = "../../uart.rs"]
mod uart;

use core::fmt::{self, Write as _};
use core::num::NonZeroU32;

use processor::driver::Counters;
use processor::driver::arm_pmu_core::event::EventOrCycles;
use processor::driver::arm_pmu_core::measure::{Monitor as _, RunningMonitor as _};
use processor::driver::arm_pmu_core::sample::{FoldedStacks, Period, SampleRing, Sampler};
use uart::Uart;

/// Mean number of cycles from one sample to the next.
const PERIOD: NonZeroU32 = NonZeroU32::new(10_000).unwrap();
/// Capacity of the sample ring: more than twice the mean number of samples in one `work`.
const WAITING: usize = 256;
const SAMPLES: u64 = 100_000;

/// The sampled work, of a million instructions: replace it with your own code.
fn work() {
    sixty_percent();
    thirty_percent();
    ten_percent();
}

#[inline(never)]
fn sixty_percent() {
    entry::execute(600_000);
}

#[inline(never)]
fn thirty_percent() {
    entry::execute(300_000);
}

#[inline(never)]
fn ten_percent() {
    entry::execute(100_000);
}

fn report(uart: &mut Uart) -> fmt::Result {
    let mut pmu = match processor::pmu() {
        Ok(pmu) => pmu,
        Err(kind) => return writeln!(uart, "no driver: {kind}"),
    };
    if let Err(error) = pmu.assign(&[EventOrCycles::Cycles]) {
        return writeln!(uart, "cannot count cycles: {error}");
    }
    pmu.interrupts(Counters { cycles: true, ..Counters::NONE });
    let mut running = pmu.start();
    let cycles = running.counter_of(0);

    let mut ring = SampleRing::<WAITING>::new();
    let (writer, mut reader) = ring.split();
    let mut sampler = Sampler::start(&mut running, [(cycles, Period::about(PERIOD))], writer);
    let mut on_overflow = |pc| {
        sampler.sample(&mut running, &[pc]);
    };

    let mut profile = FoldedStacks::<256>::new();
    interrupt::handle(&mut on_overflow, || {
        while profile.samples() + profile.missing() < SAMPLES {
            work();
            profile.drain(&mut reader);
        }
    });

    let pmu = running.stop();
    if let Some(counters) = pmu.interference() {
        writeln!(uart, "other software changed {counters:?}")?;
    }
    write!(uart, "{profile}")
}

/// Entry point from the start-up code, with a stack and initialized statics.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    let mut uart = Uart::new();
    // Writing to this UART cannot fail.
    let _ = report(&mut uart);
    processor::power_off()
}
