//! Counts per task.

use core::borrow::{Borrow, BorrowMut};
use core::fmt;

use super::monitor::{AssignError, Monitor};
use crate::count::Amount;
#[cfg(doc)]
use crate::count::CountError;

/// A driver that counts for one task after another. See [`BankedPmu`].
///
/// The drivers of cores, and other drivers with a cycle counter, implement this trait. The methods are for
/// [`BankedPmu`], which calls them in the right order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no banks of counts",
    note = "the drivers of cores have them: `Pmu` in the crate of each core"
)]
pub trait ContextSwitch: Monitor {
    /// Settings and totals of one task.
    type Context;

    /// Creates the context of a task that counts `what`.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU cannot count all of `what` at once.
    fn context(what: &[Self::Selection]) -> Result<Self::Context, AssignError>;

    /// Returns selection `nth`; `None` if there is none.
    fn selection(context: &Self::Context, nth: usize) -> Option<Self::Selection>;

    /// Returns the total of selection `nth`.
    fn amount(context: &Self::Context, nth: usize) -> Amount;

    /// Starts a slice of a task. If `keep` is true, only settings that differ from the last slice are programmed.
    fn switch_in(&mut self, context: &Self::Context, keep: bool);

    /// Ends a slice of a task, and adds its counts to the totals.
    fn switch_out(&mut self, context: &mut Self::Context);
}

/// Selections and 64-bit totals of one task.
///
/// A [`BankedPmu`] adds to the totals while the task runs. A bank belongs to one kind of PMU, `M`, not to one PMU, so a
/// task that migrates takes its bank along to the `BankedPmu` of the other core.
pub struct Bank<M: ContextSwitch> {
    context: M::Context,
}

impl<M: ContextSwitch> Bank<M> {
    /// Creates a bank that counts the events `what`. All totals are zero.
    ///
    /// A call with more selections than counters does not compile.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU cannot count all of `what` at once.
    pub fn new<S: Into<M::Selection>, const N: usize>(what: [S; N]) -> Result<Self, AssignError> {
        const { assert!(N <= M::COUNTERS, "more selections than the PMU can count at once") };
        Ok(Self { context: M::context(&what.map(Into::into))? })
    }

    /// Returns the total of selection `nth`, from 0, in the order of [`new`](Self::new).
    ///
    /// The total includes the events of all slices that have ended: see [`BankedPmu::update`].
    pub fn amount(&self, nth: usize) -> Amount {
        M::amount(&self.context, nth)
    }

    /// Returns each selection with its total.
    pub fn pairs(&self) -> impl Iterator<Item = (M::Selection, Amount)> + use<'_, M> {
        let selection = |nth| M::selection(&self.context, nth);
        (0..M::COUNTERS).map_while(move |nth| Some((selection(nth)?, self.amount(nth))))
    }
}

/// Prints the totals.
impl<M: ContextSwitch<Selection: fmt::Debug>> fmt::Debug for Bank<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.pairs()).finish()
    }
}

/// The PMU of one core, which counts for one task after another.
///
/// A scheduler calls [`switch`](Self::switch) at each context switch. The call suspends the bank of the previous task
/// and resumes the bank of the next task. The PMU owns the bank of the running task, so no bank is resumed twice.
///
/// ```
/// # struct Cortex;
/// # use arm_pmu_core::measure::{AssignError, Monitor};
/// # use arm_pmu_core::count::{Amount, Count};
/// # impl Monitor for Cortex {
/// #     type Selection = u8;
/// #     const COUNTERS: usize = 2;
/// #     fn assign(&mut self, _: &[u8]) -> Result<(), AssignError> { Ok(()) }
/// #     fn run<R>(&mut self, work: impl FnOnce() -> R) -> R { work() }
/// #     fn count(&mut self, _: usize) -> Count { Count::new(1) }
/// # }
/// use arm_pmu_core::measure::{Bank, BankedPmu, ContextSwitch};
///
/// /// `None`: the task is not counted, which costs nothing.
/// struct Task<M: ContextSwitch> {
///     counts: Option<Bank<M>>,
/// }
///
/// fn switch<M: ContextSwitch>(pmu: &mut BankedPmu<M>, previous: &mut Task<M>, next: &mut Task<M>) {
///     previous.counts = pmu.switch(next.counts.take());
/// }
/// ```
///
/// Moving a bank copies its totals. `B` can also be a pointer to a bank, which moves faster: `&'static mut Bank<M>`, or
/// a `Box`.
///
/// - **Idle**: switch to `None`.
/// - **Interrupts, virtual machines**: if a handler, or each vCPU of a hypervisor, has its own bank, switch to this
///   bank on entry. The switch returns the previous bank; on exit, switch back to it.
/// - **Migration**: the `BankedPmu` of any core with the same kind of PMU can resume a bank that another `BankedPmu`
///   returned.
///
/// # Overflows
///
/// In each slice the counters start at 2^31, so they overflow after 2^31 events. Call [`update`](Self::update) in the
/// handler of the overflow interrupt, or from a timer. A total is exact if fewer than 2^32 events of a counter happen
/// in a slice between two calls of `update` or `switch`. So the handler may be 2^31 events late. If the handler runs
/// even later, the total becomes a lower bound ([overflowed](CountError::Overflowed)). From 2^32 + 2^31 events on, the
/// total is 2^32 too low, and no register shows this. A counter of 64 bits needs no update, and its total is always
/// exact.
///
/// # Interference
///
/// Each switch and update checks the PMU as a stop does. If another party changed a counter, only the total of the
/// running task is [disturbed](CountError::Disturbed). Likewise, if an access failed, only the total of the running
/// task is a [bus error](CountError::BusError). The next switch then programs all settings. A switch programs only
/// settings that differ from the previous slice. Therefore, if another party changes a setting while no bank is
/// resumed, the next task is disturbed, unless [`invalidate`](Self::invalidate) was called.
pub struct BankedPmu<M: ContextSwitch, B = Bank<M>> {
    pmu: M,
    bank: Option<B>,
    /// Whether the device still has the settings of the last slice.
    is_programmed: bool,
}

impl<M: ContextSwitch, B: BorrowMut<Bank<M>>> BankedPmu<M, B> {
    /// Creates a PMU without a bank. Set the filter and the interrupts before this call.
    pub const fn new(pmu: M) -> Self {
        Self { pmu, bank: None, is_programmed: false }
    }

    /// Suspends the current bank and resumes `next`. Returns the suspended bank.
    ///
    /// A switch from a bank to `None` only stops the counters. A switch from `None` to `None` does nothing.
    #[inline]
    pub fn switch(&mut self, next: Option<B>) -> Option<B> {
        if let Some(previous) = &mut self.bank {
            self.pmu.switch_out(&mut previous.borrow_mut().context);
        }
        let previous = core::mem::replace(&mut self.bank, next);
        self.switch_in();
        previous
    }

    /// Adds the counts of the current slice to its bank, and begins another slice with the same bank.
    ///
    /// Acknowledges the overflow interrupt. The instructions of this call are not counted.
    pub fn update(&mut self) {
        if let Some(bank) = &mut self.bank {
            self.pmu.switch_out(&mut bank.borrow_mut().context);
            self.switch_in();
        }
    }

    #[inline(always)]
    fn switch_in(&mut self) {
        if let Some(bank) = &self.bank {
            self.pmu.switch_in(&bank.borrow().context, self.is_programmed);
            self.is_programmed = true;
        }
    }

    /// Ensures that the next call of `switch` writes all settings to the PMU.
    ///
    /// Call this method if the PMU lost its power or another party used the PMU while no bank was resumed.
    pub const fn invalidate(&mut self) {
        self.is_programmed = false;
    }

    /// Returns the current bank. The totals of the bank are from the last [`update`](Self::update) or
    /// [`switch`](Self::switch).
    pub fn bank(&self) -> Option<&Bank<M>> {
        self.bank.as_ref().map(Borrow::borrow)
    }

    /// Suspends the current bank. Returns the driver and the bank.
    pub fn release(mut self) -> (M, Option<B>) {
        let bank = self.switch(None);
        (self.pmu, bank)
    }
}

/// Prints the current bank.
impl<M: ContextSwitch, B: fmt::Debug> fmt::Debug for BankedPmu<M, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BankedPmu").field("bank", &self.bank).finish_non_exhaustive()
    }
}
