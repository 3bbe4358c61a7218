//! Writes a platform file from a device tree: addresses, interrupts and ports of the PMUs.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use arm_pmu_lookup::kernel::{
    ANY_PMCG, KernelPmu, Node, OTHERS, PMCG_NODE, own_pmcg_node, pmcg_name,
};
use arm_pmu_lookup::kernel::{CCI400_PMU, PMUV3_NODE, own_block};
use arm_pmu_tables::Pmu;

use super::cores::{core_name, core_of, cores};
use super::lines::{Found, Instance, Lines, OF_DRIVER, Outputs, folded, from, printable, quoted};
use crate::base::device_tree::{self, Place, Tree};

/// Compatible strings that the search recognizes.
pub fn compatibles() -> impl Iterator<Item = &'static str> {
    let others = KernelPmu::all().filter_map(|known| match known.node {
        Node::Core(compatible) | Node::Cluster(compatible) | Node::Cache(compatible) => {
            Some(compatible)
        }
        Node::Interconnect { .. } | Node::None => None,
    });
    interconnects().into_keys().chain(others).chain([PMUV3_NODE, PMCG_NODE])
}

/// Interconnects by compatible string, with the kernel PMUs of their revisions.
fn interconnects() -> BTreeMap<&'static str, Vec<KernelPmu>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for known in KernelPmu::all() {
        if let Node::Interconnect { outer, .. } = known.node {
            all.entry(outer).or_default().push(known);
        }
    }
    all.values_mut().for_each(|all| all.sort_by_key(|known| known.name));
    all
}

/// Returns the name of a platform, and the text of its file.
///
/// # Errors
///
/// Returns the reasons if no PMU node of the tree has a usable address.
pub fn write(nodes: &[device_tree::Node], file: &str) -> Result<(String, String), Vec<String>> {
    let tree = Tree::new(nodes);
    let mut found = Found::default();
    for (compatible, revisions) in interconnects() {
        let Some(first) = revisions.first() else { continue };
        let pmu = Pmu { unit: None, ..first.pmu };
        let places = tree.all().filter(|place| place.is_compatible(compatible));
        places.for_each(|place| found.push(interconnect(&tree, place, pmu, &revisions)));
    }
    cores(&tree, &mut found);
    let caches = tree.all().filter_map(|place| Some((place, cache_at(place)?)));
    caches.for_each(|(place, known)| found.push(cache(place, known)));
    let pmcgs: Vec<_> = tree.all().filter(|place| is_pmcg(*place)).collect();
    pmcgs.iter().for_each(|place| found.push(pmcg(*place)));
    found.unknown.extend(smmus(&tree, &pmcgs));
    found.unknown.extend(tree.all().filter_map(other));
    let Found { instances: mut all, mut unknown } = found;
    if all.is_empty() {
        return Err(unknown);
    }
    all.sort_by_key(|instance| (instance.lacks_node, instance.base));
    number(&mut all);
    let root = tree.root();
    let compatible = root.texts("compatible").first().copied().unwrap_or("board");
    let (vendor, name) = compatible.split_once(',').unwrap_or(("", compatible));
    let title = root.texts("model").first().copied().unwrap_or(name);
    let [vendor, title] = [vendor, title].map(|text| {
        if text.contains(|c: char| c.is_ascii_alphanumeric()) { text } else { "not known" }
    });
    let name = id(name, "board");
    let file = printable(file, 60);
    let mut text = format!(
        "# From the device tree {file}.\n\
         # Save this as {name}.yaml: a platform has the name of its file. No device tree\n\
         # contains the facts under `wanted`. specs/README.md of arm-pmu describes the keys.\n\
         platform: {name}\ntitle: {}\nvendor: {}\n\
         legend:\n  - {{ name: tree, title: {} }}\ninstances:\n",
        quoted(title),
        quoted(vendor),
        quoted(&format!("device tree {file}"))
    );
    let mut wanted = Vec::new();
    for instance in &all {
        text += &format!("  - name: {}\n", instance.name);
        instance.lines.iter().for_each(|line| text += &format!("    {line}\n"));
        let of = instance.wanted.iter().map(|wanted| format!("{}: {wanted}", instance.name));
        wanted.extend(of);
    }
    wanted.append(&mut unknown);
    text += "wanted:\n";
    for wanted in wanted {
        text += &format!("  -{}", folded(&wanted, 6));
    }
    Ok((name, text))
}

/// Appends numbers to equal names: `tbu`, `tbu`, `tcu` become `tbu0`, `tbu1`, `tcu`.
fn number(all: &mut [Instance]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    all.iter().for_each(|instance| *counts.entry(instance.name.clone()).or_default() += 1);
    let mut next: HashMap<String, usize> = HashMap::new();
    for instance in all.iter_mut().filter(|instance| counts[&instance.name] > 1) {
        let number = next.entry(instance.name.clone()).or_default();
        // `a53` becomes `a53-0`.
        let is_number = instance.name.ends_with(|c: char| c.is_ascii_digit());
        instance.name += &format!("{}{number}", if is_number { "-" } else { "" });
        *number += 1;
    }
}

/// Lines of an interconnect. The PMU node identifies the revision.
fn interconnect(
    tree: &Tree,
    place: Place,
    pmu: Pmu,
    revisions: &[KernelPmu],
) -> Result<Instance, String> {
    let mut out = Lines::default();
    let ip = pmu.ip.name;
    out.fact("ip", ip, place);
    let mut nodes: Vec<Place> = place.children().filter(|child| is_cci_pmu(*child)).collect();
    let driver = |node: &Place| {
        revisions.iter().find(|known| match known.node {
            Node::Interconnect { pmu, .. } => node.is_compatible(pmu),
            _ => false,
        })
    };
    nodes.sort_by_key(|node| driver(node).is_none());
    let known = nodes.first().and_then(driver);
    match (known.and_then(|known| known.pmu.unit), nodes.first()) {
        (Some(unit), Some(node)) => out.fact("unit", unit.name, *node),
        _ if pmu.ip.units.is_empty() => {}
        _ => out.want("the revision, r0 or r1, in PID2 at offset 0xFE8"),
    }
    let base = out.base(place, 0)?;
    let counters = &pmu.ip.counters;
    let outputs = (counters.count + u32::from(counters.cycles.is_some())) as usize;
    let count = out.interrupts(&nodes, Outputs::Of(outputs));
    if let (Some(known), Some(node)) = (known, nodes.first()) {
        out.linux(known.name, OF_DRIVER, *node);
    }
    let missing = lacks((place, pmu), &nodes, known.is_some(), revisions, (count, outputs));
    match nodes.first() {
        Some(node) => {
            out.device_tree(*node, &format!("{}/{}", place.name(), node.name()), &missing);
        }
        None => out.device_tree(place, place.name(), &missing),
    }
    let ports = if ip == "cci400" { ports(tree, place, &mut out) } else { Vec::new() };
    if !ports.is_empty() {
        out.lines.push("interfaces:".to_owned());
        out.lines.extend(ports);
    }
    if ip != "cci400" {
        out.want("the block at each interface, and the width of its data bus");
    }
    out.want("the register that drives NIDEN and SPNIDEN, and the software that may write it");
    out.want("the clock");
    Ok(out.instance("cci", Some(base)))
}

/// Whether a node describes the PMU of a CCI, even if no driver matches the node's compatible
/// string.
fn is_cci_pmu(place: Place) -> bool {
    let is = |text: &&str| text.starts_with("arm,cci-") && text.contains("-pmu");
    place.texts("compatible").iter().any(is)
}

/// Reasons why the kernel driver cannot count with the PMU nodes of a CCI.
fn lacks(
    (cci, pmu): (Place, Pmu),
    nodes: &[Place],
    binds: bool,
    revisions: &[KernelPmu],
    (count, outputs): (Option<usize>, usize),
) -> Vec<String> {
    let Some(node) = nodes.first() else {
        return vec!["The node of the CCI has no PMU node.".to_owned()];
    };
    let mut all = Vec::new();
    let (offset, needed, _) = own_block(pmu);
    if !binds {
        let compatible = node.texts("compatible").join(", ");
        let matched = revisions.iter().filter_map(|known| match known.node {
            Node::Interconnect { pmu, .. } => Some(format!("`{pmu}`")),
            _ => None,
        });
        let matched = matched.collect::<Vec<_>>().join(" and ");
        all.push(match compatible.as_str() {
            // Source: drivers/perf/arm-cci.c, probe_cci_model.
            CCI400_PMU => format!(
                "Linux binds to `{compatible}` only with Secure access, because this name has no \
                 revision; Linux always binds to {matched}."
            ),
            _ => format!("No Linux driver matches `{compatible}`; a driver matches {matched}."),
        });
    }
    if nodes.len() > 1 {
        all.push(format!("The CCI has {} PMU nodes, but Linux requires one.", nodes.len()));
    }
    match (cci.address(), node.address()) {
        (_, Err(why)) => all.push(format!("The node of the PMU has no address, because {why}.")),
        (Ok((base, _)), Ok((address, length))) => {
            let right = base.saturating_add(offset);
            if address != right && nodes.len() == 1 {
                all.push(format!(
                    "The node of the PMU is at 0x{address:x}, and its registers are at 0x{right:x}."
                ));
            } else if length < needed && nodes.len() == 1 {
                all.push(format!(
                    "The region of the PMU's node, 0x{length:x} bytes, ends before its last registers."
                ));
            }
        }
        (Err(_), _) => {}
    }
    match count {
        Some(0) => all.push("The node of the PMU has no interrupts.".to_owned()),
        Some(count) if count < outputs => all.push(format!(
            "The node of the PMU has fewer interrupts than outputs, {count} of {outputs}."
        )),
        _ => {}
    }
    all
}

/// Finds the master on each slave interface of a CCI-400 by the nodes that refer to it.
fn ports(tree: &Tree, cci: Place, out: &mut Lines) -> Vec<String> {
    let mut users: Vec<(u64, Place)> = Vec::new();
    let mut unknown = Vec::new();
    for user in tree.all().filter(|place| place.property("cci-control-port").is_some()) {
        let port = user.refers_to("cci-control-port").and_then(|port| {
            let port = port.filter(|port| port.parent().is_some_and(|parent| parent.is(cci)));
            let Some(port) = port else { return Ok(None) };
            let offset = port.registers()?[0].0;
            let is_port = offset % 0x1000 == 0 && (0x1000..=0x5000).contains(&offset);
            let number = is_port.then(|| offset / 0x1000 - 1);
            number
                .map(Some)
                .ok_or(format!("0x{offset:x} of {} is not a slave interface", port.name()))
        });
        match port {
            Ok(Some(port)) => users.push((port, user)),
            Ok(None) => {}
            Err(why) => unknown.push(why),
        }
    }
    users.sort_by_key(|(port, _)| *port);
    let mut numbers: Vec<u64> = users.iter().map(|(port, _)| *port).collect();
    numbers.dedup();
    let of = |port: u64| users.iter().filter(move |(own, _)| *own == port).map(|(_, user)| *user);
    let core = |port: u64| of(port).find(|user| user.texts("device_type").contains(&"cpu"));
    let kind = |port| {
        core(port).map(|cpu| cpu.texts("compatible").first().map_or("", |text| core_of(text)))
    };
    let clusters = numbers.iter().filter(|port| core(**port).is_some()).count();
    // These names are reserved for the platform's PMUs.
    let mut taken = ["cci", "core", "l2", "tbu", "tcu"].map(str::to_owned).to_vec();
    let mut lines = Vec::new();
    for port in &numbers {
        let first = of(*port).next();
        let (mut name, mut title) = match (core(*port), first) {
            (Some(core), _) => {
                let of_core = kind(*port).unwrap_or_default();
                let name = if clusters == 1 { "cpu".to_owned() } else { id(of_core, "cluster") };
                let same = numbers.iter().filter(|port| kind(**port) == Some(of_core)).count();
                let of = if same > 1 { format!(" of {}", core.name()) } else { String::new() };
                (name, format!("CPU cluster{of}, {}", core_name(of_core)))
            }
            (None, Some(user)) => {
                let name = user.name().split('@').next().unwrap_or_default();
                (id(name, "device"), user.name().to_owned())
            }
            (None, None) => continue,
        };
        let others = of(*port).filter(|user| !user.texts("device_type").contains(&"cpu"));
        if core(*port).is_some() {
            others.for_each(|user| title += &format!(", and {}", user.name()));
        }
        let same = taken.iter().filter(|other| **other == name).count();
        taken.push(name.clone());
        if same > 0 {
            name += &format!("-{}", same + 1);
        }
        let from = core(*port).or(first).map_or(String::new(), from);
        lines.push(format!("  - name: {name}"));
        lines.push(format!("    source: S{port}"));
        lines.push(format!("    title: {}", quoted(&printable(&title, 90))));
        lines.push(format!("    from: [{from}]"));
    }
    for why in unknown {
        out.want(&format!("a port, because {why}"));
    }
    let free: Vec<_> =
        (0..5).filter(|port| !numbers.contains(port)).map(|port| format!("S{port}")).collect();
    if !free.is_empty() {
        out.want(&format!("the blocks at {}", free.join(", ")));
    }
    lines
}

/// Returns the kernel's PMU for the node of a cache controller, if Linux matches this node. The vendor prefix of the
/// compatible string can differ.
fn cache_at(place: Place) -> Option<KernelPmu> {
    let is = |known: &KernelPmu| {
        let Node::Cache(node) = known.node else { return false };
        let name = node.split_once(',').map_or(node, |(_, name)| name);
        place.texts("compatible").iter().any(|text| text.ends_with(name))
    };
    KernelPmu::all().find(is)
}

/// Lines of a cache controller, whose registers include the counters.
fn cache(place: Place, known: KernelPmu) -> Result<Instance, String> {
    let mut out = Lines::default();
    out.fact("ip", known.pmu.ip.name, place);
    let base = out.base(place, 0)?;
    // The counters share the combined interrupt of the controller.
    out.interrupts(&[place], Outputs::Of(1));
    out.linux(known.name, OF_DRIVER, place);
    out.device_tree(place, place.name(), &[]);
    out.want("the register that drives NIDEN and SPNIDEN, and the software that may write it");
    Ok(out.instance("l2", Some(base)))
}

fn is_pmcg(place: Place) -> bool {
    place.is_compatible(PMCG_NODE) || own_node(place).is_some()
}

/// Compatible string of a product's PMCGs, if the node has one.
fn own_node(place: Place) -> Option<&'static str> {
    Pmu::all().filter_map(own_pmcg_node).find(|node| place.is_compatible(node))
}

/// Lines of the platform file for the PMU of an SMMU unit. The distance between its pages distinguishes a TCU from a
/// TBU. The product is unknown, because nodes of later products also have `arm,mmu-600-pmcg`.
fn pmcg(place: Place) -> Result<Instance, String> {
    let mut out = Lines::default();
    let pages = place.registers().unwrap_or_default();
    let distance = match pages[..] {
        [(page_0, _), (page_1, _), ..] => page_1.checked_sub(page_0),
        _ => None,
    };
    let unit = match distance {
        Some(0x2_0000) => Some("tcu"),
        Some(0x1_0000) => Some("tbu"),
        _ => None,
    };
    let Some(unit) = unit else {
        return Err(format!(
            "{}: the unit of this SMMUv3 PMCG, TCU or TBU; the distance between its pages fits neither.",
            place.name()
        ));
    };
    out.fact("ip", ANY_PMCG, place);
    let products: Vec<_> = Pmu::all()
        .filter(|pmu| arm_pmu_lookup::kernel::is_pmcg(*pmu))
        .map(|pmu| pmu.ip.product)
        .collect();
    let products: BTreeSet<_> = products.into_iter().collect();
    out.want(&format!(
        "the product of this SMMUv3 PMCG, from the part number in PIDR0 and PIDR1; {} are possible",
        products.into_iter().collect::<Vec<_>>().join(" and ")
    ));
    let node = format!("[{}]", from(place));
    let basis = "\"the distance between its pages\"";
    out.mapping("unit", &[("value", unit), ("confidence", "D"), ("from", &node), ("basis", basis)]);
    let base = out.base(place, 0x2000)?;
    out.interrupts(&[place], Outputs::Of(1));
    let mut missing = Vec::new();
    if let (Some(own), false) = (own_node(place), place.is_compatible(PMCG_NODE)) {
        missing.push(format!(
            "No Linux driver matches `{own}` alone; a driver matches `{PMCG_NODE}`."
        ));
    } else {
        out.linux(&pmcg_name(base + 0x2000), "the address of page 0 >> 12", place);
    }
    out.device_tree(place, place.name(), &missing);
    out.want("the masters of the unit, and their StreamIDs");
    Ok(out.instance(unit, Some(base)))
}

/// Sentences about SMMUv3s without PMCG nodes.
fn smmus(tree: &Tree, pmcgs: &[Place]) -> Vec<String> {
    let known: BTreeSet<u64> =
        pmcgs.iter().filter_map(|place| Some(place.address().ok()?.0)).collect();
    let mut all = Vec::new();
    for place in tree.all().filter(|place| place.is_compatible("arm,smmu-v3")) {
        let state = if place.is_enabled() { "" } else { ", which is disabled" };
        let name = place.name();
        match place.address() {
            Ok((base, length))
                if known.range(base..base.saturating_add(length)).next().is_some() => {}
            Ok((base, _)) => all.push(format!(
                "{name}: the PMCGs of the SMMUv3 at 0x{base:X}{state}, because no node describes them."
            )),
            Err(why) => {
                all.push(format!("{name}: the PMCGs of this SMMUv3{state}, because {why}."))
            }
        }
    }
    all
}

/// Returns a sentence if the node belongs to another device with counters.
fn other(place: Place) -> Option<String> {
    if is_cci_pmu(place) {
        let is_cci =
            |compatible| place.parent().is_some_and(|parent| parent.is_compatible(compatible));
        let is_outside = !interconnects().into_keys().any(is_cci);
        return is_outside.then(|| format!("{}: the CCI of this PMU.", place.name()));
    }
    let texts = place.texts("compatible");
    let of = |text: &&str| {
        OTHERS.iter().find(|(start, end, _)| text.starts_with(start) && text.ends_with(end))
    };
    let (text, (_, _, what)) = texts.iter().find_map(|text| Some((text, of(text)?)))?;
    let address =
        place.address().map_or(String::new(), |(address, _)| format!(" at 0x{address:X}"));
    Some(format!(
        "{}: the events of this {what}{address} ({text}); it is not a known IP.",
        place.name()
    ))
}

/// Converts a text to a name for the command line.
fn id(text: &str, other: &str) -> String {
    let mut id = String::new();
    for c in text.chars() {
        match c.to_ascii_lowercase() {
            c @ ('a'..='z' | '0'..='9') => id.push(c),
            _ if !id.is_empty() && !id.ends_with('-') => id.push('-'),
            _ => {}
        }
    }
    let id: String =
        id.trim_start_matches(|c: char| !c.is_ascii_lowercase()).chars().take(40).collect();
    let id = id.trim_matches('-');
    if id.is_empty() { other.to_owned() } else { id.to_owned() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::super::blob;
    use super::*;

    const TREES: [&[u8]; 4] = [
        include_bytes!("../../../tests/trees/unreadable.dtb"),
        include_bytes!("../../../tests/trees/doubts.dtb"),
        include_bytes!("../../../tests/trees/clusters.dtb"),
        include_bytes!("../../../tests/trees/smmu.dtb"),
    ];

    proptest! {
        /// A tree with changed properties gives a valid platform file, or an error.
        #[test]
        fn a_changed_tree_gives_a_valid_platform(
            tree in 0..TREES.len(),
            changes in prop::collection::vec((any::<Index>(), any::<Index>(), any::<[u8; 4]>()), 1..9),
        ) {
            let mut nodes = blob::read(TREES[tree]).expect("a tree");
            let properties = nodes.iter_mut().flat_map(|node| &mut node.properties);
            let mut values: Vec<_> = properties.map(|(_, value)| value).collect();
            for (property, at, cell) in changes {
                let property = property.index(values.len());
                let value = &mut values[property];
                if let Some(at) = (value.len() / 4).checked_sub(1).map(|most| at.index(most + 1) * 4) {
                    // In most properties, only small numbers are valid.
                    let cell = if cell[0] % 2 == 0 { [0, 0, 0, cell[3] % 16] } else { cell };
                    value[at..at + 4].copy_from_slice(&cell);
                }
            }
            if let Ok((name, text)) = write(&nodes, "x.dtb") {
                if let Err(why) = crate::base::platform::of_text(&name, "x.yaml", &text) {
                    let why = why.to_string();
                    prop_assert!(why.contains("overlap") || why.contains("ends behind 64 bits"), "{why}");
                }
            }
        }
    }
}
