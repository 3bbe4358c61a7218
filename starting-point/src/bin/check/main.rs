//! Makes known memory traffic, and prints what it has to count beside what the PMU counted: `cargo run --bin check`.
//!
//! Please report what it prints on a board: no fact of the drivers was compared with hardware before.

#![no_std]
#![no_main]

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
use core::panic::PanicInfo;

use processor::driver::{Pmu, Running};
use traffic::{Bus, Event};
use uart::Uart;

/// 2 MiB of lines: more than the first cache has.
const LINES: usize = 32_768;
const LINE: usize = 64;
/// Lines in 4 KiB. They follow each other in random order, which prefetchers do not guess.
const BLOCK: usize = 4096 / LINE;
/// Lines of the largest first cache, 64 KiB. So many can stay there unwritten.
const HELD: u32 = 1_024;
/// Increments by software.
const INCREMENTS: usize = 1_000;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([usize; LINE / size_of::<usize>()]);

struct Memory(UnsafeCell<[Line; LINES]>);

// SAFETY: there is one processor, and no interrupt uses it.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([Line([0; LINE / size_of::<usize>()]); LINES]));

impl Memory {
    fn start(&self) -> *mut u8 {
        self.0.get().cast()
    }

    /// Writes to each line the offset of the next one.
    fn link(&self) {
        let mut random = 0x2545_F491_u32;
        let mut last = 0;
        for block in 0..LINES / BLOCK {
            let mut order: [usize; BLOCK] =
                core::array::from_fn(|nth| (block * BLOCK + nth) * LINE);
            // The first line of all stays the first.
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
        // SAFETY: the offset is that of a line.
        unsafe { self.start().add(line).cast::<usize>().write_volatile(next) }
    }

    fn clean(&self) {
        for line in 0..LINES {
            // SAFETY: the offset is that of a line.
            traffic::clean(unsafe { self.start().add(line * LINE) });
        }
    }
}

/// What is executed while the PMU counts.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Read,
    Write,
    Increment,
}

impl Pass {
    /// Makes this number of steps: a line, or an increment. The last line is followed by the first.
    fn execute(self, running: &mut Running<Bus>, steps: usize) {
        // SAFETY: `link` wrote the offsets of all lines, and nothing else uses the lines.
        match self {
            Self::Read => drop(unsafe { lines::read(MEMORY.start(), 0, steps) }),
            Self::Write => drop(unsafe { lines::write(MEMORY.start(), 0, steps) }),
            Self::Increment => (0..steps).for_each(|_| traffic::increment(running)),
        }
    }

    /// How many steps are judged.
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

/// An event in one pass.
struct Check {
    pass: Pass,
    event: Event,
    expected: u32,
    low: u32,
    high: u32,
    /// Without the data cache, it does not happen.
    of_cache: bool,
}

impl Check {
    const fn exact(pass: Pass, event: Event, expected: u32, high: u32) -> Self {
        Self { pass, event, expected, low: expected, high, of_cache: false }
    }

    const fn lines(pass: Pass, event: Event, low: u32, high: u32) -> Self {
        Self { pass, event, expected: LINES as u32, low, high, of_cache: true }
    }
}

/// So many more instructions are right, for an interrupt that nothing masks.
const AROUND: u32 = 100;
const LOADS: u32 = LINES as u32;
const SOME: u32 = LOADS / 10 * 9;
const MANY: u32 = LOADS / 2 * 3;

/// A wrong number in the specs changes one line, and a wrong programming all.
const CHECKS: [Check; 16] = [
    Check::exact(Pass::Increment, Event::SwIncr, INCREMENTS as u32, INCREMENTS as u32),
    Check::exact(Pass::Read, Event::InstRetired, 3 * LOADS, 3 * LOADS + AROUND),
    Check::exact(Pass::Write, Event::InstRetired, 5 * LOADS, 5 * LOADS + AROUND),
    // These cores complete at most two instructions in a cycle. How long a load takes is not known.
    Check { low: 3 * LOADS / 2, ..Check::exact(Pass::Read, Event::CpuCycles, 3 * LOADS, u32::MAX) },
    Check::exact(Pass::Read, Event::LdRetired, LOADS, LOADS + AROUND),
    Check::exact(Pass::Write, Event::StRetired, LOADS, LOADS + AROUND),
    Check::lines(Pass::Read, Event::L1dCache, SOME, MANY),
    // Lines that a prefetcher loads in time may not count, and prefetched ones may.
    Check::lines(Pass::Read, Event::L1dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L1dCacheRefill, SOME, MANY),
    Check::lines(Pass::Read, Event::L2dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L2dCacheRefill, SOME, MANY),
    Check::lines(Pass::Write, Event::L1dCacheWb, SOME - HELD, MANY),
    // One access for a line, up to one for each 4 bytes.
    Check::lines(Pass::Read, Event::BusAccess, SOME, 16 * MANY),
    Check::lines(Pass::Write, Event::BusAccess, SOME, 32 * MANY),
    Check::lines(Pass::Read, Event::BusAccessRd, SOME, 16 * MANY),
    Check::lines(Pass::Write, Event::BusAccessWr, SOME - HELD, 16 * MANY),
];

/// Counts one event from zero. It is one function for all passes, so what stands around the steps is the same.
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

fn report(uart: &mut Uart) -> fmt::Result {
    let mut pmu = match processor::pmu() {
        Ok(pmu) => pmu,
        Err(kind) => return writeln!(uart, "no driver: {kind}"),
    };
    let (id, has_cache) = traffic::identity();
    let version = env!("CARGO_PKG_VERSION");
    writeln!(
        uart,
        "known memory traffic: {LINES} lines of {LINE} bytes, cleaned from the caches before"
    )?;
    let cache = if has_cache { "on" } else { "off" };
    writeln!(uart, "program {version}, main ID {id:#010x}, data cache {cache}")?;
    writeln!(
        uart,
        "{:<8}  {:<18}{:>9}{:>10}{:>12}{:>10}",
        "pass", "event", "expected", "from", "to", "counted"
    )?;
    MEMORY.link();
    let (mut right, mut wrong, mut left_out) = (0, 0, 0);
    for check in &CHECKS {
        let Check { pass, event, expected, low, high, of_cache } = *check;
        write!(uart, "{:<8}  {:<18}", pass.word(), event.name())?;
        let why = match () {
            () if traffic::lacks(&pmu, event) => {
                "not judged: PMCEID0 says that this PMU has no such event"
            }
            () if of_cache && !has_cache => "not judged: the data cache is off",
            () => "",
        };
        if !why.is_empty() {
            left_out += 1;
            writeln!(uart, "{why}")?;
            continue;
        }
        MEMORY.clean();
        // What stands around the steps is in both.
        let (short, overhead) = count(pmu, event, pass, 1);
        let (after, counted) = count(short, event, pass, 1 + pass.steps());
        pmu = after;
        let counted = counted.and_then(|count| count.checked_sub(overhead?));
        let is_right = counted.is_some_and(|count| (low..=high).contains(&count));
        if is_right {
            right += 1;
        } else {
            wrong += 1;
        }
        write!(uart, "{expected:>9}{low:>10}{high:>12}")?;
        match counted {
            Some(count) => write!(uart, "{count:>10}")?,
            None => write!(uart, "{:>10}", "disturbed")?,
        }
        let verdict = match counted {
            _ if is_right => "right",
            Some(0) => "ZERO",
            Some(count) if count < low => "LOW",
            Some(_) => "HIGH",
            None => "NOT COUNTED",
        };
        writeln!(uart, "  {verdict}")?;
    }
    writeln!(
        uart,
        "{right} right, {wrong} not right, {left_out} not judged; please report this text with the board's name"
    )
}

/// Called by the start-up code, once there is a stack and statics have their values.
#[unsafe(no_mangle)]
extern "C" fn run() -> ! {
    let mut uart = Uart::new();
    // Writing to this UART does not fail.
    let _ = report(&mut uart);
    processor::power_off()
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let _ = writeln!(Uart::new(), "{info}");
    processor::power_off()
}
