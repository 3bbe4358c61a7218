//! Systems for tests: directories in place of `/`.

use std::fs;
use std::path::Path;

use arm_pmu_lookup::kernel::any_core;
use arm_pmu_tables::Pmu;
use tempfile::TempDir;

/// Creates a directory with these files.
pub fn system(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    files.iter().for_each(|(path, text)| write(root.path(), path, text));
    root
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// Processors with the same core, and the kernel's PMU for these processors.
#[derive(Clone, Copy)]
pub struct Cluster {
    pub pmu: &'static str,
    /// The first processor, and the number of processors.
    pub cpus: (u32, u32),
    pub main_id: u32,
    /// Events of the core that PMCEID does not report.
    pub hidden: &'static [&'static str],
}

pub const RASPBERRY_PI_5: &[Cluster] =
    &[Cluster { pmu: "armv8_cortex_a76", cpus: (0, 4), main_id: 0x414F_D0B1, hidden: &[] }];

pub const RK3588: &[Cluster] = &[
    Cluster { pmu: "armv8_cortex_a55", cpus: (0, 4), main_id: 0x412F_D050, hidden: &[] },
    Cluster { pmu: "armv8_cortex_a76", cpus: (4, 4), main_id: 0x414F_D0B0, hidden: &[] },
];

/// A server with ACPI, such as Graviton2.
pub const SERVER: &[Cluster] =
    &[Cluster { pmu: "armv8_pmuv3_0", cpus: (0, 64), main_id: 0x413F_D0C1, hidden: &[] }];

/// A virtual machine whose host hides events.
pub const GUEST: &[Cluster] = &[Cluster {
    pmu: "armv8_pmuv3",
    cpus: (0, 2),
    main_id: 0x413F_D0C1,
    hidden: &["L2D_CACHE_REFILL", "STALL_FRONTEND", "STALL_BACKEND"],
}];

pub const NO_TABLE: &[Cluster] =
    &[Cluster { pmu: "armv8_pmuv3_0", cpus: (0, 8), main_id: 0x410F_FFF0, hidden: &[] }];

/// Returns the file of a platform with these instances.
pub fn board_text(instances: &str) -> String {
    format!(
        "platform: board\ntitle: Made-up board\nvendor: none\nlegend:\n  - {{ name: me, title: a test }}\n\
         instances:\n{instances}"
    )
}

/// The clusters of an RK3588. Only the Cortex-A76 has no node.
pub const HALF_RK3588: &str = "  - name: a55
    ip: { value: cortex-a55, from: [me] }
    cpus: { value: 0-3, from: [me] }
    interrupts: { controller: ppi, numbers: [7], affinity: 0-3, from: [me] }
    device_tree: { state: enabled, from: [me] }
  - name: a76
    ip: { value: cortex-a76, from: [me] }
    cpus: { value: 4-7, from: [me] }
    device_tree: { state: absent, from: [me] }
";

/// A Raspberry Pi 5 whose node has one interrupt for four cores.
pub const ONE_INTERRUPT: &str = "  - name: core
    ip: { value: cortex-a76, from: [me] }
    cpus: { value: 0-3, from: [me] }
    interrupts: { controller: spi, numbers: [94], from: [me] }
    device_tree: { state: enabled, from: [me] }
    faults:
      - { name: OLD_FIRMWARE, doc: Firmware is old., effect: A CPU is lost., symptom: some_cpus, from: [me] }
      - { name: NO_SAMPLES, doc: Firmware is old., effect: Nothing is sampled., symptom: zero, from: [me] }
";

/// Adds cores and their PMUs to a system. The kernel lists the events that PMCEID can report, except hidden ones.
pub fn add(root: &Path, clusters: &[Cluster]) {
    let write = |path: &str, text: &str| write(root, path, text);
    for Cluster { pmu, cpus: (first, number), main_id, hidden } in clusters {
        let device = format!("sys/bus/event_source/devices/{pmu}");
        write(&format!("{device}/type"), "10\n");
        write(&format!("{device}/cpus"), &format!("{first}-{}\n", first + number - 1));
        write(&format!("{device}/format/event"), "config:0-15\n");
        write(&format!("{device}/format/rdpmc"), "config1:1\n");
        for cpu in *first..first + number {
            let cpu = format!("sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1");
            write(&cpu, &format!("{main_id:#018x}\n"));
        }
        let known = Pmu::of_part(main_id >> 4 & 0xFFF).map(|(pmu, _)| pmu);
        let tables = known.or_else(|| any_core(pmu)).expect("PMUv3");
        for event in tables.events().map(|of| of.event).filter(|event| event.code < 0x40) {
            if ![0, 0x1E].contains(&event.code) && !hidden.contains(&event.name) {
                let file = format!("{device}/events/{}", event.name.to_lowercase());
                write(&file, &format!("event={:#06x}\n", event.code));
            }
        }
    }
    let last = clusters.iter().map(|cluster| cluster.cpus.0 + cluster.cpus.1 - 1).max();
    write("sys/devices/system/cpu/online", &format!("0-{}\n", last.unwrap_or_default()));
}
