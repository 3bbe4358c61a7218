//! The initial files of a new IP: files from a template, and lines in existing files.

/// A file: path and text.
pub type File = (&'static str, &'static str);

/// Lines to insert into a file, each before an anchor text that occurs exactly once.
pub type Lines = (&'static str, &'static [(&'static str, &'static str)]);

/// The skeleton of an IP.
pub struct Skeleton {
    pub files: &'static [File],
    pub lines: &'static [Lines],
    /// Next steps after the first tests have passed.
    pub next: &'static [&'static str],
}

impl Skeleton {
    pub fn of_architecture(architecture: &str) -> Option<&'static Self> {
        let mut all = ARCHITECTURES.iter();
        all.find(|(name, _)| *name == architecture).map(|(_, skeleton)| skeleton)
    }
}

/// Includes a file of the template.
macro_rules! text {
    ($($from:literal),+) => {
        include_str!(concat!("../../../template/", $($from),+))
    };
}

/// An IP with its own registers and driver: a small, made-up memory-mapped PMU.
pub const OWN: Skeleton = Skeleton {
    files: &[
        ("specs/skeleton-ip/registers.yaml", text!("specs/registers.yaml")),
        ("specs/skeleton-ip/events.yaml", text!("specs/events.yaml")),
        ("crates/skeleton-ip/Cargo.toml", text!("crate/manifest.toml")),
        ("crates/skeleton-ip/src/lib.md", text!("crate/src/lib.md")),
        ("crates/skeleton-ip/src/lib.rs", text!("crate/src/lib.rs")),
        ("crates/skeleton-ip/src/pmu.rs", text!("crate/src/pmu.rs")),
        ("crates/skeleton-ip/src/probe.rs", text!("crate/src/probe.rs")),
        ("crates/skeleton-ip/src/hardware.rs", text!("crate/src/hardware.rs")),
        ("crates/skeleton-ip/tests/driver.rs", text!("crate/tests/driver.rs")),
        ("crates/skeleton-ip/tests/manual.rs", text!("crate/tests/manual.rs")),
        ("crates/skeleton-ip/tests/probe.rs", text!("crate/tests/probe.rs")),
        ("crates/arm-pmu-sim/src/skeleton_ip.rs", text!("device.rs")),
    ],
    lines: &[
        (
            "xtask/src/tests/against_device/devices.rs",
            &[(
                "/// Returns the device with as many StreamID bits as the spec describes.",
                concat!(text!("against_device.rs"), "\n"),
            )],
        ),
        (
            "xtask/src/tests/against_device/fields.rs",
            &[
                ("const PMUV3_1: Fields", concat!(text!("fields.rs"), "\n")),
                (
                    "        _ if is_group(ip) => ",
                    "        \"skeleton-ip\" => vec![vec![SKELETON_IP]],\n",
                ),
            ],
        ),
    ],
    next: &[
        "put the registers and events of the manual into specs/skeleton-ip, with their sources",
        "type them again into crates/arm-pmu-sim/src/skeleton_ip.rs, and give the simulated device the worst behaviour that the manual allows",
        "write the driver's procedures in crates/skeleton-ip/src/hardware.rs",
        "add specs/skeleton-ip/findings.yaml and the diagnosis: the tests of all PMUs and the fuzzer then include the IP",
    ],
};

/// A made-up IP that implements an architecture, and the lines that it adds to the architecture's
/// `registers.yaml`.
macro_rules! implementation {
    ($architecture:literal, $($manual:literal = $template:literal,)? &$lines:tt) => {
        ($architecture, Skeleton {
            files: &[
                ("specs/skeleton-ip/events.yaml", text!($architecture, "/specs/events.yaml")),
                $(($manual, text!($template)),)?
                ("crates/arm-pmu-sim/src/skeleton_ip.rs", text!($architecture, "/device.rs")),
            ],
            lines: &[(concat!("specs/", $architecture, "/registers.yaml"), &$lines)],
            next: &[
                concat!("in specs/", $architecture, "/registers.yaml, name the IP in its sources, and add its differences"),
                "put the events of the manual into specs/skeleton-ip/events.yaml, with their sources",
                concat!("type them again in ", $($manual, " and ",)? "crates/arm-pmu-sim/src/skeleton_ip.rs"),
                "write what a user must know into specs/skeleton-ip/notes.md, under the headings of crates/skeleton-ip/src/lib.md",
            ],
        })
    };
}

/// Architectures, each with the skeleton of an IP that implements it.
const ARCHITECTURES: &[(&str, Skeleton)] = &[
    implementation!(
        "armv7-pmu",
        "crates/skeleton-ip/tests/manual.rs" = "armv7-pmu/manual.rs",
        &[
            ("others:\n", text!("armv7-pmu/specs/implementation.yaml")),
            (
                "    doc: Global enable and reset of the counters.\n",
                text!("armv7-pmu/specs/reset.yaml"),
            ),
        ]
    ),
    implementation!(
        "arm-pmuv3",
        &[
            ("legend:\n", text!("arm-pmuv3/specs/implementation.yaml")),
            (
                "    doc: Enables, resets and configures all counters",
                text!("arm-pmuv3/specs/reset_of_control.yaml"),
            ),
            (
                "      - { unit: cortex_a35, value: 0x6FFF_FFFF",
                text!("arm-pmuv3/specs/reset_of_ceid0.yaml"),
            ),
            (
                "      - { unit: cortex_a35, value: 0x0000_0000",
                text!("arm-pmuv3/specs/reset_of_ceid1.yaml"),
            ),
        ]
    ),
    implementation!(
        "cci5xx",
        "crates/skeleton-ip/tests/manual.rs" = "cci5xx/manual.rs",
        &[
            ("legend:\n", text!("cci5xx/specs/implementation.yaml")),
            (
                "      - { unit: cci550, value: 0x23 }\n",
                "      - { unit: skeleton_ip, value: 0xFF }\n",
            ),
            ("      - { unit: cci550, count: 7 }\n", "      - { unit: skeleton_ip, count: 6 }\n",),
        ]
    ),
];
