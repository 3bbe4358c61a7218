//! Sums of equal stacks, as text for flame graphs.

use core::fmt;

use super::ring::SampleReader;

/// A table of `K` stacks of up to `D` addresses, each with its number of samples.
///
/// The table prints as one line for each stack: `0x40201f08 5981`, or `0x40200040;0x40201f08 5981` with callers. Flame
/// graph tools load such folded stacks. The most frequent stack comes first.
#[derive(Clone, Debug)]
pub struct FoldedStacks<const K: usize, const D: usize = 1> {
    stacks: [Stack<D>; K],
    used: usize,
    other: u64,
    missed: u64,
    lost: u32,
}

/// Frames, starting with the interrupted instruction. Unused frames are 0.
#[derive(Clone, Copy, Debug)]
struct Stack<const D: usize> {
    frames: [usize; D],
    depth: usize,
    samples: u64,
}

impl<const K: usize, const D: usize> FoldedStacks<K, D> {
    /// Creates an empty table.
    #[must_use]
    #[allow(clippy::new_without_default)] // `Default` would not be `const`.
    pub const fn new() -> Self {
        let stacks = [Stack { frames: [0; D], depth: 0, samples: 0 }; K];
        Self { stacks, used: 0, other: 0, missed: 0, lost: 0 }
    }

    /// Takes all samples out of the ring, and adds them.
    pub fn drain(&mut self, reader: &mut SampleReader<'_, D>) {
        for sample in reader.by_ref() {
            self.add(sample.stack());
            self.missed += u64::from(sample.missed());
        }
        self.lost = reader.lost();
    }

    /// Adds one sample with these addresses, the interrupted instruction first.
    pub fn add(&mut self, stack: &[usize]) {
        let mut known = self.stacks[..self.used].iter();
        let position = match known.position(|known| known.frames[..known.depth].iter().eq(stack)) {
            Some(position) => position,
            None if self.used < K && stack.len() <= D => {
                let new = &mut self.stacks[self.used];
                new.frames[..stack.len()].copy_from_slice(stack);
                new.depth = stack.len();
                self.used += 1;
                self.used - 1
            }
            None => {
                self.other += 1;
                return;
            }
        };
        self.stacks[position].samples += 1;
        // The stacks are sorted by frequency, so that the search finds frequent stacks early.
        let samples = self.stacks[position].samples;
        let ahead = self.stacks[..position].partition_point(|before| before.samples >= samples);
        self.stacks.swap(ahead, position);
    }

    /// Returns the number of samples that were added.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.stacks.iter().map(|stack| stack.samples).sum::<u64>() + self.other
    }

    /// Returns the number of samples that are missing: lost because the ring was full, or missed because the handler
    /// was late.
    #[must_use]
    pub const fn missing(&self) -> u64 {
        self.lost as u64 + self.missed
    }

    /// Writes the text with names in place of addresses.
    ///
    /// ```
    /// use core::fmt::Write as _;
    ///
    /// use arm_pmu_core::sample::FoldedStacks;
    ///
    /// let mut profile = FoldedStacks::<8, 2>::new();
    /// profile.add(&[0x2000, 0x1000]);
    /// assert_eq!(profile.to_string(), "0x1000;0x2000 1\n");
    ///
    /// let mut text = String::new();
    /// profile.write(&mut text, |text, address| match address {
    ///     0x1000 => text.write_str("main"),
    ///     _ => write!(text, "{address:#x}"),
    /// })?;
    /// assert_eq!(text, "main;0x2000 1\n");
    /// # Ok::<(), core::fmt::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `to` or `name` returns an error.
    pub fn write<W: fmt::Write>(
        &self,
        to: &mut W,
        mut name: impl FnMut(&mut W, usize) -> fmt::Result,
    ) -> fmt::Result {
        for Stack { frames, depth, samples } in &self.stacks[..self.used] {
            for (nth, frame) in frames[..*depth].iter().rev().enumerate() {
                if nth > 0 {
                    to.write_char(';')?;
                }
                name(to, *frame)?;
            }
            writeln!(to, " {samples}")?;
        }
        let losses = [("lost", self.lost.into()), ("missed", self.missed), ("other", self.other)];
        for (why, samples) in losses.into_iter().filter(|(_, samples)| *samples > 0) {
            writeln!(to, "[{why}] {samples}")?;
        }
        Ok(())
    }
}

impl<const K: usize, const D: usize> fmt::Display for FoldedStacks<K, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |f, address| write!(f, "{address:#x}"))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString as _;

    use super::*;

    #[test]
    fn frequent_stacks_come_first() {
        let mut profile = FoldedStacks::<3, 2>::new();
        let stacks: [&[usize]; 4] = [&[1], &[2], &[2, 9], &[3]];
        for (stack, times) in stacks.iter().zip([1, 2, 3, 4]) {
            (0..times).for_each(|_| profile.add(stack));
        }
        profile.add(&[1, 2, 3]);
        assert_eq!(profile.to_string(), "0x9;0x2 3\n0x2 2\n0x1 1\n[other] 5\n");
        assert_eq!((profile.samples(), profile.missing()), (11, 0));
    }
}
