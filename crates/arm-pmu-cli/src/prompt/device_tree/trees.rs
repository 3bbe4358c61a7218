//! Compares platforms with the device trees of a kernel. `cargo xtask linux trees` runs this test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use arm_pmu_tables::Platform;
use arm_pmu_tables::platform::{Fact, Instance, Interrupts, NodeState};

use super::{blob, platform};
use crate::base::device_tree::{Node, Tree};
use crate::base::platform::of_text;

/// Device trees that differ from their platform: name of the platform, and prefix of the tree's
/// file name. The platform's notes give the reason.
const NOTED: [(&str, &str); 7] = [
    ("exynos5420", "exynos5420-"),
    ("exynos5420", "exynos5422-odroidxu3-lite"),
    ("exynos5420", "exynos5800-"),
    ("imx8qm", "imx8qm-mek"),
    ("juno", "juno-r2"),
    ("rzv2h", "r9a09g057"),
    ("tegra124", "tegra132"),
];

#[test]
#[ignore = "needs ARM_PMU_TREES, a folder with compiled device trees"]
fn platforms_agree_with_device_trees() {
    let folder = std::env::var_os("ARM_PMU_TREES").expect("ARM_PMU_TREES");
    let mut trees = Vec::new();
    find(Path::new(&folder), &mut trees);
    // Number of trees of each platform, and for each instance, whether a tree has all its CPUs.
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    let mut whole: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    let mut differences = Vec::new();
    for path in &trees {
        let nodes = blob::read(&fs::read(path).expect("a file")).expect("a device tree");
        let Some(own) = platform_of(&nodes) else { continue };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if NOTED.iter().any(|(name, start)| *name == own.name && file.starts_with(start)) {
            continue;
        }
        *compared.entry(own.name).or_default() += 1;
        let found: &[Instance] = match platform::write(&nodes, "tree") {
            Ok((name, text)) => of_text(&name, "tree", &text).expect("a platform").instances,
            Err(_) => &[],
        };
        for instance in found {
            if !own.instances.iter().any(|own| agrees(instance, own)) {
                differences.push(format!("{file}: {} lacks {}", own.name, shown(instance)));
            }
        }
        for instance in own.instances {
            let mut same = found.iter().filter(|found| agrees(found, instance)).peekable();
            if same.peek().is_none() && is_in_trees(instance) {
                differences.push(format!("{file} lacks {} of {}", shown(instance), own.name));
            }
            let cpus = |of: &Instance| of.cpus.map(|cpus| cpus.numbers);
            let seen = whole.entry((own.name, instance.name)).or_default();
            *seen |= !is_in_trees(instance) || same.any(|found| cpus(found) == cpus(instance));
        }
    }
    let partial = whole.iter().filter(|(_, whole)| !**whole);
    differences.extend(partial.map(|(name, _)| format!("no tree has all CPUs of {name:?}")));
    println!("trees of each platform: {compared:?}");
    assert!(differences.is_empty() && !compared.is_empty(), "{}", differences.join("\n"));
}

fn find(folder: &Path, trees: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            find(&path, trees);
        } else if path.extension().is_some_and(|end| end == "dtb") {
            trees.push(path);
        }
    }
}

/// Platform of a tree, by the compatible strings of its root: board first, chip last.
fn platform_of(nodes: &[Node]) -> Option<&'static Platform> {
    let tree = Tree::new(nodes);
    let names = tree.root().texts("compatible");
    names.into_iter().find_map(|text| Platform::find(text.rsplit(',').next()?))
}

/// Whether device trees contain an instance's PMU node, or the nodes of its cores.
fn is_in_trees(of: &Instance) -> bool {
    of.device_tree.is_some_and(|node| node.state != NodeState::Absent)
}

fn shown(of: &Instance) -> String {
    let interrupts =
        of.interrupts.map(|all| (all.controller, all.numbers, all.affinity, all.trigger));
    let (cpus, linux) = (of.cpus.map(|cpus| cpus.numbers), of.linux.map(|linux| linux.value));
    let state = of.device_tree.map(|node| node.state);
    format!("{} {:?} {cpus:?} {interrupts:?} {linux:?} {state:?}", of.ip.value, of.core)
}

/// Whether an instance from a device tree agrees with an instance of a platform. The tree may lack CPUs, because chips
/// of one family have different numbers of CPUs.
fn agrees(tree: &Instance, own: &Instance) -> bool {
    let value = |fact: Option<Fact<&'static str>>| fact.map(|fact| fact.value);
    let state = |of: &Instance| of.device_tree.map(|node| node.state);
    let is_explained = own.device_tree.is_some_and(|node| node.missing.is_some());
    let cpus = |of: &Instance| of.cpus.map_or(&[][..], |cpus| cpus.numbers);
    let within = |tree: &[u32], own: &[u32]| tree.iter().all(|one| own.contains(one));
    let lines = |of: &Interrupts| -> Vec<_> {
        let cpus = of.affinity.iter().copied().map(Some).chain(std::iter::repeat(None));
        of.numbers.iter().copied().zip(cpus).collect()
    };
    let same_interrupts = match (&tree.interrupts, &own.interrupts) {
        (Some(tree), Some(own)) => {
            let own_lines = lines(own);
            tree.controller == own.controller
                && lines(tree).iter().all(|line| own_lines.contains(line))
                && (tree.trigger.is_none() || own.trigger.is_none() || tree.trigger == own.trigger)
        }
        (tree, _) => tree.is_none(),
    };
    (tree.ip.value, tree.core, value(tree.unit)) == (own.ip.value, own.core, value(own.unit))
        && tree.base.map(|base| base.value) == own.base.map(|base| base.value)
        && value(tree.linux) == value(own.linux)
        && (own.cpus.is_none() || within(cpus(tree), cpus(own)))
        && same_interrupts
        && (state(tree) == state(own) || is_explained)
}
