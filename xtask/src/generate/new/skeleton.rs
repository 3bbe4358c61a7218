//! The first contents of a new IP: files of a template, and lines in the lists that name every IP.

use Place::{Among, Before};

/// A file: where it goes, and its text.
pub type File = (&'static str, &'static str);

/// Where a line is added.
pub enum Place {
    /// In front of the first line of an IP that comes later in the alphabet, or after the last one.
    /// The text is the line of any IP, up to its name and after it.
    Among(&'static str, &'static str),
    /// In front of this.
    Before(&'static str),
}

/// A file that names every IP, and the lines that are added to it: where, and the text.
pub type List = (&'static str, &'static [(Place, &'static str)]);

/// The skeleton of an IP.
pub struct Skeleton {
    pub files: &'static [File],
    pub lists: &'static [List],
    /// Files among whose names the new one will stand, although no template is about them.
    pub around: &'static [&'static str],
    /// The next steps after the first tests have passed.
    pub next: &'static [&'static str],
}

impl Skeleton {
    /// That of an IP that implements this architecture, if there is one.
    pub fn of_architecture(architecture: &str) -> Option<&'static Self> {
        let mut all = ARCHITECTURES.iter();
        all.find(|(name, _)| *name == architecture).map(|(_, skeleton)| skeleton)
    }

    /// All lists that get lines.
    pub fn lists(&self) -> impl Iterator<Item = &'static List> {
        COMMON.iter().chain(self.lists)
    }

    /// All texts of Rust: the path, and the text.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lists = self.lists().filter(|(path, _)| path.ends_with(".rs"));
        let of_lists = lists.flat_map(move |(path, lines)| {
            lines.iter().map(|(_, text)| *text).map(|text| (*path, text))
        });
        self.files.iter().copied().chain(of_lists)
    }
}

/// A file of the template: where it goes, and its text.
macro_rules! template {
    ($to:literal, $from:literal) => {
        ($to, include_str!(concat!("../../../template/", $from)))
    };
}

/// The lists of every new IP.
const COMMON: &[List] = &[
    ("crates/arm-pmu/src/lib.md", &[(Among("| `", "` |"), "| `skeleton-ip` | SKELETON IP |\n")]),
    (
        "crates/arm-pmu-sim/src/lib.md",
        &[(
            Before("\n[`Cci550::REGISTERS`]"),
            "| [`SkeletonIp`] | SKELETON IP | [`bus`](SkeletonIp::bus) |\n",
        )],
    ),
    (
        "CHANGELOG.md",
        &[(
            Among("- `", "`: registers, events"),
            "- `skeleton-ip`: registers, events and driver of the SKELETON IP.\n",
        )],
    ),
];

/// An IP with registers and a driver of its own: a small memory-mapped PMU that was made up.
pub const OWN: Skeleton = Skeleton {
    files: &[
        template!("specs/skeleton-ip/registers.yaml", "specs/registers.yaml"),
        template!("specs/skeleton-ip/events.yaml", "specs/events.yaml"),
        template!("crates/skeleton-ip/Cargo.toml", "crate/manifest.toml"),
        template!("crates/skeleton-ip/src/lib.md", "crate/src/lib.md"),
        template!("crates/skeleton-ip/src/lib.rs", "crate/src/lib.rs"),
        template!("crates/skeleton-ip/src/pmu.rs", "crate/src/pmu.rs"),
        template!("crates/skeleton-ip/src/probe.rs", "crate/src/probe.rs"),
        template!("crates/skeleton-ip/src/hardware.rs", "crate/src/hardware.rs"),
        template!("crates/skeleton-ip/tests/driver.rs", "crate/tests/driver.rs"),
        template!("crates/skeleton-ip/tests/manual.rs", "crate/tests/manual.rs"),
        template!("crates/skeleton-ip/tests/probe.rs", "crate/tests/probe.rs"),
        template!("crates/arm-pmu-sim/src/skeleton_ip.rs", "device.rs"),
    ],
    lists: &[
        (
            "xtask/src/tests/against_device/memory.rs",
            &[
                (
                    Before("/// One element of a register."),
                    concat!(include_str!("../../../template/against_device.rs"), "\n"),
                ),
                (Before("\nuse super::{ip, patterns};"), "use arm_pmu_sim::SkeletonIp;\n"),
                (Before("compare!(mmu600_tcu: OfTcu);"), "compare!(skeleton_ip: OfSkeletonIp);\n"),
            ],
        ),
        (
            "xtask/src/tests/against_device/fields.rs",
            &[
                (
                    Before("/// The references of a kind of PMU"),
                    concat!(include_str!("../../../template/fields.rs"), "\n"),
                ),
                (
                    Before("        _ if is_group(ip) => "),
                    "        \"skeleton-ip\" => vec![rows(&[SKELETON_IP])],\n",
                ),
            ],
        ),
        (
            "README.md",
            &[(
                Among("| [`", "`](crates/"),
                "| [`skeleton-ip`](crates/skeleton-ip) | SKELETON IP: 7 events, 2 counters | an example, of no device |\n",
            )],
        ),
    ],
    around: &[],
    next: &[
        "put the registers and events of the manual into specs/skeleton-ip, with their sources",
        "type them again into crates/arm-pmu-sim/src/skeleton_ip.rs, and make it hostile",
        "write what the driver has to do in crates/skeleton-ip/src/hardware.rs",
        "add specs/skeleton-ip/findings.yaml and the diagnosis: the tests of all PMUs and the fuzzer then include it",
    ],
};

/// The architectures, each with the skeleton of an IP that implements it.
const ARCHITECTURES: &[(&str, Skeleton)] =
    &[("arm-pmuv3", ARM_PMUV3), ("armv7-pmu", ARMV7_PMU), ("cci5xx", CCI5XX)];

/// One more core with an ARMv7 PMU: registers, driver and diagnosis are those of the architecture; part number
/// and events were made up.
const ARMV7_PMU: Skeleton = Skeleton {
    files: &[
        template!("specs/skeleton-ip/events.yaml", "armv7-pmu/specs/events.yaml"),
        template!("specs/skeleton-ip/findings.yaml", "armv7-pmu/specs/findings.yaml"),
        template!("crates/skeleton-ip/Cargo.toml", "armv7-pmu/crate/manifest.toml"),
        template!("crates/skeleton-ip/src/lib.md", "armv7-pmu/crate/src/lib.md"),
        template!("crates/skeleton-ip/src/lib.rs", "armv7-pmu/crate/src/lib.rs"),
        template!("crates/skeleton-ip/src/identity.rs", "armv7-pmu/crate/src/identity.rs"),
        template!("crates/skeleton-ip/tests/manual.rs", "armv7-pmu/crate/tests/manual.rs"),
        template!("crates/arm-pmu-sim/src/skeleton_ip.rs", "armv7-pmu/device.rs"),
    ],
    lists: &[
        (
            "specs/armv7-pmu/registers.yaml",
            &[
                (
                    Before("others:\n"),
                    include_str!("../../../template/armv7-pmu/specs/implementation.yaml"),
                ),
                (
                    Before("    doc: Enables and resets the counters as a whole.\n"),
                    include_str!("../../../template/armv7-pmu/specs/reset.yaml"),
                ),
            ],
        ),
        (
            "README.md",
            &[(
                Among("| [`", "`](crates/"),
                "| [`skeleton-ip`](crates/skeleton-ip) | SKELETON IP: 8 events, 4 counters and the cycles | an example, of no device |\n",
            )],
        ),
    ],
    around: &["crates/armv7-pmu/src/lib.rs", "crates/armv7-pmu/src/generated/mod.rs"],
    next: &[
        "in specs/armv7-pmu/registers.yaml, say which sources of the legend speak of it, and where it differs",
        "put the events of the manual into specs/skeleton-ip, with their sources, and correct findings.yaml",
        "type what differs again into crates/arm-pmu-sim/src/skeleton_ip.rs",
    ],
};

/// One more core with PMUv3: registers, driver and diagnosis are those of the architecture; part number
/// and events were made up.
const ARM_PMUV3: Skeleton = Skeleton {
    files: &[
        template!("specs/skeleton-ip/events.yaml", "arm-pmuv3/specs/events.yaml"),
        template!("specs/skeleton-ip/findings.yaml", "arm-pmuv3/specs/findings.yaml"),
        template!("crates/skeleton-ip/Cargo.toml", "arm-pmuv3/crate/manifest.toml"),
        template!("crates/skeleton-ip/src/lib.md", "arm-pmuv3/crate/src/lib.md"),
        template!("crates/skeleton-ip/src/lib.rs", "arm-pmuv3/crate/src/lib.rs"),
        template!("crates/skeleton-ip/src/identity.rs", "arm-pmuv3/crate/src/identity.rs"),
        template!("crates/skeleton-ip/tests/manual.rs", "arm-pmuv3/crate/tests/manual.rs"),
        template!("crates/arm-pmu-sim/src/skeleton_ip.rs", "arm-pmuv3/device.rs"),
    ],
    lists: &[
        (
            "specs/arm-pmuv3/registers.yaml",
            &[
                (
                    Before("legend:\n"),
                    include_str!("../../../template/arm-pmuv3/specs/implementation.yaml"),
                ),
                (
                    Before("    doc: Enables, resets and configures the counters as a whole"),
                    include_str!("../../../template/arm-pmuv3/specs/reset_of_control.yaml"),
                ),
                (
                    Before("    doc: Shows which of the common events 0x00 to 0x1F exist.\n"),
                    include_str!("../../../template/arm-pmuv3/specs/reset_of_ceid0.yaml"),
                ),
                (
                    Before("    doc: Shows which of the common events 0x20 to 0x3F exist.\n"),
                    include_str!("../../../template/arm-pmuv3/specs/reset_of_ceid1.yaml"),
                ),
                (
                    Before(
                        "        elsewhere: zero\n        access: rw\n        doc: \"Code of the event.\"",
                    ),
                    include_str!("../../../template/arm-pmuv3/specs/width_of_code.yaml"),
                ),
            ],
        ),
        (
            "README.md",
            &[(
                Among("| [`", "`](crates/"),
                "| [`skeleton-ip`](crates/skeleton-ip) | SKELETON IP: 8 events, 6 counters and the cycles | an example, of no device |\n",
            )],
        ),
    ],
    around: &["crates/arm-pmuv3/src/lib.rs", "crates/arm-pmuv3/src/generated/mod.rs"],
    next: &[
        "in specs/arm-pmuv3/registers.yaml, say which sources of the legend speak of it, and where it differs",
        "put the events of the manual into specs/skeleton-ip, with their sources, and correct findings.yaml",
        "type what differs again into crates/arm-pmu-sim/src/skeleton_ip.rs",
    ],
};

/// One more CCI-5xx: registers, driver and diagnosis are those of the architecture; part number and events
/// were made up.
const CCI5XX: Skeleton = Skeleton {
    files: &[
        template!("specs/skeleton-ip/events.yaml", "cci5xx/specs/events.yaml"),
        template!("specs/skeleton-ip/findings.yaml", "cci5xx/specs/findings.yaml"),
        template!("crates/skeleton-ip/Cargo.toml", "cci5xx/crate/manifest.toml"),
        template!("crates/skeleton-ip/src/lib.md", "cci5xx/crate/src/lib.md"),
        template!("crates/skeleton-ip/src/lib.rs", "cci5xx/crate/src/lib.rs"),
        template!("crates/skeleton-ip/src/identity.rs", "cci5xx/crate/src/identity.rs"),
        template!("crates/skeleton-ip/tests/manual.rs", "cci5xx/crate/tests/manual.rs"),
        template!("crates/arm-pmu-sim/src/skeleton_ip.rs", "cci5xx/device.rs"),
    ],
    lists: &[
        (
            "specs/cci5xx/registers.yaml",
            &[
                (
                    Before("legend:\n"),
                    include_str!("../../../template/cci5xx/specs/implementation.yaml"),
                ),
                (
                    Before("      - { unit: cci550, value: 0x23 }\n"),
                    "      - { unit: skeleton_ip, value: 0xFF }\n",
                ),
                (
                    Before("      - { unit: cci550, count: 7 }\n"),
                    "      - { unit: skeleton_ip, count: 6 }\n",
                ),
            ],
        ),
        (
            "README.md",
            &[(
                Among("| [`", "`](crates/"),
                "| [`skeleton-ip`](crates/skeleton-ip) | SKELETON IP: 16 events, 8 counters | an example, of no device |\n",
            )],
        ),
    ],
    around: &[
        "crates/cci5xx/src/lib.rs",
        "crates/cci5xx/src/generated/mod.rs",
        "crates/cci5xx/tests/driver/main.rs",
    ],
    next: &[
        "in specs/cci5xx/registers.yaml, say which sources of the legend speak of it, and where it differs",
        "put the events of the manual into specs/skeleton-ip, with their sources, and correct findings.yaml",
        "type what differs again into crates/arm-pmu-sim/src/skeleton_ip.rs",
    ],
};
