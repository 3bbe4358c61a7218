//! The first page.

use arm_pmu_tables::{IPS, PLATFORMS, Pmu};
use askama::Template;

use super::address::{nav, of_ip, of_platform};
use super::guide::GUIDES;

#[derive(Template)]
#[template(path = "index.html")]
pub struct Index {
    nav: Vec<(String, &'static str)>,
    here: &'static str,
    ips: Vec<IpRow>,
    platforms: Vec<PlatformRow>,
    guides: Vec<(String, &'static str)>,
}

struct IpRow {
    href: String,
    product: &'static str,
    title: &'static str,
    units: Vec<&'static str>,
    events: usize,
    registers: usize,
    counters: u32,
}

struct PlatformRow {
    href: String,
    name: &'static str,
    title: &'static str,
    vendor: &'static str,
    ips: String,
}

impl Index {
    pub fn new() -> Self {
        let ips = IPS.iter().map(|ip| IpRow {
            href: of_ip(ip),
            product: ip.product,
            title: ip.title,
            units: ip.units.iter().map(|unit| unit.title).collect(),
            events: Pmu { ip, unit: None }.events().count(),
            registers: ip.registers.len(),
            counters: ip.counters.count,
        });
        let platforms = PLATFORMS.iter().map(|platform| {
            let mut ips: Vec<_> =
                platform.instances.iter().map(arm_pmu_lookup::cluster::product).collect();
            ips.sort_unstable();
            ips.dedup();
            PlatformRow {
                href: of_platform(platform),
                name: platform.name,
                title: platform.title,
                vendor: platform.vendor,
                ips: ips.join(", "),
            }
        });
        let guides = GUIDES.iter().map(|guide| (guide.page(), guide.title()));
        Self {
            nav: nav(),
            here: "index.html",
            ips: ips.collect(),
            platforms: platforms.collect(),
            guides: guides.collect(),
        }
    }
}
