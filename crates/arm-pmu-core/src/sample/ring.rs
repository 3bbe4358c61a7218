//! A ring of samples, which an interrupt handler writes and the main program reads.

use core::num::NonZeroU32;
use core::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// Data that a handler records at an overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample<const D: usize = 1> {
    stack: [usize; D],
    depth: u16,
    counter: u16,
    period: u32,
    /// 0 if unknown.
    events: u32,
}

impl<const D: usize> Sample<D> {
    /// Creates the sample of a counter. Only the first `D` frames are kept.
    pub(super) fn new(
        stack: &[usize],
        counter: usize,
        period: NonZeroU32,
        events: Option<NonZeroU32>,
    ) -> Self {
        let mut sample = Self {
            stack: [0; D],
            depth: 0,
            counter: counter as u16,
            period: period.get(),
            events: events.map_or(0, NonZeroU32::get),
        };
        for (to, frame) in sample.stack.iter_mut().zip(stack) {
            *to = *frame;
            sample.depth += 1;
        }
        sample
    }

    /// Returns the addresses that the handler passed: the interrupted instruction first, then its callers.
    #[must_use]
    pub fn stack(&self) -> &[usize] {
        self.stack.get(..self.depth.into()).unwrap_or(&self.stack)
    }

    /// Returns the number of the counter that overflowed.
    #[must_use]
    pub fn counter(&self) -> usize {
        self.counter.into()
    }

    /// Returns the period: the number of events after which the counter had to overflow.
    #[must_use]
    pub const fn period(&self) -> u32 {
        self.period
    }

    /// Returns the number of events from the previous sample of this counter until the handler read the counter.
    ///
    /// Events between this reading and the end of [`sample`](super::Sampler::sample) belong to no sample. Returns
    /// `None` if the counter saturates or was disturbed. The result is at most `u32::MAX`, even after more events.
    #[must_use]
    pub const fn events(&self) -> Option<u32> {
        if self.events == 0 { None } else { Some(self.events) }
    }

    /// Returns the number of events between the overflow and the handler: the skid of the interrupt.
    ///
    /// A large number shows that interrupts were masked, so that the address is not the place of the overflow.
    #[must_use]
    pub const fn late(&self) -> Option<u32> {
        self.events.checked_sub(self.period)
    }

    /// Returns the number of samples that are missing after this sample, because the handler was late by several
    /// periods.
    #[must_use]
    pub const fn missed(&self) -> u32 {
        match (self.late(), self.period) {
            (None, _) | (_, 0) => 0,
            (Some(late), period) => late / period,
        }
    }
}

/// Storage for a sample. Reading a sample does not remove it. The fields are atomic, so that no access to a ring needs
/// `unsafe`.
#[derive(Debug)]
struct Slot<const D: usize> {
    stack: [AtomicUsize; D],
    /// The depth of the stack in the upper half, and the counter number in the lower half.
    which: AtomicU32,
    period: AtomicU32,
    events: AtomicU32,
}

impl<const D: usize> Slot<D> {
    const fn new() -> Self {
        Self {
            stack: [const { AtomicUsize::new(0) }; D],
            which: AtomicU32::new(0),
            period: AtomicU32::new(0),
            events: AtomicU32::new(0),
        }
    }

    fn set(&self, sample: &Sample<D>) {
        for (to, frame) in self.stack.iter().zip(sample.stack()) {
            to.store(*frame, Ordering::Relaxed);
        }
        let which = u32::from(sample.depth) << 16 | u32::from(sample.counter);
        self.which.store(which, Ordering::Relaxed);
        self.period.store(sample.period, Ordering::Relaxed);
        self.events.store(sample.events, Ordering::Relaxed);
    }

    fn get(&self) -> Sample<D> {
        let which = self.which.load(Ordering::Relaxed);
        let (depth, counter) = ((which >> 16) as u16, which as u16);
        let mut stack = [0; D];
        for (to, frame) in stack.iter_mut().zip(&self.stack).take(depth.into()) {
            *to = frame.load(Ordering::Relaxed);
        }
        let [period, events] = [&self.period, &self.events].map(|of| of.load(Ordering::Relaxed));
        Sample { stack, depth, counter, period, events }
    }
}

/// Numbers of samples since the ring was created, modulo 2^32. The writer stores `written` and `lost`, the reader
/// stores `read`.
#[derive(Debug)]
struct Numbers {
    written: AtomicU32,
    read: AtomicU32,
    lost: AtomicU32,
}

/// Returns the slot of a sample. No division is needed, because the length is a power of two.
const fn place(number: u32, length: usize) -> usize {
    number as usize & (length - 1)
}

/// A ring of `N` samples, each with up to `D` addresses. `N` is a power of two.
///
/// One interrupt handler writes. One other context, even on another core, can read at any time. Neither waits. The ring
/// needs only atomic loads and stores.
///
/// ```
/// use arm_pmu_core::sample::SampleRing;
///
/// let mut ring = SampleRing::<256>::new();
/// let (writer, mut reader) = ring.split();
/// assert_eq!((reader.next(), reader.lost()), (None, 0));
/// # drop(writer);
/// ```
///
/// If the handler lives as long as the program, put the ring into a `static` that yields a `&'static mut`: a local of
/// `#[init]` in RTIC, or a `static_cell::ConstStaticCell`.
#[derive(Debug)]
pub struct SampleRing<const N: usize, const D: usize = 1> {
    slots: [Slot<D>; N],
    numbers: Numbers,
}

impl<const N: usize> SampleRing<N> {
    /// Creates an empty ring. Its samples contain no addresses of callers.
    #[must_use]
    #[allow(clippy::new_without_default)] // `Default` would not be `const`.
    pub const fn new() -> Self {
        Self::with_stacks()
    }
}

impl<const N: usize, const D: usize> SampleRing<N, D> {
    /// Creates an empty ring of samples with up to `D` addresses.
    #[must_use]
    pub const fn with_stacks() -> Self {
        const { assert!(N.is_power_of_two() && N <= 1 << 31, "the length must be a power of two") }
        const { assert!(0 < D && D <= 1 << 15, "a sample needs 1 to 32768 addresses") }
        let [written, read, lost] = [const { AtomicU32::new(0) }; 3];
        Self { slots: [const { Slot::new() }; N], numbers: Numbers { written, read, lost } }
    }

    /// Returns the two ends of the ring.
    #[must_use]
    pub const fn split(&mut self) -> (SampleWriter<'_, D>, SampleReader<'_, D>) {
        let Self { slots, numbers } = &*self;
        (SampleWriter { slots, numbers }, SampleReader { slots, numbers })
    }
}

/// The end of a [`SampleRing`] for the interrupt handler.
#[derive(Debug)]
pub struct SampleWriter<'r, const D: usize = 1> {
    slots: &'r [Slot<D>],
    numbers: &'r Numbers,
}

impl<const D: usize> SampleWriter<'_, D> {
    /// Writes a sample, or counts its loss if the ring is full.
    pub(super) fn push(&mut self, sample: &Sample<D>) {
        let Numbers { written, read, lost } = self.numbers;
        let number = written.load(Ordering::Relaxed);
        // The reader has copied a sample out of its slot before it stores `read`.
        let waiting = number.wrapping_sub(read.load(Ordering::Acquire)) as usize;
        if waiting < self.slots.len() {
            self.slots[place(number, self.slots.len())].set(sample);
            written.store(number.wrapping_add(1), Ordering::Release);
        } else {
            lost.store(lost.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }
}

/// The reading side of a [`SampleRing`], which the main program uses. The iterator takes samples out until the ring is
/// empty.
#[derive(Debug)]
pub struct SampleReader<'r, const D: usize = 1> {
    slots: &'r [Slot<D>],
    numbers: &'r Numbers,
}

impl<const D: usize> SampleReader<'_, D> {
    /// Returns the number of samples that were lost because the ring was full, modulo 2^32.
    #[must_use]
    pub fn lost(&self) -> u32 {
        self.numbers.lost.load(Ordering::Relaxed)
    }
}

/// After `None`, more samples can follow.
impl<const D: usize> Iterator for SampleReader<'_, D> {
    type Item = Sample<D>;

    fn next(&mut self) -> Option<Sample<D>> {
        let Numbers { written, read, .. } = self.numbers;
        let number = read.load(Ordering::Relaxed);
        if number == written.load(Ordering::Acquire) {
            return None;
        }
        let sample = self.slots[place(number, self.slots.len())].get();
        read.store(number.wrapping_add(1), Ordering::Release);
        Some(sample)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::VecDeque;
    use std::thread;

    use proptest::prelude::*;

    use super::*;

    fn sample(number: usize) -> Sample<2> {
        let events = NonZeroU32::new(number as u32 + 1);
        Sample::new(&[number, !number][..1 + number % 2], number % 33, NonZeroU32::MIN, events)
    }

    /// Performs the steps (`true`: write a sample, `false`: read one) on a ring and on a queue, and
    /// compares them.
    fn compare<const N: usize>(first: u32, steps: &[bool]) {
        let mut ring = SampleRing::<N, 2>::with_stacks();
        ring.numbers.written = AtomicU32::new(first);
        ring.numbers.read = AtomicU32::new(first);
        let (mut writer, mut reader) = ring.split();
        let (mut queue, mut lost) = (VecDeque::new(), 0);
        for (number, is_write) in steps.iter().enumerate() {
            if *is_write {
                writer.push(&sample(number));
                if queue.len() < N { queue.push_back(sample(number)) } else { lost += 1 }
            } else {
                assert_eq!(reader.next(), queue.pop_front());
            }
            assert_eq!(reader.lost(), lost);
        }
        assert!(reader.eq(queue));
    }

    proptest! {
        #[test]
        fn full_ring_counts_lost_samples_in_order(
            before_wrap in 0..40_u32,
            steps in prop::collection::vec(any::<bool>(), 0..200),
        ) {
            let first = 0_u32.wrapping_sub(before_wrap);
            compare::<1>(first, &steps);
            compare::<2>(first, &steps);
            compare::<16>(first, &steps);
        }
    }

    #[test]
    fn two_threads_share_a_ring() {
        const WRITTEN: usize = 200_000;
        let mut ring = SampleRing::<8, 2>::with_stacks();
        let (mut writer, mut reader) = ring.split();
        let (mut read, mut next) = (0, 0);
        thread::scope(|scope| {
            let writing = scope.spawn(move || (0..WRITTEN).for_each(|n| writer.push(&sample(n))));
            loop {
                let is_last = writing.is_finished();
                for found in reader.by_ref() {
                    let number = found.stack()[0];
                    assert!(number >= next, "{number} after {next}");
                    assert_eq!(found, sample(number));
                    (read, next) = (read + 1, number + 1);
                }
                if is_last {
                    break;
                }
            }
        });
        assert_eq!(read + reader.lost() as usize, WRITTEN);
    }

    #[test]
    fn late_samples_count_missed_samples() {
        let ten = NonZeroU32::new(10).unwrap();
        let of = |events| Sample::<1>::new(&[7, 8], 3, ten, NonZeroU32::new(events));
        let told = |sample: Sample<1>| (sample.events(), sample.late(), sample.missed());
        assert_eq!(told(of(10)), (Some(10), Some(0), 0));
        assert_eq!(told(of(19)), (Some(19), Some(9), 0));
        assert_eq!(told(of(35)), (Some(35), Some(25), 2));
        assert_eq!(told(of(0)), (None, None, 0));
        assert_eq!((of(0).stack(), of(0).counter(), of(0).period()), (&[7][..], 3, 10));
    }
}
