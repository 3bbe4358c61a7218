//! The code of an event: the number written out in the enum.

use proc_macro2::{Ident, Literal, Span};
use syn::{Expr, ExprLit, ExprUnary, Lit, LitInt, UnOp};

use crate::problems::Problems;
use crate::ungroup::ungroup;

pub(crate) struct Code {
    pub(crate) value: u16,
    /// As in the enum, but without a suffix.
    pub(crate) spelling: Literal,
}

impl Code {
    pub(crate) fn read(
        discriminant: Option<&Expr>,
        variant: &Ident,
        bits: u16,
        problems: &mut Problems,
    ) -> Option<Self> {
        let Some(discriminant) = discriminant else {
            problems.add(
                variant,
                format_args!("write out the number from the manual, as in `{variant} = 0x08`"),
            );
            return None;
        };
        match ungroup(discriminant) {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => {
                Self::from_literal(literal, bits, problems)
            }
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), .. }) => {
                problems.add(discriminant, "a code cannot be negative");
                None
            }
            _ => {
                problems.add(
                    discriminant,
                    format_args!("write the code as an integer literal, as in `{variant} = 0x08`"),
                );
                None
            }
        }
    }

    fn from_literal(literal: &LitInt, bits: u16, problems: &mut Problems) -> Option<Self> {
        let written = literal.to_string();
        let suffix = literal.suffix();
        let spelling = written.strip_suffix(suffix).unwrap_or(&written);
        if !matches!(suffix, "" | "u8" | "u16") {
            problems.add(literal, format_args!("remove the suffix `{suffix}`: a code is a `u16`"));
            return None;
        }
        let largest = u16::MAX >> (16 - bits);
        match literal.base10_parse() {
            Ok(value) if value <= largest => {
                let mut spelling =
                    spelling.parse::<Literal>().unwrap_or_else(|_| Literal::u16_unsuffixed(value));
                spelling.set_span(Span::call_site());
                Some(Self { value, spelling })
            }
            _ => {
                problems.add(
                    literal,
                    format_args!(
                        "code {spelling} is wider than {bits} bits: the largest is {largest:#x}",
                    ),
                );
                None
            }
        }
    }
}
