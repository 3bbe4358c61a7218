//! Tokens in the order in which they are parsed.

use std::vec::IntoIter;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Lit;

/// Tokens without the invisible parentheses around a `$fragment` of a macro.
///
/// A message at the parentheses would point to the macro; a message at their contents points to the mistake.
#[derive(Clone)]
pub(crate) struct Tokens(IntoIter<TokenTree>);

impl Tokens {
    pub(crate) fn new(stream: TokenStream) -> Self {
        let mut tokens = Vec::new();
        uncover(stream, &mut tokens);
        Self(tokens.into_iter())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.peek().is_none()
    }

    pub(crate) fn peek(&self) -> Option<&TokenTree> {
        self.0.as_slice().first()
    }

    pub(crate) fn next(&mut self) -> Option<TokenTree> {
        self.0.next()
    }

    /// Parses any word, including keywords.
    pub(crate) fn ident(&mut self) -> Option<Ident> {
        let TokenTree::Ident(ident) = self.peek()?.clone() else { return None };
        self.next();
        Some(ident)
    }

    pub(crate) fn literal(&mut self) -> Option<Lit> {
        let TokenTree::Literal(literal) = self.peek()?.clone() else { return None };
        self.next();
        Some(Lit::new(literal))
    }

    /// Parses a punctuation mark, if it is the next token.
    pub(crate) fn punct(&mut self, mark: char) -> bool {
        let is_next =
            matches!(self.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
        if is_next {
            self.next();
        }
        is_next
    }

    pub(crate) fn group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let TokenTree::Group(group) = self.peek()?.clone() else { return None };
        if group.delimiter() != delimiter {
            return None;
        }
        self.next();
        Some(group)
    }
}

fn uncover(stream: TokenStream, tokens: &mut Vec<TokenTree>) {
    for token in stream {
        match token {
            TokenTree::Group(fragment) if fragment.delimiter() == Delimiter::None => {
                uncover(fragment.stream(), tokens);
            }
            token => tokens.push(token),
        }
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, stream: &mut TokenStream) {
        stream.extend(self.0.as_slice().iter().cloned());
    }
}
