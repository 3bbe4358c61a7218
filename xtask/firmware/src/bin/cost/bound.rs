//! Number of instructions that the driver may take in addition to the hand-written code.

/// One operation with its bound.
///
/// The goal is at most 5 % more instructions than in the hand-written code. If the driver takes more, measure it with
/// each number of counters: the bound is the largest result plus a small margin, so that the test fails when the driver
/// grows. Lower the bound with each improvement of the driver.
pub struct Bound {
    pub name: &'static str,
    /// Limit in percent of the hand-written code.
    pub percent: u32,
    /// Reason why the driver takes more or fewer instructions than the hand-written code.
    pub reason: &'static str,
}

/// Defines the bounds on a Cortex-A8 and on a Cortex-A53.
const fn bound(name: &'static str, on_a8: u32, on_a53: u32, reason: &'static str) -> Bound {
    let percent = if cfg!(target_arch = "aarch64") { on_a53 } else { on_a8 };
    Bound { name, percent, reason }
}

/// Bounds in the order of the rows of `checks.rs`.
pub const BOUNDS: [Bound; 10] = [
    // `Monitor::run` before the work.
    bound(
        "start",
        104,
        107,
        "the driver extracts an event from a packed word, and combines bits of a register; the assembly loads two values that need no conversion",
    ),
    // Reading event counters and cycles of a running PMU.
    bound(
        "read",
        100,
        94,
        "the driver determines the reason only for an inexact count; the assembly does so for each count",
    ),
    // Of one overflow.
    bound(
        "acknowledge",
        94,
        98,
        "`take_overflows` is inlined and returns a set of bits; a call of it adds up to 7 \
         instructions, and `Running::acknowledge`, which returns a bool for each counter, up to 13",
    ),
    // `Monitor::run` after the work.
    bound(
        "stop",
        82,
        86,
        "the assembly checks the counts here, and the driver only when a count is read",
    ),
    // `Pmu::start`, `Running::stop` and the counts, in the function that sets the driver up.
    bound(
        "start, stop and counts by value",
        137,
        126,
        "the driver's state does not fit in the processor's registers; the driver takes fewer \
         instructions if the counts are left out, which the assembly returns from its stop",
    ),
    // `Pmu::start`, `Running::stop` and the counts, for a driver that another function set up.
    bound(
        "start, stop and counts of a driver that another function set up",
        232,
        192,
        "the driver is moved, field by field, because its state is unknown at compile time; `measure` and \
         `Monitor::run` move nothing",
    ),
    // `measure` of empty work, with a new driver.
    bound(
        "measure",
        98,
        97,
        "the driver checks all selections before it programs any, so that a refusal changes \
         nothing, and returns them with the counts; but the number of selections is known at build \
         time, which the assembly cannot use",
    ),
    // `measure` of empty work, with a driver that has measured before.
    bound(
        "measure again",
        98,
        97,
        "as above; like the assembly, the driver keeps settings for the next start separate, and copies them once",
    ),
    // `BankedPmu::switch` between two tasks with the same events.
    bound(
        "switch",
        115,
        125,
        "each step of stop and start examines every counter, used or not, while the assembly \
         examines only a set of counters; so the ratio is highest with one counter",
    ),
    // `BankedPmu::switch` between two tasks whose events all differ.
    bound("switch to other events", 114, 126, "as above"),
];
