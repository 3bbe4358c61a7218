//! Parses YAML into a tree of nodes with positions.
//!
//! Specs need only a part of YAML: one document of mappings, sequences and scalars. Tags and complex keys
//! are rejected, and also anchors and aliases, because the value of an alias is elsewhere in the text.

use granit_parser::{Event, Options, Parser, ScalarStyle, Span};

use crate::problem::{File, Place, Problems, report};

/// Maximum depth of nodes; specs need six levels.
const MAX_DEPTH: usize = 32;

/// A node of the tree.
#[derive(Clone, Debug)]
pub struct Node {
    pub place: Place,
    pub value: Value,
}

impl AsRef<Place> for Node {
    fn as_ref(&self) -> &Place {
        &self.place
    }
}

#[derive(Clone, Debug)]
pub enum Value {
    Scalar { text: String, quoted: bool },
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    /// Pairs of a mapping; empty for other nodes.
    pub fn pairs(&self) -> &[(Self, Self)] {
        if let Value::Mapping(pairs) = &self.value { pairs } else { &[] }
    }

    /// Items of a list; empty for other nodes.
    pub fn items(&self) -> &[Self] {
        if let Value::Sequence(items) = &self.value { items } else { &[] }
    }

    /// Text of a scalar.
    pub fn text(&self) -> Option<&str> {
        if let Value::Scalar { text, .. } = &self.value { Some(text) } else { None }
    }

    /// Value of a key, if this is a mapping with the key.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.pairs().iter().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }

    /// Kind of the node, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar { text, quoted: false } if text.is_empty() => "nothing",
            Value::Scalar { .. } => "a single value",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

/// Parses the only document of a file. `None` after adding a problem.
pub fn parse(file: File, text: &str, problems: &mut Problems) -> Option<Node> {
    let parser = Parser::new_from_str_with_options(text, options());
    let mut reader = Reader { file, text, parser, problems };
    let root = reader.document()?;
    if root.is_none() {
        let start = Place { file, range: 0..0 };
        report(problems, &start, "the file is empty, or has only comments");
    }
    root
}

fn options() -> Options {
    // Unresolved aliases are passed on, so that `refuse` reports them.
    granit_parser::options! { emit_comments: false, emit_unresolved_aliases: true }
}

/// Number of spaces and tabs at the start of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

struct Reader<'t> {
    file: File,
    text: &'t str,
    parser: Parser<'t, granit_parser::StrInput<'t>>,
    problems: &'t mut Problems,
}

impl<'t> Reader<'t> {
    fn document(&mut self) -> Option<Option<Node>> {
        let mut root = None;
        let mut documents = 0;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Some(root),
                Event::DocumentStart(..) if documents > 0 => {
                    let help = "put everything into the first document and remove the `---`";
                    return self.refuse(span, "a file holds one document", help);
                }
                Event::DocumentStart(..) => documents += 1,
                Event::StreamStart | Event::DocumentEnd => {}
                event => root = Some(self.node(event, span, 0)?),
            }
        }
    }

    fn next(&mut self) -> Option<(Event<'t>, Span)> {
        match self.parser.next() {
            Some(Ok((event, span))) => Some((event, span)),
            Some(Err(error)) => {
                self.not_yaml(error.marker().byte_offset().unwrap_or(0), &error.info())
            }
            None => Some((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Option<Node> {
        if depth > MAX_DEPTH {
            return self.refuse(span, "nested too deeply", "specs need six levels");
        }
        if let Event::Alias(_) | Event::UnresolvedAlias(_) = event {
            return self.refuse(span, "specs have no aliases", "write the value out");
        }
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
            Event::SequenceStart(_, anchor, tag) | Event::MappingStart(_, anchor, tag) => {
                (*anchor, tag.is_some())
            }
            _ => (0, false),
        };
        if anchor != 0 {
            return self.refuse(span, "specs have no anchors", "write the value out");
        }
        if tag {
            return self.refuse(span, "specs have no tags", "remove the `!`");
        }
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, ..) => {
                let quoted = style != ScalarStyle::Plain;
                // The parser uses `~` for a missing value; the other words mean null in YAML.
                let nothing = !quoted && matches!(&*text, "~" | "null" | "Null" | "NULL");
                let text = if nothing { String::new() } else { text.into_owned() };
                Some(Node { place, value: Value::Scalar { text, quoted } })
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if let Event::SequenceEnd = event {
                        return Some(Node { place, value: Value::Sequence(items) });
                    }
                    items.push(self.node(event, span, depth + 1)?);
                }
            }
            Event::MappingStart(..) => {
                let mut pairs: Vec<(Node, Node)> = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if let Event::MappingEnd = event {
                        // The position of a mapping is its first line.
                        let range = pairs.first().map_or(place.range.clone(), |(key, value)| {
                            let end = value.place.range.end;
                            let line = self.text[key.place.range.start..].find(['\r', '\n']);
                            let line = line.map_or(self.text.len(), |n| key.place.range.start + n);
                            key.place.range.start..end.min(line).max(key.place.range.end)
                        });
                        let place = Place { file: self.file, range };
                        return Some(Node { place, value: Value::Mapping(pairs) });
                    }
                    let key = self.node(event, span, depth + 1)?;
                    let (event, span) = self.next()?;
                    let value = self.node(event, span, depth + 1)?;
                    pairs.push((key, value));
                }
            }
            // The parser emits no other event at this point.
            _ => self.not_yaml(place.range.start, "expected a value"),
        }
    }

    fn not_yaml<T>(&mut self, at: usize, why: &str) -> Option<T> {
        let (at, message, help) = self.cause(at).unwrap_or_else(|| {
            let help = "reading stopped here; the cause can be above: an open quote or bracket";
            (at, format!("not YAML: {why}"), help.to_owned())
        });
        let place = Place { file: self.file, range: self.character(at) };
        report(self.problems, &place, message).help(help);
        None
    }

    /// Finds the usual causes of a parser error at this byte: a tab at the start of a line, an unquoted text with a
    /// colon, or an indentation that no other line has. Returns position, message and help.
    fn cause(&self, at: usize) -> Option<(usize, String, String)> {
        let at = self.boundary(at);
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let is_line = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with('#');
        // If a line begins with a tab, the parser reports the end of the previous line.
        let mut from = start;
        for line in self.text[start..].split_inclusive('\n').filter(is_line).take(2) {
            from += self.text[from..].find(line)?;
            if let Some(tab) = line[..indent(line)].find('\t') {
                let message = "a tab at the start of a line".to_owned();
                return Some((from + tab, message, "indent YAML with spaces only".to_owned()));
            }
        }
        let line = self.text[start..].lines().next()?;
        let text = line.trim_start_matches([' ', '-']);
        let value = text.find(": ").map(|colon| line.len() - text.len() + colon + 1)?;
        let is_key = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let starts_plain = |text: &str| !text.starts_with(['"', '\'', '{', '[', '|', '>', '#']);
        let is_plain = is_key(text.split(':').next()?) && starts_plain(line[value..].trim_start());
        if let Some(colon) = line[value..].find(": ").filter(|_| is_plain) {
            let message = "a second colon in an unquoted text".to_owned();
            let help = "put the text into quotes: \"..: ..\"".to_owned();
            return Some((start + value + colon, message, help));
        }
        let own = indent(line);
        // Column of the first key, after the dash of an item.
        let key = |line: &str| line.len() - line.trim_start_matches([' ', '-']).len();
        let mut lines_above = self.text[..start].lines().rev().filter(is_line);
        let above = lines_above.next()?;
        let below = self.text[start..].lines().skip(1).find(is_line);
        // Lowest column among the enclosing mappings and lists that were found so far.
        let mut least = usize::MAX;
        let is_open = |other: &str| {
            let encloses = indent(other) < least;
            least = least.min(indent(other));
            encloses && (indent(other) == own || key(other) == own)
        };
        if at > start + own || std::iter::once(above).chain(lines_above).any(is_open) {
            return None;
        }
        let mut around = format!("the line above starts after {} spaces", key(above));
        if let Some(below) = below {
            around += &format!(", and the line below starts after {} spaces", key(below));
        }
        let message = format!("the first key of this line starts after {own} spaces");
        Some((
            start + own,
            message,
            format!("{around}; all keys of a mapping start in the same column"),
        ))
    }

    fn refuse<T>(&mut self, span: Span, message: &str, help: &str) -> Option<T> {
        let place = self.place(span);
        report(self.problems, &place, message).help(help);
        None
    }

    /// Returns the place of a span. If the span is empty, returns the place of the character at its
    /// start.
    fn place(&self, span: Span) -> Place {
        let range = span.byte_range().unwrap_or(0..0);
        let start = self.boundary(range.start);
        let end = self.boundary(range.end).max(start);
        let end = start + self.text[start..end].trim_end().len();
        let range = if start == end { self.character(start) } else { start..end };
        Place { file: self.file, range }
    }

    /// Range of the character at `at`; empty at the end of a line.
    fn character(&self, at: usize) -> std::ops::Range<usize> {
        let at = self.boundary(at);
        let next = self.text[at..].chars().next().filter(|c| !matches!(c, '\r' | '\n'));
        at..at + next.map_or(0, char::len_utf8)
    }

    /// Returns the start of the character that contains position `at`, because text can be sliced
    /// only there.
    fn boundary(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(text: &str) -> (String, bool) {
        let mut problems = Problems::default();
        match parse(File::Events, text, &mut problems).map(|node| node.value) {
            Some(Value::Scalar { text, quoted }) => (text, quoted),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn texts_are_folded_and_quotes_remembered() {
        assert_eq!(scalar(">-\n  one\n  two\n"), ("one two".to_owned(), true));
        assert_eq!(scalar(">-\r\n  one\r\n  two\r\n"), ("one two".to_owned(), true));
        assert_eq!(scalar("one\n  two"), ("one two".to_owned(), false));
        assert_eq!(scalar("'it''s'"), ("it's".to_owned(), true));
        assert_eq!(scalar("\"~\""), ("~".to_owned(), true));
        assert_eq!(scalar("\"null\""), ("null".to_owned(), true));
        for nothing in ["~", "null", "Null", "NULL"] {
            assert_eq!(scalar(nothing), (String::new(), false));
        }
        assert_eq!(scalar("0x1F"), ("0x1F".to_owned(), false));
    }

    #[test]
    fn places_are_bytes_of_the_first_line() {
        let text = "\u{e9}: >-\r\n  one\r\nb: [\u{1f600}]\r\n";
        let root = parse(File::Events, text, &mut Problems::default()).expect("YAML");
        let shown = |node: &Node| text[node.place.range.clone()].to_owned();
        assert_eq!(shown(&root), "\u{e9}: >-");
        let (key, value) = &root.pairs()[1];
        assert_eq!((shown(key), shown(&value.items()[0])), ("b".into(), "\u{1f600}".into()));
    }

    #[test]
    fn one_document_marker_is_allowed() {
        assert_eq!(scalar("---\none\n...\n"), ("one".to_owned(), false));
        assert_eq!(scalar("%YAML 1.2\n---\none\n"), ("one".to_owned(), false));
    }
}
