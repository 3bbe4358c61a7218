//! PMU nodes in the device tree of the running kernel.

use arm_pmu_lookup::kernel::{CCI400_PMU, KernelPmu, Node as Binding, PMCG_NODE, PMUV3_NODE};

use std::fs;
use std::iter::successors;
use std::path::{Path, PathBuf};

use crate::base::device_tree::{Place, Tree};
use crate::linux::files::{self, children, link};

/// A node that the driver of a PMU binds to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Path in the tree: `/amba/cci@fd6e0000/pmu@9000`.
    pub path: String,
    /// Compatible string that the driver matches.
    pub compatible: &'static str,
    /// Path of the node that is disabled: this node or one of its parents.
    pub disabled: Option<String>,
    /// Whether this node is an interconnect that lacks a PMU node for a driver to match.
    pub lacks_pmu: bool,
    /// Name of the bound driver.
    pub driver: Option<String>,
}

/// Returns the PMU nodes, ordered by path. `None` if this machine was booted without a device tree.
pub fn nodes(root: &Path) -> Option<Vec<Node>> {
    let nodes = files::device_tree(root);
    let tree = Tree::new(&nodes);
    // On a machine with ACPI, the tree has only `chosen`.
    tree.root().property("compatible")?;
    let bound = bound(root);
    let mut nodes: Vec<_> = tree.all().filter_map(|place| node(place, &bound)).collect();
    nodes.sort_by(|one, other| one.path.split('/').cmp(other.path.split('/')));
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

fn node(place: Place, bound: &[(String, String)]) -> Option<Node> {
    let (compatible, is_outer) = names().find(|(name, _)| place.is_compatible(name))?;
    let is_pmu = |own: &&str| *own == CCI400_PMU || names().any(|(name, _)| name == *own);
    let has_pmu = |child: Place| child.texts("compatible").iter().any(is_pmu);
    // The PMU node represents its interconnect in the list.
    if is_outer && place.children().any(has_pmu) {
        return None;
    }
    let path = place.path();
    let disabled = successors(Some(place), |of| of.parent()).take_while(|of| !of.is_enabled());
    let driver = bound.iter().find(|(node, _)| *node == path).map(|(_, driver)| driver.clone());
    let disabled = disabled.last().map(Place::path);
    Some(Node { path, compatible, disabled, lacks_pmu: is_outer, driver })
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
