//! Known memory traffic: [`Lines`] reads or writes lines, [`Pages`] reads pages, and [`Executed`] contains the executed
//! instructions. [`kernel`](crate::kernel) has known work without memory traffic.
//!
//! A comparison of this traffic with the counts of a PMU shows whether an event matches its description.
//!
//! ```
//! use arm_pmu_linux::traffic::Lines;
//!
//! let mut lines = Lines::new(1 << 20);
//! assert_eq!(lines.count(), (1 << 20) / Lines::BYTES as u64);
//! let executed = lines.write();
//! assert_eq!((executed.loads, executed.stores), (lines.count(), lines.count()));
//! ```
#![allow(unsafe_code)]

use std::fmt;

use crate::map::{Map, page_size};

/// User-mode instructions of a loop, without the few instructions before and after the loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Executed {
    /// All instructions; `None` on architectures other than Arm, where the compiler generates the loop.
    pub instructions: Option<u64>,
    /// Instructions that load data.
    pub loads: u64,
    /// Instructions that store data.
    pub stores: u64,
    /// Conditional branches.
    pub branches: u64,
    /// Taken branches.
    pub taken: u64,
    /// Branches with a random outcome.
    pub random: u64,
    /// Instructions that each need the previous result, with a latency of one cycle.
    pub chain: u64,
}

impl Executed {
    /// Counts for a loop of `accesses` turns. Each turn follows one offset, and takes
    /// `instructions` instructions.
    fn walk(accesses: u64, instructions: u64, stores: u64) -> Self {
        Self {
            instructions: IS_ARM.then_some(instructions * accesses),
            loads: accesses,
            stores,
            branches: accesses,
            taken: accesses.saturating_sub(1),
            ..Self::default()
        }
    }
}

/// Memory that is accessed line by line.
///
/// Each line contains the offset of the next line, so accesses cannot overlap. Within 4 KiB, the order is random, so a
/// prefetcher detects no pattern. Blocks of 4 KiB are accessed in ascending order, to cause few TLB misses.
pub struct Lines {
    lines: Vec<Line>,
    /// First line of the next pass.
    first: usize,
}

const WORDS: usize = Lines::BYTES / size_of::<usize>();

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([usize; WORDS]);

/// Number of lines in 4 KiB.
const BLOCK: usize = 4096 / Lines::BYTES;

const SEED: u32 = 0x2545_F491;

/// Marsaglia's xorshift generator gives the same order on every machine.
fn shuffle(order: &mut [usize], random: &mut u32) {
    for last in (1..order.len()).rev() {
        *random ^= *random << 13;
        *random ^= *random >> 17;
        *random ^= *random << 5;
        order.swap(last, *random as usize % (last + 1));
    }
}

impl Lines {
    /// Distance between lines in bytes. No supported core has longer cache lines.
    pub const BYTES: usize = 64;

    /// Allocates lines of this total size, at least 4 KiB.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let blocks = (bytes / (BLOCK * Self::BYTES)).max(1);
        let mut order: Vec<usize> = (0..blocks * BLOCK).collect();
        let mut random = SEED;
        order.chunks_mut(BLOCK).for_each(|block| shuffle(block, &mut random));
        let mut lines = vec![Line([0; WORDS]); order.len()];
        let next = order.iter().cycle().skip(1);
        for (this, next) in order.iter().zip(next) {
            lines[*this].0[0] = next * Self::BYTES;
        }
        Self { lines, first: order[0] * Self::BYTES }
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Cleans the lines from all data caches, so that the next pass reads them from memory.
    ///
    /// Returns false where user mode cannot clean caches: on 32-bit processors, and on architectures other than Arm.
    pub fn clean(&mut self) -> bool {
        #[cfg(target_arch = "aarch64")]
        for line in &mut self.lines {
            // SAFETY: the instruction writes a line of this process back to memory, which changes no value. Linux
            // allows this instruction in user mode.
            unsafe {
                std::arch::asm!("dc civac, {0}", in(reg) std::ptr::from_mut(line), options(nostack));
            }
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a barrier changes neither registers nor memory.
        unsafe {
            std::arch::asm!("dsb sy", options(nostack));
        }
        cfg!(target_arch = "aarch64")
    }

    /// Loads from each line once, with three instructions per line.
    pub fn read(&mut self) -> Executed {
        self.read_rounds(1)
    }

    /// Loads from each line in each round, with three instructions per line.
    pub fn read_rounds(&mut self, rounds: u32) -> Executed {
        let accesses = self.lines.len() * rounds as usize;
        // SAFETY: each line contains the offset of a line.
        let _last = unsafe { follow(self.lines.as_ptr().cast(), self.first, accesses) };
        Executed::walk(accesses as u64, 3, 0)
    }

    /// Loads from and stores to each line once, with five instructions per line.
    pub fn write(&mut self) -> Executed {
        let lines = self.count();
        let _last = write(&mut self.lines, self.first);
        Executed::walk(lines, 5, lines)
    }
}

/// Pages for reads in random order, one line per page. `madvise` tells the kernel not to merge them into large pages.
#[derive(Debug)]
pub struct Pages {
    map: Map,
    pages: usize,
    /// Offset of the first access.
    first: usize,
}

impl Pages {
    /// Maps this number of pages, at least one. `None` if the system does not have the memory.
    #[must_use]
    pub fn new(pages: usize) -> Option<Self> {
        let pages = pages.max(1);
        let page = page_size();
        let bytes = pages.checked_mul(page)?;
        let map = Map::new(None, 0, bytes, libc::PROT_READ | libc::PROT_WRITE).ok()?;
        // SAFETY: the range is the new mapping. The advice changes no contents; kernels without large pages reject it.
        unsafe { libc::madvise(map.base().cast(), bytes, libc::MADV_NOHUGEPAGE) };
        // A different line in each page, so that the lines do not all share one cache set.
        let mut order: Vec<_> =
            (0..pages).map(|nth| nth * page + nth * Lines::BYTES % page).collect();
        shuffle(&mut order, &mut { SEED });
        let next = order.iter().cycle().skip(1);
        for (this, next) in order.iter().zip(next) {
            // SAFETY: the offset is inside of the mapping, and aligned to a line.
            unsafe { map.base().add(*this).cast::<usize>().write(*next) };
        }
        Some(Self { map, pages, first: order[0] })
    }

    /// Loads from each page in each round, with three instructions per page.
    pub fn read_rounds(&mut self, rounds: u32) -> Executed {
        let accesses = self.pages * rounds as usize;
        // SAFETY: each page contains the offset of a place in the mapping.
        let _last = unsafe { follow(self.map.base(), self.first, accesses) };
        Executed::walk(accesses as u64, 3, 0)
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("count", &self.lines.len()).finish_non_exhaustive()
    }
}

const IS_ARM: bool = cfg!(any(target_arch = "aarch64", target_arch = "arm"));

/// Follows a chain of `left` offsets, each relative to the base. Returns the last offset.
///
/// # Safety
///
/// The word at each offset must be the offset of another word in the same memory.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
unsafe fn follow(base: *const u8, first: usize, left: usize) -> usize {
    let mut place = first;
    // SAFETY: the caller ensures that the offsets are valid. The assembly code changes only the
    // registers of its operands.
    unsafe {
        std::arch::asm!(
            "2: ldr {place}, [{base}, {place}]",
            "subs {left}, {left}, #1",
            "bne 2b",
            place = inout(reg) place,
            base = in(reg) base,
            left = inout(reg) left => _,
            options(nostack, readonly),
        );
    }
    place
}

/// Follows the offsets, and stores the number of remaining lines in the second word of each line.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
fn write(lines: &mut [Line], first: usize) -> usize {
    let mut place = first;
    // SAFETY: each place is the byte offset of a line. Only the second word of a line is written.
    unsafe {
        std::arch::asm!(
            "2: add {line}, {base}, {place}",
            "ldr {place}, [{line}]",
            "str {left}, [{line}, #{word}]",
            "subs {left}, {left}, #1",
            "bne 2b",
            line = out(reg) _,
            place = inout(reg) place,
            base = in(reg) lines.as_mut_ptr(),
            left = inout(reg) lines.len() => _,
            word = const size_of::<usize>(),
            options(nostack),
        );
    }
    place
}

/// As on Arm.
///
/// # Safety
///
/// The word at each offset must be the offset of another word in the same memory.
#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
unsafe fn follow(base: *const u8, first: usize, left: usize) -> usize {
    // SAFETY: the caller ensures that the offsets are valid.
    (0..left).fold(first, |place, _| unsafe { base.add(place).cast::<usize>().read_volatile() })
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
fn write(lines: &mut [Line], first: usize) -> usize {
    let mut place = first;
    for left in (1..=lines.len()).rev() {
        let line = &mut lines[place / Lines::BYTES].0;
        place = std::hint::black_box(line[0]);
        line[1] = left;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_visits_every_line_exactly_once() {
        for bytes in [0, 4096, 4096 * 5 + 63] {
            let mut lines = Lines::new(bytes);
            assert_eq!(lines.count() as usize, (bytes / 4096).max(1) * BLOCK);
            // SAFETY: each line contains the offset of a line.
            let read =
                unsafe { follow(lines.lines.as_ptr().cast(), lines.first, lines.lines.len()) };
            assert_eq!(read, lines.first);
            lines.write();
            let mut left: Vec<_> = lines.lines.iter().map(|line| line.0[1]).collect();
            left.sort_unstable();
            assert!(left.into_iter().eq(1..=lines.lines.len()), "{bytes}");
        }
    }

    #[test]
    fn lines_of_4_kib_are_in_random_order() {
        let lines = Lines::new(4 * 4096);
        let mut place = lines.first;
        let mut places = Vec::new();
        for _ in 0..lines.lines.len() {
            places.push(place / Lines::BYTES);
            place = lines.lines[place / Lines::BYTES].0[0];
        }
        for (number, block) in places.chunks(BLOCK).enumerate() {
            assert!(block.iter().all(|line| line / BLOCK == number), "{block:?}");
            // A random order of 64 lines has about two pairs of neighbours.
            let neighbours = block.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1);
            assert!(neighbours.count() < 8, "{block:?}");
        }
    }

    #[test]
    fn cleaning_keeps_the_contents() {
        let mut lines = Lines::new(4096);
        lines.write();
        let before: Vec<_> = lines.lines.iter().map(|line| line.0).collect();
        assert_eq!(lines.clean(), cfg!(target_arch = "aarch64"));
        assert!(lines.lines.iter().map(|line| line.0).eq(before));
        let executed = lines.read();
        assert_eq!((executed.loads, executed.stores), (BLOCK as u64, 0));
        assert_eq!(executed.instructions, IS_ARM.then_some(3 * BLOCK as u64));
        assert_eq!(lines.read_rounds(7).loads, 7 * BLOCK as u64);
    }

    #[test]
    fn a_round_visits_every_page_once() {
        let mut pages = Pages::new(300).expect("memory");
        let mut places = vec![pages.first];
        for _ in 0..300 {
            // SAFETY: each page contains the offset of a place in the mapping.
            places.push(unsafe { follow(pages.map.base(), places[places.len() - 1], 1) });
        }
        assert_eq!(places.pop(), Some(pages.first));
        let mut visited: Vec<_> = places.iter().map(|place| place / page_size()).collect();
        visited.sort_unstable();
        assert!(visited.into_iter().eq(0..300));
        assert_eq!(pages.read_rounds(2).loads, 600);
        assert_eq!(Pages::new(usize::MAX).map(|_| ()), None);
    }
}
