//! Clusters of cores on a platform, and the rules of Linux for their interrupts (`drivers/perf/arm_pmu_platform.c`).

use arm_pmu_tables::Platform;
use arm_pmu_tables::platform::{Controller, Instance, Interrupts, NodeState, Symptom};

use crate::kernel::{is_cluster, node_of_cluster};
use crate::words;

/// Product name of an instance: `Cortex-A76`, `CCI-400`.
#[must_use]
pub fn product(instance: &Instance) -> &'static str {
    let product = || instance.pmu().map(|pmu| pmu.ip.product);
    instance.core.or_else(product).unwrap_or(instance.ip.value)
}

/// How a platform's device tree affects counting on a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// Symptom that the running kernel shows; `None` if nothing has gone wrong yet.
    pub symptom: Option<Symptom>,
    /// The consequence and its reason, in sentences.
    pub text: String,
    /// Next step, as a sentence.
    pub fix: Option<String>,
}

/// Returns the consequences that follow from the node and the interrupts of a cluster.
#[must_use]
pub fn consequences(platform: &Platform, instance: &Instance) -> Vec<Consequence> {
    let mut all = Vec::new();
    let mut add = |symptom, text: String, fix: Option<String>| {
        all.push(Consequence { symptom, text, fix });
    };
    let name = node_of_cluster(instance).map_or("PMU", |(_, name)| name);
    let place = match platform.instances {
        [_] => platform.name.to_owned(),
        _ => format!("{}:{}", platform.name, instance.name),
    };
    let state = instance.device_tree.map(|tree| tree.state);
    if matches!(state, Some(NodeState::Absent | NodeState::Disabled)) {
        let has = match state {
            Some(NodeState::Disabled) => "the node of the PMU is disabled",
            _ => "the device trees of Linux have no node for the PMU",
        };
        let text = format!("Linux has no {name}: {has}.");
        let fix = format!("`arm-pmu device-tree {place}` prints what to add.");
        add(Some(Symptom::NoDevice), text, Some(fix));
        return all;
    }
    if let (Some(NodeState::Incomplete), None) = (state, instance.interrupts) {
        let text = "The node has no interrupt, so perf counts on all CPUs and cannot sample.";
        add(Some(Symptom::NotSampled), text.to_owned(), None);
    }
    if let (Some(cpus), Some(interrupts)) = (instance.cpus, &instance.interrupts) {
        let counted = counted(cpus.numbers, interrupts);
        let others: Vec<u32> =
            cpus.numbers.iter().filter(|cpu| !counted.contains(cpu)).copied().collect();
        let is_guess =
            is_shared(interrupts) && interrupts.affinity.is_empty() && cpus.numbers.len() > 1;
        if !others.is_empty() {
            let guess = match is_guess {
                true => "it assigns the interrupts to CPUs from 0 on, and ",
                false => "",
            };
            let (lacking, counted) = (words::cpus(&others), words::cpus(&counted));
            let (what, fix) = match counted.as_str() {
                "" => ("no CPU of this cluster".to_owned(), None),
                _ => (
                    format!("CPU {counted} only"),
                    Some(format!("Bind the program: `taskset -c {counted}`.")),
                ),
            };
            let text = format!(
                "Linux counts on {what}: {guess}the node has no interrupt for CPU {lacking}. On \
                 such a CPU, Linux refuses to open an event, and counts no programs."
            );
            add(Some(Symptom::SomeCpus), text, fix);
        } else if is_guess {
            let text = "The node has no `interrupt-affinity`, so Linux assigns the interrupts to CPUs 0, 1, ... in \
                        order (\"guessing\" in its log), which is wrong if a CPU is offline at boot.";
            add(None, text.to_owned(), None);
        }
    }
    let others = platform.instances.iter().filter(|one| one.name != instance.name);
    for other in others.filter(|one| is_cluster(one)) {
        let (one, another) = (product(instance), product(other));
        if node_of_cluster(other).is_some_and(|(_, own)| own == name) && one != another {
            let text = format!(
                "{name} is one PMU for {one} and {another}: an event code can mean different \
                 things on the two, and their counts are added up."
            );
            let fix = "Count common events, or bind the program to one kind with taskset.";
            add(Some(Symptom::Mixed), text, Some(fix.to_owned()));
        } else if let (Some(first), Some(second)) = (&instance.interrupts, &other.interrupts) {
            let is_whole = |of: &Interrupts| !is_shared(of) && of.affinity.is_empty();
            if is_whole(first) && is_whole(second) && first.numbers == second.numbers {
                let text = format!(
                    "The nodes of {one} and {another} name the same per-CPU interrupt without a partition, so each PMU claims \
                     all CPUs."
                );
                add(Some(Symptom::Mixed), text, None);
            }
        }
    }
    all
}

/// Whether interrupts are shared by all CPUs, so that Linux assigns each interrupt to one CPU.
fn is_shared(interrupts: &Interrupts) -> bool {
    interrupts.controller != Controller::Ppi && !interrupts.per_cpu
}

/// Returns those CPUs of a cluster on which Linux counts.
#[must_use]
pub fn counted(cpus: &[u32], interrupts: &Interrupts) -> Vec<u32> {
    let has_interrupt = |cpu: &&u32| match (is_shared(interrupts), interrupts.affinity) {
        (true, []) => (**cpu as usize) < interrupts.numbers.len(),
        (false, []) => true,
        (_, affinity) => affinity.contains(*cpu),
    };
    cpus.iter().filter(has_interrupt).copied().collect()
}
