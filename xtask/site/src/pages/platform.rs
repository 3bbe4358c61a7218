//! The page of a platform.

use arm_pmu_lookup::cluster::product;
use arm_pmu_lookup::words::{self, facts};
use arm_pmu_tables::platform::{Instance, Interface, Stage};
use arm_pmu_tables::{Ip, Platform};
use askama::Template;

use super::address::{of_ip, of_platform};
use super::filters;
use super::ip::capital;

#[derive(Template)]
#[template(path = "platform.html")]
pub struct Page {
    here: String,
    platform: &'static Platform,
}

impl Page {
    pub fn new(platform: &'static Platform) -> Self {
        Self { here: of_platform(platform), platform }
    }
}

/// The page of an instance's IP.
fn href(of: &Instance) -> String {
    Ip::find(of.ip.value).map_or("index.html".to_owned(), of_ip)
}

/// Returns the sources of the groups whose name contains `kind`, each with the interfaces that the
/// platform has at this source.
fn ports(of: &'static Instance, kind: &str) -> Vec<(&'static str, Vec<&'static Interface>)> {
    let groups = of.pmu().into_iter().flat_map(arm_pmu_tables::Pmu::groups);
    let mut ports: Vec<(&str, Vec<_>)> = Vec::new();
    for source in groups.filter(|group| group.name.contains(kind)).flat_map(|group| group.sources) {
        if !ports.iter().any(|(known, _)| *known == source.name) {
            let own = of.interfaces.iter().filter(|port| port.source == source.name);
            ports.push((source.name, own.collect()));
        }
    }
    ports
}

fn has_ports(of: &'static Instance) -> bool {
    let has = |kind| ports(of, kind).iter().any(|(_, interfaces)| !interfaces.is_empty());
    has("slave") || has("master")
}

fn stage(stage: Stage) -> String {
    stage.word().replace("u_boot", "U-Boot").replace('_', " ")
}
