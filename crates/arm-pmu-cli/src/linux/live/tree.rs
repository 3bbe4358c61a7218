//! PMU nodes in the device tree of the running kernel.

use arm_pmu_lookup::kernel::{CCI400_PMU, KernelPmu, Node as Binding, PMCG_NODE, PMUV3_NODE};

use std::fs;
use std::path::{Path, PathBuf};

use crate::linux::files::{children, folders, link, name};

/// A node that the driver of a PMU binds to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Path in the tree: `/amba/cci@fd6e0000/pmu@9000`.
    pub path: String,
    /// Compatible string that the driver matches.
    pub compatible: &'static str,
    /// Path of the node that is disabled: this node or one of its parents.
    pub disabled: Option<String>,
    /// Whether this is an interconnect without a PMU node that a driver matches.
    pub lacks_pmu: bool,
    /// Name of the bound driver.
    pub driver: Option<String>,
}

/// Directory of the kernel's device tree.
const BASE: &str = "sys/firmware/devicetree/base";

/// Returns the PMU nodes, ordered by path. `None` if this machine was booted without a device tree.
pub fn nodes(root: &Path) -> Option<Vec<Node>> {
    let base = root.join(BASE);
    // On a machine with ACPI, the tree has only `chosen`.
    if !base.join("compatible").exists() {
        return None;
    }
    let mut nodes = Vec::new();
    walk(&base, "", None, &bound(root), &mut nodes);
    Some(nodes)
}

/// Compatible strings of PMUs and of interconnects with a PMU; `true` for an interconnect.
fn names() -> impl Iterator<Item = (&'static str, bool)> {
    let of_driver = |known: KernelPmu| match known.node {
        Binding::Interconnect { outer, pmu } => vec![(outer, true), (pmu, false)],
        Binding::Core(name) | Binding::Cluster(name) | Binding::Cache(name) => vec![(name, false)],
        Binding::None => Vec::new(),
    };
    KernelPmu::all().flat_map(of_driver).chain([(PMCG_NODE, false), (PMUV3_NODE, false)])
}

fn walk(
    directory: &Path,
    path: &str,
    disabled: Option<&str>,
    bound: &[(String, String)],
    nodes: &mut Vec<Node>,
) {
    let compatible = strings(&directory.join("compatible"));
    let status = strings(&directory.join("status"));
    let is_disabled =
        status.first().is_some_and(|status| !["okay", "ok"].contains(&status.as_str()));
    let own = is_disabled.then_some(path);
    let disabled = disabled.or(own);
    let children: Vec<_> = folders(directory).collect();
    let known = names().find(|(name, _)| compatible.iter().any(|one| one == name));
    if let Some((name, is_outer)) = known {
        let is_pmu = |own: &String| own == CCI400_PMU || names().any(|(name, _)| name == own);
        let has_pmu =
            children.iter().any(|child| strings(&child.join("compatible")).iter().any(is_pmu));
        // The PMU node represents its interconnect in the list.
        if !is_outer || !has_pmu {
            let driver = bound.iter().find(|(node, _)| node == path);
            nodes.push(Node {
                path: path.to_owned(),
                compatible: name,
                disabled: disabled.map(str::to_owned),
                lacks_pmu: is_outer,
                driver: driver.map(|(_, driver)| driver.clone()),
            });
        }
    }
    for child in children {
        walk(&child, &format!("{path}/{}", name(&child)), disabled, bound, nodes);
    }
}

/// Nodes of devices that have a bound driver, each with the driver's name.
fn bound(root: &Path) -> Vec<(String, String)> {
    let of_device = |device: PathBuf| {
        let node = fs::read_link(device.join("of_node")).ok()?.display().to_string();
        let (_, path) = node.split_once("devicetree/base")?;
        Some((path.to_owned(), link(&device.join("driver"))?))
    };
    children(root.join("sys/bus/platform/devices")).into_iter().filter_map(of_device).collect()
}

/// The zero-terminated strings of a property.
fn strings(file: &Path) -> Vec<String> {
    let bytes = fs::read(file).unwrap_or_default();
    let texts = bytes.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}
