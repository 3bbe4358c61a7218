//! Finds core PMUs in a device tree by their PMU nodes and by the core nodes.

use std::collections::{BTreeMap, BTreeSet};

use arm_pmu_lookup::kernel::{KernelPmu, Node, PMUV3, PMUV3_NODE, without_table};
use arm_pmu_tables::{Pmu, Space, same_name};

use super::interrupts::{Followed, Interrupt};
use super::lines::{Found, Instance, Lines, OF_DRIVER, Outputs, from, list, printable};
use crate::base::device_tree::{Place, Tree};

/// A core node below `cpus`, `cpus-a53` or `cpus-r5`.
#[derive(Clone, Copy)]
struct Cpu<'t> {
    place: Place<'t>,
    /// Name of the core: `cortex-a53`, `arm1176`.
    core: &'t str,
    /// Number of the CPU in Linux, which is the node's position below `cpus`.
    number: u32,
}

fn processors<'t>(tree: &'t Tree<'t>) -> Vec<Cpu<'t>> {
    let mut next: BTreeMap<&str, u32> = BTreeMap::new();
    let mut all = Vec::new();
    for place in tree.all() {
        let Some(parent) = place.parent().filter(|parent| parent.name().starts_with("cpus")) else {
            continue;
        };
        if !place.texts("device_type").contains(&"cpu") && !place.name().starts_with("cpu@") {
            continue;
        }
        let next = next.entry(parent.name()).or_default();
        let number = *next;
        *next += 1;
        if let Some(compatible) = place.texts("compatible").first() {
            all.push(Cpu { place, core: core_of(compatible), number });
        }
    }
    all
}

/// Name of a core: `cortex-a53` for `arm,cortex-a53`, and `arm1176` for `arm,arm1176jzf-s`.
pub fn core_of(compatible: &str) -> &str {
    let name = compatible.split_once(',').map_or(compatible, |(_, name)| name);
    match name.split_once("jz").or_else(|| name.split_once("jf")) {
        Some((core, _)) if name.starts_with("arm11") => core,
        _ => name,
    }
}

/// Whether a core with this name can have PMUv3 in the AArch64 state.
fn may_be_pmuv3(core: &str) -> bool {
    let is_other = ["cortex-m", "cortex-r", "microblaze"].iter().any(|part| core.contains(part));
    !is_other && pmu_of(core).is_none_or(|pmu| matches!(pmu.ip.space, Space::System))
}

fn pmu_of(core: &str) -> Option<Pmu> {
    Pmu::find(core).filter(|pmu| pmu.is_processor())
}

/// Prefixes of the compatible strings of cores with a PMU.
const WITH_PMU: [&str; 18] = [
    "apm,potenza",
    "apple,",
    "arm,arm11",
    "arm,cortex-a",
    "arm,cortex-r",
    "arm,cortex-x",
    "arm,neoverse-",
    "brcm,brahma-",
    "brcm,vulcan",
    "cavium,thunder",
    "nvidia,carmel",
    "nvidia,denver",
    "nvidia,tegra",
    "qcom,krait",
    "qcom,kryo",
    "qcom,oryon",
    "qcom,scorpion",
    "samsung,mongoose",
];

fn has_pmu(core: &str) -> bool {
    WITH_PMU.iter().any(|start| core.starts_with(start))
}

/// First compatible string of a core PMU, and the name of its core. The name is `None` for `arm,armv8-pmuv3`.
fn of_core<'t>(place: Place<'t>) -> Option<(&'t str, Option<&'t str>)> {
    let all = place.texts("compatible");
    all.into_iter().find_map(|text| match text.strip_suffix("-pmu") {
        _ if text == PMUV3_NODE => Some((text, None)),
        Some(core) if has_pmu(core) => Some((text, Some(core_of(core)))),
        _ => None,
    })
}

struct PmuNode<'t> {
    place: Place<'t>,
    compatible: &'t str,
    /// Name of the PMU's core; `None` for `arm,armv8-pmuv3`.
    core: Option<&'t str>,
    /// CPUs that `interrupt-affinity` or the partition of a private interrupt lists.
    affinity: Vec<Place<'t>>,
}

/// Adds the clusters, both of cores with a PMU node and of cores without one.
pub fn cores<'t>(tree: &'t Tree<'t>, found: &mut Found) {
    let processors = processors(tree);
    let node = |place| {
        let (compatible, core) = of_core(place)?;
        let first = || place.interrupts().ok()??.into_iter().next()?.ok();
        // Linux ignores the `interrupt-affinity` of a per-CPU interrupt.
        let affinity = match first().filter(Interrupt::is_per_cpu) {
            Some(interrupt) => interrupt.cores().unwrap_or_default(),
            None => place.references("interrupt-affinity"),
        };
        Some(PmuNode { place, compatible, core, affinity })
    };
    let nodes: Vec<PmuNode> = tree.all().filter_map(node).collect();
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    // Whether a PMU node names a core for which the tree has no core node.
    let mut strangers = false;
    let mut clusters: Vec<(&str, Instance)> = Vec::new();
    found.instances.extend(tree.all().filter_map(|place| dsu(place, &processors)));
    for node in &nodes {
        let is_listed = |cpu: &Cpu| node.affinity.iter().any(|one| one.is(cpu.place));
        let of_kind = nodes.iter().filter(|other| other.core == node.core).count();
        let is_its = |cpu: &Cpu| match node.core {
            // A single PMU node for a kind of core belongs to all cores of this kind.
            Some(core) => cpu.core == core && (of_kind == 1 || is_listed(cpu)),
            None if node.affinity.is_empty() => may_be_pmuv3(cpu.core),
            None => is_listed(cpu),
        };
        let own: Vec<Cpu> = processors.iter().filter(|cpu| is_its(cpu)).copied().collect();
        let mut names: Vec<&str> = own.iter().map(|cpu| cpu.core).chain(node.core).collect();
        names.sort_unstable();
        names.dedup();
        counted.extend(&names);
        let is_stranger = node.core.is_some() && own.is_empty() && !processors.is_empty();
        strangers |= is_stranger;
        for name in &names {
            let cpus: Vec<_> = own.iter().filter(|cpu| cpu.core == *name).copied().collect();
            let Some(lines) = core_lines(node.place, name, &cpus, false) else {
                found.unknown.push(format!(
                    "{}: the node has the events of {} ({}), which is not a known IP.",
                    node.place.name(),
                    core_name(name),
                    node.compatible
                ));
                continue;
            };
            let mut one = core_with_node(lines, node, &cpus);
            if let (true, Some(Cpu { core, .. })) = (is_stranger, processors.first()) {
                one.wanted.push(format!(
                    "whether the core is right, because the core nodes have {core}."
                ));
            }
            clusters.push((name, one));
        }
        if names.is_empty() {
            let (place, compatible) = (node.place.name(), node.compatible);
            found.unknown.push(format!("{place}: the core of this PMU ({compatible})."));
        }
    }
    let mut without: BTreeMap<&str, Vec<Cpu>> = BTreeMap::new();
    let compatible =
        |cpu: &Cpu<'t>| cpu.place.texts("compatible").first().copied().unwrap_or_default();
    let uncounted =
        |cpu: &&Cpu<'t>| !strangers && !counted.contains(cpu.core) && has_pmu(compatible(cpu));
    for cpu in processors.iter().filter(uncounted) {
        without.entry(cpu.core).or_default().push(*cpu);
    }
    for (core, all) in without {
        let Some(first) = all.first() else { continue };
        match core_lines(first.place, core, &all, true) {
            Some(lines) => clusters.push((core, core_without_node(lines, first.place))),
            None => found.unknown.push(format!(
                "{}: the core has the events of {} ({}), which is not a known IP; its PMU has no node.",
                first.place.name(),
                core_name(core),
                compatible(first)
            )),
        }
    }
    let is_one_kind = clusters.windows(2).all(|pair| pair[0].0 == pair[1].0);
    for (core, instance) in clusters {
        let kind = core.rsplit('-').next().unwrap_or(core).to_ascii_lowercase();
        let name = if is_one_kind { "core".to_owned() } else { kind };
        found.instances.push(Instance { name, ..instance });
    }
}

/// The PMU of a DSU, with the cores of its cluster.
fn dsu(place: Place, processors: &[Cpu]) -> Option<Instance> {
    let is_its = |known: &KernelPmu| match known.node {
        Node::Cluster(node) => place.is_compatible(node),
        _ => false,
    };
    let known = KernelPmu::all().find(is_its)?;
    let mut out = Lines::default();
    out.fact("ip", known.pmu.ip.name, place);
    let own = place.references("cpus");
    let own: Vec<Cpu> =
        processors.iter().filter(|cpu| own.iter().any(|one| one.is(cpu.place))).copied().collect();
    out.cpus(&own, false);
    if out.interrupts(&[place], Outputs::Cores(&[])) == Some(0) {
        out.node_state("incomplete", place, place.name(), &[]);
    } else {
        out.device_tree(place, place.name(), &[]);
    }
    Some(out.instance("dsu", None))
}

/// Lines that give the IP, the product or unit, and the CPUs. `None` for a core that is neither in the tables nor in
/// Linux.
fn core_lines(place: Place, core: &str, cpus: &[Cpu], with_labels: bool) -> Option<Lines> {
    let mut out = Lines::default();
    let pmu = pmu_of(core);
    let of_linux = without_table(core).map(|(_, name)| match name.starts_with("armv7") {
        true => "armv7-pmu",
        false => "arm-pmuv3",
    });
    out.fact("ip", pmu.map(|pmu| pmu.ip.name).or(of_linux)?, place);
    if let Some(unit) = pmu.and_then(|pmu| pmu.unit) {
        out.fact("unit", unit.name, place);
    }
    let others = pmu.map(|pmu| pmu.ip.also);
    let other = others.and_then(|also| also.iter().find(|product| same_name(product, core)));
    let product = other.map(|other| (*other).to_owned());
    if let Some(product) = product.or_else(|| pmu.is_none().then(|| core_name(core))) {
        out.lines.push(format!("core: {product}"));
    }
    out.cpus(cpus, with_labels);
    Some(out)
}

impl Lines {
    /// Adds the CPUs, if there are any.
    fn cpus(&mut self, cpus: &[Cpu], with_labels: bool) {
        let Some(first) = cpus.first() else { return };
        let labels: Option<Vec<_>> = cpus.iter().map(|cpu| cpu.place.label()).collect();
        let labels =
            labels.filter(|_| with_labels).map(|labels| format!("[{}]", labels.join(", ")));
        let (numbers, from) =
            (list(cpus.iter().map(|cpu| cpu.number)), format!("[{}]", from(first.place)));
        let mut pairs = vec![("value", numbers.as_str())];
        pairs.extend(labels.as_deref().map(|labels| ("labels", labels)));
        pairs.push(("from", &from));
        self.mapping("cpus", &pairs);
    }
}

fn core_instance(mut out: Lines) -> Instance {
    out.want("the register that drives NIDEN and DBGEN, and the software that may write it");
    out.instance("core", None)
}

fn core_with_node(mut out: Lines, node: &PmuNode, cpus: &[Cpu]) -> Instance {
    let PmuNode { place, affinity, .. } = node;
    let number = |one: &Place| cpus.iter().find(|cpu| cpu.place.is(*one)).map(|cpu| cpu.number);
    let numbers: Vec<Option<u32>> = affinity.iter().map(number).collect();
    let lines = out.interrupts(&[*place], Outputs::Cores(&numbers));
    if node.core.is_none() {
        out.linux(PMUV3, OF_DRIVER, *place);
    }
    let all = place.interrupts().ok().flatten().unwrap_or_default();
    let of_each = |one: &&Followed| one.as_ref().is_ok_and(Interrupt::is_per_cpu);
    match lines {
        Some(0) => out.node_state("incomplete", *place, place.name(), &[]),
        // Source: drivers/perf/arm_pmu_platform.c, pmu_parse_irqs.
        Some(2..) if all.iter().any(|one| of_each(&one)) => {
            let why = "Linux does not bind to the node, because it has several interrupts, and one of them is per-CPU.";
            out.device_tree(*place, place.name(), &[why.to_owned()]);
        }
        _ => out.device_tree(*place, place.name(), &[]),
    }
    core_instance(out)
}

/// PMU of a core, if the tree has no node of this PMU.
fn core_without_node(mut out: Lines, cpu: Place) -> Instance {
    out.want("the overflow interrupts");
    out.node_state("absent", cpu, "", &[]);
    let mut instance = core_instance(out);
    instance.lacks_node = true;
    instance
}

/// Product name of a core: `Cortex-A53`.
pub fn core_name(text: &str) -> String {
    match text.split_once('-') {
        Some(("cortex", core)) => format!("Cortex-{}", core.to_ascii_uppercase()),
        Some(("neoverse", core)) => format!("Neoverse {}", core.to_ascii_uppercase()),
        _ => printable(text, 40),
    }
}
