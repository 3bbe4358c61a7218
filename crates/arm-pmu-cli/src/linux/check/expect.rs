//! Expected counts of known traffic, and the verdict on measured counts. This module accesses no PMU.

use serde::Serialize;

/// Quantity of the traffic that an event counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    Instructions,
    Loads,
    Stores,
    /// Accesses to the first-level data cache.
    Accesses,
    /// Lines loaded by a cache.
    Refills,
    /// Lines written back by a cache.
    WriteBacks,
    BusReads,
    BusWrites,
    BusAccesses,
    /// Requests at an interface of an interconnect.
    ReadRequests,
    WriteRequests,
}

/// The two passes over the lines: one reads them, the other writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    Read,
    Write,
}

impl Pass {
    pub const ALL: [Self; 2] = [Self::Read, Self::Write];

    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// Properties of a pass over the lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    pub lines: u64,
    /// Instructions of the loop; `None` if a compiler generated it.
    pub instructions: Option<u64>,
    pub loads: u64,
    pub stores: u64,
    /// Number of lines that fit in all data caches together.
    pub held: u64,
    /// Whether the lines were cleaned from the caches before the pass.
    pub cleaned: bool,
    /// Whether the PMU also counts instructions of the kernel.
    pub with_kernel: bool,
    /// Count without a pass, in the time of one pass.
    pub idle: f64,
}

/// The expected count, with the lowest and the highest accepted count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub low: u64,
    pub count: u64,
    pub high: u64,
}

/// Reason why a count cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJudged {
    /// All lines fit in the caches, so a count of 0 is possible.
    InCaches,
    /// A compiler generated the loop, so its number of instructions is unknown.
    OfCompiler,
}

impl NotJudged {
    pub fn reason(self) -> &'static str {
        match self {
            Self::InCaches => {
                "not judged: all lines may stay in the caches, so 0 would be right; give a larger --size"
            }
            Self::OfCompiler => {
                "not judged: a compiler generated the loop for this processor, so its number of instructions is unknown"
            }
        }
    }
}

/// Verdict on a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the limits.
    Right,
    Low,
    High,
    /// The count is zero, but a higher count was expected.
    Zero,
    /// The count is zero, and PMCEID does not report the event.
    Hidden,
    /// The event was on a counter for only a part of the pass, or never.
    NotCounted,
}

impl Verdict {
    /// Verdict on an event that PMCEID does not report, if `is_hidden`.
    pub fn or_hidden(self, is_hidden: bool) -> Self {
        if is_hidden && self == Self::Zero { Self::Hidden } else { self }
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Low => "LOW",
            Self::High => "HIGH",
            Self::Zero => "ZERO",
            Self::Hidden => "hidden",
            Self::NotCounted => "not counted",
        }
    }
}

impl Expected {
    pub fn verdict(self, counted: Option<u64>) -> Verdict {
        match counted {
            None => Verdict::NotCounted,
            Some(count) if (self.low..=self.high).contains(&count) => Verdict::Right,
            Some(0) => Verdict::Zero,
            Some(count) if count < self.low => Verdict::Low,
            Some(_) => Verdict::High,
        }
    }
}

/// Allowance for instructions before and after a pass, in user mode.
const AROUND: u64 = 20_000;

impl Quantity {
    /// Whether a pass causes enough of these events for a verdict.
    pub fn is_of(self, pass: Pass) -> bool {
        match self {
            Self::Instructions | Self::Refills | Self::BusAccesses => true,
            Self::Loads | Self::Accesses | Self::BusReads | Self::ReadRequests => {
                pass == Pass::Read
            }
            Self::Stores | Self::WriteBacks | Self::BusWrites | Self::WriteRequests => {
                pass == Pass::Write
            }
        }
    }

    /// # Errors
    ///
    /// Fails if the traffic cannot check this event.
    pub fn expected(self, of: &Traffic) -> Result<Expected, NotJudged> {
        let fetched = if of.cleaned { of.lines } else { of.lines.saturating_sub(of.held) };
        let written = of.lines.saturating_sub(of.held);
        let executed = |count: u64| {
            let kernel = if of.with_kernel { of.instructions.unwrap_or(3 * of.lines) } else { 0 };
            Expected { low: count, count, high: count + count / 100 + AROUND + kernel }
        };
        let lines = |low: u64| Expected {
            low: tenths(low, 9),
            count: of.lines,
            high: tenths(of.lines, 15),
        };
        // Some cores count one bus access per cache line, others one per word.
        let bus = |low: u64, lines: u64| Expected {
            low: tenths(low, 9),
            count: lines,
            high: tenths(lines, 15).saturating_mul(16),
        };
        let requests = |low: u64| {
            let idle = of.idle.max(0.0);
            let with = |lines: u64, times: f64| lines.saturating_add((idle * times).ceil() as u64);
            Expected {
                low: tenths(low, 9),
                count: with(of.lines, 1.0),
                high: with(tenths(of.lines, 15), 2.0),
            }
        };
        let expected = match self {
            Self::Instructions => executed(of.instructions.ok_or(NotJudged::OfCompiler)?),
            Self::Loads => executed(of.loads),
            Self::Stores => executed(of.stores),
            Self::Accesses => Expected {
                low: tenths(of.loads + of.stores, 9),
                high: executed(tenths(of.loads + of.stores, 15)).high,
                count: of.loads + of.stores,
            },
            Self::Refills => lines(fetched),
            Self::WriteBacks => lines(written),
            Self::BusReads => bus(fetched, of.lines),
            Self::BusWrites => bus(written, of.lines),
            Self::BusAccesses if of.stores == 0 => bus(fetched, of.lines),
            Self::BusAccesses => bus(fetched + written, 2 * of.lines),
            Self::ReadRequests => requests(fetched),
            Self::WriteRequests => requests(written),
        };
        // With a lower limit of 0, a counter that is stopped would pass.
        if expected.low == 0 { Err(NotJudged::InCaches) } else { Ok(expected) }
    }

    /// Explains the limits of the quantity in one sentence.
    pub fn limits(self) -> &'static str {
        match self {
            Self::Instructions | Self::Loads | Self::Stores => {
                "Instructions, loads, stores: the lower limit is exact, because the loop is written in assembly. The \
                 upper limit allows 1 % and 20000 more for code around the loop. If the PMU also counts the kernel, \
                 it allows the number of the loop once more."
            }
            Self::Accesses => {
                "Cache accesses: one for each load and store. 0.9 to 1.5 times as many, because cores repeat \
                 accesses and walk translation tables."
            }
            Self::Refills => {
                "Refills: one for each line. 0.9 to 1.5 times as many: a line that a prefetcher loaded in time may \
                 not count, and prefetched lines and translation tables may count. Without cleaning, the lines that \
                 fit in the caches may still be there."
            }
            Self::WriteBacks => {
                "Write-backs: one for each line, except for lines that can stay in the caches. 0.9 to 1.5 times as \
                 many."
            }
            Self::BusReads | Self::BusWrites | Self::BusAccesses => {
                "Bus accesses: between one for each line and one for each 4 bytes, because cores define the unit \
                 differently. The ratio shows the unit of this core."
            }
            Self::ReadRequests | Self::WriteRequests => {
                "Requests at an interconnect: a cache fetches or writes back a whole line with one request. At least \
                 0.9 times the lines. At most 1.5 times the lines plus twice the idle count, because an interconnect \
                 counts the whole system. Lines that may stay in the caches are not expected."
            }
        }
    }

    /// Bytes per count; `None` if the core defines the unit.
    pub fn bytes(self) -> Option<u64> {
        matches!(self, Self::ReadRequests | Self::WriteRequests).then_some(64)
    }
}

fn tenths(number: u64, tenths: u64) -> u64 {
    (number / 10).saturating_mul(tenths).saturating_add(number % 10 * tenths / 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Quantity; 11] = [
        Quantity::Instructions,
        Quantity::Loads,
        Quantity::Stores,
        Quantity::Accesses,
        Quantity::Refills,
        Quantity::WriteBacks,
        Quantity::BusReads,
        Quantity::BusWrites,
        Quantity::BusAccesses,
        Quantity::ReadRequests,
        Quantity::WriteRequests,
    ];

    fn traffic() -> impl Strategy<Value = (Pass, Traffic)> {
        let lines = 1_000_000..100_000_000_u64;
        (lines, 0..8_u64, any::<bool>(), any::<bool>(), 0.0..1e6, any::<bool>()).prop_map(
            |(lines, held, cleaned, with_kernel, idle, reads)| {
                let (pass, instructions, stores) = match reads {
                    true => (Pass::Read, 3 * lines, 0),
                    false => (Pass::Write, 5 * lines, lines),
                };
                let held = lines / 100 * held;
                let instructions = Some(instructions);
                let of = Traffic {
                    lines,
                    instructions,
                    loads: lines,
                    stores,
                    held,
                    cleaned,
                    with_kernel,
                    idle,
                };
                (pass, of)
            },
        )
    }

    /// Count on hardware without faults: the lines that are not in caches, plus accesses of prefetchers, the core and
    /// the rest of the system. `part`, from 0 to 1, selects a count between the lowest and the highest.
    fn counted(quantity: Quantity, of: &Traffic, part: f64) -> u64 {
        let missing = |lines: u64| lines as f64 - (1.0 - part) * of.held as f64;
        let fetched = if of.cleaned { of.lines as f64 } else { missing(of.lines) };
        let kernel =
            if of.with_kernel { 0.5 * part * of.instructions.unwrap_or(0) as f64 } else { 0.0 };
        let beats = 1.0 + 15.0 * part;
        let prefetched = 0.3 * part * of.lines as f64;
        let count = match quantity {
            Quantity::Instructions => of.instructions.unwrap_or(0) as f64 + 5_000.0 * part + kernel,
            Quantity::Loads => of.loads as f64 + 1_000.0 * part + kernel,
            Quantity::Stores => of.stores as f64 + 1_000.0 * part + kernel,
            Quantity::Accesses => (of.loads + of.stores) as f64 * (0.95 + 0.3 * part) + kernel,
            Quantity::Refills => fetched + prefetched,
            Quantity::WriteBacks => missing(of.lines),
            Quantity::BusReads => (fetched + prefetched) * beats,
            Quantity::BusWrites => missing(of.lines) * beats,
            Quantity::BusAccesses if of.stores == 0 => (fetched + prefetched) * beats,
            Quantity::BusAccesses => (fetched + prefetched + missing(of.lines)) * beats,
            Quantity::ReadRequests => fetched + prefetched + of.idle * 1.5 * part,
            Quantity::WriteRequests => missing(of.lines) + of.idle * 1.5 * part,
        };
        count as u64
    }

    proptest! {
        #[test]
        fn a_count_of_correct_hardware_is_right((pass, of) in traffic(), part in 0.0..1.0) {
            for quantity in ALL.into_iter().filter(|one| one.is_of(pass)) {
                let expected = quantity.expected(&of).expect("known");
                let count = counted(quantity, &of, part);
                prop_assert_eq!(expected.verdict(Some(count)), Verdict::Right, "{:?} {} {:?}", quantity, count, expected);
            }
        }

        #[test]
        fn the_expected_count_is_between_the_limits((pass, of) in traffic()) {
            for quantity in ALL.into_iter().filter(|one| one.is_of(pass)) {
                let expected = quantity.expected(&of).expect("known");
                prop_assert!(0 < expected.low && expected.low <= expected.count && expected.count <= expected.high);
                prop_assert_eq!(expected.verdict(Some(expected.count)), Verdict::Right);
            }
        }

        /// The cause can be another event, another interface, a gated PMU or a divided counter.
        #[test]
        fn a_count_of_another_event_is_wrong((pass, of) in traffic(), part in 0.0..1.0) {
            for quantity in ALL.into_iter().filter(|one| one.is_of(pass)) {
                let expected = quantity.expected(&of).expect("known");
                prop_assert_eq!(expected.verdict(Some(0)), Verdict::Zero);
                prop_assert_eq!(expected.verdict(None), Verdict::NotCounted);
                // One count per page of 64 lines, or per 64 events.
                let few = (counted(quantity, &of, part) / 64).max(1);
                prop_assert_eq!(expected.verdict(Some(few)), Verdict::Low, "{:?}", quantity);
                prop_assert_eq!(expected.verdict(Some(expected.low - 1)), Verdict::Low);
                prop_assert_eq!(expected.verdict(Some(expected.high + 1)), Verdict::High);
            }
        }

        /// Only quantities with narrow limits detect a count of half or twice the lines.
        #[test]
        fn half_and_twice_are_not_right((pass, of) in traffic()) {
            let of = Traffic { idle: of.idle / 100.0, with_kernel: false, ..of };
            let narrow = [Quantity::Instructions, Quantity::Loads, Quantity::Stores, Quantity::Accesses,
                Quantity::Refills, Quantity::WriteBacks, Quantity::ReadRequests, Quantity::WriteRequests];
            for quantity in narrow.into_iter().filter(|one| one.is_of(pass)) {
                let expected = quantity.expected(&of).expect("known");
                prop_assert_eq!(expected.verdict(Some(expected.count / 2)), Verdict::Low, "{:?}", quantity);
                prop_assert_eq!(expected.verdict(Some(expected.count * 2)), Verdict::High, "{:?}", quantity);
            }
        }

        /// The idle count widens only the upper limit.
        #[test]
        fn idle_counts_make_no_count_too_low((pass, of) in traffic()) {
            for quantity in [Quantity::ReadRequests, Quantity::WriteRequests].into_iter().filter(|one| one.is_of(pass)) {
                let quiet = quantity.expected(&Traffic { idle: 0.0, ..of }).expect("known");
                let busy = quantity.expected(&of).expect("known");
                prop_assert!(quiet.low == busy.low && quiet.count <= busy.count && quiet.high <= busy.high);
            }
        }
    }

    #[test]
    fn a_pass_within_the_caches_has_no_verdict() {
        let of = Traffic {
            lines: 64,
            instructions: None,
            loads: 64,
            stores: 0,
            held: 1 << 20,
            cleaned: false,
            with_kernel: true,
            idle: f64::NAN,
        };
        assert_eq!(Quantity::Instructions.expected(&of), Err(NotJudged::OfCompiler));
        // All lines may be in the caches, so the pass may access no memory.
        for quantity in
            [Quantity::Refills, Quantity::WriteBacks, Quantity::BusReads, Quantity::ReadRequests]
        {
            assert_eq!(quantity.expected(&of), Err(NotJudged::InCaches), "{quantity:?}");
        }
        let refills = Quantity::Refills.expected(&Traffic { held: 32, ..of }).expect("known");
        assert_eq!((refills.low, refills.count, refills.high), (28, 64, 96));
        let requests = Quantity::ReadRequests.expected(&Traffic { held: 32, ..of });
        assert_eq!(requests, Ok(refills), "an unknown idle count adds nothing");
    }
}
