//! What a metric means, for people.

use core::fmt;

use super::unit::MetricUnit;

/// What a [`Metric`](super::Metric) means, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// In capitals, as those of events: `SNOOP_HIT_RATE`.
    pub name: &'static str,
    /// What the figure is one of.
    pub unit: MetricUnit,
    /// How it is computed from events, arguments and integers.
    pub formula: &'static str,
    /// What it tells.
    pub doc: &'static str,
    /// What it does not mean. Empty if there is nothing to be said.
    pub caveat: &'static str,
    /// Where the formula comes from, and how far to trust it.
    pub source: &'static str,
}

/// All of it, a line for each.
impl fmt::Display for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, unit, formula, doc, caveat, source } = self;
        write!(f, "{name} ({unit}) = {formula}\n{doc}\n")?;
        if !caveat.is_empty() {
            writeln!(f, "{caveat}")?;
        }
        f.write_str(source)
    }
}

/// A figure that people ask for, and that the device does not count what it would take for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnavailableMetric {
    /// In capitals: `INSTRUCTION_CACHE_HIT_RATIO`.
    pub name: &'static str,
    /// Why there is none.
    pub reason: &'static str,
    /// Where that stands.
    pub source: &'static str,
}

/// The name and the reason.
impl fmt::Display for UnavailableMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}
