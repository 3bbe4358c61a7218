//! Generic event names of `perf`, which are the same on every processor.
//!
//! The tables map generic names to events of a core: kernel constants and cache events are aliases in the dialect
//! `linux-generic`. The source is the kernel driver of the core.

/// Generic names of `perf`, each with its kernel constant.
const HARDWARE: &[(&str, &str)] = &[
    ("cycles", "PERF_COUNT_HW_CPU_CYCLES"),
    ("cpu-cycles", "PERF_COUNT_HW_CPU_CYCLES"),
    ("instructions", "PERF_COUNT_HW_INSTRUCTIONS"),
    ("cache-references", "PERF_COUNT_HW_CACHE_REFERENCES"),
    ("cache-misses", "PERF_COUNT_HW_CACHE_MISSES"),
    ("branches", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS"),
    ("branch-instructions", "PERF_COUNT_HW_BRANCH_INSTRUCTIONS"),
    ("branch-misses", "PERF_COUNT_HW_BRANCH_MISSES"),
    ("bus-cycles", "PERF_COUNT_HW_BUS_CYCLES"),
    ("stalled-cycles-frontend", "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND"),
    ("idle-cycles-frontend", "PERF_COUNT_HW_STALLED_CYCLES_FRONTEND"),
    ("stalled-cycles-backend", "PERF_COUNT_HW_STALLED_CYCLES_BACKEND"),
    ("idle-cycles-backend", "PERF_COUNT_HW_STALLED_CYCLES_BACKEND"),
    ("ref-cycles", "PERF_COUNT_HW_REF_CPU_CYCLES"),
];

/// Caches in generic names of `perf` such as `L1-dcache-load-misses`.
const CACHES: &[&str] = &["L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"];
const ACCESSES: &[&str] = &["load", "store", "prefetch"];

/// Returns the alias in the tables for a generic name of `perf`, in upper or lower case. The alias
/// is a kernel constant or a cache event.
#[must_use]
pub fn alias(name: &str) -> Option<&str> {
    if let Some((_, constant)) = HARDWARE.iter().find(|(word, _)| word.eq_ignore_ascii_case(name)) {
        return Some(constant);
    }
    let (rest, kind) = name.rsplit_once('-')?;
    let (cache, access) = match kind {
        "misses" => rest.rsplit_once('-')?,
        "prefetches" => (rest, "prefetch"),
        _ => (rest, kind.strip_suffix('s')?),
    };
    let known = |all: &[&str], word: &str| all.iter().any(|one| one.eq_ignore_ascii_case(word));
    (known(CACHES, cache) && known(ACCESSES, access)).then_some(name)
}

#[cfg(test)]
mod tests {
    use arm_pmu_tables::{Dialect, Pmu};

    use super::*;

    #[test]
    fn generic_aliases_have_their_names() {
        let mut checked = 0;
        for event in Pmu::all().flat_map(Pmu::events) {
            let aliases = event.event.aliases.iter();
            for one in aliases.filter(|alias| alias.dialect() == Dialect::LinuxGeneric) {
                let constant = HARDWARE.iter().any(|(_, constant)| *constant == one.name);
                assert!(constant || alias(one.name) == Some(one.name), "{}", one.name);
                checked += 1;
            }
        }
        assert!(checked > 100, "{checked}");
        assert!(alias("L1-dcache-prefetches").is_some());
        for other in ["branch-mistakes", "L1-dcache", "L2-loads", "loads", "l1d_cache"] {
            assert_eq!(alias(other), None, "{other}");
        }
    }
}
