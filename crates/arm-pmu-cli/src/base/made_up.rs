//! Creates systems for tests, as directories that stand in for `/`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use arm_pmu_lookup::kernel::any_core;
use arm_pmu_tables::Pmu;
use tempfile::TempDir;

/// A directory that stands in for `/`.
pub struct System(TempDir);

/// The kernel's directory of PMUs.
pub const PMUS: &str = "sys/bus/event_source/devices";

impl System {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Creates the directory that the file will be in, and returns the file's path.
    fn place(&self, path: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        path
    }

    /// Adds or replaces a file.
    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.place(path), text).expect("a file");
        self
    }

    pub fn link(self, path: &str, to: impl AsRef<Path>) -> Self {
        symlink(to, self.place(path)).expect("a link");
        self
    }

    /// Adds a node of the device tree.
    pub fn node(self, path: &str, compatible: &str) -> Self {
        self.file(&format!("sys/firmware/devicetree/base/{path}/compatible"), compatible)
    }

    /// Adds a kernel PMU, or a further file to its directory.
    pub fn pmu(self, name: &str, file: &str, text: &str) -> Self {
        self.file(&format!("{PMUS}/{name}/type"), "10\n")
            .file(&format!("{PMUS}/{name}/{file}"), text)
    }

    /// Adds cores and their PMUs. The kernel lists the events that PMCEID can report, except hidden ones.
    pub fn cores(mut self, clusters: &[Cluster]) -> Self {
        for Cluster { pmu, cpus: (first, number), main_id, hidden } in clusters {
            let list = format!("{first}-{}\n", first + number - 1);
            self = self.pmu(pmu, "cpus", &list).pmu(pmu, "format/event", "config:0-15\n");
            self = self.pmu(pmu, "format/rdpmc", "config1:1\n");
            for cpu in *first..first + number {
                let cpu = format!("sys/devices/system/cpu/cpu{cpu}/regs/identification/midr_el1");
                self = self.file(&cpu, format!("{main_id:#018x}\n"));
            }
            let known = Pmu::of_part(main_id >> 4 & 0xFFF).map(|(pmu, _)| pmu);
            let tables = known.or_else(|| any_core(pmu)).expect("PMUv3");
            for event in tables.events().map(|of| of.event).filter(|event| event.code < 0x40) {
                if ![0, 0x1E].contains(&event.code) && !hidden.contains(&event.name) {
                    let file = format!("events/{}", event.name.to_lowercase());
                    self = self.pmu(pmu, &file, &format!("event={:#06x}\n", event.code));
                }
            }
        }
        let last = clusters.iter().map(|cluster| cluster.cpus.0 + cluster.cpus.1 - 1).max();
        self.file("sys/devices/system/cpu/online", format!("0-{}\n", last.unwrap_or_default()))
    }
}

/// Creates a system with these files.
pub fn system(files: &[(&str, &str)]) -> System {
    files.iter().fold(System::new(), |system, (path, text)| system.file(path, text))
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

/// The clusters of an RK3588. Only the cluster of Cortex-A76 cores has no PMU node.
pub const HALF_RK3588: &str = include_str!("../../tests/boards/half-rk3588.yaml");

/// A Raspberry Pi 5 whose node has one interrupt for four cores.
pub const ONE_INTERRUPT: &str = include_str!("../../tests/boards/one-interrupt.yaml");
