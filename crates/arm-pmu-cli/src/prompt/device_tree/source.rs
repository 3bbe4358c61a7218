//! Writes device tree nodes for the kernel's driver of a PMU, or for the UIO driver.

use arm_pmu_lookup::cluster::{consequences, counted, product};
use arm_pmu_lookup::kernel::{
    KernelPmu, Node, PMCG_NODE, PMUV3_NODE, is_cluster, node_of_cluster, own_block, own_pmcg_node,
};
use arm_pmu_lookup::text::wrapped;
use arm_pmu_lookup::words;
use arm_pmu_tables::platform::{
    Controller, Instance, Interrupts, NodeState, Symptom, Trigger, Wiring,
};
use arm_pmu_tables::{Confidence, Platform, Pmu, Space};

use crate::base::failure::Failure;
use crate::base::platform::target::{Subject, Target};

/// Compatible string that a boot argument assigns to the UIO driver.
const UIO: &str = "generic-uio";

/// The root of a tree, also in an overlay.
const ROOT: &str = "&{/}";

/// Writes device tree source for a PMU of a platform, with a comment on each part.
pub fn write(subject: Subject, instance: &'static Instance) -> Result<String, Failure> {
    let name = instance.name;
    let tree = instance.device_tree;
    let cluster = subject.platform().filter(|_| is_cluster(instance));
    let own = tree.and_then(|tree| tree.missing).map(str::to_owned);
    let derived = cluster.into_iter().flat_map(|platform| consequences(platform, instance));
    // The platform's own remark about a missing node replaces the derived remark.
    let derived = derived.filter(|of| own.is_none() || of.symptom != Some(Symptom::NoDevice));
    let missing: Vec<_> = own.iter().cloned().chain(derived.map(|of| of.text)).collect();
    let missing = &missing.join(" ");
    let state = tree.map(|tree| tree.state);
    match state {
        Some(NodeState::Enabled) => {
            let text = format!("{name}: the device trees of Linux have the node. {missing}");
            return Ok(comment(0, text.trim()));
        }
        Some(NodeState::Disabled) => return Ok(enable(instance, missing)),
        // The platform does not contain the missing part, so only a comment is printed.
        Some(NodeState::Incomplete) if cluster.is_some() => {
            return Ok(comment(0, &format!("{name}: {missing}")));
        }
        _ => {}
    }
    let state = match state {
        None => "It is unknown whether a device tree has the node.",
        Some(NodeState::Incomplete) => "This replaces the existing node.",
        _ => "",
    };
    let mut text = "\n".to_owned();
    text += &comment(0, &format!("{name}: {missing} {state}"));
    text += &grades(instance);
    if let Some(platform) = cluster {
        return Ok(text + &core(platform, instance)?);
    }
    let target = &subject.of(instance)?;
    let node = match target.pmu.ip.space {
        // This node is at the root, as in the trees of Linux.
        Space::Cp15 | Space::System => {
            let node = dsu(target.with_unit()?.pmu, instance)?;
            let lines: String = node.lines().map(|line| format!("\t{line}\n")).collect();
            return Ok(format!("{text}{ROOT} {{\n{lines}}};\n"));
        }
        Space::Pages(_) => pmcg(target.with_unit()?.pmu, instance),
        _ => interconnect(target, instance)?,
    };
    // Roots differ in the number of address cells, so a new bus sets its own number.
    text += &format!("{ROOT} {{\n\tarm-pmu-");
    text += &format!("{name} {{\n\t\tcompatible = \"simple-bus\";\n");
    text += "\t\t#address-cells = <2>;\n\t\t#size-cells = <2>;\n\t\tranges;\n\n";
    for line in node.lines() {
        let indent = if line.is_empty() { "" } else { "\t\t" };
        text += &format!("{indent}{line}\n");
    }
    Ok(text + "\t};\n};\n")
}

fn enable(instance: &Instance, missing: &str) -> String {
    let why = comment(0, &format!("{}: {missing}", instance.name));
    let label = instance.device_tree.and_then(|tree| tree.label);
    let enabled =
        label.map(|label| format!("&{label} {{\n\tstatus = \"okay\";\n}};\n")).unwrap_or_default();
    format!("\n{why}{enabled}")
}

/// Comment that states how certain the numbers in a node are.
fn grades(instance: &Instance) -> String {
    let base = instance.base.map(|base| ("base", base.origin.confidence));
    let interrupts = instance.interrupts.map(|of| ("interrupts", of.origin.confidence));
    let cpus = instance.cpus.map(|cpus| ("CPUs", cpus.origin.confidence));
    let unit = instance.unit.map(|unit| ("unit", unit.origin.confidence));
    let all: Vec<_> = [Some(("IP", instance.ip.origin.confidence)), unit, cpus, base, interrupts]
        .into_iter()
        .flatten()
        .map(|(what, grade)| format!("{what} [{grade}]"))
        .collect();
    comment(0, &format!("Grades of these facts: {}.", all.join(", ")))
}

fn interconnect(target: &Target, instance: &Instance) -> Result<String, Failure> {
    let pmu = target.pmu;
    let base = instance
        .base
        .map(|base| base.value)
        .ok_or_else(|| Failure::not_found(format!("the base of {} is unknown", instance.name)))?;
    let counters = &pmu.ip.counters;
    let outputs = (counters.count + u32::from(counters.cycles.is_some())) as usize;
    let mut text = String::new();
    let lines = match all_interrupts(instance, outputs) {
        Ok(lines) => lines,
        Err(why) => {
            let why =
                format!("{why} With fewer than {outputs}, the kernel's driver rejects the node.");
            return Ok(uio(pmu, base, &why));
        }
    };
    let revision = target.with_unit()?.pmu;
    let node = KernelPmu::of(revision).map(|known| known.node);
    let (outer, compatible) = match node {
        Some(Node::Interconnect { outer, pmu }) => (outer, pmu),
        Some(Node::Cache(compatible)) => {
            let text = format!(
                "the PMU of {revision} has no separate node, because Linux finds it by the node of \
                 the cache controller, {compatible}"
            );
            return Err(Failure::not_found(text));
        }
        _ => return Err(without_driver(revision)),
    };
    let (offset, length, whole) = own_block(pmu);
    text += &format!("cci@{base:x} {{\n\tcompatible = \"{outer}\";\n");
    text += "\t#address-cells = <1>;\n\t#size-cells = <1>;\n";
    text += &format!("\treg = <{} 0x0 0x1000>;\n", address(base));
    text += &format!("\tranges = <0x0 {} {whole:#x}>;\n\n", address(base));
    text += &format!("\tpmu@{offset:x} {{\n\t\tcompatible = \"{compatible}\";\n");
    text += &format!("\t\treg = <{offset:#x} {length:#x}>;\n");
    text += &doubts(instance, 2);
    text +=
        &format!("\t\tinterrupts = {};\n\t}};\n}};\n", interrupts(instance, &lines, "\t\t\t     "));
    Ok(text)
}

/// One interrupt for each output of a CCI, or the reason why interrupts are missing.
fn all_interrupts(instance: &Instance, outputs: usize) -> Result<Vec<u32>, String> {
    let Some(interrupts) = instance.interrupts else {
        return Err("The interrupts are unknown.".to_owned());
    };
    match (interrupts.wiring, interrupts.numbers) {
        (Some(Wiring::Combined), [only]) => Ok(vec![*only; outputs]),
        // The driver checks all counters in each interrupt, so the order is irrelevant.
        (_, numbers) if numbers.len() >= outputs => Ok(numbers[..outputs].to_vec()),
        (_, numbers) => Err(format!("Of {outputs} interrupts, {} are known.", numbers.len())),
    }
}

/// Comment on assumptions about the interrupts.
fn doubts(instance: &Instance, indent: usize) -> String {
    let Some(interrupts) = instance.interrupts else { return String::new() };
    let mut text = String::new();
    if interrupts.trigger.is_none() && interrupts.controller != Controller::Other {
        text += &comment(indent, "The trigger is unknown; this is the usual one.");
    }
    if let (Controller::Other, Some(of)) = (interrupts.controller, interrupts.of) {
        text += &comment(
            indent,
            &format!(
                "An interrupt of {of}: add an `interrupt-parent` if the root node names another controller."
            ),
        );
    }
    text
}

/// Cells of an interrupt: three for a GIC. `usual` contains the flags for an unknown trigger.
fn interrupt(instance: &Instance, number: u32, usual: u32) -> String {
    let Some(interrupts) = instance.interrupts else { return String::new() };
    let flags = match interrupts.trigger {
        Some(Trigger::EdgeRising) => 1,
        Some(Trigger::LevelHigh) => 4,
        Some(Trigger::LevelLow) => 8,
        _ => usual,
    };
    match interrupts.controller {
        Controller::Spi => format!("<0 {number} {flags}>"),
        Controller::Ppi => format!("<1 {number} {flags}>"),
        // IHI 0069, 2.2.1: 16 SGIs, 16 PPIs, SPIs, and the extended ranges.
        Controller::Intid => {
            let (kind, first) = match number {
                0..32 => (1, 16),
                1056..1120 => (3, 1056),
                4096.. => (2, 4096),
                _ => (0, 32),
            };
            format!("<{kind} {} {flags}>", number.saturating_sub(first))
        }
        _ => format!("<{number}>"),
    }
}

fn interrupts(instance: &Instance, numbers: &[u32], indent: &str) -> String {
    let all: Vec<_> = numbers.iter().map(|number| interrupt(instance, *number, 4)).collect();
    all.join(&format!(",\n{indent}"))
}

fn pmcg(pmu: Pmu, instance: &Instance) -> String {
    let base = instance.base.map_or(0, |base| base.value);
    let Space::Pages(pages) = pmu.ip.space else { return String::new() };
    let offsets = pages.iter().filter_map(|page| pmu.unit?.page_offset(page.name));
    let places: Vec<u64> = offsets.map(|offset| base + u64::from(offset)).collect();
    let registers: Vec<_> =
        places.iter().map(|place| format!("<{} 0x0 0x1000>", address(*place))).collect();
    let first = places.first().copied().unwrap_or(base);
    // Linux reads the identification of an MMU-600 only if the node names the product.
    let is_sure = instance.ip.origin.confidence != Confidence::D;
    let own = own_pmcg_node(pmu).filter(|_| is_sure);
    let own = own.map_or_else(String::new, |own| format!("\"{own}\", "));
    let mut text = format!("pmcg@{first:x} {{\n\tcompatible = {own}\"{PMCG_NODE}\";\n");
    text += &format!("\treg = {};\n", registers.join(",\n\t      "));
    match instance.interrupts.and_then(|interrupts| interrupts.numbers.first()) {
        Some(number) => {
            text += &doubts(instance, 1);
            text += &format!("\tinterrupts = {};\n", interrupt(instance, *number, 1));
        }
        None => text += &comment(1, "Without an interrupt, counts are wrong after an overflow."),
    }
    text + "};\n"
}

/// Node for the PMU of a cluster, at the root as in the trees of Linux.
fn core(platform: &Platform, instance: &Instance) -> Result<String, Failure> {
    let node = node_of_cluster(instance).map(|(node, _)| node);
    let any = || instance.pmu().filter(|pmu| pmu.ip.space == Space::System).map(|_| PMUV3_NODE);
    let Some(compatible) = node.or_else(any) else {
        let core = product(instance);
        return Err(Failure::not_found(format!("Linux has no driver for the PMU of {core}")));
    };
    let clusters: Vec<_> = platform.instances.iter().filter(|one| is_cluster(one)).collect();
    let name = match clusters[..] {
        [_] => "pmu".to_owned(),
        _ => format!("pmu-{}", instance.name),
    };
    let Some(interrupts) = &instance.interrupts else {
        let why = comment(2, "Without an interrupt, perf can count but not sample.");
        return Ok(format!(
            "{ROOT} {{\n\t{name} {{\n\t\tcompatible = \"{compatible}\";\n{why}\t}};\n}};\n"
        ));
    };
    let labels =
        |cpus: &[u32]| -> Vec<String> { cpus.iter().map(|cpu| label(instance, *cpu)).collect() };
    let is_per_cpu = interrupts.controller == Controller::Ppi || interrupts.per_cpu;
    let has_partitions =
        |of: &Interrupts| of.controller == Controller::Ppi && !of.affinity.is_empty();
    let of_partition =
        has_partitions(interrupts).then(|| format!(" &ppi_{}", instance.name.replace('-', "_")));
    // With partitions, each interrupt of the GIC has a fourth cell.
    let others = clusters.iter().filter_map(|one| one.interrupts.as_ref()).any(has_partitions);
    let is_gic = interrupts.controller != Controller::Other;
    let cell = of_partition.clone().unwrap_or(if others && is_gic { " 0" } else { "" }.to_owned());
    let cells = interrupts.numbers.iter().map(|number| {
        let cells = interrupt(instance, *number, 4);
        format!("{}{cell}>", cells.trim_end_matches('>'))
    });
    let mut text = format!("{ROOT} {{\n\t{name} {{\n\t\tcompatible = \"{compatible}\";\n");
    text += &doubts(instance, 2);
    text += &comment(2, &rule(instance, interrupts, is_per_cpu));
    text += &format!("\t\tinterrupts = {};\n", cells.collect::<Vec<_>>().join(",\n\t\t\t     "));
    if !is_per_cpu && !interrupts.affinity.is_empty() {
        let labels: Vec<_> =
            labels(interrupts.affinity).iter().map(|label| format!("<{label}>")).collect();
        text += &format!("\t\tinterrupt-affinity = {};\n", labels.join(", "));
    }
    text += "\t};\n};\n";
    if let Some(partition) = of_partition {
        let number = clusters.iter().position(|one| one.name == instance.name).unwrap_or(0);
        text += &comment(
            0,
            "A GIC with partitions has `#interrupt-cells = <4>`; `gic` is its usual label.",
        );
        text += &format!(
            "&gic {{\n\tppi-partitions {{\n\t\t{}: interrupt-partition-{number} {{\n\t\t\taffinity = <{}>;\n\t\t}};\n\t}};\n}};\n",
            partition.trim_start_matches(" &"),
            labels(interrupts.affinity).join(" ")
        );
    }
    Ok(text)
}

/// Label of a CPU's node: from the platform, or else `cpuN`.
fn label(instance: &Instance, cpu: u32) -> String {
    let cpus = instance.cpus.map_or(&[][..], |cpus| cpus.numbers);
    let at = cpus.iter().position(|own| *own == cpu);
    let label = at.and_then(|at| instance.cpus?.labels.get(at));
    label.map_or_else(|| format!("&cpu{cpu}"), |label| format!("&{label}"))
}

/// How Linux finds the CPUs of a PMU. Source: drivers/perf/arm_pmu_platform.c.
fn rule(instance: &Instance, interrupts: &Interrupts, is_per_cpu: bool) -> String {
    let (cpus, has_labels) =
        instance.cpus.map_or((&[][..], true), |cpus| (cpus.numbers, !cpus.labels.is_empty()));
    let mut text = match (is_per_cpu, interrupts.affinity) {
        (true, []) => "A per-CPU interrupt, so Linux counts on all CPUs.",
        (true, _) => "A per-CPU interrupt of the partition; Linux counts on these CPUs.",
        (false, []) if interrupts.numbers.len() > 1 => {
            "One interrupt for each core. Without `interrupt-affinity` (the list of the cores' \
             nodes), Linux prints a warning, and assigns the interrupts to cores 0, 1, ..."
        }
        (false, []) => "Linux counts on CPU 0 only, because a shared interrupt serves one CPU.",
        (false, _) => {
            "Linux counts on the CPUs that have an interrupt. The first number is for the first \
             CPU in `interrupt-affinity`."
        }
    }
    .to_owned();
    let counted = counted(cpus, interrupts);
    if !counted.is_empty() && counted.len() < cpus.len() {
        text += &format!(
            " The PMU belongs to CPU {}, so some of its CPUs are not counted.",
            words::cpus(cpus)
        );
    }
    if !interrupts.affinity.is_empty() && !has_labels {
        text += " The labels of the CPUs are the usual ones.";
    }
    text
}

/// Node for the PMU of a DynamIQ Shared Unit, which has no registers in memory.
fn dsu(pmu: Pmu, instance: &Instance) -> Result<String, Failure> {
    let Some(Node::Cluster(compatible)) = KernelPmu::of(pmu).map(|known| known.node) else {
        return Err(without_driver(pmu));
    };
    let mut text = format!("dsu-pmu {{\n\tcompatible = \"{compatible}\";\n");
    match instance.interrupts.as_ref().and_then(|interrupts| interrupts.numbers.first()) {
        Some(number) => {
            text += &doubts(instance, 1);
            text += &format!("\tinterrupts = {};\n", interrupt(instance, *number, 4));
        }
        None => {
            text += &comment(
                1,
                "The interrupt number is unknown; without an interrupt, the driver fails.",
            )
        }
    }
    let cpus = instance.cpus.map_or(&[][..], |cpus| cpus.numbers);
    let cpus: Vec<_> = cpus.iter().map(|cpu| format!("<{}>", label(instance, *cpu))).collect();
    let is_known = !cpus.is_empty();
    text += &comment(
        1,
        match is_known {
            true => {
                "Linux writes PMU registers at boot, which causes an exception unless firmware sets CLUSTERPMUEN."
            }
            false => {
                "Add `cpus` with all cores of the cluster; without it, the driver fails. Linux \
             writes PMU registers at boot, which causes an exception unless firmware sets \
             CLUSTERPMUEN."
            }
        },
    );
    if is_known {
        text += &format!("\tcpus = {};\n", cpus.join(", "));
    }
    Ok(text + "};\n")
}

/// Node that lets a user program access the registers.
fn uio(pmu: Pmu, base: u64, why: &str) -> String {
    let length = match pmu.ip.space {
        Space::Region { length } => length,
        _ => 0x1000,
    };
    let text = format!(
        "{why} So this is a node for UIO: boot with `uio_pdrv_genirq.of_id={UIO}`, and map /dev/uio0."
    );
    format!(
        "{}pmu@{base:x} {{\n\tcompatible = \"{UIO}\";\n\treg = <{} 0x0 {length:#x}>;\n}};\n",
        comment(0, &text),
        address(base)
    )
}

fn without_driver(pmu: Pmu) -> Failure {
    Failure::not_found(format!("Linux has no driver for the PMU of {pmu}"))
}

fn address(address: u64) -> String {
    format!("{:#x} {:#x}", address >> 32, address & 0xFFFF_FFFF)
}

/// Formats a comment with lines of at most 100 columns.
pub fn comment(indent: usize, text: &str) -> String {
    let tabs = "\t".repeat(indent);
    let lines = wrapped(90, text).join(&format!("\n{tabs} * "));
    format!("{tabs}/* {lines} */\n")
}
