//! Collects mistakes.

use core::fmt::Display;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

/// Mistakes to report together.
#[derive(Default)]
pub(crate) struct Problems(TokenStream);

impl Problems {
    /// Adds a mistake at the tokens of `place`.
    pub(crate) fn add(&mut self, place: impl ToTokens, message: impl Display) {
        self.push(place.into_token_stream(), message.to_string());
    }

    fn push(&mut self, place: TokenStream, message: String) {
        let mut spans = uncover(place).into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        let end = spans.last().unwrap_or(start);
        // The compiler underlines the tokens from the first span to the last.
        self.0.extend(quote_spanned!(start=> ::core::compile_error!));
        self.0.extend(quote_spanned!(end=> { #message }));
    }

    /// Returns a compiler error for each mistake; `None` without mistakes.
    pub(crate) fn into_errors(self) -> Option<TokenStream> {
        (!self.0.is_empty()).then_some(self.0)
    }
}

/// Removes the invisible parentheses around a `$fragment` of a macro.
///
/// The parentheses have the position of the macro; their contents have the position of the mistake.
fn uncover(tokens: TokenStream) -> TokenStream {
    let mut iter = tokens.clone().into_iter();
    match (iter.next(), iter.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            uncover(group.stream())
        }
        _ => tokens,
    }
}

/// Texts of the errors of `Problems::into_errors`.
#[cfg(test)]
pub(crate) fn messages(errors: TokenStream) -> Vec<String> {
    let in_braces = errors.into_iter().filter_map(|token| match token {
        TokenTree::Group(message) => Some(message.stream()),
        _ => None,
    });
    in_braces.map(|text| syn::parse2::<syn::LitStr>(text).unwrap().value()).collect()
}
