//! Collects mistakes.

use core::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// Mistakes to report together.
#[derive(Default)]
pub(crate) struct Problems(TokenStream);

impl Problems {
    /// Adds a mistake at the tokens of `place`. The method is not generic, so that its many callers share one compiled
    /// function.
    pub(crate) fn add(&mut self, place: &dyn ToTokens, message: &dyn Display) {
        let mut spans = place.to_token_stream().into_iter().map(|token| token.span());
        let start = spans.next().unwrap_or_else(Span::call_site);
        let end = spans.last().unwrap_or(start);
        let message = message.to_string();
        // The compiler underlines the tokens from the first span to the last.
        self.0.extend(quote_spanned!(start=> ::core::compile_error!));
        self.0.extend(quote_spanned!(end=> { #message }));
    }

    /// Returns a compiler error for each mistake; `None` without mistakes.
    pub(crate) fn into_errors(self) -> Option<TokenStream> {
        (!self.0.is_empty()).then_some(self.0)
    }
}

/// Texts of the errors that `Problems::into_errors` returns.
#[cfg(test)]
pub(crate) fn messages(errors: TokenStream) -> Vec<String> {
    let in_braces = errors.into_iter().filter_map(|token| match token {
        proc_macro2::TokenTree::Group(message) => Some(message.stream()),
        _ => None,
    });
    in_braces.map(|text| syn::parse2::<syn::LitStr>(text).unwrap().value()).collect()
}
