//! Series of readings; each reading takes the overflow flags.

use crate::oracle::{Answer, Slot, differences, stayed_below};
use crate::world::{MOST, Span, Subject, World};

use super::{Outcome, Runner, track};

/// State of a series of readings.
#[derive(Clone, Debug)]
pub struct Readings {
    pub last: Span,
    /// Number of times that flags had been taken at the last reading.
    taken: u32,
    /// Whether fewer than 2^32 events happened in each period, or more are detected.
    pub trusted: [bool; MOST],
    /// Whether an overflow flag may be missing: see [`Period`].
    flag_missing: [bool; MOST],
}

/// A period from one reading of a series to the next.
struct Period {
    slot: Slot,
    from: Span,
    to: Span,
    /// Possible counts up to the first reading.
    before: Vec<u64>,
    /// Whether no other call took overflow flags in between.
    alone: bool,
    /// Whether the flag of an overflow before the first reading may be missing: it was set during that reading,
    /// or another call took it.
    flag_missing: bool,
}

impl Period {
    /// Returns the highest number of events from the beginning of the first reading to the end of
    /// the second.
    fn most<D: Subject>(&self, world: &World<'_, D>) -> u64 {
        world.between(self.slot.kind, self.from.first, self.to.last)
    }

    /// Returns whether no event happened during the two readings.
    fn is_quiet<D: Subject>(&self, world: &World<'_, D>) -> bool {
        [self.from, self.to].iter().all(|span| world.during(self.slot.kind, *span) == 0)
    }

    /// Returns the value of the counter at the first reading, if it is known.
    fn held(&self) -> Option<u64> {
        match self.before[..] {
            [raw] if !self.slot.by_64 => Some((raw + u64::from(self.slot.from)) & 0xFFFF_FFFF),
            _ => None,
        }
    }

    /// Returns whether the counter saturates, or fewer than 2^32 events happened, or more are detected: the overflow
    /// flag was set once, the counter is not below its last value, and the flag is not from an earlier overflow.
    fn is_found_out<D: Subject>(&self, world: &World<'_, D>) -> bool {
        if D::SHAPE.saturates {
            return true;
        }
        let most = self.most(world);
        let Some(held) = self.held().filter(|_| self.is_quiet(world)) else {
            return most < 1 << 32;
        };
        let once = most < 1 << 33 && held + most < 1 << 33;
        most < 1 << 32 || (once && self.alone && !self.flag_missing)
    }

    /// Returns whether an overflow flag up to the second reading may be missing.
    fn flag_is_missing<D: Subject>(&self, world: &World<'_, D>) -> bool {
        let may_wrap = self.held().is_none_or(|held| held + self.most(world) >= 1 << 32);
        may_wrap && (self.flag_missing || !self.alone || !self.is_quiet(world))
    }
}

impl<D: Subject> Runner<'_, D> {
    pub fn first_reading(&mut self, begin: usize) -> Readings {
        let span = self.world.since(begin);
        self.take_flags(span);
        let trusted = std::array::from_fn(|counter| {
            self.tracks[counter].as_ref().is_some_and(|track| {
                let meanwhile = self.world.during(track.slot.kind, span);
                !track.old_flag && !track.void && meanwhile < 1 << 32 && !self.missed_capture()
            })
        });
        Readings { last: span, taken: self.taken, trusted, flag_missing: [false; MOST] }
    }

    pub fn next_reading(&mut self, readings: &mut Readings, begin: usize) {
        let span = self.world.since(begin);
        let alone = self.taken == readings.taken;
        self.take_flags(span);
        for (counter, track) in self.tracks.iter().enumerate() {
            let Some(track) = track else { continue };
            let period = Period {
                slot: track.slot,
                from: readings.last,
                to: span,
                before: track.possible(self.world, readings.last),
                alone,
                flag_missing: readings.flag_missing[counter],
            };
            readings.trusted[counter] &= period.is_found_out(self.world) && !self.missed_capture();
            readings.flag_missing[counter] = period.flag_is_missing(self.world);
        }
        (readings.last, readings.taken) = (span, self.taken);
    }

    /// Checks an amount from the first of these calls to the last. `single` is whether the counter
    /// was read only at the stop, so that no condition is needed. `must` is whether there must be a
    /// number.
    pub fn check_series(
        &self,
        name: &str,
        kind: u8,
        spans: &[Span],
        single: bool,
        must: bool,
        answer: impl Into<Answer>,
    ) -> Outcome {
        let track = track::<D>(kind);
        let [first, .., last] = spans else { return Ok(()) };
        let mut trusted = !self.missed_capture();
        let mut flag_missing = false;
        for pair in spans.windows(2).take_while(|_| !single) {
            let [from, to] = [pair[0], pair[1]];
            let before = differences(self.world, kind, *first, from, &[]);
            let slot = track.slot;
            let period = Period { slot, from, to, before, alone: true, flag_missing };
            trusted &= period.is_found_out(self.world);
            flag_missing = period.flag_is_missing(self.world);
        }
        if !trusted {
            return Ok(());
        }
        let possible = differences(self.world, kind, *first, *last, &[]);
        let must = must && self.world.is_clean() && stayed_below(&track, &possible);
        self.check(name, &track, &possible, answer, must)
    }
}
