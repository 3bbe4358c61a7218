//! `metrics.rs` of an IP or of one of its units: types of figures that are computed from counts.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::{doc, docs, events, inner_doc};
use crate::generate::model::{
    Expression, Group, Input, Ip, Metric, MetricUnit, Operator, Source, UnavailableMetric,
};
use crate::generate::names::{self, ident};

/// The example that computes metrics.
const EXAMPLE: &str = "crate#metrics";

/// The items of the file. `None` if there are no metrics.
pub fn emit(ip: &Ip, unit: Option<usize>) -> Option<TokenStream> {
    let metrics: Vec<_> = ip.metrics_of(unit).collect();
    let none: Vec<_> = ip.not_computable_of(unit).collect();
    if metrics.is_empty() && none.is_empty() {
        return None;
    }
    let title = unit.and_then(|unit| ip.units.get(unit)).map_or(&ip.title, |unit| &unit.title);
    let article = if ip.is_generic() { "a" } else { "the" };
    let text = inner_doc(&docs::paragraphs([
        format!("Metrics: figures computed from counts of {article} {title}."),
        "Each metric lists the events that it needs, and finds their counts in a measurement. Its \
         documentation states its limits."
            .to_owned(),
        docs::link_to_example(EXAMPLE),
    ]));
    let of_module = Module { ip, unit };
    let uses = of_module.uses(&metrics, !none.is_empty());
    let items = metrics.iter().map(|metric| of_module.metric(metric));
    let figures = none.iter().map(|none| of_module.not_computable(none));
    let all = metrics.iter().map(|metric| ident(&names::metric_type(&metric.name)));
    let entries = none.iter().map(|none| {
        let (name, reason, source) = of_module.reason(none);
        quote!(UnavailableMetric { name: #name, reason: #reason, source: #source },)
    });
    let entries: Vec<_> = entries.collect();
    let reasons = (!none.is_empty()).then(|| {
        quote! {
            /// Figures that cannot be computed, with the reasons.
            pub const NOT_COMPUTABLE: &[UnavailableMetric] = &[#(#entries)*];
        }
    });
    Some(quote! {
        #text

        #uses

        /// The meaning of each metric.
        pub const METRICS: &[About] = &[#( <#all as Metric>::ABOUT, )*];

        #reasons
        #(#items)*
        #(#figures)*
    })
}

/// Where the types are put.
struct Module<'m> {
    ip: &'m Ip,
    unit: Option<usize>,
}

impl Module<'_> {
    fn uses(&self, metrics: &[&Metric], none: bool) -> TokenStream {
        let cycles = self.ip.counters.cycles.then(|| {
            quote!(
                use arm_pmu_core::event::EventOrCycles;
            )
        });
        let none = none.then(|| quote!(MetricError, UnavailableMetric,));
        // In the order of the groups, each once.
        let groups = self.ip.groups.iter().enumerate().filter(|(index, _)| {
            metrics.iter().any(|metric| {
                let event = |input: &Input| matches!(input, Input::Event(_));
                metric.group == *index && metric.inputs.iter().any(event)
            })
        });
        let types = groups.map(|(_, group)| {
            let events = ident(&events::event_type(self.ip, group, self.unit));
            let source = self.ip.counters.source.map(|_| ident(&names::source_type(&group.name)));
            let source = source.map(|source| quote!(#source,));
            quote!(#events, #source)
        });
        quote! {
            use super::events::{Selection, #(#types)*};
            #cycles
            use arm_pmu_core::metric::{About, Inputs, Metric, MetricUnit, #none Term};
        }
    }

    /// The type of a metric.
    fn metric(&self, metric: &Metric) -> TokenStream {
        let Some(group) = self.ip.groups.get(metric.group) else { return TokenStream::new() };
        let name = ident(&names::metric_type(&metric.name));
        let text = doc(&self.docs(metric, group));
        let chosen = source_is_chosen(group);
        let source_type = ident(&names::source_type(&group.name));
        let source_doc = format!(" The {} that the metric is for.", group.title);
        let fields = metric.arguments.iter().map(|argument| {
            let text = doc(&docs::paragraph(&docs::plain(&argument.doc)));
            let name = ident(&argument.name);
            quote!(#text pub #name: u32,)
        });
        let item = match (chosen, metric.arguments.is_empty()) {
            (false, true) => quote!(pub struct #name;),
            (true, true) => quote! {
                pub struct #name(
                    #[doc = #source_doc]
                    pub #source_type,
                );
            },
            (false, false) => quote!(pub struct #name { #(#fields)* }),
            (true, false) => quote! {
                pub struct #name {
                    #[doc = #source_doc]
                    pub source: #source_type,
                    #(#fields)*
                }
            },
        };
        let source = match (chosen, &group.sources[..]) {
            (true, _) if metric.arguments.is_empty() => quote!(self.0),
            (true, _) => quote!(self.source),
            (false, [source]) => only_source(&source_type, source),
            (false, _) => TokenStream::new(),
        };
        let selections = metric.inputs.iter().map(|input| self.selection(group, *input, &source));
        let count = Literal::usize_unsuffixed(metric.inputs.len());
        let selection = self.selection_type();
        let unit = ident(match metric.unit {
            MetricUnit::Percent => "Percent",
            MetricUnit::Ratio => "Ratio",
            MetricUnit::Occurrences => "Occurrences",
            MetricUnit::Bytes => "Bytes",
        });
        let (about, formula, what, caveat, origin) = (
            &metric.name,
            &metric.formula,
            &metric.doc,
            metric.caveat.as_deref().unwrap_or_default(),
            docs::origin(&metric.origin, &self.ip.manual),
        );
        let bindings = bindings(group, &metric.inputs);
        let lines = bindings.iter().enumerate().map(|(nth, name)| {
            let nth = Literal::usize_unsuffixed(nth);
            quote!(let #name = inputs.nth(#nth);)
        });
        let computed = computed(&metric.root, metric, &bindings);
        quote! {
            #text
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            #item

            impl #name {
                /// The events that have to be counted.
                #[must_use]
                pub const fn events(self) -> [#selection; #count] {
                    [#(#selections),*]
                }
            }

            impl Metric for #name {
                type Selection = #selection;
                type Events = [#selection; #count];
                const UNIT: MetricUnit = MetricUnit::#unit;
                const ABOUT: About = About {
                    name: #about,
                    unit: MetricUnit::#unit,
                    formula: #formula,
                    doc: #what,
                    caveat: #caveat,
                    source: #origin,
                };

                fn events(&self) -> Self::Events {
                    Self::events(*self)
                }

                fn formula(&self, inputs: &Inputs) -> Term {
                    #(#lines)*
                    #computed
                }
            }
        }
    }

    /// The selection of one counter, as the drivers have it.
    fn selection_type(&self) -> TokenStream {
        match self.ip.counters.cycles {
            true => quote!(EventOrCycles<Selection>),
            false => quote!(Selection),
        }
    }

    fn selection(&self, group: &Group, input: Input, source: &TokenStream) -> TokenStream {
        let Input::Event(event) = input else { return quote!(EventOrCycles::Cycles) };
        let Some(event) = group.events.get(event) else { return TokenStream::new() };
        let events = ident(&events::event_type(self.ip, group, self.unit));
        let variant = ident(&names::event_variant(&event.name));
        let selection = match self.ip.counters.source {
            Some(_) => quote!(#source.event(#events::#variant)),
            None => quote!(Selection::event(#events::#variant)),
        };
        match self.ip.counters.cycles {
            true => quote!(EventOrCycles::Event(#selection)),
            false => selection,
        }
    }

    /// Meaning, formula, caveat and source.
    fn docs(&self, metric: &Metric, group: &Group) -> Vec<String> {
        let unit = match metric.unit {
            MetricUnit::Percent => "In percent",
            MetricUnit::Ratio => "A ratio",
            MetricUnit::Occurrences => "A number",
            MetricUnit::Bytes => "In bytes",
        };
        let of = match group.sources.is_empty() {
            true => String::new(),
            false => format!(", of events of a {}", group.title),
        };
        let cycles = match metric.inputs.contains(&Input::Cycles) {
            true => " The cycles are all cycles, not every 64th.",
            false => "",
        };
        let formula = format!("{unit}: `{}`{of}.{cycles}", metric.formula);
        let caveat = metric.caveat.iter().map(|caveat| docs::plain(caveat));
        let origin = docs::origin(&metric.origin, &self.ip.manual);
        docs::paragraphs(
            [docs::plain(&metric.doc), formula]
                .into_iter()
                .chain(caveat)
                .chain([origin, docs::link_to_example(EXAMPLE)]),
        )
    }

    /// A figure that cannot be computed, with the reason.
    fn not_computable(&self, none: &UnavailableMetric) -> TokenStream {
        let name = ident(&names::metric_type(&none.name));
        let (about, reason, source) = self.reason(none);
        let text = doc(&docs::paragraphs([
            format!("Not computable: {}", docs::plain(&none.doc)),
            docs::plain(reason),
            docs::plain(&source),
        ]));
        let what = &none.doc;
        let selection = self.selection_type();
        quote! {
            #text
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct #name;

            impl Metric for #name {
                type Selection = #selection;
                type Events = [#selection; 0];
                const UNIT: MetricUnit = MetricUnit::Ratio;
                const ABOUT: About = About {
                    name: #about,
                    unit: MetricUnit::Ratio,
                    formula: "not computable",
                    doc: #what,
                    caveat: #reason,
                    source: #source,
                };

                fn events(&self) -> Self::Events {
                    []
                }

                fn formula(&self, _: &Inputs) -> Term {
                    Term::none(MetricError::UnavailableMetric(#reason))
                }
            }
        }
    }

    /// Name, reason and source.
    fn reason<'n>(&self, none: &'n UnavailableMetric) -> (&'n str, &'n str, String) {
        (&none.name, &none.reason, docs::origin(&none.origin, &self.ip.manual))
    }
}

/// Whether users choose the source of the events.
fn source_is_chosen(group: &Group) -> bool {
    group.sources.len() > 1
}

fn only_source(source_type: &Ident, source: &Source) -> TokenStream {
    let variant = ident(&names::source_variant(&source.name));
    quote!(#source_type::#variant)
}

/// Local names of the inputs.
fn bindings(group: &Group, inputs: &[Input]) -> Vec<Ident> {
    let mut names: Vec<String> = Vec::new();
    for input in inputs {
        let mut name = match input {
            Input::Cycles => "cycles".to_owned(),
            Input::Event(event) => {
                group.events.get(*event).map_or(String::new(), |e| e.name.to_ascii_lowercase())
            }
        };
        // A keyword, the parameter, or an event called as the cycles are.
        while !names::is_identifier(&name) || name == "inputs" || names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names.iter().map(|name| ident(name)).collect()
}

/// The formula in Rust.
fn computed(expression: &Expression, metric: &Metric, bindings: &[Ident]) -> TokenStream {
    match expression {
        Expression::Number(number) => {
            let number = Literal::u64_unsuffixed(*number);
            quote!(Term::from(#number))
        }
        Expression::Input(input) => {
            let name = bindings.get(*input);
            quote!(#name)
        }
        Expression::Argument(argument) => {
            let name = metric.arguments.get(*argument).map(|argument| ident(&argument.name));
            quote!(Term::from(u64::from(self.#name)))
        }
        Expression::Parentheses(inner) => {
            let inner = computed(inner, metric, bindings);
            quote!((#inner))
        }
        Expression::Binary(operator, left, right) => {
            let (left, right) =
                (computed(left, metric, bindings), computed(right, metric, bindings));
            match operator {
                Operator::Plus => quote!(#left + #right),
                Operator::Minus => quote!(#left - #right),
                Operator::Times => quote!(#left * #right),
                Operator::Over => quote!(#left / #right),
            }
        }
    }
}
