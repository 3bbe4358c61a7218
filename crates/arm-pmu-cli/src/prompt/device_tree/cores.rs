//! Core PMUs in a device tree, found by PMU nodes and by core nodes.

use std::collections::{BTreeMap, BTreeSet};

use arm_pmu_lookup::kernel::{KernelPmu, Node, PMUV3, PMUV3_NODE};
use arm_pmu_tables::{Pmu, Space};

use super::interrupts::Kind;
use super::lines::{Found, Instance, Lines, OF_DRIVER, Outputs, from, printable};
use super::tree::{Place, Tree};

/// Core nodes below `cpus`, `cpus-a53` or `cpus-r5`, with the name of the core: `cortex-a53`, `arm1176`.
fn processors<'t>(tree: &'t Tree<'t>) -> Vec<(Place<'t>, &'t str)> {
    let is_cpu = |place: &Place| {
        place.parent().is_some_and(|parent| parent.name().starts_with("cpus"))
            && (place.texts("device_type").contains(&"cpu") || place.name().starts_with("cpu@"))
    };
    let all = tree.all().filter(is_cpu);
    all.filter_map(|cpu| Some((cpu, core_of(cpu.texts("compatible").first()?)))).collect()
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

/// PMU of a core in the tables.
fn pmu_of(core: &str) -> Option<Pmu> {
    Pmu::find(core).filter(|pmu| pmu.ip.space.is_core())
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

/// Adds the core PMUs: PMUs with a node, and PMUs of cores without a PMU node.
pub fn cores(tree: &Tree, found: &mut Found) {
    let processors = processors(tree);
    let mut counted: BTreeSet<&str> = BTreeSet::new();
    // Whether a PMU node has the compatible string of another core.
    let mut strangers = false;
    for place in tree.all() {
        let Some((compatible, core)) = of_core(place) else { continue };
        let affinity = place.references("interrupt-affinity");
        let partition =
            place.interrupts().ok().flatten().and_then(|all| all.into_iter().next()?.ok()?.cores());
        let is_its = |cpu: &Place, own: &str| match (core, &partition) {
            (Some(core), _) => own == core,
            (None, Some(all)) => all.iter().any(|one| one.is(*cpu)),
            (None, None) if affinity.is_empty() => may_be_pmuv3(own),
            (None, None) => affinity.iter().any(|one| one.is(*cpu)),
        };
        let own: Vec<_> =
            processors.iter().filter(|(cpu, name)| is_its(cpu, name)).copied().collect();
        let mut names: Vec<&str> = own.iter().map(|(_, name)| *name).chain(core).collect();
        names.sort_unstable();
        names.dedup();
        counted.extend(&names);
        let is_stranger = core.is_some() && own.is_empty() && !processors.is_empty();
        strangers |= is_stranger;
        let covered = if affinity.is_empty() { None } else { Some(affinity.len()) };
        for name in &names {
            let count = own.iter().filter(|(_, own)| own == name).count();
            match pmu_of(name) {
                Some(pmu) => {
                    let numbers = (count, own.len(), covered);
                    let mut one = core_with_node(place, (compatible, core), pmu, &names, numbers);
                    if let (true, Some((_, cpu))) = (is_stranger, processors.first()) {
                        one.wanted.push(format!(
                            "whether the core is right, because the core nodes have {cpu}."
                        ));
                    }
                    found.instances.push(one);
                }
                None => found.unknown.push(format!(
                    "{}: the node has the events of {} ({compatible}), which is not a known IP.",
                    place.name(),
                    core_name(name)
                )),
            }
        }
        if names.is_empty() {
            found.unknown.push(format!("{}: the core of this PMU ({compatible}).", place.name()));
        }
    }
    let mut without: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    let uncounted = |(cpu, core): &&(Place, &str)| {
        let compatible = cpu.texts("compatible").first().copied().unwrap_or_default();
        !strangers && !counted.contains(core) && has_pmu(compatible)
    };
    for (cpu, core) in processors.iter().filter(uncounted) {
        without.entry(core).or_default().push(*cpu);
    }
    for (core, all) in without {
        let Some(first) = all.first() else { continue };
        match pmu_of(core) {
            Some(pmu) => found.instances.push(core_without_node(*first, pmu)),
            None => found.unknown.push(format!(
                "{}: the core has the events of {} ({}), which is not a known IP; its PMU has no node.",
                first.name(),
                core_name(core),
                first.texts("compatible").first().copied().unwrap_or_default()
            )),
        }
    }
}

/// Lines with the IP and, if it is one, the unit.
fn core_lines(place: Place, pmu: Pmu) -> Lines {
    let mut out = Lines::default();
    out.fact("ip", pmu.ip.name, place);
    if let Some(unit) = pmu.unit {
        out.fact("unit", unit.name, place);
    }
    out
}

fn core_instance(mut out: Lines) -> Instance {
    out.want("the register that drives NIDEN and DBGEN, and the software that may write it");
    out.instance("core", None)
}

/// `all` contains the names of the cores that count through the node. The numbers are: cores of this kind, cores of all
/// kinds, and cores in `interrupt-affinity`.
fn core_with_node(
    place: Place,
    (compatible, core): (&str, Option<&str>),
    pmu: Pmu,
    all: &[&str],
    (count, total, covered): (usize, usize, Option<usize>),
) -> Instance {
    let mut out = core_lines(place, pmu);
    let lines = out.interrupts(&[place], Outputs::Cores(total));
    let known =
        KernelPmu::all().find(|known| matches!(known.node, Node::Core(own) if own == compatible));
    match (core, known) {
        (None, _) => out.linux(PMUV3, OF_DRIVER, place),
        (Some(_), Some(known)) => out.linux(known.name, OF_DRIVER, place),
        (Some(_), None) => {}
    }
    // Private interrupts can serve each core, so only shared ones are counted.
    let all_shared = place.interrupts().ok().flatten().is_some_and(|all| {
        all.iter().all(|one| one.as_ref().is_ok_and(|one| one.kind == Kind::Shared))
    });
    let mut missing = Vec::new();
    match lines {
        Some(0) => {
            missing.push("The node has no interrupt, so perf can count but not sample.".to_owned())
        }
        // Source: drivers/perf/arm_pmu_platform.c, pmu_parse_irqs.
        Some(lines) if all_shared => {
            let lines = covered.map_or(lines, |covered| covered.min(lines));
            if lines < count {
                missing.push(format!(
                    "Linux counts on {lines} of {count} cores: the others have no interrupt in the node."
                ));
            }
        }
        _ => {}
    }
    out.device_tree(place, place.name(), &missing);
    if core.is_none() && all.len() > 1 {
        let names: Vec<_> = all.iter().map(|name| core_name(name)).collect();
        let text = format!(
            "Linux counts {} through one PMU, {PMUV3}, so a count of an event code mixes {} kinds of cores.",
            names.join(" and "),
            names.len()
        );
        out.lines.push("notes:".to_owned());
        let from = from(place);
        out.text("  - text", &text, 6);
        out.lines.push(format!("    from: [{from}]"));
    }
    core_instance(out)
}

/// A PMU of a core that has no PMU node in the tree.
fn core_without_node(cpu: Place, pmu: Pmu) -> Instance {
    let mut out = core_lines(cpu, pmu);
    out.want("the overflow interrupts");
    out.node_state("absent", cpu, "", &["A node for the PMU.".to_owned()]);
    let mut instance = core_instance(out);
    instance.lacks_node = true;
    instance
}

/// Product name of a core: `Cortex-A53`.
pub fn core_name(text: &str) -> String {
    match text.strip_prefix("cortex-") {
        Some(core) => format!("Cortex-{}", core.to_ascii_uppercase()),
        None => printable(text, 40),
    }
}
