//! Compares the clusters of a platform with the kernel's PMUs, by symptom.

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_lookup::cluster::consequences;
use arm_pmu_lookup::kernel::{is_cluster, node_of_cluster};
use arm_pmu_lookup::words;
use arm_pmu_tables::Platform;
use arm_pmu_tables::platform::{Instance, Symptom};

use super::{LivePmu, Missing};
use crate::linux::cores::{of_cluster, without_pmu};

/// Explains why clusters of the platform lack PMUs or CPUs: adds reasons to `missing`, or replaces
/// general reasons there.
pub fn compare(platform: &Platform, sysfs: &Sysfs, pmus: &[LivePmu], missing: &mut Vec<Missing>) {
    for instance in platform.instances.iter().filter(|one| is_cluster(one)) {
        let node = node_of_cluster(instance);
        let own = instance.pmu().filter(|pmu| !pmu.is_of_any_core());
        let name = of_cluster(sysfs, instance);
        let pmu = pmus.iter().find(|pmu| name.as_ref() == Some(&pmu.name));
        let observed = match pmu {
            Some(pmu) => symptoms(instance, pmu, sysfs),
            None => vec![Symptom::NoDevice],
        };
        let what = format!("{}:{}", platform.name, instance.name);
        let mut explained = Vec::new();
        let mut explain = |symptom, problem: &str, fix: &str| {
            if observed.contains(&symptom) {
                missing.push(Missing::new(&what, problem.trim_end_matches('.'), fix));
                explained.push(symptom);
            }
        };
        for of in consequences(platform, instance) {
            // Mixed cores and a missing interrupt are problems of the PMU itself.
            let is_of_pmu = |of: &Symptom| matches!(of, Symptom::Mixed | Symptom::NotSampled);
            if let Some(symptom) = of.symptom.filter(|of| !is_of_pmu(of)) {
                explain(symptom, &of.text, of.fix.as_deref().unwrap_or_default());
            }
        }
        for fault in instance.faults {
            let text = format!("{} {}", fault.doc, fault.effect);
            if let Some(symptom) = fault.symptom {
                explain(symptom, &text, fault.fix.unwrap_or_default());
            }
        }
        let is_open = |symptom| observed.contains(&symptom) && !explained.contains(&symptom);
        let (no_device, some_cpus) = (is_open(Symptom::NoDevice), is_open(Symptom::SomeCpus));
        let (compatible, name) = node.unwrap_or(("", "PMU of this cluster"));
        if no_device {
            let problem = format!("the kernel has no {name}");
            let fix = "The kernel says why: `dmesg | grep -i pmu`.";
            // A node without a driver is reported with its path.
            if !missing.iter().any(|one| one.what.ends_with(&format!("({compatible})"))) {
                missing.push(Missing::new(&what, problem, fix));
            }
        }
        if let (true, Some(pmu), Some(cpus)) = (some_cpus, pmu, instance.cpus) {
            let counted = words::cpus(pmu.cpus.as_deref().unwrap_or_default());
            let problem = format!(
                "{name} counts on CPU {counted}, but the cores of its cluster are CPU {}",
                words::cpus(cpus.numbers)
            );
            let fix =
                "Compare the node's interrupts and `interrupt-affinity` with `arm-pmu platform`.";
            missing.push(Missing::new(&what, problem, fix));
        }
        if pmu.is_none() && missing.iter().any(|one| one.what == what) {
            let is_its = |core: &crate::linux::cores::Core| {
                let known = core.main_id.known().map(|(pmu, _)| pmu);
                own.is_some_and(|own| known.is_some_and(|known| known.is(own)))
            };
            for core in without_pmu(sysfs).iter().filter(|core| is_its(core)) {
                let general = format!("PMU of CPU {}", words::cpus(&core.cpus));
                missing.retain(|one| one.what != general);
            }
        }
    }
}

/// Symptoms of a cluster's PMU.
fn symptoms(instance: &Instance, pmu: &LivePmu, sysfs: &Sysfs) -> Vec<Symptom> {
    let online = sysfs.online().unwrap_or_default();
    let cpus = instance.cpus.map_or(&[][..], |cpus| cpus.numbers);
    let lacks =
        |listed: &Vec<u32>| cpus.iter().any(|cpu| online.contains(cpu) && !listed.contains(cpu));
    let core = pmu.core.as_ref();
    let interrupts = core.and_then(|core| core.interrupts.as_ref());
    let all = [
        (Symptom::SomeCpus, pmu.cpus.as_ref().is_some_and(lacks)),
        (Symptom::NotSampled, interrupts.is_some_and(Vec::is_empty)),
        (Symptom::NotSupported, pmu.error.is_some()),
        (Symptom::Mixed, core.is_some_and(|core| core.products.len() > 1)),
    ];
    all.into_iter().filter_map(|(symptom, is_there)| is_there.then_some(symptom)).collect()
}
