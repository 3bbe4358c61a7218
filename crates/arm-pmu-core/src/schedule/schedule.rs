//! Assignment of selections to passes.

use super::event_set::{Entry, EventSet, EventSetError, Reference};
use crate::measure::{AssignError, Monitor};

/// Highest number of selections at once: 32 events and the cycles.
const MOST_AT_ONCE: usize = 33;

/// Number of attempts before the search adds another pass.
const MOST_TRIES: usize = 500;

/// Passes in which a PMU counts the selections of an [`EventSet`].
///
/// [`EventSet::schedule`] makes it.
#[derive(Clone, Debug)]
pub struct Schedule<S, const N: usize> {
    pub(super) entries: [Option<Placed<S>>; N],
    pub(super) reference: Option<S>,
    /// Whether the reference event is the cycles.
    timed: bool,
    pub(super) passes: usize,
}

/// A selection and its pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<S> {
    pub(crate) selection: S,
    pub(crate) group: usize,
    pub(crate) pass: usize,
}

/// Selections that are counted at once, without duplicates.
struct Set<S> {
    selections: [S; MOST_AT_ONCE],
    used: usize,
    too_many: bool,
}

impl<S: Copy + PartialEq> Set<S> {
    /// Creates the set. The reference event, if there is one, has position 0.
    fn of(reference: Option<S>, selections: impl Iterator<Item = S> + Clone) -> Option<Self> {
        let all = reference.into_iter().chain(selections);
        let first = all.clone().next()?;
        let mut set = Self { selections: [first; MOST_AT_ONCE], used: 0, too_many: false };
        for selection in all {
            if set.place(selection).is_none() {
                match set.selections.get_mut(set.used) {
                    Some(free) => {
                        *free = selection;
                        set.used += 1;
                    }
                    None => set.too_many = true,
                }
            }
        }
        Some(set)
    }

    fn all(&self) -> &[S] {
        self.selections.get(..self.used).unwrap_or(&[])
    }

    /// Returns the position of a selection.
    fn place(&self, selection: S) -> Option<usize> {
        self.all().iter().position(|known| *known == selection)
    }
}

impl<S: Copy + PartialEq, const N: usize> EventSet<S, N> {
    /// Assigns each selection to a pass that this PMU can count.
    ///
    /// The number of passes is minimal, unless the search is cut short because there are many groups. The
    /// method does not write to the device, but replaces the driver's assigned selections.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU cannot count a selection together with the reference event, or if a register
    /// access failed.
    pub fn schedule<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
    ) -> Result<Schedule<S, N>, EventSetError> {
        Schedule::of(self, pmu).map_err(EventSetError::Assign)
    }
}

impl<S: Copy + PartialEq, const N: usize> Schedule<S, N> {
    pub(crate) fn of<M: Monitor<Selection = S>>(
        set: &EventSet<S, N>,
        pmu: &mut M,
    ) -> Result<Self, AssignError> {
        let (reference, timed) = match set.reference {
            Reference::Clock => (M::CLOCK, M::CLOCK.is_some()),
            Reference::Selected(selection) => (Some(selection), M::CLOCK == Some(selection)),
            Reference::Nothing => (None, false),
        };
        let mut fitting = Fitting { pmu, reference, entries: &set.entries, piece: [N; N] };
        let pieces = fitting.pieces()?;
        let mut limit = 1;
        let pass = loop {
            if let Some(pass) = fitting.passes(pieces, limit)? {
                break pass;
            }
            limit += 1;
        };
        let mut passes = 0;
        let mut pieces = fitting.piece.iter();
        let entries = set.entries.map(|entry| {
            let piece = pieces.next().copied();
            let Entry { selection, group } = entry?;
            let pass = *pass.get(piece?)?;
            passes = passes.max(pass + 1);
            Some(Placed { selection, group, pass })
        });
        Ok(Self { entries, reference, timed, passes })
    }

    /// Returns the number of passes; 0 for an empty set.
    #[must_use]
    pub const fn passes(&self) -> usize {
        self.passes
    }

    /// Returns whether each pass counts cycles.
    pub(crate) const fn is_timed(&self) -> bool {
        self.timed
    }

    /// Assigns the selections of a pass to the PMU.
    pub(crate) fn assign<M: Monitor<Selection = S>>(
        &self,
        pmu: &mut M,
        pass: usize,
    ) -> Result<(), AssignError> {
        match self.set(pass) {
            Some(set) => pmu.assign(set.all()),
            None => Ok(()),
        }
    }

    /// Returns the position of each entry among the selections of a pass.
    ///
    /// The reference event, if there is one, has position 0. Entries of other passes have the
    /// position `usize::MAX`.
    pub(crate) fn places(&self, pass: usize) -> [usize; N] {
        let set = self.set(pass);
        self.entries.map(|entry| {
            let entry = entry.filter(|entry| entry.pass == pass);
            let place = entry.zip(set.as_ref()).and_then(|(entry, set)| set.place(entry.selection));
            place.unwrap_or(usize::MAX)
        })
    }

    fn set(&self, pass: usize) -> Option<Set<S>> {
        let placed = self.entries.iter().flatten().filter(|entry| entry.pass == pass);
        Set::of(self.reference, placed.map(|entry| entry.selection))
    }
}

/// Search for an assignment of entries to passes.
///
/// The entries of a piece are counted in one pass. A piece is a group, or a part of a group that is too large. If a
/// single selection is also in a group, it belongs to the piece of that group.
struct Fitting<'f, M: Monitor, const N: usize> {
    pmu: &'f mut M,
    reference: Option<M::Selection>,
    entries: &'f [Option<Entry<M::Selection>>; N],
    /// Index of the piece to which each entry belongs; `N` if the entry has no piece yet.
    piece: [usize; N],
}

impl<M: Monitor, const N: usize> Fitting<'_, M, N> {
    /// Divides the entries into pieces and returns the number of pieces.
    fn pieces(&mut self) -> Result<usize, AssignError> {
        let mut pieces = 0;
        for alone in [false, true] {
            for nth in 0..N {
                let Some(Entry { selection, group }) = self.entry(nth) else { continue };
                let members = self.members(|entry| entry.group == group).count();
                if self.piece_of(nth) != N || (members == 1) != alone {
                    continue;
                }
                let known = if alone { self.known(selection) } else { None };
                let piece = known.unwrap_or(pieces);
                if let Some(place) = self.piece.get_mut(nth) {
                    *place = piece;
                }
                if known.is_some() {
                    continue;
                }
                pieces += 1;
                // The PMU must be able to count each selection alone.
                self.fits(|other| other == nth)??;
                self.fill(piece, group)?;
            }
        }
        Ok(pieces)
    }

    /// Goes through a group's entries in the order of the set, and adds each entry to the piece if
    /// it fits.
    fn fill(&mut self, piece: usize, group: usize) -> Result<(), AssignError> {
        for nth in 0..N {
            let in_group = self.entry(nth).is_some_and(|entry| entry.group == group);
            if !in_group || self.piece_of(nth) != N {
                continue;
            }
            let pieces = self.piece;
            let would = |other| other == nth || pieces.get(other) == Some(&piece);
            if self.fits(would)?.is_ok() {
                if let Some(place) = self.piece.get_mut(nth) {
                    *place = piece;
                }
            }
        }
        Ok(())
    }

    /// Returns the pass of each piece, if `limit` passes are enough.
    fn passes(&mut self, pieces: usize, limit: usize) -> Result<Option<[usize; N]>, AssignError> {
        // Large pieces are placed first. A single selection fits into any pass with a free counter, so other layouts of
        // single selections are not tried.
        let mut order: [usize; N] = core::array::from_fn(|piece| piece);
        let sizes: [usize; N] = core::array::from_fn(|piece| self.size(piece));
        let order = order.get_mut(..pieces).unwrap_or_default();
        order
            .sort_unstable_by_key(|piece| (core::cmp::Reverse(sizes.get(*piece).copied()), *piece));
        let single = |piece: &usize| sizes.get(*piece) == Some(&1);
        let large = order.iter().filter(|piece| !single(piece)).count();
        let mut pass = [N; N];
        let mut next_to_try = [0; N];
        let (mut depth, mut tries) = (0, 0);
        while let Some(piece) = order.get(depth).copied() {
            let used = pass.iter().filter(|pass| **pass != N).map(|pass| pass + 1).max();
            let used = used.unwrap_or(0);
            let mut placed = false;
            let end = limit.min(used + 1);
            while !placed {
                let next = next_to_try.get_mut(depth).filter(|next| **next < end);
                let Some(next) = next else { break };
                let candidate = *next;
                *next += 1;
                tries += 1;
                let piece_of = self.piece;
                let would = |nth: usize| {
                    piece_of.get(nth).is_some_and(|other| {
                        *other == piece || pass.get(*other) == Some(&candidate)
                    })
                };
                placed = candidate == used || self.fits(would)?.is_ok();
                if placed {
                    if let Some(place) = pass.get_mut(piece) {
                        *place = candidate;
                    }
                }
            }
            if placed {
                depth += 1;
                if let Some(next) = next_to_try.get_mut(depth) {
                    *next = 0;
                }
                continue;
            }
            let Some(back) = depth.min(large).checked_sub(1) else { return Ok(None) };
            // If `limit` is the number of pieces, the search never ends here, because each piece fits into a pass of
            // its own.
            if tries > MOST_TRIES {
                return Ok(None);
            }
            for piece in order.iter().skip(back) {
                if let Some(place) = pass.get_mut(*piece) {
                    *place = N;
                }
            }
            depth = back;
        }
        Ok(Some(pass))
    }

    fn entry(&self, nth: usize) -> Option<Entry<M::Selection>> {
        self.entries.get(nth).copied().flatten()
    }

    fn piece_of(&self, nth: usize) -> usize {
        self.piece.get(nth).copied().unwrap_or(N)
    }

    /// Returns the piece to which this selection already belongs.
    fn known(&self, selection: M::Selection) -> Option<usize> {
        let mut all = self.entries.iter().flatten().zip(&self.piece);
        let found = all.find(|(entry, piece)| entry.selection == selection && **piece != N);
        found.map(|(_, piece)| *piece)
    }

    fn size(&self, piece: usize) -> usize {
        self.piece.iter().filter(|other| **other == piece).count()
    }

    fn members(&self, belongs: impl Fn(&Entry<M::Selection>) -> bool) -> impl Iterator {
        self.entries.iter().flatten().filter(move |entry| belongs(entry))
    }

    /// Returns whether the PMU can count these entries and the reference event at once.
    ///
    /// The inner result is an error if the PMU cannot count the entries. The outer error reports a failed register
    /// access.
    fn fits(
        &mut self,
        belongs: impl Fn(usize) -> bool + Clone,
    ) -> Result<Result<(), AssignError>, AssignError> {
        let entries = self.entries.iter().enumerate();
        let chosen = entries.filter(move |(nth, _)| belongs(*nth)).filter_map(|(_, entry)| *entry);
        let Some(set) = Set::of(self.reference, chosen.map(|entry| entry.selection)) else {
            return Ok(Ok(()));
        };
        if set.too_many {
            let counters = M::COUNTERS;
            return Ok(Err(AssignError::TooMany { asked: set.used + 1, counters }));
        }
        match self.pmu.assign(set.all()) {
            Err(error @ AssignError::BusError(_)) => Err(error),
            fits => Ok(fits),
        }
    }
}
