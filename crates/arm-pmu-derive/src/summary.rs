//! The summary of an event: the first paragraph of its doc comment.

use proc_macro2::Ident;
use syn::Lit;

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
        let mut rest = text.clone();
        let literal = rest.literal().filter(|_| rest.is_empty());
        let Some(Lit::Str(literal)) = literal else {
            if summary.is_empty() {
                problems.add(
                    text,
                    &"a derive cannot expand this: write the summary as a doc comment before it",
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
                    &format_args!(
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
            &format_args!("add a doc comment that says what `{variant}` counts: it is the summary"),
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

/// Lines of a doc attribute, without leading stars.
///
/// Comments of the form `/** .. */` can have leading stars. Unlike with `str::lines`, an empty attribute is one line.
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
    use proc_macro2::{Ident, Span};

    use crate::problems::Problems;
    use crate::tokens::Tokens;

    /// Summary of a type with these attributes; `None` after a mistake.
    fn read(attributes: &str) -> Option<String> {
        let item = format!("{attributes}\nstruct S;").parse().expect("tokens");
        let input = crate::syntax::Definition::parse(Tokens::new(item)).expect("a definition");
        let mut problems = Problems::default();
        let variant = Ident::new("Variant", Span::call_site());
        let summary = super::read(&input.attributes, &variant, &mut problems);
        problems.into_errors().is_none().then_some(summary)
    }

    #[test]
    fn the_summary_is_the_first_paragraph() {
        for (attributes, summary) in [
            (r#"#[doc = " A beat. "]"#, "A beat."),
            (
                "///\n/// A request was accepted,\n///    of any kind.\n///\n/// A note, ns\u{e9}.",
                "A request was accepted, of any kind.",
            ),
            ("/** A request\n * was * accepted.\n *\n * A note. */", "A request was * accepted."),
            ("/**\n    A request\n    was accepted.\n\n    Note. */", "A request was accepted."),
            // Stars within the text are kept.
            (r#"#[doc = "* A request\n * was accepted."]"#, "* A request was accepted."),
            (r#"#[doc = "A request\n* was\naccepted."]"#, "A request * was accepted."),
            // Other attributes can be between the doc comments.
            (
                "#[doc(alias = \"x\")]\n/// A request\n#[allow(unused)]\n/// was accepted.\n#[doc = \"\"]\n\
                 #[doc = include_str!(\"more.md\")]",
                "A request was accepted.",
            ),
            // Backslashes are removed.
            (r"/// The line A\[0\] was HIGH.", "The line A[0] was HIGH."),
            (r"/// A\\B, C\D, E\", r"A\B, C\D, E\"),
            (r#"#[doc = " ~A beat~ "]"#, "~A beat~"),
        ] {
            assert_eq!(read(attributes).as_deref(), Some(summary), "{attributes}");
        }
    }

    #[test]
    fn empty_texts_and_control_characters_are_rejected() {
        for attributes in [
            r#"#[doc = " \n\n "] #[doc(hidden)]"#,
            r#"#[doc = "A\tbeat."]"#,
            r#"#[doc = "A\u{7f}beat."]"#,
        ] {
            assert_eq!(read(attributes), None, "{attributes}");
        }
    }
}
