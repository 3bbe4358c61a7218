//! Banks of tasks on any driver that supports banks.

use arm_pmu::count::Amount;
use arm_pmu::measure::{AssignError, Bank, BankedPmu, ContextSwitch};

/// Tasks that share one PMU, and, for each task, whether its selections fit the PMU.
pub(crate) type Banks<'w, M> = (Box<dyn Tasks<M> + 'w>, Vec<Result<(), AssignError>>);

/// The banks of several tasks, and the PMU that the tasks share.
pub(crate) trait Tasks<M> {
    /// Calls `BankedPmu::switch` with the bank of this task, or with none.
    fn switch(&mut self, next: Option<usize>);
    fn update(&mut self);
    fn invalidate(&mut self);
    /// Suspends the current bank, and resumes it on a new driver, as if its task had moved to
    /// another core.
    fn migrate(&mut self, pmu: M);
    fn amount(&self, task: usize, nth: usize) -> Amount;
    fn release(self: Box<Self>) -> M;
}

struct SharedPmu<M: ContextSwitch> {
    pmu: BankedPmu<M>,
    /// The bank of each task; `None` for the current task.
    banks: Vec<Option<Bank<M>>>,
    current: Option<usize>,
}

impl<M: ContextSwitch> Tasks<M> for SharedPmu<M> {
    fn switch(&mut self, next: Option<usize>) {
        // The current task keeps its bank.
        if next.is_some() && next == self.current {
            return self.update();
        }
        let bank = next.and_then(|task| self.banks[task].take());
        let previous = self.pmu.switch(bank);
        if let Some(task) = std::mem::replace(&mut self.current, next) {
            self.banks[task] = previous;
        }
    }

    fn update(&mut self) {
        self.pmu.update();
    }

    fn invalidate(&mut self) {
        self.pmu.invalidate();
    }

    fn migrate(&mut self, pmu: M) {
        let bank = self.pmu.switch(None);
        self.pmu = BankedPmu::new(pmu);
        self.pmu.switch(bank);
    }

    fn amount(&self, task: usize, nth: usize) -> Amount {
        let bank = self.banks[task].as_ref().or_else(|| self.pmu.bank());
        bank.expect("a bank is suspended or current").amount(nth)
    }

    fn release(self: Box<Self>) -> M {
        self.pmu.release().0
    }
}

/// Creates a bank for each pair of selections.
pub(crate) fn create<'w, M: ContextSwitch + 'w>(
    pmu: M,
    lists: &[[M::Selection; 2]],
) -> Banks<'w, M> {
    let bank = |list: &[_; 2]| match Bank::new(*list) {
        Ok(bank) => (Some(bank), Ok(())),
        Err(error) => (None, Err(error)),
    };
    let (banks, results) = lists.iter().map(bank).unzip();
    (Box::new(SharedPmu { pmu: BankedPmu::new(pmu), banks, current: None }), results)
}
