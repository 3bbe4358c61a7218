//! What a metric came to, for people.

use core::fmt::{self, Display};

use crate::{Metric, Value};

/// A value with the name of its metric and, where there is no figure, that of the input which is to blame.
/// Made by [`Metric::explain`].
#[derive(Debug)]
pub struct Explained<'m, M: ?Sized> {
    metric: &'m M,
    value: Value,
}

impl<'m, M: ?Sized> Explained<'m, M> {
    pub(crate) const fn new(metric: &'m M, value: Value) -> Self {
        Self { metric, value }
    }
}

impl<M: Metric<Selection: Display> + ?Sized> Display for Explained<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", M::ABOUT.name)?;
        let events = self.metric.events();
        self.value.tell(f, &|input, f| match events.as_ref().get(input) {
            Some(selection) => selection.fmt(f),
            None => write!(f, "input {}", input + 1),
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use crate::{About, Amount, CountError, Inputs, Metric, MetricUnit, Term};
    use std::string::ToString;

    struct HitRate;

    impl Metric for HitRate {
        type Selection = &'static str;
        type Events = [&'static str; 2];
        const UNIT: MetricUnit = MetricUnit::Percent;
        const ABOUT: About = About {
            name: "HIT_RATE",
            unit: Self::UNIT,
            formula: "HIT / READ",
            doc: "",
            caveat: "",
            source: "",
        };
        fn events(&self) -> Self::Events {
            ["SI3:HIT", "SI3:READ"]
        }
        fn formula(&self, inputs: &Inputs) -> Term {
            inputs.nth(0) / inputs.nth(1)
        }
    }

    #[test]
    fn a_value_is_explained_with_the_names_of_events() {
        let told = |amounts: &[Amount]| HitRate.explain(HitRate.compute(amounts)).to_string();
        let exact = Amount::new;
        assert_eq!(told(&[exact(15), exact(20)]), "HIT_RATE: 75.00 %  (15 / 20)");
        assert_eq!(told(&[exact(15), exact(0)]), "HIT_RATE: undefined");
        let lost = Amount::invalid(0, CountError::Overflowed);
        assert_eq!(told(&[exact(15), lost]), "HIT_RATE: unknown: SI3:READ: the counter overflowed");
        assert_eq!(told(&[exact(15)]), "HIT_RATE: unknown: SI3:READ was not counted");
        assert_eq!(
            told(&[exact(15), exact(20).in_pass(1)]),
            "HIT_RATE: unknown: SI3:READ was counted in another pass over the work"
        );
    }
}
