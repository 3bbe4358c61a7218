//! The documents of the repository, and the code in them. All checks of documents use this library.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use pulldown_cmark::{BrokenLink, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

/// A document in Markdown.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path in the repository, with `/`.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Text after the fence, such as `sh`.
    pub kind: String,
    /// The code, without the indentation of a list.
    pub text: String,
    /// Position of the code in the document.
    pub range: Range<usize>,
}

/// The documents for users and contributors. Notes in directories of recordings are omitted.
///
/// # Panics
///
/// If a file cannot be read.
#[must_use]
pub fn all(root: &Path) -> Vec<Document> {
    let mut documents = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(root.join(&folder)).expect("a folder") {
            let file = file.expect("a file");
            let name = file.file_name().to_string_lossy().into_owned();
            let kind = file.file_type().expect("a kind of file");
            // A crate's README repeats the crate's first page and `notes.md`, and its change log is only a link.
            let is_other =
                ["target", "template", "src", "perf", "runs", "notes.md"].contains(&name.as_str());
            if kind.is_dir() && !is_other && !name.starts_with('.') {
                folders.push(folder.join(name));
            } else if kind.is_file() && !is_other && name.ends_with(".md") {
                documents.push(read(root, &folder.join(name).to_string_lossy().replace('\\', "/")));
            }
        }
    }
    documents.sort_by(|one, other| one.path.cmp(&other.path));
    documents
}

/// One document.
///
/// # Panics
///
/// If it cannot be read.
#[must_use]
pub fn read(root: &Path, path: &str) -> Document {
    let text = fs::read_to_string(root.join(path));
    Document { path: path.to_owned(), text: text.unwrap_or_else(|error| panic!("{path}: {error}")) }
}

/// A line of a shell, without its trailing comment.
#[must_use]
pub fn without_remark(line: &str) -> &str {
    line.split(" #").next().unwrap_or_default().trim()
}

/// The words of each line, with `#` for each number, for comparing measured outputs.
#[must_use]
pub fn without_numbers(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let shown = |line: &str| {
        let mut shown = String::new();
        for letter in line.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
            match letter {
                '0'..='9' if shown.ends_with('#') => {}
                '0'..='9' => shown.push('#'),
                _ => shown.push(letter),
            }
        }
        shown
    };
    lines.map(shown).collect()
}

/// Removes each link (and its definition) unless `is_kept` accepts its target, and keeps the link's text. Also removes
/// links to items, which only rustdoc resolves.
#[must_use]
pub fn without_links(text: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let mut of_item = |BrokenLink { reference, link_type, .. }: BrokenLink<'_>| {
        let inner = reference.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
        let is_code = inner.is_some_and(|inner| !inner.contains('`'));
        (is_code || link_type == LinkType::Reference).then(|| ("".into(), "".into()))
    };
    let parser = Parser::new_with_broken_link_callback(text, Options::empty(), Some(&mut of_item));
    let definitions = parser.reference_definitions().iter();
    let mut cut: Vec<Range<usize>> = definitions
        .filter(|(_, definition)| !is_kept(&definition.dest))
        .map(|(_, definition)| definition.span.start..definition.span.end + 1)
        .collect();
    // The link around the current event, and the position where the link's text ends.
    let mut link: Option<(Range<usize>, usize)> = None;
    for (event, range) in parser.into_offset_iter() {
        match (event, &mut link) {
            (Event::Start(Tag::Link { dest_url, .. }), _) if !is_kept(&dest_url) => {
                cut.push(range.start..range.start + 1);
                link = Some((range, 0));
            }
            (Event::End(TagEnd::Link), open) => {
                cut.extend(open.take().map(|(whole, end)| end..whole.end));
            }
            (_, Some((_, end))) => *end = range.end,
            _ => {}
        }
    }
    cut.sort_by_key(|range| range.start);
    let mut from = 0;
    let mut kept = String::new();
    for range in cut {
        kept += text.get(from..range.start).unwrap_or_default();
        from = range.end;
    }
    kept + text.get(from..).unwrap_or_default()
}

impl Document {
    /// All blocks of code.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut inside: Option<Block> = None;
        for (event, range) in Parser::new(&self.text).into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let kind = match kind {
                        CodeBlockKind::Fenced(kind) => kind.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    inside = Some(Block { kind, text: String::new(), range: 0..0 });
                }
                Event::Text(text) => {
                    if let Some(block) = &mut inside {
                        let start =
                            if block.text.is_empty() { range.start } else { block.range.start };
                        block.range = start..range.end;
                        block.text += &text;
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(inside.take()),
                _ => {}
            }
        }
        blocks
    }

    /// Returns the texts of all blocks of this kind.
    #[must_use]
    pub fn code(&self, kind: &str) -> Vec<String> {
        let blocks = self.blocks().into_iter().filter(|block| block.kind == kind);
        blocks.map(|block| block.text).collect()
    }

    /// The lines of all `sh` blocks, including remarks at the ends of lines. These blocks run on
    /// any host.
    #[must_use]
    pub fn shell_lines(&self) -> Vec<String> {
        let blocks = self.code("sh");
        let lines = blocks.iter().flat_map(|block| block.lines());
        lines.filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    }

    /// Returns each piece of code in a sentence, joined into one line.
    #[must_use]
    pub fn spans(&self) -> Vec<String> {
        let events = Parser::new(&self.text);
        let spans = events.filter_map(|event| match event {
            Event::Code(code) => Some(code.split_whitespace().collect::<Vec<_>>().join(" ")),
            _ => None,
        });
        spans.collect()
    }

    /// Targets of its links.
    #[must_use]
    pub fn links(&self) -> Vec<String> {
        let events = Parser::new(&self.text);
        let links = events.filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.into_string()),
            _ => None,
        });
        links.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_all_kinds_is_found() {
        let text = "a `one\ntwo` [b](c.md)\n\n```sh\nthree   # four\n\nfive\n```\n\n- x\n\n  ```console board\n  $ six\n  ```\n`seven`\n";
        let document = Document { path: String::new(), text: text.to_owned() };
        assert_eq!(document.shell_lines(), ["three   # four", "five"]);
        assert_eq!(without_remark("three   # four"), "three");
        assert_eq!(document.code("console board"), ["$ six\n"]);
        assert_eq!(
            (document.spans(), document.links()),
            (vec!["one two".into(), "seven".into()], vec!["c.md".into()])
        );
        let block = &document.blocks()[0];
        assert_eq!(document.text[block.range.clone()], block.text);
    }

    #[test]
    fn numbers_and_spaces_are_not_compared() {
        assert_eq!(without_numbers("~66,928  51 %  A\n\n"), without_numbers(" ~1,2    3 %  A"));
        assert_ne!(without_numbers("~66,928 A"), without_numbers("66,928 A"));
    }
}
