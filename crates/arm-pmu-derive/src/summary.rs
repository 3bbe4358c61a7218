//! The summary of an event: the first paragraph of its doc comment.

use proc_macro2::Ident;
use syn::LitStr;

use crate::problems::Problems;
use crate::syntax::{Attribute, Value};

/// Returns the lines of the first paragraph, joined with spaces.
pub(crate) fn read(attributes: &[Attribute], variant: &Ident, problems: &mut Problems) -> String {
    let mut summary = String::new();
    'paragraph: for attribute in attributes {
        // Other forms, such as `#[doc(alias = "..")]`, contain no text.
        let Value::Assigned(text) = &attribute.value else { continue };
        if attribute.name != "doc" {
            continue;
        }
        let Ok(literal) = syn::parse2::<LitStr>(text.clone()) else {
            if summary.is_empty() {
                problems.add(
                    text,
                    "a derive cannot expand this: write the summary as a doc comment before it",
                );
                return summary;
            }
            break;
        };
        for line in lines(&literal.value()) {
            if line.is_empty() {
                if summary.is_empty() { continue } else { break 'paragraph }
            }
            if let Some(c) = line.chars().find(|&c| !matches!(c, ' '..='~')) {
                problems.add(
                    text,
                    format_args!(
                        "a summary is printable ASCII, for serial consoles: replace {c:?}"
                    ),
                );
            }
            if !summary.is_empty() {
                summary.push(' ');
            }
            summary.push_str(line);
        }
    }
    let summary = unescape(&summary);
    if summary.is_empty() {
        problems.add(
            variant,
            format_args!("say what `{variant}` counts in a doc comment: it is the summary"),
        );
    }
    summary
}

/// Removes the backslashes that escape punctuation in Markdown.
fn unescape(text: &str) -> String {
    let mut shown = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let escapes = c == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        shown.extend(if escapes { characters.next() } else { Some(c) });
    }
    shown
}

/// Returns the lines of a doc attribute, without stars at their beginning.
///
/// `/** .. */` may have such stars. An empty attribute is one line, unlike with `str::lines`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let stars = text.split('\n').skip(1).all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('*')
    });
    text.split('\n').enumerate().map(move |(nth, line)| {
        let line = line.trim();
        if nth > 0 && stars { line.strip_prefix('*').unwrap_or(line).trim() } else { line }
    })
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;
    use syn::{Ident, parse_quote};

    use crate::problems::{Problems, messages};
    use crate::syntax::Definition;

    #[test]
    fn escapes_are_resolved() {
        let read = |text: &str| {
            let read = read(parse_quote!(#[doc = #text] struct S;));
            read.expect("a summary")
        };
        assert_eq!(read(r"The line A\[0\] was HIGH."), "The line A[0] was HIGH.");
        assert_eq!(read(r"A\\B, C\D, E\"), r"A\B, C\D, E\");
    }

    /// The summary of a type with these attributes, or the messages.
    fn read(input: Definition) -> Result<String, Vec<String>> {
        let mut problems = Problems::default();
        let variant = Ident::new("Variant", Span::call_site());
        let summary = super::read(&input.attributes, &variant, &mut problems);
        match problems.into_errors() {
            None => Ok(summary),
            Some(errors) => Err(messages(errors)),
        }
    }

    fn summary_of(input: Definition) -> String {
        read(input).unwrap()
    }

    #[test]
    fn one_line() {
        assert_eq!(
            summary_of(parse_quote!(
                #[doc = " A beat. "]
                struct S;
            )),
            "A beat."
        );
    }

    #[test]
    fn first_paragraph_only() {
        let input = parse_quote! {
            ///
            /// A request was accepted,
            ///    of any kind.
            ///
            /// A note, ns\u{e9}.
            struct S;
        };
        assert_eq!(summary_of(input), "A request was accepted, of any kind.");
    }

    #[test]
    fn block_comment() {
        let input =
            syn::parse_str("/** A request\n * was * accepted.\n *\n * A note. */ struct S;");
        assert_eq!(summary_of(input.unwrap()), "A request was * accepted.");
        let input =
            syn::parse_str("/**\n    A request\n    was accepted.\n\n    Note. */ struct S;");
        assert_eq!(summary_of(input.unwrap()), "A request was accepted.");
    }

    #[test]
    fn stars_in_text_remain() {
        let input = parse_quote!(
            #[doc = "* A request\n * was accepted."]
            struct S;
        );
        assert_eq!(summary_of(input), "* A request was accepted.");
        let input = parse_quote!(
            #[doc = "A request\n* was\naccepted."]
            struct S;
        );
        assert_eq!(summary_of(input), "A request * was accepted.");
    }

    #[test]
    fn other_attributes_in_between() {
        let input = parse_quote! {
            #[doc(alias = "x")]
            /// A request
            #[allow(unused)]
            /// was accepted.
            #[doc = ""]
            #[doc = include_str!("more.md")]
            struct S;
        };
        assert_eq!(summary_of(input), "A request was accepted.");
    }

    #[test]
    fn nothing_in_it() {
        let missing = Err(vec![String::from(
            "say what `Variant` counts in a doc comment: it is the summary",
        )]);
        assert_eq!(
            read(parse_quote!(
                struct S;
            )),
            missing
        );
        assert_eq!(
            read(parse_quote!(
                #[doc = " \n\n "]
                #[doc(hidden)]
                struct S;
            )),
            missing
        );
    }

    #[test]
    fn control_characters() {
        assert!(
            read(parse_quote!(
                #[doc = "A\tbeat."]
                struct S;
            ))
            .unwrap_err()[0]
                .contains(r"'\t'")
        );
        assert!(
            read(parse_quote!(
                #[doc = "A\u{7f}beat."]
                struct S;
            ))
            .is_err()
        );
        assert!(
            read(parse_quote!(
                #[doc = " ~A beat~ "]
                struct S;
            ))
            .is_ok()
        );
    }
}
