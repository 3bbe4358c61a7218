//! Parses enums.
//!
//! The item parser of syn (feature `derive`) would double the build time of syn.

use proc_macro2::{Group, Ident, Punct, TokenStream, TokenTree};
use quote::TokenStreamExt;
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::token::Paren;
use syn::{Token, bracketed};

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
    pub(crate) discriminant: Option<TokenStream>,
}

/// Contents of `#[..]`, or an item in `#[event(..)]`.
pub(crate) struct Attribute {
    pub(crate) name: Ident,
    pub(crate) value: Value,
    /// All tokens, including the name.
    pub(crate) tokens: TokenStream,
}

pub(crate) enum Value {
    None,
    /// Tokens after `=`.
    Assigned(TokenStream),
    /// Other tokens after the name.
    Other(TokenStream),
}

impl Parse for Definition {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = attributes(input)?;
        let vis = visibility(input)?;
        let keyword = input.call(Ident::parse_any)?;
        let ident = input.parse()?;

        let mut rest: Vec<_> = input.parse::<TokenStream>()?.into_iter().collect();
        let variants = match rest.pop() {
            Some(TokenTree::Group(body)) if keyword == "enum" => variants.parse2(body.stream())?,
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
        Ok(Self { attributes, vis, keyword, ident, generics, where_clause, variants })
    }
}

impl Parse for Variant {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = attributes(input)?;
        // The compiler rejects a visibility here, but only after the derive has run.
        visibility(input)?;
        let ident = input.parse()?;
        let fields = input.parse().ok();
        let equals: Option<Token![=]> = input.parse()?;
        let discriminant = equals.map(|_| expression(input)).transpose()?;
        Ok(Self { attributes, ident, fields, discriminant })
    }
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let tokens = input.fork().parse()?;
        // `crate` is a keyword, so any identifier is accepted.
        let name = input.call(Ident::parse_any)?;
        let value = if input.is_empty() {
            Value::None
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Assigned(input.parse()?)
        } else {
            Value::Other(input.parse()?)
        };
        Ok(Self { name, value, tokens })
    }
}

fn attributes(input: ParseStream<'_>) -> syn::Result<Vec<Attribute>> {
    let mut attributes = Vec::new();
    while input.peek(Token![#]) {
        input.parse::<Token![#]>()?;
        let content;
        bracketed!(content in input);
        if content.peek(Token![::]) || content.peek2(Token![::]) {
            // An attribute with a path belongs to a tool, for example `#[rustfmt::skip]`.
            content.parse::<TokenStream>()?;
        } else {
            attributes.push(content.parse()?);
        }
    }
    Ok(attributes)
}

/// Parses an optional visibility: `pub`, `pub(crate)` and others.
fn visibility(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut vis = TokenStream::new();
    if input.peek(Token![pub]) {
        vis.append(input.call(Ident::parse_any)?);
        if input.peek(Paren) {
            vis.append(input.parse::<Group>()?);
        }
    }
    Ok(vis)
}

fn variants(input: ParseStream<'_>) -> syn::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    while !input.is_empty() {
        variants.push(input.parse()?);
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(variants)
}

/// Parses all tokens up to the comma after the expression.
fn expression(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut expression = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        for _ in 0..length_of_list(input.cursor()) {
            expression.append(input.parse::<TokenTree>()?);
        }
    }
    Ok(expression)
}

/// Number of tokens in a list at the start of the input; 1 without a list.
///
/// Commas in a list do not end an expression: `<1, 2>` in `A::<1, 2>::B`, `|a, b|` in `|a, b| a`. `A = 1 < 2, B = 4 >
/// 3` contains no list: a `=` precedes the closing bracket, and a list contains no `=`.
fn length_of_list(mut rest: Cursor<'_>) -> usize {
    let mut closing = Vec::new();
    let mut length = 0;
    while let Some((token, next)) = rest.token_tree() {
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
        rest = next;
    }
    1
}

/// Parses a path without generics.
pub(crate) fn path(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut path = TokenStream::new();
    loop {
        if input.peek(Token![::]) {
            path.append(input.parse::<Punct>()?);
            path.append(input.parse::<Punct>()?);
        } else if !path.is_empty() {
            return Ok(path);
        }
        let is_keyword = input.peek(Token![crate])
            || input.peek(Token![self])
            || input.peek(Token![Self])
            || input.peek(Token![super]);
        path.append(if is_keyword { input.call(Ident::parse_any)? } else { input.parse()? });
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Group, TokenStream};
    use quote::quote;
    use syn::parse::Parser;

    use super::{Definition, Value, path};

    /// A `$fragment` in the form that `macro_rules!` passes on.
    fn fragment(tokens: TokenStream) -> Group {
        Group::new(Delimiter::None, tokens)
    }

    #[test]
    fn macro_fragments_are_read() {
        let [attribute, vis, nothing, ident, code] =
            [quote!(doc = "A."), quote!(pub(crate)), quote!(), quote!(A), quote!(0x1)]
                .map(fragment);
        let tokens = quote!(#[#attribute] #vis enum E { #nothing #ident = #code });
        let read: Definition = syn::parse2(tokens).unwrap();
        assert_eq!(read.attributes[0].name, "doc");
        assert!(matches!(&read.attributes[0].value, Value::Assigned(text) if !text.is_empty()));
        assert_eq!(read.vis.to_string(), quote!(pub(crate)).to_string());
        assert_eq!(read.variants[0].ident, "A");
        assert_eq!(read.variants[0].discriminant.as_ref().unwrap().to_string(), "0x1");

        let tokens = fragment(quote!(::a::b));
        let path = path.parse2(quote!(#tokens::c)).unwrap();
        assert_eq!(path.to_string(), quote!(::a::b::c).to_string());
        assert_eq!(path.into_iter().count(), 9, "no group is left");
    }

    #[test]
    fn only_commas_between_variants_separate_them() {
        for (variants, count) in [
            ("A = B::<1, 2>::C, D", 2),
            ("A = <B<C, D> as E<F, G>>::H, I = 2,", 2),
            ("A = f::<B, C>(1, 2), D(u8, u8)", 2),
            ("A = |a, b| a, B = || 1, C = 1 | 2", 3),
            ("A = 1 < 2, B = 4 > 3, C = 5", 3),
            ("A = 1 << 2, B = 4 >> 3, C", 3),
            ("A = 1 | 2, B = 1 | 2, C", 3),
        ] {
            let read = super::variants.parse_str(variants).unwrap();
            assert_eq!(read.len(), count, "{variants}");
        }
    }

    #[test]
    fn malformed_paths_are_refused() {
        for malformed in ["", "::", "a::", "::::a", "a b", "fn", "a::fn", "1", "a::1", ":a", "a<b>"]
        {
            let tokens = malformed.parse().unwrap();
            assert!(path.parse2(tokens).is_err(), "{malformed}");
        }
        for path in ["a", "::a", "crate::a", "self", "Self::a", "super::super::a", "r#fn::a"] {
            assert!(super::path.parse2(path.parse().unwrap()).is_ok(), "{path}");
        }
    }
}
