//! The first page.

use arm_pmu_lookup::cluster::product;
use arm_pmu_tables::{IPS, Ip, PLATFORMS, Platform, Pmu};
use askama::Template;

use super::address::{of_ip, of_platform};
use super::guide::GUIDES;

#[derive(Template)]
#[template(path = "index.html")]
pub struct Index {
    pub here: &'static str,
}

fn events(ip: &'static Ip) -> usize {
    Pmu { ip, unit: None }.events().count()
}

/// The products of a platform.
fn products(platform: &Platform) -> String {
    let mut products: Vec<_> = platform.instances.iter().map(product).collect();
    products.sort_unstable();
    products.dedup();
    products.join(", ")
}
