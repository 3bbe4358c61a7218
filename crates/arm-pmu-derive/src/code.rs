//! Parses the code of an event, an integer literal in the enum.

use proc_macro2::{Ident, Literal, Span, TokenTree};
use syn::{Lit, LitInt};

use crate::problems::Problems;
use crate::tokens::Tokens;

pub(crate) struct Code {
    pub(crate) value: u16,
    /// Literal in the enum, without a suffix.
    pub(crate) spelling: Literal,
}

impl Code {
    pub(crate) fn read(
        discriminant: Option<&Tokens>,
        variant: &Ident,
        bits: u16,
        problems: &mut Problems,
    ) -> Option<Self> {
        let Some(discriminant) = discriminant else {
            problems.add(
                variant,
                &format_args!("write out the number from the manual, as in `{variant} = 0x08`"),
            );
            return None;
        };
        if is_negated(discriminant.clone()) {
            problems.add(discriminant, &"a code cannot be negative");
            return None;
        }
        let mut rest = discriminant.clone();
        let literal = rest.literal().filter(|_| rest.is_empty());
        let Some(Lit::Int(literal)) = literal else {
            problems.add(
                discriminant,
                &format_args!("write the code as an integer literal, as in `{variant} = 0x08`"),
            );
            return None;
        };
        Self::from_literal(&literal, bits, problems)
    }

    fn from_literal(literal: &LitInt, bits: u16, problems: &mut Problems) -> Option<Self> {
        let written = literal.to_string();
        let suffix = literal.suffix();
        let spelling = written.strip_suffix(suffix).unwrap_or(&written);
        if !matches!(suffix, "" | "u8" | "u16") {
            problems.add(
                &literal.token(),
                &format_args!("remove the suffix `{suffix}`: a code is a `u16`"),
            );
            return None;
        }
        let largest = u16::MAX >> (16 - bits);
        match literal.base10_digits().parse() {
            Ok(value) if value <= largest => {
                let mut spelling =
                    spelling.parse::<Literal>().unwrap_or_else(|_| Literal::u16_unsuffixed(value));
                spelling.set_span(Span::call_site());
                Some(Self { value, spelling })
            }
            _ => {
                problems.add(
                    &literal.token(),
                    &format_args!(
                        "code {spelling} is wider than {bits} bits: the largest is {largest:#x}",
                    ),
                );
                None
            }
        }
    }
}

/// Whether an expression is a negated number, without other operators.
fn is_negated(mut expression: Tokens) -> bool {
    if !expression.punct('-') {
        return false;
    }
    // Skips other operators that follow, as in `-!1`.
    while let Some(TokenTree::Punct(_)) = expression.peek() {
        expression.next();
    }
    while let Some(token) = expression.next() {
        if is_operator(token) {
            return false;
        }
    }
    true
}

/// Whether a token is an operator. The dots and colons of `a.b()` and `A::B` are not operators.
fn is_operator(token: TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => !matches!(punct.as_char(), '.' | ':' | '!'),
        TokenTree::Ident(word) => word == "as",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Group, Ident, Span};
    use quote::quote;

    use super::Code;
    use crate::problems::{Problems, messages};
    use crate::tokens::Tokens;

    #[test]
    fn only_a_negated_number_is_a_negative_code() {
        let negative = ["-1", "- 0x1u8", "--1", "-!1", "-A", "-A::B", "-a.b()[0]", "-f(1 + 2)"];
        let other = ["-1 + 2", "-1 as u8", "-A & 3", "1 - 1", "1 as u8", "(1)", "1.5"];
        for source in negative.iter().chain(&other) {
            let fragment = Group::new(Delimiter::None, source.parse().unwrap());
            let mut problems = Problems::default();
            let variant = Ident::new("A", Span::call_site());
            let discriminant = &Tokens::new(quote!(#fragment));
            assert!(Code::read(Some(discriminant), &variant, 16, &mut problems).is_none());
            let expected = match negative.contains(source) {
                true => "a code cannot be negative",
                false => "write the code as an integer literal, as in `A = 0x08`",
            };
            assert_eq!(messages(problems.into_errors().unwrap()), [expected], "{source}");
        }
    }
}
