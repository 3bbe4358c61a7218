//! Products, events, interrupts and problems of the cores' PMUs, as far as Linux shows them.

use std::fs;
use std::path::Path;

use arm_pmu_linux::perf::{Device, Sysfs};
use arm_pmu_lookup::kernel::{KernelPmu, any_core};
use arm_pmu_lookup::words;
use arm_pmu_tables::Pmu;

use super::{LiveCore, LiveInterrupt, LiveProblem, LiveProduct, Missing};
use crate::linux::cores::{self, Core, of_processors, processors};

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
    let hidden = pmu.into_iter().flat_map(|pmu| pmu.events().map(|of| of.event));
    let hidden =
        hidden.filter(|event| cores::is_hidden(device, event.code)).map(|event| event.name);
    Some(LiveCore {
        products: of_processors(sysfs, &cpus).into_iter().map(product).collect(),
        slots: device.slots(),
        listed: device.event_numbers().map(|(name, _)| name.to_owned()).collect(),
        // Without tables of the core, no event counts as hidden.
        hidden: match pmu {
            Some(pmu) if !pmu.is_of_any_core() => hidden.map(str::to_owned).collect(),
            _ => Vec::new(),
        },
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
        // An interrupt of each processor has no list of them, or names the first.
        let folder = root.join("proc/irq").join(number);
        let affinity = fs::read_to_string(folder.join("effective_affinity_list")).ok();
        let here = affinity.filter(|_| lines.len() > 1).and_then(|list| list.trim().parse().ok());
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
            format!("one PMU of the kernel has cores of two kinds, {products}: their counts add up"),
            "count events that both have, or bind the program to one kind with taskset; a device tree can give each kind a \
             node of its own"
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
                    "the device tree calls this core {named}, and its Main ID is that of {products}"
                ),
                format!(
                    "events are those of {pmu}; correct the `compatible` of the node for the names of perf"
                ),
            );
        }
    }
    if !core.hidden.is_empty() {
        let (some, others) = core.hidden.split_at(core.hidden.len().min(LISTED));
        let more = match others.len() {
            0 => String::new(),
            more => format!(" and {more} more (--json lists them)"),
        };
        add(
            format!(
                "PMCEID does not report {} event{} of a {own}: {}{more}. A hypervisor, firmware or an emulator hides them",
                core.hidden.len(),
                if core.hidden.len() == 1 { "" } else { "s" },
                some.join(", ")
            ),
            "`arm-pmu check` shows which count; for the others, count on the host, or on hardware"
                .to_owned(),
        );
    }
    let of_table =
        pmu.filter(|pmu| !pmu.is_of_any_core()).map(|pmu| pmu.ip.counters.count as usize);
    if let (Some(counters), Some(of_table)) = (counters, of_table) {
        if counters < of_table {
            add(
                format!(
                    "{counters} counters for events, and a {own} has {of_table}: a hypervisor or firmware keeps others"
                ),
                format!("count {counters} events at once; more take turns, and are estimates"),
            );
        }
    }
    if core.interrupts.as_ref().is_some_and(Vec::is_empty) {
        add(
            "it has no interrupt: `perf record` samples nothing, and a counter of 32 bits wraps unseen".to_owned(),
            "give its node in the device tree `interrupts`, or count for seconds only".to_owned(),
        );
    }
    problems
}

/// Describes the processors that have no PMU.
pub fn without_pmu(sysfs: &Sysfs) -> impl Iterator<Item = Missing> {
    cores::without_pmu(sysfs).into_iter().map(|core| {
        let (problem, fix) = core.without_pmu();
        Missing { what: format!("PMU of CPU {}", words::cpus(&core.cpus)), problem, fix }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::{System, only};
    use super::super::{Live, LivePmu};
    use super::*;
    use crate::base::made_up::{self, Cluster};

    /// Returns the core of the only core PMU.
    fn core(live: &Live) -> &LiveCore {
        let [LivePmu { core: Some(core), .. }] = &live.pmus[..] else { panic!("{:?}", live.pmus) };
        core
    }

    /// Returns the problem that contains this text, and the fix.
    fn problem(core: &LiveCore, text: &str) -> String {
        let found = core.problems.iter().find(|one| one.problem.contains(text));
        found.map(|one| one.fix.clone()).unwrap_or_else(|| panic!("{:?}", core.problems))
    }

    #[test]
    fn cores_are_named_by_their_main_id() {
        for (clusters, name, table, listed) in [
            (made_up::RASPBERRY_PI_5, "Cortex-A76 r4p1", Some("cortex-a76"), 40),
            (made_up::SERVER, "Neoverse N1 r3p1", Some("neoverse-n1"), 40),
            (made_up::NO_TABLE, "part 0xfff of Arm r0p0", None, 62),
        ] {
            let live = System::with(clusters).look();
            let core = core(&live);
            let LiveProduct { name: product, pmu, cpus, .. } = &core.products[0];
            assert_eq!((product.as_str(), pmu.as_deref()), (name, table));
            assert_eq!((cpus.len(), core.listed.len()), (clusters[0].cpus.1 as usize, listed));
            assert_eq!((core.hidden.len(), core.slots, live.missing.len()), (0, None, 0));
            assert_eq!(core.problems.is_empty(), table.is_some(), "{:?}", core.problems);
        }
        let unknown = System::with(made_up::NO_TABLE).look();
        assert!(problem(core(&unknown), "no table has this core (part 0xfff of").contains(":0xc0"));
        let two = System::with(made_up::RK3588).text();
        assert!(
            two.contains("\narmv8_cortex_a55: Cortex-A55 r2p0 on CPU 0-3. The kernel lists"),
            "{two}"
        );
        assert!(
            two.contains("\narmv8_cortex_a76: Cortex-A76 r4p0 on CPU 4-7. The kernel lists"),
            "{two}"
        );
    }

    #[test]
    fn what_a_guest_cannot_count_is_named() {
        let guest = System::with(made_up::GUEST)
            .file("sys/bus/event_source/devices/armv8_pmuv3/caps/slots", "0x00000008\n")
            .file("proc/sys/kernel/perf_user_access", "0\n")
            .file(
                "proc/interrupts",
                "           CPU0       CPU1\n 11:  5  6  GIC-0  27 Level  arch_timer\n \
                 14:  3  4  GIC-0  23 Level  arm-pmu\nErr:  0\n",
            );
        let live = guest.look();
        let found = core(&live);
        assert_eq!(found.hidden, made_up::GUEST[0].hidden);
        assert_eq!((found.slots, live.user_access), (Some(8), Some(false)));
        assert_eq!(
            found.interrupts,
            Some(vec![LiveInterrupt { number: "14".to_owned(), taken: 7 }])
        );
        assert!(
            problem(found, "PMCEID does not report 3 events of a neoverse-n1").contains("check")
        );
        let text = guest.text();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("8 slots in a cycle, so PMUv3p4 or later; interrupt 14 came 7 times.")
        );
        assert!(words.contains("`sysctl kernel.perf_user_access=1` lets it"), "{words}");
        // The host reserves a counter.
        let pmu = arm_pmu_tables::Pmu::find("neoverse-n1");
        let few = problems("armv8_pmuv3", pmu, Some(5), found);
        assert!(
            few.iter().any(|one| one.problem.starts_with("5 counters for events, and")),
            "{few:?}"
        );
    }

    #[test]
    fn faults_of_device_trees_are_named() {
        let two_kinds = Cluster { pmu: "armv8_pmuv3", ..made_up::RASPBERRY_PI_5[0] };
        let system = System::with(&[two_kinds])
            .file(
                "sys/devices/system/cpu/cpu3/regs/identification/midr_el1",
                "0x00000000412fd050\n",
            )
            .file("proc/interrupts", "           CPU0       CPU1\n");
        let live = system.look();
        let found = core(&live);
        problem(
            found,
            "one PMU of the kernel has cores of two kinds, Cortex-A76 r4p1 and Cortex-A55",
        );
        problem(found, "it has no interrupt");
        assert_eq!(live.pmus[0].pmu.as_deref(), Some("arm-pmuv3"));
        let wrong =
            System::with(&[Cluster { pmu: "armv8_cortex_a72", ..made_up::RASPBERRY_PI_5[0] }]);
        let live = wrong.look();
        problem(
            core(&live),
            "calls this core cortex-a72, and its Main ID is that of Cortex-A76 r4p1",
        );
        // One cluster has no PMU node.
        let half = System::with(made_up::RK3588);
        fs::remove_dir_all(half.0.path().join("sys/bus/event_source/devices/armv8_cortex_a76"))
            .expect("a PMU");
        let live = half.look();
        let (what, problem, fix) = only(&live);
        assert_eq!(what, "PMU of CPU 4-7");
        assert!(problem.ends_with("(Cortex-A76 r4p0)") && fix.contains("\"arm,cortex-a76-pmu\""));
    }
}
