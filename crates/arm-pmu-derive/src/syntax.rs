//! Parses enums.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::TokenStreamExt;

use crate::tokens::Tokens;

/// A parsed enum, struct or union.
pub(crate) struct Definition {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) vis: TokenStream,
    /// Keyword: `enum`, `struct` or `union`.
    pub(crate) keyword: Ident,
    pub(crate) ident: Ident,
    /// Generics with the angle brackets; empty without parameters.
    pub(crate) generics: TokenStream,
    pub(crate) where_clause: TokenStream,
    /// Variants of an enum; empty for a struct or union.
    pub(crate) variants: Vec<Variant>,
}

pub(crate) struct Variant {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) fields: Option<Group>,
    /// Tokens after `=`.
    pub(crate) discriminant: Option<Tokens>,
}

/// Contents of `#[..]`, or an item in `#[event(..)]`.
pub(crate) struct Attribute {
    pub(crate) name: Ident,
    pub(crate) value: Value,
    /// All tokens, including the name.
    pub(crate) tokens: Tokens,
}

pub(crate) enum Value {
    None,
    /// Tokens after `=`.
    Assigned(Tokens),
    /// Tokens after the name that do not begin with `=`.
    Other(Tokens),
}

impl Definition {
    /// Parses an item; `None` for other tokens, which the compiler does not pass.
    pub(crate) fn parse(mut item: Tokens) -> Option<Self> {
        let attributes = attributes(&mut item)?;
        let vis = visibility(&mut item);
        let keyword = item.ident()?;
        let ident = item.ident()?;

        let mut rest = Vec::new();
        while let Some(token) = item.next() {
            rest.push(token);
        }
        let variants = match rest.pop() {
            Some(TokenTree::Group(body)) if keyword == "enum" => variants(body.stream())?,
            _ => Vec::new(),
        };
        let is_where =
            |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "where");
        let end = rest.iter().position(is_where).unwrap_or(rest.len());
        let where_clause = rest.drain(end..).collect();
        // Fields of a tuple struct.
        if let Some(TokenTree::Group(_)) = rest.last() {
            rest.pop();
        }
        // Empty angle brackets are not generics.
        if rest.len() == "<>".len() {
            rest.clear();
        }
        let generics = rest.into_iter().collect();
        Some(Self { attributes, vis, keyword, ident, generics, where_clause, variants })
    }
}

impl Attribute {
    pub(crate) fn parse(tokens: Tokens) -> Option<Self> {
        let mut rest = tokens.clone();
        let name = rest.ident()?;
        let value = if rest.is_empty() {
            Value::None
        } else if rest.punct('=') {
            Value::Assigned(rest)
        } else {
            Value::Other(rest)
        };
        Some(Self { name, value, tokens })
    }

    /// Whether the name is a path. Such an attribute belongs to a tool, for example `#[rustfmt::skip]`.
    fn is_path(&self) -> bool {
        matches!(&self.value, Value::Other(rest) if rest.clone().punct(':'))
    }
}

fn attributes(input: &mut Tokens) -> Option<Vec<Attribute>> {
    let mut attributes = Vec::new();
    while input.punct('#') {
        let content = Tokens::new(input.group(Delimiter::Bracket)?.stream());
        attributes.extend(Attribute::parse(content).filter(|attribute| !attribute.is_path()));
    }
    Some(attributes)
}

/// Parses an optional visibility: `pub`, `pub(crate)` and others.
fn visibility(input: &mut Tokens) -> TokenStream {
    let mut vis = TokenStream::new();
    if matches!(input.peek(), Some(TokenTree::Ident(word)) if word == "pub") {
        vis.extend(input.next());
        vis.extend(input.group(Delimiter::Parenthesis).map(TokenTree::Group));
    }
    vis
}

fn variants(body: TokenStream) -> Option<Vec<Variant>> {
    let mut input = Tokens::new(body);
    let mut variants = Vec::new();
    while !input.is_empty() {
        let attributes = attributes(&mut input)?;
        // The compiler rejects a visibility here, but only after the derive has run.
        visibility(&mut input);
        let ident = input.ident()?;
        let fields = input.group(Delimiter::Parenthesis).or_else(|| input.group(Delimiter::Brace));
        let discriminant = input.punct('=').then(|| expression(&mut input));
        variants.push(Variant { attributes, ident, fields, discriminant });
        if !input.is_empty() && !input.punct(',') {
            return None;
        }
    }
    Some(variants)
}

/// Parses all tokens up to the comma after the expression.
fn expression(input: &mut Tokens) -> Tokens {
    let mut expression = TokenStream::new();
    while !input.is_empty() && !input.clone().punct(',') {
        for _ in 0..length_of_list(input.clone()) {
            expression.extend(input.next());
        }
    }
    Tokens::new(expression)
}

/// Number of tokens in a list at the start of the input; 1 without a list.
///
/// Commas in a list do not end an expression: `<1, 2>` in `A::<1, 2>::B`, `|a, b|` in `|a, b| a`. `A = 1 < 2, B = 4 >
/// 3` contains no list: a `=` precedes the closing bracket, and a list contains no `=`.
fn length_of_list(mut rest: Tokens) -> usize {
    let mut closing = Vec::new();
    let mut length = 0;
    while let Some(token) = rest.next() {
        length += 1;
        let c = if let TokenTree::Punct(punct) = token { punct.as_char() } else { ' ' };
        match c {
            '=' => break,
            c if closing.last() == Some(&c) => drop(closing.pop()),
            '<' => closing.push('>'),
            '|' => closing.push('|'),
            _ => {}
        }
        if closing.is_empty() {
            return length;
        }
    }
    1
}

/// Parses a path without generics.
pub(crate) fn path(input: &mut Tokens) -> Option<TokenStream> {
    let mut path = TokenStream::new();
    loop {
        match input.peek() {
            Some(TokenTree::Punct(first))
                if first.spacing() == Spacing::Joint && first.as_char() == ':' =>
            {
                path.extend(input.next());
                path.extend(input.next());
            }
            _ if path.is_empty() => {}
            _ => return Some(path),
        }
        path.append(input.ident()?);
    }
}

#[cfg(test)]
mod tests {
    use super::path;
    use crate::tokens::Tokens;

    #[test]
    fn malformed_paths_are_refused() {
        let is_path = |text: &str| {
            let mut tokens = Tokens::new(text.parse().unwrap());
            path(&mut tokens).is_some() && tokens.is_empty()
        };
        for malformed in ["", "::", "a::", "::::a", "a b", "1", "a::1", ":a", "a<b>"] {
            assert!(!is_path(malformed), "{malformed}");
        }
        for text in ["a", "::a", "crate::a", "self", "Self::a", "super::super::a", "r#fn::a"] {
            assert!(is_path(text), "{text}");
        }
    }
}
