//! Formula of a metric.

use syn::BinOp;

use arm_pmu_spec::legend::Facts;
use serde_json::{Value as Json, json};

use super::read::{At, Read, scalar, shown};
use super::schema::Definitions;
use crate::generate::problem::{Place, Problems, report};
use crate::generate::yaml::Node;

/// Limits the depth of the parser. Every real formula is far shorter.
const MAX_LENGTH: usize = 400;
const MAX_DEPTH: usize = 8;

/// A formula of integers and names.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Text in the spec.
    pub text: String,
    pub root: At<Expression>,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(u64),
    /// Name of an event or an argument, or `cycles`.
    Name(String),
    Parentheses(Box<At<Expression>>),
    Binary(Operator, Box<At<Expression>>, Box<At<Expression>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
}

impl Facts for Formula {}

impl Read for Formula {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a formula", problems)?;
        let help = "a formula has events, arguments, integers, + - * / and parentheses";
        if let Some((at, length)) = foreign(text) {
            let place = place(node, text, at, at + length);
            let message =
                format!("`{}` is not allowed in a formula", shown(&text[at..at + length]));
            report(problems, &place, message).help(help);
            return None;
        }
        if text.len() > MAX_LENGTH || depth(text) > MAX_DEPTH {
            let help = format!(
                "it has at most {MAX_LENGTH} characters, and parentheses are at most {MAX_DEPTH} levels deep"
            );
            report(problems, node, "the formula is too long, or nested too deeply").help(help);
            return None;
        }
        let expression = match syn::parse_str(text) {
            Ok(expression) => expression,
            Err(error) => {
                report(problems, node, format!("not a formula: {error}")).help(help);
                return None;
            }
        };
        let mut words = Words { node, text, rest: words(text) };
        if let Some(root) = words.expression(&expression) {
            return Some(Self { text: text.to_owned(), root });
        }
        // The mistake is at the last parsed word.
        let place = words.last().unwrap_or_else(|| node.place.clone());
        report(problems, &place, "this is not allowed in a formula").help(help);
        None
    }

    fn describe(_: &mut Definitions) -> Json {
        json!({
            "description": "Names of events in capitals, `cycles`, arguments, integers, + - * / and ( ).",
            "type": ["string", "integer"],
            "maxLength": MAX_LENGTH,
        })
    }
}

/// Returns start and length of the first text that is not allowed in a formula.
fn foreign(text: &str) -> Option<(usize, usize)> {
    let belongs = |c: char| c.is_ascii_alphanumeric() || " _+-*/()".contains(c);
    let character = text.char_indices().find(|(_, c)| !belongs(*c));
    // Comments are searched for here, because the parser would skip them.
    let comment = ["//", "/*"].iter().filter_map(|start| text.find(start)).min();
    match (character.map(|(at, c)| (at, c.len_utf8())), comment.map(|at| (at, 2))) {
        (Some(character), Some(comment)) => Some(character.min(comment)),
        (character, comment) => character.or(comment),
    }
}

/// Returns how deeply parentheses are nested at most.
fn depth(text: &str) -> usize {
    let mut open = 0_usize;
    let depths = text.chars().map(|c| {
        open = match c {
            '(' => open + 1,
            ')' => open.saturating_sub(1),
            _ => open,
        };
        open
    });
    depths.max().unwrap_or(0)
}

/// Returns the position of each name and number, from the last to the first.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let in_word = c.is_ascii_alphanumeric() || c == '_';
        match start {
            None if in_word => start = Some(at),
            Some(first) if !in_word => {
                words.push((first, at));
                start = None;
            }
            _ => {}
        }
    }
    words.reverse();
    words
}

/// Words of a formula, in the same order as in the parsed expression.
struct Words<'n> {
    node: &'n Node,
    text: &'n str,
    /// Remaining words, with the next word last.
    rest: Vec<(usize, usize)>,
}

impl Words<'_> {
    /// Returns `None` if the expression is not allowed in a formula.
    fn expression(&mut self, expression: &syn::Expr) -> Option<At<Expression>> {
        let (value, place) = match expression {
            syn::Expr::Paren(inner) => {
                let inner = self.expression(&inner.expr)?;
                let place = inner.place.clone();
                (Expression::Parentheses(Box::new(inner)), place)
            }
            syn::Expr::Binary(binary) => {
                let operator = match binary.op {
                    BinOp::Add(_) => Operator::Plus,
                    BinOp::Sub(_) => Operator::Minus,
                    BinOp::Mul(_) => Operator::Times,
                    BinOp::Div(_) => Operator::Over,
                    _ => return None,
                };
                let left = self.expression(&binary.left)?;
                let right = self.expression(&binary.right)?;
                let mut place = left.place.clone();
                place.range.end = right.place.range.end.max(place.range.end);
                (Expression::Binary(operator, Box::new(left), Box::new(right)), place)
            }
            syn::Expr::Lit(_) => {
                let (word, place) = self.next()?;
                let digits = word.bytes().all(|b| b.is_ascii_digit());
                (Expression::Number(word.parse().ok().filter(|_| digits)?), place)
            }
            // Longer paths contain characters that were rejected before.
            syn::Expr::Path(_) => {
                let (word, place) = self.next()?;
                (Expression::Name(word.to_owned()), place)
            }
            _ => {
                self.rest.pop();
                return None;
            }
        };
        Some(At { value, place })
    }

    fn next(&mut self) -> Option<(&str, Place)> {
        let (start, end) = self.rest.pop()?;
        Some((&self.text[start..end], place(self.node, self.text, start, end)))
    }

    /// Returns the place of the last parsed word.
    fn last(&self) -> Option<Place> {
        let all = words(self.text);
        let (start, end) = *all.get(self.rest.len()).or(all.last())?;
        Some(place(self.node, self.text, start, end))
    }
}

/// Returns the place of a part of the text; or the place of the whole text, if the file does not
/// contain the text literally, for example in a folded scalar.
fn place(node: &Node, text: &str, start: usize, end: usize) -> Place {
    let Place { file, range } = node.place.clone();
    let before = match range.len().checked_sub(text.len()) {
        Some(0) => 0,
        // Quotes.
        Some(2) => 1,
        _ => return node.place.clone(),
    };
    let at = range.start + before;
    Place { file, range: at + start..at + end }
}
