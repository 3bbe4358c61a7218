//! Defines the metrics of an IP, for generated code.

/// Defines a metric. Each text is used twice: as documentation, and in the `ABOUT` of the metric.
///
/// The source and the arguments, if there are any, follow the type name. `inputs` names the count of each event in
/// the formula.
#[doc(hidden)]
#[macro_export]
macro_rules! metric {
    (
        $Metric:ident $(($($field:tt)*))? $({$($named:tt)*})?, $name:literal, $Unit:ident;
        doc $doc:literal;
        formula $formula:literal $of:literal;
        caveat $caveat:literal;
        source $source:literal;
        inputs($self:ident) -> [$Selection:ty; $count:literal] {
            $($nth:literal $input:ident: $selection:expr,)+
        }
        $value:expr
    ) => {
        $crate::metric! {
            @type {
                #[doc = $doc]
                #[doc = ""]
                #[doc = concat!($crate::metric!(@$Unit), ": `", $formula, "`", $of)]
                #[doc = ""]
                #[doc = $caveat]
                #[doc = ""]
                #[doc = $source]
                #[doc = ""]
                #[doc = "[Example](crate#metrics)"]
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            }
            $Metric $(($($field)*))? $({$($named)*})?
        }

        impl $Metric {
            /// Returns the events to count.
            #[must_use]
            pub const fn events($self) -> [$Selection; $count] {
                [$($selection),+]
            }
        }

        impl $crate::metric::Metric for $Metric {
            type Selection = $Selection;
            type Events = [$Selection; $count];
            const ABOUT: $crate::metric::About = $crate::metric::About {
                name: $name,
                unit: $crate::metric::MetricUnit::$Unit,
                formula: $formula,
                doc: $doc,
                caveat: $caveat,
                source: $source,
            };

            fn events(&self) -> Self::Events {
                Self::events(*self)
            }

            fn formula(&$self, inputs: &$crate::metric::Inputs) -> $crate::metric::Term {
                $(let $input = inputs.nth($nth);)+
                $value
            }
        }
    };
    (@type {$($attributes:tt)*} $Metric:ident) => {
        $($attributes)*
        pub struct $Metric;
    };
    (@type {$($attributes:tt)*} $Metric:ident ($($field:tt)*)) => {
        $($attributes)*
        pub struct $Metric($($field)*);
    };
    (@type {$($attributes:tt)*} $Metric:ident {$($field:tt)*}) => {
        $($attributes)*
        pub struct $Metric {
            $($field)*
        }
    };
    (@Percent) => { "In percent" };
    (@PerThousand) => { "Per 1000" };
    (@Ratio) => { "A ratio" };
    (@Occurrences) => { "A number" };
    (@Bytes) => { "In bytes" };
}

/// Defines a metric that the device cannot compute.
#[doc(hidden)]
#[macro_export]
macro_rules! unavailable_metric {
    (
        $Metric:ident, $name:literal, $Selection:ty;
        doc $doc:literal;
        reason $reason:literal;
        source $source:literal;
    ) => {
        #[doc = concat!("Not computable: ", $doc)]
        #[doc = ""]
        #[doc = $reason]
        #[doc = ""]
        #[doc = $source]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $Metric;

        impl $crate::metric::Metric for $Metric {
            type Selection = $Selection;
            type Events = [$Selection; 0];
            const ABOUT: $crate::metric::About = $crate::metric::About {
                name: $name,
                unit: $crate::metric::MetricUnit::Ratio,
                formula: "not computable",
                doc: $doc,
                caveat: $reason,
                source: $source,
            };

            fn events(&self) -> Self::Events {
                []
            }

            fn formula(&self, _: &$crate::metric::Inputs) -> $crate::metric::Term {
                $crate::metric::Term::none($crate::metric::MetricError::UnavailableMetric($reason))
            }
        }
    };
}

/// Defines the lists of an IP's metrics.
#[doc(hidden)]
#[macro_export]
macro_rules! metric_lists {
    ($($Metric:ident),*; $($Unavailable:ident),+) => {
        $crate::metric_lists! { $($Metric),* }

        /// Metrics that cannot be computed, each with the reason.
        pub const NOT_COMPUTABLE: &[$crate::metric::UnavailableMetric] = &[$({
            const ABOUT: $crate::metric::About = <$Unavailable as $crate::metric::Metric>::ABOUT;
            $crate::metric::UnavailableMetric {
                name: ABOUT.name,
                reason: ABOUT.caveat,
                source: ABOUT.source,
            }
        }),+];
    };
    ($($Metric:ident),*) => {
        /// Descriptions of all metrics.
        pub const METRICS: &[$crate::metric::About] =
            &[$(<$Metric as $crate::metric::Metric>::ABOUT),*];
    };
}
