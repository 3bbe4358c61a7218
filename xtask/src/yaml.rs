//! YAML text to a tree in which every node knows its place.
//!
//! The specs use a small part of YAML: one document of mappings, sequences and scalars. Anchors,
//! aliases, tags and complex keys are refused, so that what is read is what stands there.

use granit_parser::{Event, Options, Parser, ScalarStyle, Span};

use crate::problem::{File, Place, Problem, Problems};

/// Far beyond any spec; keeps a wrong file from being read at all.
pub const MAX_BYTES: usize = 4 << 20;
/// The specs need six.
const MAX_DEPTH: usize = 32;

/// A node of the tree.
#[derive(Debug)]
pub struct Node {
    pub place: Place,
    pub value: Value,
}

#[derive(Debug)]
pub enum Value {
    Scalar { text: String, quoted: bool },
    Sequence(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar { text, quoted: false } if text.is_empty() => "nothing",
            Value::Scalar { .. } => "a single value",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

/// Reads the one document of a file. `None` if there is none that could be read; then a problem
/// says why.
pub fn parse(file: File, text: &str, problems: &mut Problems) -> Option<Node> {
    let start = Place { file, range: 0..text.len().min(1) };
    if text.len() > MAX_BYTES {
        let message = format!("the file has {} bytes, more than {MAX_BYTES}", text.len());
        problems.push(Problem::new(&start, message));
        return None;
    }
    let mut reader =
        Reader { file, text, parser: Parser::new_from_str_with_options(text, options()) };
    match reader.document() {
        Ok(Some(node)) => Some(node),
        Ok(None) => {
            problems.push(Problem::new(&start, "the file is empty"));
            None
        }
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

fn options() -> Options {
    granit_parser::options! { emit_comments: false }
}

struct Reader<'t> {
    file: File,
    text: &'t str,
    parser: Parser<'t, granit_parser::StrInput<'t>>,
}

type Read<T> = Result<T, Box<Problem>>;

impl<'t> Reader<'t> {
    fn document(&mut self) -> Read<Option<Node>> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(..) if root.is_some() => {
                    return self.refuse(span, "a spec is one document", Some("remove the `---`"));
                }
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                Event::Scalar(ref text, ..) if text.is_empty() => {}
                event => root = Some(self.node(event, span, 0)?),
            }
        }
    }

    fn next(&mut self) -> Read<(Event<'t>, Span)> {
        match self.parser.next() {
            Some(Ok((event, span))) => Ok((event, span)),
            Some(Err(error)) => {
                let at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
                let place = Place { file: self.file, range: self.character(at) };
                Err(Box::new(Problem::new(&place, format!("not YAML: {}", error.info()))))
            }
            None => Ok((Event::StreamEnd, Span::default())),
        }
    }

    fn node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Read<Node> {
        if depth > MAX_DEPTH {
            return self.refuse(span, "nested too deeply", None);
        }
        if let Event::Alias(_) | Event::UnresolvedAlias(_) = event {
            return self.refuse(span, "specs have no aliases", Some("write the value out"));
        }
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
            Event::SequenceStart(_, anchor, tag) | Event::MappingStart(_, anchor, tag) => {
                (*anchor, tag.is_some())
            }
            _ => (0, false),
        };
        if anchor != 0 {
            return self.refuse(span, "specs have no anchors", Some("write the value out"));
        }
        if tag {
            return self.refuse(span, "specs have no tags", Some("remove the `!`"));
        }
        let place = self.place(span);
        match event {
            Event::Scalar(text, style, ..) => {
                let quoted = style != ScalarStyle::Plain;
                Ok(Node { place, value: Value::Scalar { text: text.into_owned(), quoted } })
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if let Event::SequenceEnd = event {
                        return Ok(Node { place, value: Value::Sequence(items) });
                    }
                    items.push(self.node(event, span, depth + 1)?);
                }
            }
            Event::MappingStart(..) => {
                let mut pairs: Vec<(Node, Node)> = Vec::new();
                loop {
                    let (event, span) = self.next()?;
                    if let Event::MappingEnd = event {
                        // A mapping is best shown by its first line, not by all of it.
                        let range = pairs.first().map_or(place.range.clone(), |(key, value)| {
                            let end = value.place.range.end;
                            let line = self.text[key.place.range.start..].find('\n');
                            let line = line.map_or(self.text.len(), |n| key.place.range.start + n);
                            key.place.range.start..end.min(line).max(key.place.range.end)
                        });
                        let place = Place { file: self.file, range };
                        return Ok(Node { place, value: Value::Mapping(pairs) });
                    }
                    let key = self.node(event, span, depth + 1)?;
                    let (event, span) = self.next()?;
                    let value = self.node(event, span, depth + 1)?;
                    pairs.push((key, value));
                }
            }
            _ => self.refuse(span, "expected a value", None),
        }
    }

    fn refuse<T>(&self, span: Span, message: &str, help: Option<&str>) -> Read<T> {
        let problem = Problem::new(&self.place(span), message);
        Err(Box::new(match help {
            Some(help) => problem.help(help),
            None => problem,
        }))
    }

    /// The place of a span; of an empty one, the character there.
    fn place(&self, span: Span) -> Place {
        let range = span.byte_range().unwrap_or(0..0);
        let range = range.start.min(self.text.len())..range.end.min(self.text.len());
        let trimmed = self.text[range.clone()].trim_end().len();
        let range = range.start..range.start + trimmed;
        let range = if range.is_empty() { self.character(range.start) } else { range };
        Place { file: self.file, range }
    }

    fn character(&self, at: usize) -> std::ops::Range<usize> {
        let length =
            self.text[at..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        at..at + length
    }
}
