//! Products, events, interrupts and problems of the cores' PMUs, as far as Linux shows them.

use std::fs;
use std::path::Path;

use arm_pmu_linux::perf::{Device, Sysfs};
use arm_pmu_lookup::kernel::{KernelPmu, any_core};
use arm_pmu_lookup::words;
use arm_pmu_tables::Pmu;

use super::{LiveCore, LiveInterrupt, LiveProblem, LiveProduct, Missing};
use crate::base::text::listed;
use crate::linux::cores::{self, Core, of_processors, processors};
use crate::linux::files;

/// Maximum number of events in the text of a problem.
const LISTED: usize = 8;

/// Describes the PMU of a core with PMUv3; `None` for other PMUs.
pub fn of_pmu(root: &Path, sysfs: &Sysfs, device: &Device, pmu: Option<Pmu>) -> Option<LiveCore> {
    any_core(device.name())?;
    let cpus = processors(sysfs, device);
    let product = |core: Core| LiveProduct {
        name: core.main_id.name(),
        pmu: core.main_id.known().map(|(pmu, _)| pmu.to_string()),
        main_id: core.main_id.0,
        cpus: core.cpus,
    };
    // Without tables of the core, hidden events are unknown.
    let own = pmu.filter(|pmu| !pmu.is_of_any_core());
    let hidden = own.into_iter().flat_map(|pmu| pmu.events().map(|of| of.event));
    let hidden = hidden.filter(|event| cores::is_hidden(device, event.code));
    Some(LiveCore {
        products: of_processors(sysfs, &cpus).into_iter().map(product).collect(),
        slots: device.slots(),
        listed: device.event_numbers().map(|(name, _)| name.to_owned()).collect(),
        hidden: hidden.map(|event| event.name.to_owned()).collect(),
        interrupts: interrupts(root, &cpus),
        problems: Vec::new(),
    })
}

/// Reads the interrupts of cores' PMUs on these processors; `None` if `/proc/interrupts` cannot be read.
fn interrupts(root: &Path, cpus: &[u32]) -> Option<Vec<LiveInterrupt>> {
    let text = fs::read_to_string(root.join("proc/interrupts")).ok()?;
    let mut lines = text.lines();
    let number = |column: &str| column.strip_prefix("CPU")?.parse::<u32>().ok();
    let columns: Vec<_> = lines.next()?.split_whitespace().filter_map(number).collect();
    let lines: Vec<_> = lines.filter(|line| line.ends_with(" arm-pmu")).collect();
    let mut found = Vec::new();
    for line in &lines {
        let Some((number, counts)) = line.trim_start().split_once(':') else { continue };
        // A per-CPU interrupt has no list of processors, or a list with only the first one.
        let folder = root.join("proc/irq").join(number);
        let affinity = || files::number(folder.join("effective_affinity_list"));
        let here = (lines.len() > 1).then(affinity).flatten();
        if here.is_some_and(|cpu: u32| !cpus.contains(&cpu)) {
            continue;
        }
        let counts = columns.iter().zip(counts.split_whitespace());
        let counts = counts.filter(|(cpu, _)| cpus.contains(cpu));
        let taken = counts.filter_map(|(_, count)| count.parse::<u64>().ok()).sum();
        found.push(LiveInterrupt { number: number.to_owned(), taken });
    }
    Some(found)
}

/// Returns the problems of a core's PMU, each with its next step.
pub fn problems(
    name: &str,
    pmu: Option<Pmu>,
    counters: Option<usize>,
    core: &LiveCore,
) -> Vec<LiveProblem> {
    let mut problems = Vec::new();
    let mut add = |problem: String, fix: String| problems.push(LiveProblem { problem, fix });
    let all: Vec<_> = core.products.iter().map(|one| one.name.as_str()).collect();
    let products = all.join(" and ");
    let tables: Vec<_> = core.products.iter().map(|one| one.pmu.as_deref()).collect();
    let own = pmu.map(|pmu| pmu.to_string()).unwrap_or_default();
    if tables.windows(2).any(|pair| pair[0] != pair[1]) {
        add(
            format!(
                "one PMU of the kernel has cores of two kinds, {products}, and adds their counts"
            ),
            "count events that both have, or bind the program to one kind with taskset; a device \
             tree can give each kind its own node"
                .to_owned(),
        );
    } else if let ([None, ..], true) = (&tables[..], pmu.is_some_and(Pmu::is_of_any_core)) {
        add(
            format!("no table has this core ({products})"),
            format!(
                "count common events by name, as in -e INST_RETIRED (`arm-pmu list {own}`), and its own by the number in \
                 its manual, as in -e {name}:0xc0"
            ),
        );
    }
    let named = KernelPmu::named(name).map(|known| known.pmu);
    if let (Some(named), Some(pmu)) = (named, pmu) {
        if !named.is(pmu) {
            add(
                format!(
                    "the device tree calls this core {named}, but its Main ID belongs to {products}"
                ),
                format!(
                    "this command uses the events of {pmu}; for perf's names, correct the `compatible` of the node"
                ),
            );
        }
    }
    if !core.hidden.is_empty() {
        let more = if core.hidden.len() > LISTED { " (--json lists them)" } else { "" };
        add(
            format!(
                "PMCEID does not report {} event{} of a {own}: {}{more}. A hypervisor, firmware or an emulator hides them",
                core.hidden.len(),
                if core.hidden.len() == 1 { "" } else { "s" },
                listed(&core.hidden, LISTED)
            ),
            "`arm-pmu check` shows which events count nevertheless; for the other events, count on the host, or on hardware"
                .to_owned(),
        );
    }
    let of_table =
        pmu.filter(|pmu| !pmu.is_of_any_core()).map(|pmu| pmu.ip.counters.count as usize);
    if let (Some(counters), Some(of_table)) = (counters, of_table) {
        if counters < of_table {
            add(
                format!(
                    "only {counters} of the {of_table} event counters of a {own} are available: a \
                     hypervisor or firmware reserves the rest"
                ),
                format!(
                    "count at most {counters} events at once; more events share counters, and their counts are \
                         estimates"
                ),
            );
        }
    }
    if core.interrupts.as_ref().is_some_and(Vec::is_empty) {
        add(
            "it has no interrupt, so `perf record` samples nothing, and a 32-bit counter wraps unnoticed".to_owned(),
            "add `interrupts` to its device tree node, or count for no longer than a few seconds".to_owned(),
        );
    }
    problems
}

/// Describes the processors that have no PMU.
pub fn without_pmu(sysfs: &Sysfs) -> impl Iterator<Item = Missing> {
    cores::without_pmu(sysfs).into_iter().map(|core| {
        let (problem, fix) = core.without_pmu();
        Missing::new(format!("PMU of CPU {}", words::cpus(&core.cpus)), problem, fix)
    })
}
