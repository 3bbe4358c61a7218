//! Causes known memory traffic, and prints expected and measured counts: `cargo run --bin check`.
//!
//! Please report a board's output, because the facts in the drivers have not been compared with hardware yet.

#![no_std]
#![no_main]

mod board;
mod interconnect;
mod lines;
#[cfg_attr(target_arch = "aarch64", path = "../../aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "../../armv7.rs")]
mod processor;
#[cfg_attr(target_arch = "aarch64", path = "aarch64.rs")]
#[cfg_attr(target_arch = "arm", path = "armv7.rs")]
mod traffic;
#[path = "../../uart.rs"]
mod uart;

use core::cell::UnsafeCell;
use core::fmt::{self, Write as _};

use board::{HELD, INTERCONNECT, LINES};
use processor::driver::{Pmu, Running};
use traffic::{Bus, Event};
use uart::Uart;

const LINE: usize = 64;
/// Number of lines in 4 KiB. The order within 4 KiB is random, so a prefetcher cannot predict it.
const BLOCK: usize = 4096 / LINE;
/// Number of lines in the largest first-level cache, 64 KiB. Lines in this cache need no write-back.
const HELD_BY_FIRST: u32 = 1_024;
const _: () = assert!(LINES >= 4 * HELD, "at most a small part of the lines fits in the caches");
/// Number of software increments.
const INCREMENTS: usize = 1_000;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([usize; LINE / size_of::<usize>()]);

struct Memory(UnsafeCell<[Line; LINES]>);

// SAFETY: there is one processor, and no interrupt handler uses the memory.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([Line([0; LINE / size_of::<usize>()]); LINES]));

impl Memory {
    fn start(&self) -> *mut u8 {
        self.0.get().cast()
    }

    /// Writes the offset of the next line to each line.
    fn link(&self) {
        let mut random = 0x2545_F491_u32;
        let mut last = 0;
        for block in 0..LINES / BLOCK {
            let mut order: [usize; BLOCK] =
                core::array::from_fn(|nth| (block * BLOCK + nth) * LINE);
            // The shuffle leaves the first line of each block in its place.
            for nth in (2..BLOCK).rev() {
                random ^= random << 13;
                random ^= random >> 17;
                random ^= random << 5;
                order.swap(nth, 1 + random as usize % nth);
            }
            for offset in order {
                self.set(last, offset);
                last = offset;
            }
        }
        self.set(last, 0);
    }

    fn set(&self, line: usize, next: usize) {
        // SAFETY: the offset is inside the array of lines.
        unsafe { self.start().add(line).cast::<usize>().write_volatile(next) }
    }

    fn clean(&self) {
        for line in 0..LINES {
            // SAFETY: the offset is inside the array of lines.
            traffic::clean(unsafe { self.start().add(line * LINE) });
        }
    }
}

/// Work that runs while the PMU counts.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Read,
    Write,
    Increment,
}

impl Pass {
    /// Runs this number of steps, each of which accesses a line or counts an increment. After the last line, the steps
    /// continue with the first line.
    fn execute(self, running: &mut Running<Bus>, steps: usize) {
        match self {
            Self::Read | Self::Write => self.execute_lines(steps),
            Self::Increment => (0..steps).for_each(|_| traffic::increment(running)),
        }
    }

    /// Runs this many steps of a pass over the lines.
    fn execute_lines(self, steps: usize) {
        // SAFETY: `link` has written the offsets of all lines, and no other code uses the lines.
        match self {
            Self::Read => drop(unsafe { lines::read(MEMORY.start(), 0, steps) }),
            Self::Write => drop(unsafe { lines::write(MEMORY.start(), 0, steps) }),
            Self::Increment => {}
        }
    }

    /// Number of steps whose events are counted and judged.
    fn steps(self) -> usize {
        match self {
            Self::Read | Self::Write => LINES,
            Self::Increment => INCREMENTS,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Increment => "software",
        }
    }
}

/// Expected count, and lowest and highest correct count.
#[derive(Clone, Copy)]
struct Limits {
    expected: u32,
    low: u32,
    high: u32,
}

impl Limits {
    /// Requests at an interconnect. With the cache, each line causes one request: all lines are read again, because
    /// they were cleaned, and all are written back, except some that stay in the caches. Without the cache, each load
    /// and store counts once, and instruction fetches and prefetches may count too.
    fn of_requests(pass: Pass, has_cache: bool) -> Self {
        let (low, high) = match (pass, has_cache) {
            (Pass::Write, true) => (SOME - HELD as u32, MANY),
            (_, true) => (SOME, MANY),
            (Pass::Write, false) => (LOADS, MANY),
            (_, false) => (LOADS, 8 * LOADS),
        };
        Self { expected: LOADS, low, high }
    }
}

/// An event in one pass.
struct Check {
    pass: Pass,
    event: Event,
    limits: Limits,
    /// Whether the event needs the data cache.
    of_cache: bool,
}

impl Check {
    const fn exact(pass: Pass, event: Event, expected: u32, high: u32) -> Self {
        let limits = Limits { expected, low: expected, high };
        Self { pass, event, limits, of_cache: false }
    }

    const fn lines(pass: Pass, event: Event, low: u32, high: u32) -> Self {
        let limits = Limits { expected: LOADS, low, high };
        Self { pass, event, limits, of_cache: true }
    }
}

/// Number of additional instructions allowed for an interrupt that cannot be masked.
const AROUND: u32 = 100;
const LOADS: u32 = LINES as u32;
const SOME: u32 = LOADS / 10 * 9;
const MANY: u32 = LOADS / 2 * 3;

/// A wrong number in the specs affects one row; a wrong procedure affects all rows.
const CHECKS: [Check; 16] = [
    Check::exact(Pass::Increment, Event::SwIncr, INCREMENTS as u32, INCREMENTS as u32),
    Check::exact(Pass::Read, Event::InstRetired, 3 * LOADS, 3 * LOADS + AROUND),
    Check::exact(Pass::Write, Event::InstRetired, 5 * LOADS, 5 * LOADS + AROUND),
    // These cores complete at most two instructions per cycle. The latency of a load is unknown.
    Check {
        limits: Limits { expected: 3 * LOADS, low: 3 * LOADS / 2, high: u32::MAX },
        ..Check::exact(Pass::Read, Event::CpuCycles, 0, 0)
    },
    Check::exact(Pass::Read, Event::LdRetired, LOADS, LOADS + AROUND),
    Check::exact(Pass::Write, Event::StRetired, LOADS, LOADS + AROUND),
    Check::lines(Pass::Read, Event::L1dCache, SOME, MANY),
    // The count may leave out lines that a prefetcher has loaded, and may include prefetches.
    Check::lines(Pass::Read, Event::L1dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L1dCacheRefill, SOME, MANY),
    Check::lines(Pass::Read, Event::L2dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L2dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L1dCacheWb, SOME - HELD_BY_FIRST, MANY),
    // The range is from one access per line to one access per 4 bytes.
    Check::lines(Pass::Read, Event::BusAccess, SOME, 16 * MANY),
    Check::lines(Pass::Write, Event::BusAccess, SOME, 32 * MANY),
    Check::lines(Pass::Read, Event::BusAccessRd, SOME, 16 * MANY),
    Check::lines(Pass::Write, Event::BusAccessWr, SOME - HELD as u32, 16 * MANY),
];

/// Counts one event from zero. All passes use this function, so that the code before and after the steps is always the
/// same.
#[inline(never)]
fn count(mut pmu: Pmu<Bus>, event: Event, pass: Pass, steps: usize) -> (Pmu<Bus>, Option<u32>) {
    let [counter, ..] = pmu.counters();
    counter.count(event);
    let mut running = pmu.start();
    pass.execute(&mut running, steps);
    let pmu = running.stop();
    let [count, ..] = pmu.counts();
    let count = count.exact().ok();
    (pmu, count)
}

/// Numbers of correct, wrong and unjudged counts.
#[derive(Default)]
struct Tally {
    right: u32,
    wrong: u32,
    left_out: u32,
}

impl Tally {
    /// Prints a count, the expected range, and the verdict.
    fn row(
        &mut self,
        uart: &mut Uart,
        pass: Pass,
        event: &str,
        limits: Limits,
        counted: Option<u32>,
    ) -> fmt::Result {
        let Limits { expected, low, high } = limits;
        write!(uart, "{:<8}  {event:<20}{expected:>9}{low:>10}{high:>12}", pass.word())?;
        match counted {
            Some(count) => write!(uart, "{count:>10}")?,
            None => write!(uart, "{:>10}", "disturbed")?,
        }
        let is_right = counted.is_some_and(|count| (low..=high).contains(&count));
        if is_right {
            self.right += 1;
        } else {
            self.wrong += 1;
        }
        let verdict = match counted {
            _ if is_right => "right",
            Some(0) => "ZERO",
            Some(count) if count < low => "LOW",
            Some(_) => "HIGH",
            None => "NOT COUNTED",
        };
        writeln!(uart, "  {verdict}")
    }

    /// Prints the reason why a count is not judged.
    fn left_out(&mut self, uart: &mut Uart, pass: Pass, event: &str, why: &str) -> fmt::Result {
        self.left_out += 1;
        writeln!(uart, "{:<8}  {event:<20}{why}", pass.word())
    }
}

fn report(uart: &mut Uart) -> fmt::Result {
    let mut pmu = match processor::pmu() {
        Ok(pmu) => pmu,
        Err(kind) => return writeln!(uart, "no driver: {kind}"),
    };
    let (id, has_cache) = traffic::identity();
    writeln!(
        uart,
        "known memory traffic: {LINES} lines of {LINE} bytes, cleaned from the caches beforehand"
    )?;
    let cache = if has_cache { "on" } else { "off" };
    writeln!(uart, "drivers: {}", env!("DRIVERS"))?;
    writeln!(uart, "main ID {id:#010x}, data cache {cache}")?;
    writeln!(
        uart,
        "{:<8}  {:<20}{:>9}{:>10}{:>12}{:>10}",
        "pass", "event", "expected", "from", "to", "counted"
    )?;
    MEMORY.link();
    let mut tally = Tally::default();
    for check in &CHECKS {
        let Check { pass, event, limits, of_cache } = *check;
        let why = match () {
            () if traffic::lacks(&pmu, event) => {
                "not judged: PMCEID0 says that this PMU has no such event"
            }
            () if of_cache && !has_cache => "not judged: the data cache is off",
            () => "",
        };
        if !why.is_empty() {
            tally.left_out(uart, pass, event.name(), why)?;
            continue;
        }
        MEMORY.clean();
        // Both counts include the code around the steps; the subtraction removes it.
        let (short, overhead) = count(pmu, event, pass, 1);
        let (after, counted) = count(short, event, pass, 1 + pass.steps());
        pmu = after;
        let counted = counted.and_then(|count| count.checked_sub(overhead?));
        tally.row(uart, pass, event.name(), limits, counted)?;
    }
    if let Some(base) = INTERCONNECT {
        board::prepare();
        match interconnect::probe(base) {
            Ok(cci) => interconnect::report(cci, has_cache, uart, &mut tally)?,
            Err(kind) => {
                tally.left_out += 1;
                writeln!(uart, "cannot create a driver for the CCI-400 at {base:#x}: {kind}")?;
            }
        }
    }
    let Tally { right, wrong, left_out } = tally;
    writeln!(
        uart,
        "{right} right, {wrong} not right, {left_out} not judged; please report this output with the board's name"
    )
}

/// Entry point from the start-up code, with a stack and initialized statics.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    let mut uart = Uart::new();
    // Writing to this UART cannot fail.
    let _ = report(&mut uart);
    processor::power_off()
}
