//! Sets of selections that can be larger than the number of counters.

use core::fmt;

use crate::measure::AssignError;

/// A set of selections to count; it can be larger than the number of counters.
///
/// `N` is the capacity of the set. [`run`](Self::run) runs the work once for each pass.
/// [`schedule`](Self::schedule) returns a [`Schedule`](super::Schedule), for more than one run or for
/// [`rotate`](super::Schedule::rotate).
///
/// The selections of a [group](Self::add_group) are counted in one pass if the PMU has enough counters. Then their
/// counts are comparable even if the work differs a little between runs. A selection in two groups is counted in the
/// passes of both groups.
///
/// ```
/// use arm_pmu_core::count::Count;
/// use arm_pmu_core::measure::{AssignError, Monitor};
/// use arm_pmu_core::schedule::{EventSet, EventSetError};
/// # struct Pmu([char; 2]);
/// # impl Monitor for Pmu {
/// #     type Selection = char;
/// #     const COUNTERS: usize = 2;
/// #     fn assign(&mut self, what: &[char]) -> Result<(), AssignError> {
/// #         let too_many = AssignError::TooMany { asked: what.len(), counters: 2 };
/// #         self.0 = [what.get(0), what.get(1)].map(|what| what.copied().unwrap_or(' '));
/// #         if what.len() > 2 { Err(too_many) } else { Ok(()) }
/// #     }
/// #     fn run<R>(&mut self, work: impl FnOnce() -> R) -> R { work() }
/// #     fn count(&mut self, nth: usize) -> Count { Count::new(self.0[nth] as u32) }
/// # }
/// # let mut pmu = Pmu([' '; 2]); // It has two counters.
/// # let work = || ();
///
/// let mut set = EventSet::<_, 8>::new();
/// let rate = set.add_group(&['h', 'r'])?; // the inputs of one ratio
/// set.each(&['x', 'y', 'z'])?;
/// let passes = set.run(&mut pmu, work)?;
/// assert_eq!(passes.number(), 3);
/// assert!(passes.group(rate).all(|(_, amount)| amount.pass() == 0));
/// # let all = passes.to_string();
/// # assert!(all.starts_with("          104  pass 0  h\n          114  pass 0  r\n"), "{all}");
/// println!("{passes}"); // each event with its amount and its pass, and the spread of the passes
/// # Ok::<(), EventSetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventSet<S, const N: usize> {
    /// The selections, without gaps between them; the entries after the last selection are `None`.
    pub(crate) entries: [Option<Entry<S>>; N],
    groups: usize,
    pub(crate) reference: Reference<S>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<S> {
    pub(crate) selection: S,
    pub(crate) group: usize,
}

/// Event that every pass counts, for comparing the passes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference<S> {
    /// The cycles, if the PMU can count cycles.
    Clock,
    Selected(S),
    Nothing,
}

/// A group of selections that are counted together, created by [`EventSet::add_group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(pub(crate) usize);

impl<S: Copy + PartialEq, const N: usize> EventSet<S, N> {
    /// Creates an empty set. The reference event is the cycles, if the PMU can count cycles.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: [None; N], groups: 0, reference: Reference::Clock }
    }

    /// Creates a full set of single selections, without groups.
    pub fn of(what: [impl Into<S>; N]) -> Self {
        let mut groups = 0..;
        let entries =
            what.map(|what| groups.next().map(|group| Entry { selection: what.into(), group }));
        Self { entries, groups: N, reference: Reference::Clock }
    }

    /// Adds a group of selections that should be counted in one pass.
    ///
    /// If the PMU has too few counters, the group is counted in as few passes as possible.
    /// [`Passes::is_together`](super::Passes::is_together) returns whether one pass was enough.
    ///
    /// # Errors
    ///
    /// Returns an error if the capacity is too small. After an error, the settings are unchanged.
    pub fn add_group<T: Into<S> + Copy>(&mut self, what: &[T]) -> Result<Group, EventSetError> {
        let group = self.groups;
        let used = self.entries.iter().flatten().count();
        if what.len() > N - used {
            return Err(EventSetError::Full { room: N });
        }
        for (entry, what) in self.entries.iter_mut().skip(used).zip(what) {
            *entry = Some(Entry { selection: (*what).into(), group });
        }
        self.groups += 1;
        Ok(Group(group))
    }

    /// Adds single selections, which can be counted in any pass.
    ///
    /// # Errors
    ///
    /// Returns an error if the capacity is too small. After the error, the set contains the first
    /// selections of `what` that fit.
    pub fn each<T: Into<S> + Copy>(&mut self, what: &[T]) -> Result<(), EventSetError> {
        for what in what {
            self.add_group(core::slice::from_ref(what))?;
        }
        Ok(())
    }

    /// Sets the reference event, which every pass counts, for comparing the passes.
    ///
    /// Choose an event whose count should be the same in each pass. The reference event takes one counter. The
    /// default reference event is the [cycles](crate::measure::Monitor::CLOCK). Without a reference event, the
    /// spread of the passes is unknown.
    pub fn reference(&mut self, what: impl Into<S>) {
        self.reference = Reference::Selected(what.into());
    }

    /// Removes the reference event.
    ///
    /// This is useful on a PMU without a cycle counter, where the cycles would take an event
    /// counter.
    pub fn without_reference(&mut self) {
        self.reference = Reference::Nothing;
    }
}

impl<S: Copy + PartialEq, const N: usize> Default for EventSet<S, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Error of building or running an [`EventSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum EventSetError {
    /// There are more selections than the capacity of the set.
    Full {
        /// Capacity of the set.
        room: usize,
    },
    /// The PMU cannot count a selection.
    Assign(AssignError),
}

impl From<AssignError> for EventSetError {
    fn from(error: AssignError) -> Self {
        Self::Assign(error)
    }
}

impl fmt::Display for EventSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full { room } => write!(f, "the event set has room for {room} selections"),
            Self::Assign(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EventSetError {}
