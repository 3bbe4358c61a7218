//! Writes the formula of a metric in MathML, which browsers show as a formula.

use arm_pmu_tables::{Expression, Input, Metric};

/// The content of a `math` element.
pub fn math(metric: &Metric) -> String {
    term(metric, &metric.expression)
}

fn term(metric: &Metric, expression: &Expression) -> String {
    let term = |part: &Expression| term(metric, part);
    // Names are letters, digits and `_`, so nothing has to be escaped.
    let name = |name: &str| format!("<mtext>{name}</mtext>");
    match *expression {
        Expression::Number(number) => format!("<mn>{number}</mn>"),
        Expression::Input(nth) => match metric.inputs.get(nth) {
            Some(Input::Event(event)) => name(event),
            _ => name("cycles"),
        },
        Expression::Argument(nth) => {
            let argument = metric.arguments.get(nth).map_or("", |argument| argument.name);
            format!("<mi>{argument}</mi>")
        }
        Expression::Sum(one, other) => format!("{}<mo>+</mo>{}", term(one), term(other)),
        Expression::Difference(one, other) => {
            format!("{}<mo>&#8722;</mo>{}", term(one), factor(metric, other))
        }
        Expression::Product(one, other) => {
            format!("{}<mo>&#215;</mo>{}", factor(metric, one), factor(metric, other))
        }
        Expression::Quotient(one, other) => {
            format!("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", term(one), term(other))
        }
        _ => name(metric.formula),
    }
}

/// Formats an expression, with parentheses around a sum or a difference.
fn factor(metric: &Metric, expression: &Expression) -> String {
    let inner = term(metric, expression);
    match expression {
        Expression::Sum(..) | Expression::Difference(..) => {
            format!("<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>")
        }
        _ => inner,
    }
}
