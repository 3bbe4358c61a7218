//! Problems in specs: the mistake, its place, and a fix.

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use annotate_snippets::Renderer;
use annotate_snippets::{AnnotationKind, Group, Level, Snippet};

/// The text of one spec file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path for messages: relative to the workspace.
    pub path: PathBuf,
    /// `None` if it could not be read; then no place is in it.
    pub text: Option<String>,
}

/// A place in a [`Source`]: a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: File,
    pub range: Range<usize>,
}

/// A kind of spec file, in the order of problem output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum File {
    Registers,
    CommonRegisters,
    Events,
    CommonEvents,
    Metrics,
    CommonMetrics,
    Aliases,
    Findings,
    /// Of an architecture.
    SharedFindings,
    /// Of all IPs.
    CommonFindings,
    Platform,
}

/// The files that problems are in.
pub trait Files {
    /// The file of this kind.
    fn get(&self, file: File) -> &Source;
}

/// One mistake.
#[derive(Debug)]
pub struct Problem {
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// Said at the place itself.
    pub label: String,
    /// The other place of a clash, and its message.
    pub other: Option<(Place, String)>,
    /// Remedy.
    pub help: Option<String>,
    /// The line of source code that created it, so that a test can find problems without a case.
    pub made: &'static std::panic::Location<'static>,
}

impl Problem {
    #[must_use]
    #[track_caller]
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        Self {
            place: place.clone(),
            message: message.into(),
            label: String::new(),
            other: None,
            help: None,
            made: std::panic::Location::caller(),
        }
    }

    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub fn other(mut self, place: &Place, label: impl Into<String>) -> Self {
        self.other = Some((place.clone(), label.into()));
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The mistake as a person reads it: message, file, line, column, source line and caret.
    fn render(&self, files: &dyn Files, renderer: &Renderer) -> String {
        let primary = AnnotationKind::Primary.span(self.place.range.clone()).label(&self.label);
        let mut snippet = Self::snippet(files.get(self.place.file)).annotation(primary);
        let mut second = None;
        if let Some((place, label)) = &self.other {
            let context = AnnotationKind::Context.span(place.range.clone()).label(label);
            if place.file == self.place.file {
                snippet = snippet.annotation(context);
            } else {
                second = Some(Self::snippet(files.get(place.file)).annotation(context));
            }
        }
        let mut group =
            Group::with_title(Level::ERROR.primary_title(&self.message)).element(snippet);
        if let Some(second) = second {
            group = group.element(second);
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help));
        }
        renderer.render(&[group])
    }

    fn snippet(source: &Source) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        Snippet::source(source.text.as_deref().unwrap_or_default()).path(display(&source.path))
    }
}

/// A path with forward slashes, so that messages are the same everywhere.
fn display(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Limit for one IP; more problems mean a file that is no spec, or one cause for all.
const MOST_SHOWN: usize = 50;

/// All mistakes found so far.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// Whether there is a mistake in this file.
    pub fn are_in(&self, file: File) -> bool {
        self.0.iter().any(|problem| problem.place.file == file)
    }

    /// Forgets the mistakes in this file.
    pub fn forget(&mut self, file: File) {
        self.0.retain(|problem| problem.place.file != file);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The problems in the order of their places, separated by empty lines, up to a readable
    /// number.
    pub fn render(&mut self, files: &dyn Files, renderer: &Renderer) -> String {
        self.0.sort_by_key(|problem| {
            (problem.place.file, problem.place.range.start, problem.place.range.end)
        });
        let mut rendered: Vec<_> =
            self.0.iter().take(MOST_SHOWN).map(|p| p.render(files, renderer)).collect();
        if let Some(more) = self.0.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
            rendered.push(format!("and {more} more: fix these first"));
        }
        rendered.join("\n\n")
    }
}
