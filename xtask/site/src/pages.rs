//! The pages, and the files beside them.

mod filters;
pub mod guide;
mod index;
mod ip;
mod platform;

use std::error::Error;

use arm_pmu_tables::{IPS, Ip, PLATFORMS, Platform};
use askama::Template;

use crate::search;

/// A file of the site.
#[derive(Debug)]
pub struct File {
    /// Its name in the directory of the site.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// All files of the site.
///
/// # Errors
///
/// If a page cannot be made; then there are no files.
pub fn all() -> Result<Vec<File>, Box<dyn Error + Send + Sync>> {
    let file = |name: &str, text: String| File { name: name.to_owned(), text };
    let mut files = vec![
        file("site.css", include_str!("../static/site.css").to_owned()),
        file("site.js", include_str!("../static/site.js").to_owned()),
        file("search.js", search::script()?),
        file("index.html", index::Index::new().render()?),
    ];
    for ip in IPS {
        files.push(file(&of_ip(ip), ip::Page::new(ip).render()?));
    }
    for platform in PLATFORMS {
        files.push(file(&of_platform(platform), platform::Page::new(platform).render()?));
    }
    for guide in guide::GUIDES {
        files.push(file(&guide.page(), guide::Page::new(guide).render()?));
    }
    Ok(files)
}

/// The name of the page of an IP.
pub fn of_ip(ip: &Ip) -> String {
    format!("{}.html", ip.name)
}

/// The name of the page of a platform.
pub fn of_platform(platform: &Platform) -> String {
    format!("platform-{}.html", platform.name)
}

/// The links at the head of each page.
fn nav() -> Vec<(String, &'static str)> {
    let mut all: Vec<_> = IPS.iter().map(|ip| (of_ip(ip), ip.product)).collect();
    all.push(("index.html#guides".to_owned(), "Guides"));
    all.push(("index.html#platforms".to_owned(), "Platforms"));
    all
}

/// Up to the first full stop that ends a sentence.
pub fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}
