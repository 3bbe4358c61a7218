//! Descriptions of metrics.

use core::fmt;

use super::unit::MetricUnit;

/// Description of a [`Metric`](super::Metric).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// Name in capitals, in the form of event names: `SNOOP_HIT_RATE`.
    pub name: &'static str,
    /// Unit of the figure.
    pub unit: MetricUnit,
    /// Formula over events, arguments and integers.
    pub formula: &'static str,
    /// Meaning of the figure.
    pub doc: &'static str,
    /// Wrong conclusions to avoid. The text is empty if no such conclusions are known.
    pub caveat: &'static str,
    /// Source of the formula, with its confidence.
    pub source: &'static str,
}

/// Prints name, unit and formula on one line, and each other field on its own line.
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

/// A common metric that the device cannot support, because it lacks an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnavailableMetric {
    /// Name in capitals, for example `INSTRUCTION_CACHE_HIT_RATIO`.
    pub name: &'static str,
    /// Reason why the metric cannot be computed.
    pub reason: &'static str,
    /// Source of the reason.
    pub source: &'static str,
}

/// Prints the name and the reason.
impl fmt::Display for UnavailableMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.reason)
    }
}
