//! Expected counts of known work, and the verdict on measured counts. This module accesses no PMU.

use arm_pmu_linux::traffic::Executed;

use crate::base::documents::words;

words! {
    /// Quantity that an event counts during the work.
    Quantity {
        Instructions = "instructions",
        Cycles = "cycles",
        /// Conditional branches, taken or not.
        Branches = "branches",
        Taken = "taken",
        Mispredicted = "mispredicted",
        Loads = "loads",
        Stores = "stores",
        /// Accesses to the first-level data cache.
        Accesses = "accesses",
        ReadAccesses = "read_accesses",
        WriteAccesses = "write_accesses",
        /// Lines loaded by the first-level data cache.
        Refills = "refills",
        L2Refills = "l2_refills",
        TlbRefills = "tlb_refills",
        Walks = "walks",
        /// Lines written back by a cache.
        WriteBacks = "write_backs",
        BusReads = "bus_reads",
        BusWrites = "bus_writes",
        BusAccesses = "bus_accesses",
        /// Requests at an interface of an interconnect.
        ReadRequests = "read_requests",
        WriteRequests = "write_requests",
    }
}

words! {
    /// Known work.
    Work {
        /// Instructions that each need the result of the previous instruction.
        Chain = "chain",
        /// Branches that are taken.
        Taken = "taken",
        /// Branches that are not taken.
        NotTaken = "untaken",
        /// Branches on random bits.
        Random = "random",
        /// Loads from one line.
        Load = "load",
        /// Stores to one line.
        Store = "store",
        /// Reads of lines that fit in the first-level cache.
        InL1 = "in-l1",
        /// Reads of lines that fit only in the second-level cache.
        InL2 = "in-l2",
        /// Reads of few pages.
        FewPages = "8-pages",
        /// Reads of more pages than a TLB holds.
        Pages = "pages",
        /// The traffic reads each of its lines.
        Read = "read",
        /// The traffic reads and writes each of its lines.
        Write = "write",
    }
}

/// Properties of executed work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    pub executed: Executed,
    /// Lines of the traffic.
    pub lines: u64,
    /// Number of lines that fit in all data caches together.
    pub held: u64,
    /// Whether the lines were cleaned from the caches before the work.
    pub cleaned: bool,
    /// Whether the PMU also counts instructions of the kernel.
    pub with_kernel: bool,
    /// Count during the same length of time without the work.
    pub idle: f64,
}

/// The expected count, with the lowest and the highest accepted count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub low: u64,
    pub count: u64,
    pub high: u64,
}

/// Reasons why a count cannot be judged.
pub mod not_judged {
    /// All lines fit in the caches, so a count of 0 is possible.
    pub const IN_CACHES: &str =
        "not judged: all lines may stay in the caches, so 0 would be right; give a larger --size";
    /// Only the loops for Arm are written in assembly, so only their instructions are known.
    pub const OF_COMPILER: &str = "not judged: a compiler generated the loop for this processor, so \
                                   its number of instructions is unknown";
    pub const UNKNOWN_CACHES: &str =
        "not judged: the kernel does not report the sizes of the caches";
    pub const SIMILAR_CACHES: &str = "not judged: the second-level cache is less than four times as large \
                                      as the first-level cache";
    /// A TLB may hold all pages, because the pages are large or the memory is small.
    pub const IN_TLB: &str =
        "not judged: the TLB may hold all pages, because pages are large or memory is small";
}

words! {
    /// Verdict on a count.
    Verdict {
        /// Within the limits.
        Right = "right",
        Low = "low",
        High = "high",
        /// The count is zero, but a higher count was expected.
        Zero = "zero",
        /// The count is zero, and PMCEID does not report the event.
        Hidden = "hidden",
        /// The event was on a counter for only a part of the work, or never.
        NotCounted = "not counted",
    }
}

words! {
    /// Verdict on an event, from all counts of the event; or verdict on a behaviour of the
    /// counters.
    Outcome {
        Right = "right",
        Off = "off",
        NotJudged = "cannot be judged",
        NotThere = "not there",
    }
}

impl Verdict {
    /// Returns `Hidden` for a count of zero if PMCEID does not report the event (`is_hidden`).
    pub fn or_hidden(self, is_hidden: bool, counted: Option<u64>) -> Self {
        let is_zero = matches!(self, Self::Zero | Self::Right) && counted == Some(0);
        if is_hidden && is_zero { Self::Hidden } else { self }
    }

    /// Whether the count differs from the expected count.
    pub fn is_off(self) -> bool {
        matches!(self, Self::Low | Self::High | Self::Zero)
    }
}

impl Expected {
    /// Expected count of hand-counted instructions. The PMU also counts some instructions before and after the
    /// hand-counted ones.
    pub fn exactly(count: u64) -> Self {
        Self { low: count, count, high: count + count / 100 + AROUND }
    }

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

/// Allowance for user-mode instructions before and after the work.
const AROUND: u64 = 20_000;

impl Quantity {
    /// Kinds of work that cause either enough of these events for a verdict, or none at all.
    pub fn works(self) -> &'static [Work] {
        use Work::*;
        match self {
            Self::Instructions => &[Chain, Taken, NotTaken, Random, Load, Store, Read, Write],
            Self::Cycles => &[Chain],
            Self::Branches | Self::Taken | Self::Mispredicted => &[Taken, NotTaken, Random],
            Self::Loads | Self::Accesses | Self::ReadAccesses => &[Load, Read],
            Self::Stores => &[Store, Write],
            Self::WriteAccesses => &[Store],
            Self::Refills => &[InL1, InL2, Read, Write],
            Self::L2Refills => &[InL2, Read, Write],
            Self::TlbRefills | Self::Walks => &[FewPages, Pages],
            Self::BusAccesses => &[Read, Write],
            Self::BusReads | Self::ReadRequests => &[Read],
            Self::WriteBacks | Self::BusWrites | Self::WriteRequests => &[Write],
        }
    }

    /// Returns the expected count, with its lower and upper limit. The error states why the work
    /// cannot check this event.
    pub fn expected(self, work: Work, of: &Facts) -> Result<Expected, &'static str> {
        let executed = &of.executed;
        let fetched = if of.cleaned { of.lines } else { of.lines.saturating_sub(of.held) };
        let written = of.lines.saturating_sub(of.held);
        let instructions = executed.instructions.unwrap_or(3 * of.lines);
        let kernel = if of.with_kernel { instructions } else { 0 };
        let expected = |low: u64, count: u64, high: u64| Expected { low, count, high };
        let exact = |count: u64| expected(count, count, Expected::exactly(count).high + kernel);
        let range = |count: u64, low: u64, high: u64| {
            expected(tenths(count, low), count, exact(tenths(count, high)).high)
        };
        let few = |accesses: u64| expected(0, 0, accesses / 25 + 2_000 + kernel / 25);
        let lines = |low: u64| expected(tenths(low, 9), of.lines, tenths(of.lines, 15));
        // Some cores count one bus access per cache line, others one per word.
        let bus = |low: u64, lines: u64| {
            expected(tenths(low, 9), lines, tenths(lines, 15).saturating_mul(16))
        };
        let requests = |low: u64| {
            let idle = of.idle.max(0.0);
            let with = |lines: u64, times: f64| lines.saturating_add((idle * times).ceil() as u64);
            expected(tenths(low, 9), with(of.lines, 1.0), with(tenths(of.lines, 15), 2.0))
        };
        let expected = match (self, work) {
            (Self::Refills, Work::InL1) | (Self::TlbRefills | Self::Walks, Work::FewPages) => {
                return Ok(few(executed.loads));
            }
            (Self::L2Refills, Work::InL2) => return Ok(few(6 * executed.loads)),
            (Self::Mispredicted, Work::Taken | Work::NotTaken) => {
                return Ok(few(executed.branches));
            }
            (Self::Instructions, _) => exact(executed.instructions.ok_or(not_judged::OF_COMPILER)?),
            (Self::Cycles, _) => Expected { low: executed.chain, ..range(executed.chain, 10, 12) },
            (Self::Branches, _) => exact(executed.branches),
            (Self::Taken, _) => exact(executed.taken),
            (Self::Mispredicted, _) => range(executed.random / 2, 7, 15),
            (Self::Loads, _) => exact(executed.loads),
            (Self::Stores, _) => exact(executed.stores),
            (Self::Accesses, _) => range(executed.loads + executed.stores, 9, 15),
            (Self::ReadAccesses, _) => range(executed.loads, 9, 15),
            (Self::WriteAccesses, _) => range(executed.stores, 9, 15),
            (Self::Refills, Work::InL2) => range(executed.loads, 5, 20),
            (Self::TlbRefills | Self::Walks, _) => range(executed.loads, 5, 25),
            (Self::Refills | Self::L2Refills, _) => lines(fetched),
            (Self::WriteBacks, _) => lines(written),
            (Self::BusReads, _) => bus(fetched, of.lines),
            (Self::BusWrites, _) => bus(written, of.lines),
            (Self::BusAccesses, Work::Read) => bus(fetched, of.lines),
            (Self::BusAccesses, _) => bus(fetched + written, 2 * of.lines),
            (Self::ReadRequests, _) => requests(fetched),
            (Self::WriteRequests, _) => requests(written),
        };
        // With a lower limit of 0, a stopped counter would pass.
        if expected.low == 0 { Err(not_judged::IN_CACHES) } else { Ok(expected) }
    }

    /// Explains the limits of the quantity.
    pub fn limits(self) -> &'static str {
        match self {
            Self::Instructions | Self::Loads | Self::Stores | Self::Branches | Self::Taken => {
                "Instructions, loads, stores, branches: the lower limit is exact, because the loops are written in \
                 assembly. The upper limit is 1 % plus 20000 higher, for code around the loop. If \
                 the PMU also counts the kernel, the limit rises by another count of the loop."
            }
            Self::Cycles => {
                "Cycles: 62 of 64 instructions need the result of the previous instruction, and take a cycle each. \
                 The upper limit is 1.2 times this number, because the start and the end of the loop take cycles too."
            }
            Self::Mispredicted => {
                "Mispredicted branches: 0.7 to 1.5 times half of the branches on random bits. If branches are \
                 always or never taken: at most 4 % plus 2000."
            }
            Self::Accesses | Self::ReadAccesses | Self::WriteAccesses => {
                "Cache accesses: one for each load and store. 0.9 to 1.5 times this number is \
                 accepted, because cores repeat accesses and walk translation tables."
            }
            Self::Refills | Self::L2Refills => {
                "Refills: one for each line. 0.9 to 1.5 times this number is accepted: a line that \
                 a prefetcher loaded in time may not count, and prefetched lines and translation \
                 tables may count. Without cleaning, the lines that \
                 fit in the caches may still be there. Reads within half of the L1 cause at most 4 \
                 % plus 2000 refills of the L1. Reads within four times the L1, but at most half \
                 of the L2, cause 0.5 to 2 refills of the L1 each, and at most 24 % plus 2000 \
                 refills of the L2, because other cores share it."
            }
            Self::TlbRefills | Self::Walks => {
                "TLB refills and page walks: 0.5 to 2.5 for each read of a page if no TLB holds all pages, because an \
                 entry can span several pages, and walks can be repeated. With only 8 pages: at most 4 % plus 2000."
            }
            Self::WriteBacks => {
                "Write-backs: one for each line, except for lines that can stay in the caches. 0.9 \
                 to 1.5 times this number is accepted."
            }
            Self::BusReads | Self::BusWrites | Self::BusAccesses => {
                "Bus accesses: between one for each line and one for each 4 bytes, because cores define the unit \
                 differently. The ratio shows which unit this core uses."
            }
            Self::ReadRequests | Self::WriteRequests => {
                "Requests at an interconnect: a cache fetches or writes back a whole line with one request. At least \
                 0.9 times the lines. At most 1.5 times the lines plus twice the idle count, because an interconnect \
                 counts the whole system. No requests are expected for lines that may stay in the caches."
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
    use super::*;

    #[test]
    fn each_quantity_is_a_part_of_the_work() {
        let mut executed = Executed::default();
        executed.instructions = Some(5_000_000);
        (executed.loads, executed.stores, executed.random) = (700_000, 500_000, 800_000);
        (executed.branches, executed.taken, executed.chain) = (1_100_000, 300_000, 620_000);
        let (lines, held) = (100_000, 10_000);
        let of = Facts { executed, lines, held, cleaned: true, with_kernel: false, idle: 2_000.0 };
        for (quantity, work, low, high) in [
            // The upper limit adds 1 %, and 20,000 for the code around the loop.
            (Quantity::Instructions, Work::Load, 5_000_000, 5_070_000),
            (Quantity::Cycles, Work::Chain, 620_000, 771_440),
            (Quantity::Branches, Work::Taken, 1_100_000, 1_131_000),
            (Quantity::Taken, Work::Taken, 300_000, 323_000),
            (Quantity::Mispredicted, Work::Random, 280_000, 626_000),
            (Quantity::Mispredicted, Work::Taken, 0, 46_000),
            (Quantity::Loads, Work::Load, 700_000, 727_000),
            (Quantity::Stores, Work::Store, 500_000, 525_000),
            (Quantity::Accesses, Work::Load, 1_080_000, 1_838_000),
            (Quantity::ReadAccesses, Work::Load, 630_000, 1_080_500),
            (Quantity::WriteAccesses, Work::Store, 450_000, 777_500),
            (Quantity::Refills, Work::InL1, 0, 30_000),
            (Quantity::Refills, Work::InL2, 350_000, 1_434_000),
            (Quantity::L2Refills, Work::InL2, 0, 170_000),
            (Quantity::TlbRefills, Work::FewPages, 0, 30_000),
            (Quantity::Walks, Work::Pages, 350_000, 1_787_500),
            // The limits are 0.9 times and about 1.5 times the number of accessed lines. Some
            // written lines can stay in the caches.
            (Quantity::Refills, Work::Read, 90_000, 150_000),
            (Quantity::WriteBacks, Work::Write, 81_000, 150_000),
            (Quantity::ReadRequests, Work::Read, 90_000, 154_000),
            (Quantity::WriteRequests, Work::Write, 81_000, 154_000),
            // The upper limit is one bus access for each 4 bytes.
            (Quantity::BusReads, Work::Read, 90_000, 2_400_000),
            (Quantity::BusWrites, Work::Write, 81_000, 2_400_000),
            (Quantity::BusAccesses, Work::Write, 171_000, 4_800_000),
        ] {
            let expected = quantity.expected(work, &of).expect("known");
            assert_eq!((expected.low, expected.high), (low, high), "{quantity:?}, {work:?}");
            assert!((low..=high).contains(&expected.count), "{quantity:?}, {work:?}");
            assert_eq!(expected.verdict(Some(low)), Verdict::Right);
            assert_eq!(expected.verdict(Some(high)), Verdict::Right);
            assert_eq!(expected.verdict(Some(high + 1)), Verdict::High);
            let below = low.checked_sub(1).map(|count| expected.verdict(Some(count)));
            assert!(below.is_none_or(|verdict| verdict == Verdict::Low));
            assert_eq!(expected.verdict(None), Verdict::NotCounted);
        }
        let of = Facts { with_kernel: true, ..of };
        let expected = Quantity::Loads.expected(Work::Load, &of).expect("known");
        assert_eq!(expected.high, 5_727_000, "the kernel may add as many loads as the loop has");
    }

    #[test]
    fn a_pass_within_the_caches_has_no_verdict() {
        let mut executed = Executed::default();
        executed.loads = 64;
        let of = Facts {
            executed,
            lines: 64,
            held: 1 << 20,
            cleaned: false,
            with_kernel: true,
            idle: f64::NAN,
        };
        assert_eq!(Quantity::Instructions.expected(Work::Read, &of), Err(not_judged::OF_COMPILER));
        // All lines may be in the caches, so possibly the pass does not access memory at all.
        for quantity in [Quantity::Refills, Quantity::BusReads, Quantity::ReadRequests] {
            assert_eq!(
                quantity.expected(Work::Read, &of),
                Err(not_judged::IN_CACHES),
                "{quantity:?}"
            );
        }
        let refills =
            Quantity::Refills.expected(Work::Read, &Facts { held: 32, ..of }).expect("known");
        assert_eq!((refills.low, refills.count, refills.high), (28, 64, 96));
        let requests = Quantity::ReadRequests.expected(Work::Read, &Facts { held: 32, ..of });
        assert_eq!(requests, Ok(refills), "an unknown idle count adds nothing");
    }
}
