//! The pages, and the files used by them.

pub mod address;
mod filters;
pub mod guide;
mod index;
mod ip;
mod platform;

use std::error::Error;

use arm_pmu_tables::{IPS, PLATFORMS};
use askama::Template;

use crate::search;
use address::{of_ip, of_platform};

/// A file of the site.
#[derive(Debug)]
pub struct File {
    /// Name in the directory of the site.
    pub name: String,
    /// Content of the file.
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
        file("index.html", index::Index { here: "index.html" }.render()?),
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
