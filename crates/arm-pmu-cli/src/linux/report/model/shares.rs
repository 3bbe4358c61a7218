//! Shares of level 1 of top-down.

/// Level 1 of top-down for a core. The largest share selects the next measurement.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Name of the PMU, followed by the core if `perf` counted cores separately.
    pub pmu: String,
    /// Whether the rows are shares of slots, whose sum is 1; otherwise the rows are stalled shares of cycles.
    pub of_slots: bool,
    /// Name and value of each share, as a fraction of 1.
    pub rows: Vec<(&'static str, f64)>,
    pub is_estimate: bool,
    /// Command that measures the causes of the largest share.
    pub next: Option<String>,
}

impl Shares {
    /// Returns the name of the largest share.
    pub fn largest(&self) -> &'static str {
        largest(&self.rows).map_or("", |(name, _)| name)
    }

    pub fn sum(&self) -> f64 {
        self.rows.iter().map(|(_, share)| share).sum()
    }
}

/// Returns the row with the largest share.
pub(super) fn largest<T>(rows: &[(T, f64)]) -> Option<&(T, f64)> {
    rows.iter().max_by(|one, other| one.1.total_cmp(&other.1))
}
