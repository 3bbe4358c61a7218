//! More selections than counters: which are counted together.

use core::fmt;

use crate::measure::AssignError;

/// What is to be counted, more perhaps than the PMU can count at once. `N` is the room for selections.
///
/// [`run`](Self::run) does the work once for each pass. [`schedule`](Self::schedule) makes a
/// [`Schedule`](super::Schedule), for more than one run or for a [rotation](super::Schedule::rotate).
///
/// Selections that were asked for [`together`](Self::add_group) are counted in one pass, if the PMU can
/// count so many at once, so that they belong together even if the work is not quite the same each time.
/// A selection that two groups have is counted in the passes of both.
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
/// #         let refused = AssignError::TooMany { asked: what.len(), counters: 2 };
/// #         self.0 = [what.get(0), what.get(1)].map(|what| what.copied().unwrap_or(' '));
/// #         if what.len() > 2 { Err(refused) } else { Ok(()) }
/// #     }
/// #     fn run<R>(&mut self, work: impl FnOnce() -> R) -> R { work() }
/// #     fn count(&mut self, nth: usize) -> Count { Count::new(self.0[nth] as u32) }
/// # }
/// # let mut pmu = Pmu([' '; 2]); // It has two counters.
/// # let work = || ();
///
/// let mut plan = EventSet::<_, 8>::new();
/// let rate = plan.add_group(&['h', 'r'])?; // the inputs of one ratio
/// plan.each(&['x', 'y', 'z'])?;
/// let passes = plan.run(&mut pmu, work)?;
/// assert_eq!(passes.number(), 3);
/// assert!(passes.group(rate).all(|(_, amount)| amount.pass() == 0));
/// # let all = passes.to_string();
/// # assert!(all.starts_with("          104  pass 0  h\n          114  pass 0  r\n"), "{all}");
/// println!("{passes}"); // each event with its amount and its pass, and by how much the passes differ
/// # Ok::<(), EventSetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct EventSet<S, const N: usize> {
    /// From the first on; `None` where there is room.
    pub(crate) entries: [Option<Entry<S>>; N],
    groups: usize,
    pub(crate) reference: Reference<S>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<S> {
    pub(crate) selection: S,
    pub(crate) group: usize,
}

/// What is counted in each pass, to see whether they are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reference<S> {
    /// The cycles, if the PMU can count them.
    Clock,
    Selected(S),
    Nothing,
}

/// Selections that were asked for [`together`](EventSet::add_group).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(pub(crate) usize);

impl<S: Copy + PartialEq, const N: usize> EventSet<S, N> {
    /// Nothing is to be counted yet. The reference is the clock, where there is one.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: [None; N], groups: 0, reference: Reference::Clock }
    }

    /// Each of `what` is to be counted, in whichever pass. No room is left.
    pub fn of(what: [impl Into<S>; N]) -> Self {
        let mut groups = 0..;
        let entries =
            what.map(|what| groups.next().map(|group| Entry { selection: what.into(), group }));
        Self { entries, groups: N, reference: Reference::Clock }
    }

    /// All of `what` are to be counted in one pass.
    ///
    /// If the PMU cannot count so many at once, they are counted in as few passes as possible;
    /// [`Passes::is_together`](super::Passes::is_together) tells.
    ///
    /// # Errors
    ///
    /// If there is no room for them. Nothing has changed then.
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

    /// Each of `what` is to be counted, in whichever pass.
    ///
    /// # Errors
    ///
    /// If there is no room for all of them. Those for which there was are in the plan then.
    pub fn each<T: Into<S> + Copy>(&mut self, what: &[T]) -> Result<(), EventSetError> {
        for what in what {
            self.add_group(core::slice::from_ref(what))?;
        }
        Ok(())
    }

    /// Counts this in each pass, to see whether the passes are alike. It should be something that is
    /// the same in each: it takes a counter of each pass.
    ///
    /// Otherwise it is the [clock](crate::measure::Monitor::CLOCK). Without a reference event the spread of
    /// the passes is unknown.
    pub fn reference(&mut self, what: impl Into<S>) {
        self.reference = Reference::Selected(what.into());
    }

    /// Counts nothing to see whether the passes are alike: for a PMU on which the clock takes a counter
    /// that is needed otherwise.
    pub fn without_reference(&mut self) {
        self.reference = Reference::Nothing;
    }
}

impl<S: Copy + PartialEq, const N: usize> Default for EventSet<S, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a [`EventSet`] cannot be made or followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum EventSetError {
    /// More selections than the plan has room for.
    Full {
        /// How many it has room for.
        room: usize,
    },
    /// Selections that this PMU cannot count.
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
            Self::Full { room } => write!(f, "the plan has room for {room} selections"),
            Self::Assign(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EventSetError {}
