//! The guides, which are Markdown in `guides/`.

use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A guide: the name of its file without `.md`, and its text.
pub struct Guide {
    pub name: &'static str,
    text: &'static str,
}

macro_rules! guides {
    ($($name:literal)*) => {
        &[$(Guide { name: $name, text: include_str!(concat!("../../../../guides/", $name, ".md")) }),*]
    };
}

/// All guides, in the order of `guides/README.md`.
pub const GUIDES: &[Guide] = guides! {
    "zynqmp" "zynqmp-firmware" "c" "rtos" "prometheus" "why-zero" "events-together" "defensible-numbers" "gate" "add-an-ip"
    "add-a-board"
    "trust"
};

impl Guide {
    /// The name of the guide's page.
    pub fn page(&self) -> String {
        format!("guide-{}.html", self.name)
    }

    /// Its heading.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

/// A heading, and the prose under it.
pub struct Section {
    /// `None` for the first section, whose heading is the guide's title.
    pub anchor: Option<String>,
    pub heading: String,
    pub text: String,
}

impl Guide {
    /// All sections. The first section is the text under the guide's main heading.
    pub fn sections(&self) -> Vec<Section> {
        let mut all: Vec<Section> = Vec::new();
        let mut is_heading = false;
        let mut is_code = false;
        for event in events(self.text) {
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    is_heading = true;
                    let anchor = id.map(|id| id.to_string()).filter(|_| !all.is_empty());
                    all.push(Section { anchor, heading: String::new(), text: String::new() });
                }
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Text(text) | Event::Code(text) if !is_code => {
                    let Some(section) = all.last_mut() else { continue };
                    let to = if is_heading { &mut section.heading } else { &mut section.text };
                    *to += &text;
                }
                _ => {
                    if let Some(section) = all.last_mut().filter(|of| !of.text.is_empty()) {
                        section.text.push(' ');
                    }
                }
            }
        }
        all
    }
}

/// The text as Markdown events. Each heading's id consists of its words.
fn events(text: &str) -> Vec<Event<'_>> {
    let mut all: Vec<_> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut words = String::new();
    // Goes from the last event to the first, because the start of a heading gets an id made of the words that follow
    // it.
    for event in all.iter_mut().rev() {
        match event {
            Event::End(TagEnd::Heading(_)) => words.clear(),
            Event::Text(text) | Event::Code(text) => words.insert_str(0, text),
            Event::Start(Tag::Heading { id, .. }) => {
                let words = words.split(|c: char| !c.is_ascii_alphanumeric());
                let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
                *id = Some(CowStr::from(words.join("-").to_ascii_lowercase()));
            }
            _ => {}
        }
    }
    all
}

#[derive(Template)]
#[template(path = "guide.html")]
pub struct Page {
    here: &'static str,
    title: &'static str,
    text: String,
}

impl Page {
    pub fn new(guide: &Guide) -> Self {
        Self { here: "index.html#guides", title: guide.title(), text: rendered(guide.text) }
    }
}

/// The page that a link in a guide leads to, if the site has it.
fn target(link: &str) -> Option<String> {
    let name = link.strip_suffix(".md")?;
    GUIDES.iter().find(|guide| guide.name == name).map(Guide::page)
}

/// The text as HTML. A link to a file of the repository becomes the file's name: the site is
/// self-contained.
fn rendered(text: &str) -> String {
    let mut outside: Option<String> = None;
    let events = events(text).into_iter().flat_map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => match target(&dest_url) {
            Some(page) => {
                vec![Event::Start(Tag::Link { link_type, dest_url: CowStr::from(page), title, id })]
            }
            None => {
                outside = Some(dest_url.trim_start_matches("../").to_owned());
                Vec::new()
            }
        },
        Event::End(TagEnd::Link) => match outside.take() {
            Some(file) => vec![
                Event::Text(CowStr::from(" (")),
                Event::Code(CowStr::from(file)),
                Event::Text(CowStr::from(")")),
            ],
            None => vec![Event::End(TagEnd::Link)],
        },
        other => vec![other],
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    out
}
