//! Known memory traffic: [`Lines`] reads or writes each line once, and [`Executed`] contains the executed instructions.
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

/// Instructions of a pass in user mode, without the few before and after the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Executed {
    /// Instructions; `None` if a compiler generated the loop, on processors of other architectures.
    pub instructions: Option<u64>,
    /// Instructions that load data.
    pub loads: u64,
    /// Instructions that store data.
    pub stores: u64,
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

impl Lines {
    /// Distance of lines in bytes. Cache lines of the supported cores are not longer.
    pub const BYTES: usize = 64;

    /// Allocates lines of this total size, at least 4 KiB.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let blocks = (bytes / (BLOCK * Self::BYTES)).max(1);
        let mut order: Vec<usize> = (0..blocks * BLOCK).collect();
        // Marsaglia's xorshift generator gives the same order on every machine.
        let mut random = 0x2545_F491_u32;
        for block in order.chunks_mut(BLOCK) {
            for last in (1..block.len()).rev() {
                random ^= random << 13;
                random ^= random >> 17;
                random ^= random << 5;
                block.swap(last, random as usize % (last + 1));
            }
        }
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
    /// Returns false where user mode cannot clean caches: on 32-bit processors, and on other architectures.
    pub fn clean(&mut self) -> bool {
        #[cfg(target_arch = "aarch64")]
        for line in &mut self.lines {
            // SAFETY: the instruction writes a line of this process back to memory, which changes no value. Linux
            // allows it in user mode.
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
        let lines = self.lines.len();
        let _last = read(&self.lines, self.first);
        let instructions = IS_ARM.then_some(3 * lines as u64);
        Executed { instructions, loads: lines as u64, stores: 0 }
    }

    /// Loads from and stores to each line once, with five instructions per line.
    pub fn write(&mut self) -> Executed {
        let lines = self.lines.len();
        let _last = write(&mut self.lines, self.first);
        let instructions = IS_ARM.then_some(5 * lines as u64);
        Executed { instructions, loads: lines as u64, stores: lines as u64 }
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("count", &self.lines.len()).finish_non_exhaustive()
    }
}

const IS_ARM: bool = cfg!(any(target_arch = "aarch64", target_arch = "arm"));

/// Follows the offsets through all lines. Returns the offset in the last line.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
fn read(lines: &[Line], first: usize) -> usize {
    let mut place = first;
    // SAFETY: each place is the byte offset of a line. The code writes only to the registers.
    unsafe {
        std::arch::asm!(
            "2: ldr {place}, [{base}, {place}]",
            "subs {left}, {left}, #1",
            "bne 2b",
            place = inout(reg) place,
            base = in(reg) lines.as_ptr(),
            left = inout(reg) lines.len() => _,
            options(nostack, readonly),
        );
    }
    place
}

/// Follows the offsets, and stores the number of remaining lines to the second word of each line.
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

#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
fn read(lines: &[Line], first: usize) -> usize {
    let mut place = first;
    for _ in 0..lines.len() {
        place = std::hint::black_box(lines[place / Lines::BYTES].0[0]);
    }
    place
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
            assert_eq!(read(&lines.lines, lines.first), lines.first);
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
    }
}
