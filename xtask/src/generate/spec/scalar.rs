//! Scalar values of the spec language.

use arm_pmu_spec::legend::Facts;
pub use arm_pmu_spec::scalar::{
    Bits, Confidence, Decimal, Hex, Name, Reference, Section, Text, grouped, hex, hex64, is_name,
};
use serde_json::{Value, json};

use super::declare::words;
use super::read::{Read, scalar, shown};
use super::schema::Definitions;
use crate::generate::problem::{Problems, report};
use crate::generate::yaml::Node;

/// Returns the value of a register after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    Known(u64),
    Unknown,
}

impl Facts for Reset {}
impl Facts for Codes {}
impl Facts for FieldPath {}

impl Read for Reset {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a reset value", problems)?;
        if text == "unknown" {
            return Some(Self::Unknown);
        }
        match hex64(text) {
            Ok(value) if !quoted => return Some(Self::Known(value)),
            Ok(_) => report(problems, node, "a number is written without quotes"),
            Err(message) => report(problems, node, message)
                .help("write 0x and hexadecimal digits, or `unknown`"),
        };
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({ "description": "In hexadecimal, or `unknown`.", "anyOf": [
            { "const": "unknown" },
            // JSON readers without 64-bit integers would round larger numbers.
            { "type": "integer", "minimum": 0, "maximum": 2f64.powi(64) },
            grouped(16),
        ] })
    }
}

/// Codes that the manual reserves: `"0x15-0x1F"`, or `"0x15"` for a single code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    pub first: u32,
    pub last: u32,
}

impl Read for Codes {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a range of codes", problems)?;
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (hex(first), hex(last)) {
            (Ok(first), Ok(last)) if first <= last => return Some(Self { first, last }),
            (Ok(_), Ok(_)) => {
                report(problems, node, format!("codes {} are in the wrong order", shown(text)))
                    .help("the low code comes first")
            }
            (Err(_), _) | (_, Err(_)) => {
                let message = format!("`{}` is not a range of codes", shown(text));
                report(problems, node, message)
                    .help("write \"0x15-0x1F\", or \"0x15\" for one code")
            }
        };
        None
    }

    fn describe(definitions: &mut Definitions) -> Value {
        let code = "0x_*[0-9A-Fa-f][0-9A-Fa-f_]*";
        let range = json!({ "type": "string", "pattern": format!("^{code}(-{code})?$") });
        let description = "Codes: \"0x15-0x1F\", or \"0x15\" for one.";
        json!({ "description": description, "anyOf": [Hex::describe(definitions), range] })
    }
}

/// `REGISTER.FIELD`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPath {
    pub register: String,
    pub field: String,
}

impl Read for FieldPath {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a path to a field (REGISTER.FIELD)", problems)?;
        match text.split_once('.') {
            Some((register, field)) if is_name(register) && is_name(field) => {
                Some(Self { register: register.to_owned(), field: field.to_owned() })
            }
            _ => {
                let message = format!("`{}` is not a path to a field", shown(text));
                let help = "write the register, a full stop and the field: EVENT_SELECT.EVENT";
                report(problems, node, message).help(help);
                None
            }
        }
    }

    fn describe(_: &mut Definitions) -> Value {
        let name = "[A-Za-z][A-Za-z0-9_]*";
        let description = "A field: REGISTER.FIELD.";
        let pattern = format!(r"^{name}\.{name}$");
        json!({ "description": description, "type": "string", "pattern": pattern })
    }
}

words! {
    /// Access that software has to a register or field.
    "an access (rw, ro, wo, w1, w1c, w1s)" => Access {
        /// Read and write.
        "rw" => ReadWrite,
        /// Read only; writes are ignored.
        "ro" => ReadOnly,
        /// Write only.
        "wo" => WriteOnly,
        /// Writing 1 has an effect, writing 0 has none; reads as zero.
        "w1" => WriteOneActs,
        /// Reads as a flag; writing 1 clears it.
        "w1c" => WriteOneClears,
        /// Reads as a flag; writing 1 sets it.
        "w1s" => WriteOneSets,
    }
}

impl Access {
    pub fn can_read(self) -> bool {
        !matches!(self, Self::WriteOnly | Self::WriteOneActs)
    }

    pub fn can_write(self) -> bool {
        self != Self::ReadOnly
    }
}

words! {
    /// Values that software must write to reserved bits, and values that it reads from them.
    "a kind of reserved bit (zero, sbz, sbzp, one)" => Reserved {
        /// Reads as zero; write zero.
        "zero" => Zero,
        /// Reads an unpredictable value; write zero.
        "sbz" => ShouldBeZero,
        /// Write zero, or the value that was read.
        "sbzp" => ShouldBeZeroOrPreserved,
        /// Write one.
        "one" => One,
    }
}

words! {
    /// Width of a register in words.
    "a number of words (1, 2)" => Words {
        "1" => One,
        /// Two words, the low word first.
        "2" => Two,
    }
}

impl Words {
    pub fn bits(self) -> u32 {
        match self {
            Self::One => 32,
            Self::Two => 64,
        }
    }
}

words! {
    /// Value read from a field that is meant for writing.
    "what a read returns (unpredictable)" => ReadAs {
        "unpredictable" => Unpredictable,
    }
}

words! {
    /// Result of a Non-secure access to a Secure register.
    "the result of a Non-secure access (zero)" => NonSecure {
        /// Reads as zero; writes are ignored.
        "zero" => Zero,
    }
}

words! {
    /// Place of a group's events on EVNTBUS, if no bits are given.
    "a place on EVNTBUS (unknown)" => EventBusPlace {
        /// No source states where the events are on EVNTBUS.
        "unknown" => Unknown,
    }
}

words! {
    /// Access rights of User mode to a register.
    "a rule for User mode (enabled, never, read)" => UserMode {
        /// Same access as privileged software, if privileged software permits it.
        "enabled" => Enabled,
        /// No access.
        "never" => Never,
        /// Read only, whether or not privileged software enables access.
        "read" => Read,
    }
}

words! {
    /// Party that can fix a finding.
    "a party (caller, privileged_software, secure_software, integrator, nobody)" => FixableBy {
        /// The caller of the driver.
        "caller" => Caller,
        /// Privileged software.
        "privileged_software" => PrivilegedSoftware,
        /// Secure software.
        "secure_software" => SecureSoftware,
        /// The integrator of the system.
        "integrator" => Integrator,
        /// Nobody can fix it.
        "nobody" => Nobody,
    }
}

words! {
    /// Unit of an event's count.
    "a unit (occurrences, cycles, beats)" => Counted {
        /// Occurrences of the event.
        "occurrences" => Occurrences,
        /// Clock cycles.
        "cycles" => Cycles,
        /// Transfers on a bus.
        "beats" => Beats,
    }
}

words! {
    /// Unit of a metric's value.
    "a unit of a metric (percent, per_thousand, ratio, occurrences, bytes)" => Measure {
        /// Fraction, printed in percent.
        "percent" => Percent,
        /// Number of events of one kind per 1000 events of another kind.
        "per_thousand" => PerThousand,
        /// Ratio of two events.
        "ratio" => Ratio,
        /// Number of occurrences.
        "occurrences" => Occurrences,
        /// Number of bytes.
        "bytes" => Bytes,
    }
}

words! {
    /// A family of names: the event names in one program, or in a part of it.
    "a dialect (arm-data, gator, gator-smmuv3, libpfm4, linux-generic, linux-kernel, linux-perf, oprofile)" => Dialect {
        /// Arm's machine-readable event lists (ARM-software/data).
        "arm-data" => ArmData,
        /// The profiler gator of Streamline.
        "gator" => Gator,
        /// gator, for any SMMUv3 PMCG.
        "gator-smmuv3" => GatorSmmuv3,
        /// The library libpfm4.
        "libpfm4" => Libpfm4,
        /// Generic events of Linux perf: `cycles`, `L1-dcache-load-misses`.
        "linux-generic" => LinuxGeneric,
        /// Constants in drivers of Linux.
        "linux-kernel" => LinuxKernel,
        /// Event names of a PMU in Linux, for the command `perf`.
        "linux-perf" => LinuxPerf,
        /// The profiler OProfile.
        "oprofile" => Oprofile,
    }
}

words! {
    /// A driver in the Linux kernel that counts with PMUs, identified by its file name.
    "a driver of Linux (arm-cci, arm_dsu_pmu, arm_pmuv3, arm_smmuv3_pmu, arm_v6_pmu, arm_v7_pmu, cache-l2x0-pmu)" => LinuxDriver {
        /// Interconnects of the CCI family.
        "arm-cci" => ArmCci,
        /// Clusters with a DynamIQ Shared Unit.
        "arm_dsu_pmu" => ArmDsuPmu,
        /// Cores with PMUv3.
        "arm_pmuv3" => ArmPmuv3,
        /// Counter groups of SMMUv3.
        "arm_smmuv3_pmu" => ArmSmmuv3Pmu,
        /// ARM11 cores.
        "arm_v6_pmu" => ArmV6Pmu,
        /// ARMv7 cores.
        "arm_v7_pmu" => ArmV7Pmu,
        /// Level 2 cache controllers.
        "cache-l2x0-pmu" => CacheL2x0Pmu,
    }
}
