//! Problems in specs, with their position and a fix.

use std::ops::Range;
use std::path::{Path, PathBuf};

pub use annotate_snippets::Renderer;
use annotate_snippets::{AnnotationKind, Group, Level, Snippet};

/// Text of a spec file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path for messages, relative to the workspace.
    pub path: PathBuf,
    /// Text of the file. If the file could not be read, this is `None`, and no position refers to
    /// the file.
    pub text: Option<String>,
}

/// Position in a [`Source`]: a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: File,
    pub range: Range<usize>,
}

impl AsRef<Self> for Place {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Kind of a spec file, in the order of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    Registers,
    CommonRegisters,
    Events,
    CommonEvents,
    Metrics,
    CommonMetrics,
    Aliases,
    Findings,
    /// Findings of an architecture.
    SharedFindings,
    /// Findings for all IPs.
    CommonFindings,
    Platform,
}

/// Spec files for messages.
pub trait Files {
    /// Returns the spec file of this kind.
    fn get(&self, file: File) -> &Source;
}

/// The only file of a spec.
impl Files for Source {
    fn get(&self, _: File) -> &Source {
        self
    }
}

/// A problem in a spec.
#[derive(Debug)]
pub struct Problem {
    pub place: Place,
    /// Description of the problem.
    pub message: String,
    /// Label at the position.
    pub label: String,
    /// Position of a conflicting value, with a label.
    pub other: Option<(Place, String)>,
    /// Fix.
    pub help: Option<String>,
    /// Location in the source code that created the problem, for tests of coverage.
    pub made: &'static std::panic::Location<'static>,
}

impl Problem {
    pub fn label(&mut self, label: impl Into<String>) -> &mut Self {
        self.label = label.into();
        self
    }

    pub fn other(&mut self, place: &impl AsRef<Place>, label: impl Into<String>) -> &mut Self {
        self.other = Some((place.as_ref().clone(), label.into()));
        self
    }

    pub fn help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }

    /// Formats the problem with file, line, column, source line and caret.
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

/// Path with forward slashes, for equal messages on all systems.
fn display(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Maximum number of problems in the output. If there are more problems, they usually have a single
/// cause.
const MOST_SHOWN: usize = 50;

/// Problems found so far.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

/// Adds a problem at this position.
#[track_caller]
pub fn report<'p>(
    problems: &'p mut Problems,
    place: &impl AsRef<Place>,
    message: impl Into<String>,
) -> &'p mut Problem {
    let nth = problems.0.len();
    problems.0.push(Problem {
        place: place.as_ref().clone(),
        message: message.into(),
        label: String::new(),
        other: None,
        help: None,
        made: std::panic::Location::caller(),
    });
    &mut problems.0[nth]
}

impl Problems {
    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }

    /// Whether a file has problems.
    pub fn are_in(&self, file: File) -> bool {
        self.0.iter().any(|problem| problem.place.file == file)
    }

    /// Removes the problems in a file.
    pub fn forget(&mut self, file: File) {
        self.0.retain(|problem| problem.place.file != file);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Formats the problems in the order of their positions, up to a maximum number.
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
