//! Generates `metrics.rs` of an IP or a unit: types of values computed from counts.

use super::events;
use super::prelude::*;

/// Example that computes metrics.
const EXAMPLE: &str = "crate#metrics";

/// Returns the text of each metric. If all events of the IP have one type, the text refers to this
/// type as `$Event`.
pub fn texts(ip: &Ip) -> Vec<(String, String)> {
    let of_module = Module { ip, unit: None, events: (ip.groups.len() == 1).then_some("$Event") };
    let text = |metric: &Metric| (names::type_name(&metric.name), of_module.metric(metric));
    ip.metrics_of(None).map(text).collect()
}

/// Returns the items of the file, or `None` if there are no metrics. `shared` contains the path of a macro, and the
/// names of the metrics that this macro defines.
pub fn emit(ip: &Ip, unit: Option<usize>, shared: &(String, Vec<String>)) -> Option<Vec<String>> {
    let metrics: Vec<_> = ip.metrics_of(unit).collect();
    let none: Vec<_> = ip.not_computable_of(unit).collect();
    if metrics.is_empty() && none.is_empty() {
        return None;
    }
    let title = ip.title_of(unit);
    let article = if ip.is_generic() { "a" } else { "the" };
    let text = inner_doc([
        format!("Metrics: figures computed from counts of {article} {title}."),
        "Each metric lists the events that it needs, and finds their counts in a measurement. Its \
         documentation states its limits."
            .to_owned(),
        docs::link_to_example(EXAMPLE),
    ]);
    let of_module = Module { ip, unit, events: None };
    let uses = of_module.uses(&metrics);
    let (path, shared) = shared;
    let is_own = |metric: &&&Metric| !shared.contains(&names::type_name(&metric.name));
    let own = metrics.iter().filter(is_own);
    let items = own.map(|metric| format::call("metric", &of_module.metric(metric)));
    let of_architecture = (!shared.is_empty()).then(|| {
        // With several groups, the macro does not use this type.
        let events = ip.groups.first().map(|group| events::event_type(ip, group, unit));
        let names = docs::paragraph(&shared.join(", ")).join("\n") + "\n";
        let names = format::indented(&format!("{}, {path}:\n{names}", events.unwrap_or_default()));
        format!("{path}! {{\n{names}}}\n")
    });
    let figures = none.iter().map(|none| of_module.not_computable(none));
    let of_metrics: Vec<_> = metrics.iter().map(|m| names::type_name(&m.name)).collect();
    let of_figures: Vec<_> = none.iter().map(|n| names::type_name(&n.name)).collect();
    let lists = match of_figures.is_empty() {
        true => of_metrics.join(", "),
        false => format!("{}; {}", of_metrics.join(", "), of_figures.join(", ")),
    };
    let lists = format::call("metric_lists", &(docs::paragraph(&lists).join("\n") + "\n"));
    let items = items.chain(figures);
    Some([text, uses, lists].into_iter().chain(of_architecture).chain(items).collect())
}

/// Paths of the types.
struct Module<'m> {
    ip: &'m Ip,
    unit: Option<usize>,
    /// Replacement for the name of the IP's event enum.
    events: Option<&'m str>,
}

impl Module<'_> {
    fn uses(&self, metrics: &[&Metric]) -> String {
        // Each enum is imported once, in the order of the groups.
        let groups = self.ip.groups.iter().enumerate().filter(|(index, _)| {
            metrics.iter().any(|metric| {
                let event = |input: &Input| matches!(input, Input::Event(_));
                metric.group == *index && metric.inputs.iter().any(event)
            })
        });
        let types = groups.flat_map(|(_, group)| {
            let source = self.ip.counters.source.map(|_| names::source_type(&group.name));
            [events::event_type(self.ip, group, self.unit)].into_iter().chain(source)
        });
        let types: Vec<_> = ["Selection".to_owned()].into_iter().chain(types).collect();
        let events = format::import("use super::events", &types);
        let mut others = String::new();
        if self.ip.counters.cycles {
            others += "use arm_pmu_core::event::EventOrCycles;\n";
        }
        if metrics.iter().any(|metric| has_term(&metric.root)) {
            others += "use arm_pmu_core::metric::Term;\n";
        }
        match events.lines().count() {
            1 => events + &others,
            _ => format::spaced([events, others]),
        }
    }

    /// Returns the input of the macro that defines a metric.
    fn metric(&self, metric: &Metric) -> String {
        let Some(group) = self.ip.groups.get(metric.group) else { return String::new() };
        let chosen = source_is_chosen(group);
        let source_type = names::source_type(&group.name);
        let source_doc = format!("/// The {} to which the metric applies.", group.title);
        let arguments: String = metric
            .arguments
            .iter()
            .map(|argument| {
                let text = format::comment(&docs::paragraph(&docs::plain(&argument.doc)));
                format::indented(&format!("{text}pub {}: u32,\n", argument.name))
            })
            .collect();
        let body = match (chosen, metric.arguments.is_empty()) {
            (false, true) => String::new(),
            (true, true) => format!("(\n    {source_doc}\n    pub {source_type},\n)"),
            (false, false) => format!(" {{\n{arguments}}}"),
            (true, false) => {
                format!(" {{\n    {source_doc}\n    pub source: {source_type},\n{arguments}}}")
            }
        };
        let source = match (chosen, &group.sources[..]) {
            (true, _) if metric.arguments.is_empty() => "self.0".to_owned(),
            (true, _) => "self.source".to_owned(),
            (false, [source]) => format!("{source_type}::{}", source.name),
            (false, _) => String::new(),
        };
        let bindings = bindings(group, &metric.inputs);
        let inputs: String = metric
            .inputs
            .iter()
            .zip(&bindings)
            .enumerate()
            .map(|(nth, (input, name))| {
                format!("    {nth} {name}: {},\n", self.selection(group, *input, &source))
            })
            .collect();
        let about = format!(
            "{}{body}, {:?}, {:?};\ndoc {:?};\nformula {:?} {:?};\ncaveat {:?};\nsource {:?};\n",
            names::type_name(&metric.name),
            metric.name,
            metric.unit,
            metric.doc,
            metric.formula,
            about_formula(metric, group),
            metric.caveat.as_deref().unwrap_or_default(),
            docs::origin(&metric.origin, &self.ip.manual),
        );
        let formula = format!(
            "inputs(self) -> [{}; {}] {{\n{inputs}}}\n{}\n",
            self.selection_type(),
            metric.inputs.len(),
            computed(&metric.root, metric, &bindings)
        );
        about + &formula
    }

    fn selection_type(&self) -> &'static str {
        match self.ip.counters.cycles {
            true => "EventOrCycles<Selection>",
            false => "Selection",
        }
    }

    fn selection(&self, group: &Group, input: Input, source: &str) -> String {
        let Input::Event(event) = input else { return "EventOrCycles::Cycles".to_owned() };
        let Some(event) = group.events.get(event) else { return String::new() };
        let own = || events::event_type(self.ip, group, self.unit);
        let events = self.events.map_or_else(own, str::to_owned);
        let variant = names::type_name(&event.name);
        let selection = match self.ip.counters.source {
            Some(_) => format!("{source}.event({events}::{variant})"),
            None => format!("Selection::event({events}::{variant})"),
        };
        match self.ip.counters.cycles {
            true => format!("EventOrCycles::Event({selection})"),
            false => selection,
        }
    }

    /// Returns a metric that cannot be computed, with the reason.
    fn not_computable(&self, none: &UnavailableMetric) -> String {
        let body = format!(
            "{}, {:?}, {};\ndoc {:?};\nreason {:?};\nsource {:?};\n",
            names::type_name(&none.name),
            none.name,
            self.selection_type(),
            none.doc,
            none.reason,
            docs::origin(&none.origin, &self.ip.manual),
        );
        format::call("unavailable_metric", &body)
    }
}

fn about_formula(metric: &Metric, group: &Group) -> String {
    let of = match group.sources.is_empty() {
        true => String::new(),
        false => format!(", of events of a {}", group.title),
    };
    let cycles = match metric.inputs.contains(&Input::Cycles) {
        true => " The number of cycles includes every cycle, not only every 64th.",
        false => "",
    };
    format!("{of}.{cycles}")
}

/// Returns whether users choose the source of the events.
fn source_is_chosen(group: &Group) -> bool {
    group.sources.len() > 1
}

fn bindings(group: &Group, inputs: &[Input]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for input in inputs {
        let mut name = match input {
            Input::Cycles => "cycles".to_owned(),
            Input::Event(event) => {
                group.events.get(*event).map_or(String::new(), |e| e.name.to_ascii_lowercase())
            }
        };
        // The name may be a keyword, the name of the parameter, or already used: an event can be named `cycles`.
        while !names::is_identifier(&name) || name == "inputs" || names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// Returns whether the Rust formula converts numbers to terms.
fn has_term(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) | Expression::Argument(_) => true,
        Expression::Input(_) => false,
        Expression::Parentheses(inner) => has_term(inner),
        Expression::Binary(_, left, right) => has_term(left) || has_term(right),
    }
}

fn computed(expression: &Expression, metric: &Metric, bindings: &[String]) -> String {
    match expression {
        Expression::Number(number) => format!("Term::from({number})"),
        Expression::Input(input) => bindings.get(*input).cloned().unwrap_or_default(),
        Expression::Argument(argument) => {
            let name = metric.arguments.get(*argument).map_or("", |argument| &argument.name);
            format!("Term::from(u64::from(self.{name}))")
        }
        Expression::Parentheses(inner) => format!("({})", computed(inner, metric, bindings)),
        Expression::Binary(operator, left, right) => {
            let (left, right) =
                (computed(left, metric, bindings), computed(right, metric, bindings));
            let operator = match operator {
                Operator::Plus => '+',
                Operator::Minus => '-',
                Operator::Times => '*',
                Operator::Over => '/',
            };
            format!("{left} {operator} {right}")
        }
    }
}
