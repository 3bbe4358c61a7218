//! Expressions as `macro_rules!` passes them on.

use syn::Expr;

/// The expression inside the invisible parentheses around `$fragment`s of `macro_rules!`.
pub(crate) fn ungroup(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}
