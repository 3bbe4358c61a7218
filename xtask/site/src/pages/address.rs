//! Names of pages, and the links between them.

use arm_pmu_tables::{IPS, Ip, Platform};

/// The name of the page of an IP.
pub fn of_ip(ip: &Ip) -> String {
    format!("{}.html", ip.name)
}

/// The name of the page of a platform.
pub fn of_platform(platform: &Platform) -> String {
    format!("platform-{}.html", platform.name)
}

/// The links at the head of each page.
pub fn nav() -> Vec<(String, &'static str)> {
    let mut all: Vec<_> = IPS.iter().map(|ip| (of_ip(ip), ip.product)).collect();
    all.push(("index.html#guides".to_owned(), "Guides"));
    all.push(("index.html#platforms".to_owned(), "Platforms"));
    all
}
