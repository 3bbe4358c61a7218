//! Divider by 64 of a cycle counter.

/// Divider in front of a cycle counter.
///
/// The divider is stopped while the cycle counter is off or counts every cycle.
#[derive(Debug)]
pub(crate) struct Divider {
    /// Cycles since the last counted cycle.
    cycles: u64,
}

impl Divider {
    /// Number of cycles that one count stands for.
    pub(crate) const RATIO: u64 = 64;

    /// Creates a divider that needs `RATIO - cycles` more cycles for its first count.
    pub(crate) const fn new(cycles: u64) -> Self {
        Self { cycles: cycles % Self::RATIO }
    }

    /// Returns the number of counts in this number of cycles.
    pub(crate) const fn divide(&mut self, cycles: u64) -> u64 {
        let part = self.cycles + cycles % Self::RATIO;
        self.cycles = part % Self::RATIO;
        cycles / Self::RATIO + part / Self::RATIO
    }
}
