//! The single values of the spec language.

use serde_json::{Value, json};

use super::declare::words;
use super::read::{Read, scalar, shown};
use super::schema::{Definitions, Describe};
use crate::generate::problem::{Problem, Problems};
use crate::generate::yaml::Node;

/// Text for people: not empty, ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

impl Read for Text {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a text", problems)?;
        let text = text.trim_ascii();
        if !text.contains(|c: char| c.is_alphanumeric()) {
            problems.push(Problem::new(&node.place, "the text is empty"));
            return None;
        }
        if let Some(other) = text.chars().find(|c| !c.is_ascii() || (c.is_ascii_control())) {
            let message = format!("`{}` is not printable ASCII", other.escape_default());
            let help = match other {
                '\n' => "write a long text as `>-` with its lines below: they become one",
                _ => "texts go into Rust, C and tables: write it in ASCII",
            };
            problems.push(Problem::new(&node.place, message).help(help));
            return None;
        }
        Some(Self(text.to_owned()))
    }
}

/// Plain numbers and words like `true` are texts as well.
impl Describe for Text {
    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A text in ASCII.",
            "type": ["string", "number", "boolean"],
            "pattern": r"^[ \t\n\f\r]*[ -~]*[A-Za-z0-9][ -~]*[ \t\n\f\r]*$",
        })
    }
}

/// A name of a register, field, event, source or group: a letter, then letters, digits, underscores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub String);

impl Read for Name {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a name", problems)?;
        if is_name(text) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(&node.place, format!("`{}` is not a name", shown(text)));
        problems.push(problem.help(
            "a letter, then letters, digits and underscores, all ASCII; not `true` or `false`",
        ));
        None
    }
}

impl Describe for Name {
    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A name: a letter, then letters, digits and underscores.",
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_]*$",
        })
    }
}

/// A name of the legend, and perhaps where to look in that document: `linux`, `ihi0070 10.5.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub name: String,
    pub place: Option<String>,
}

impl Read for Reference {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Text(text) = Text::read(node, problems)?;
        let (name, place) = match text.split_once(' ') {
            Some((name, place)) => (name, Some(place.trim_start().to_owned())),
            None => (&*text, None),
        };
        if is_name(name) {
            return Some(Self { name: name.to_owned(), place });
        }
        let message = format!("`{}` is not a name of the legend", shown(name));
        let problem = Problem::new(&node.place, message);
        problems.push(problem.help("a name, and after a space where to look in that document"));
        None
    }
}

impl Describe for Reference {
    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A name of the legend, and after a space where to look in that document.",
            "type": "string",
            "pattern": "^[ \\t\\n\\f\\r]*[A-Za-z][A-Za-z0-9_]*( [ -~]*)?[ \\t\\n\\f\\r]*$",
        })
    }
}

fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Other readers of YAML take these words for something else.
    let is_truth = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(word) && !is_truth
}

/// A number in hexadecimal: codes, offsets, reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex(pub u32);

impl Read for Hex {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a hexadecimal number", problems)?;
        let problem = match hex(text) {
            Ok(number) if !quoted => return Some(Self(number)),
            Ok(_) => Problem::new(&node.place, "a number is written without quotes"),
            Err(message) => Problem::new(&node.place, message)
                .help("codes, offsets and reset values are written as 0x and hexadecimal digits"),
        };
        problems.push(problem);
        None
    }
}

/// A number that YAML takes for a text, as it has underscores; of at most so many digits.
fn grouped(digits: u32) -> Value {
    let pattern = format!("^0x(?=.*_)[0_]*([0-9A-Fa-f]_*){{1,{digits}}}$");
    json!({ "type": "string", "pattern": pattern })
}

impl Describe for Hex {
    fn describe(_: &mut Definitions) -> Value {
        let number = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
        let description = "In hexadecimal: 0x1F, 0x8000_0000.";
        json!({ "description": description, "anyOf": [number, grouped(8)] })
    }
}

fn hex(text: &str) -> Result<u32, String> {
    let number = hex64(text)?;
    u32::try_from(number).map_err(|_| format!("`{}` does not fit 32 bits", shown(text)))
}

fn hex64(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or("");
    if !digits.contains(|c: char| c.is_ascii_hexdigit())
        || !digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_')
    {
        return Err(format!("`{}` is not a hexadecimal number", shown(text)));
    }
    u64::from_str_radix(&digits.replace('_', ""), 16)
        .map_err(|_| format!("`{}` does not fit 64 bits", shown(text)))
}

/// A number in decimal: bit numbers and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal(pub u32);

impl Read for Decimal {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a decimal number", problems)?;
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let problem = match text.parse() {
            Ok(number) if digits && !quoted => return Some(Self(number)),
            Ok(_) if digits => Problem::new(&node.place, "a number is written without quotes"),
            _ => {
                let why = if digits { "does not fit 32 bits" } else { "is not a decimal number" };
                let problem = Problem::new(&node.place, format!("`{}` {why}", shown(text)));
                problem.help("bit numbers and counts are written as decimal digits")
            }
        };
        problems.push(problem);
        None
    }
}

impl Describe for Decimal {
    fn describe(_: &mut Definitions) -> Value {
        let description = "In decimal.";
        json!({ "description": description, "type": "integer", "minimum": 0, "maximum": u32::MAX })
    }
}

/// The value of a register after reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    Known(u64),
    Unknown,
}

impl Read for Reset {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a reset value", problems)?;
        if text == "unknown" {
            return Some(Self::Unknown);
        }
        let problem = match hex64(text) {
            Ok(value) if !quoted => return Some(Self::Known(value)),
            Ok(_) => Problem::new(&node.place, "a number is written without quotes"),
            Err(message) => Problem::new(&node.place, message)
                .help("write 0x and hexadecimal digits, or `unknown`"),
        };
        problems.push(problem);
        None
    }
}

impl Describe for Reset {
    fn describe(_: &mut Definitions) -> Value {
        json!({ "description": "In hexadecimal, or `unknown`.", "anyOf": [
            { "const": "unknown" },
            // Readers of JSON that have no integers of 64 bits round them.
            { "type": "integer", "minimum": 0, "maximum": 2f64.powi(64) },
            grouped(16),
        ] })
    }
}

/// Of the widest register there is.
const HIGHEST_BIT: u32 = 63;

/// Bits of a register, high bit first: `"15:11"`, or `"5"` for one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub high: u32,
    pub low: u32,
}

impl Bits {
    pub fn width(self) -> u32 {
        self.high - self.low + 1
    }

    pub fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.width())) << self.low
    }
}

impl std::fmt::Display for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.high == self.low {
            write!(f, "{}", self.high)
        } else {
            write!(f, "{}:{}", self.high, self.low)
        }
    }
}

impl Read for Bits {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a range of bits", problems)?;
        let (high_text, low_text) = text.split_once(':').unwrap_or((text, text));
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            // Any number beyond the register is as wrong as the next.
            digits.then(|| text.parse::<u32>().unwrap_or(u32::MAX))
        };
        let problem = match (number(high_text), number(low_text)) {
            (Some(high), Some(low)) if high < low && low <= HIGHEST_BIT => {
                Problem::new(&node.place, format!("bits {high}:{low} are in the wrong order"))
                    .help(format!("the high bit comes first: \"{low}:{high}\""))
            }
            (Some(high), Some(low)) if high.max(low) > HIGHEST_BIT => {
                let outside = if high > HIGHEST_BIT { high_text } else { low_text };
                let message = format!("bit {} is outside of any register", shown(outside));
                Problem::new(&node.place, message)
                    .help("bits are 31 to 0; those of a register of `width: 64`, 63 to 0")
            }
            (Some(_), Some(_)) if !quoted => {
                Problem::new(&node.place, "a range of bits is written in quotes")
                    .help(format!("write \"{text}\""))
            }
            (Some(high), Some(low)) => return Some(Self { high, low }),
            _ => Problem::new(&node.place, format!("`{}` is not a range of bits", shown(text)))
                .help("write \"15:11\", or \"5\" for one bit"),
        };
        problems.push(problem);
        None
    }
}

impl Describe for Bits {
    fn describe(_: &mut Definitions) -> Value {
        let bit = "0*([0-9]|[1-5][0-9]|6[0-3])";
        let description = "Bits in quotes, the high one first: \"15:11\", or \"5\" for one.";
        let pattern = format!("^{bit}(:{bit})?$");
        json!({ "description": description, "type": "string", "pattern": pattern })
    }
}

/// Codes that the manual reserves: `"0x15-0x1F"`, or `"0x15"` for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    pub first: u32,
    pub last: u32,
}

impl Read for Codes {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a range of codes", problems)?;
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let problem = match (hex(first), hex(last)) {
            (Ok(first), Ok(last)) if first <= last => return Some(Self { first, last }),
            (Ok(_), Ok(_)) => {
                Problem::new(&node.place, format!("codes {} are in the wrong order", shown(text)))
                    .help("the low code comes first")
            }
            (Err(_), _) | (_, Err(_)) => {
                let message = format!("`{}` is not a range of codes", shown(text));
                Problem::new(&node.place, message)
                    .help("write \"0x15-0x1F\", or \"0x15\" for one code")
            }
        };
        problems.push(problem);
        None
    }
}

impl Describe for Codes {
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
                problems.push(Problem::new(&node.place, message).help(help));
                None
            }
        }
    }
}

impl Describe for FieldPath {
    fn describe(_: &mut Definitions) -> Value {
        let name = "[A-Za-z][A-Za-z0-9_]*";
        let description = "A field: REGISTER.FIELD.";
        let pattern = format!(r"^{name}\.{name}$");
        json!({ "description": description, "type": "string", "pattern": pattern })
    }
}

words! {
    /// What software can do with a register or a field.
    "an access (rw, ro, wo, w1, w1c, w1s)" => Access {
        /// Read and write.
        "rw" => ReadWrite,
        /// Read only; writes are ignored.
        "ro" => ReadOnly,
        /// Write only.
        "wo" => WriteOnly,
        /// Writing 1 triggers an action, writing 0 has no effect; reads as zero.
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
    /// The rule for a reserved bit.
    "a kind of reserved bit (zero, sbz, sbzp, one)" => Reserved {
        /// Reads as zero, is written as zero.
        "zero" => Zero,
        /// Reads unpredictably, should be written as zero.
        "sbz" => ShouldBeZero,
        /// Should be written as zero, or as it was read.
        "sbzp" => ShouldBeZeroOrPreserved,
        /// Should be written as one.
        "one" => One,
    }
}

words! {
    /// The width of a register in bits.
    "a width (32, 64)" => Width {
        "32" => Word,
        /// Two words, the low one first.
        "64" => DoubleWord,
    }
}

impl Width {
    pub fn bits(self) -> u32 {
        match self {
            Self::Word => 32,
            Self::DoubleWord => 64,
        }
    }
}

words! {
    /// The value read from a field that is meant for writing.
    "a way to read (unpredictable)" => ReadAs {
        "unpredictable" => Unpredictable,
    }
}

words! {
    /// The effect of an access by Non-secure software to a Secure register.
    "an answer to Non-secure software (zero)" => NonSecure {
        /// Reads as zero, and ignores writes.
        "zero" => Zero,
    }
}

words! {
    /// The place of the events of a group on EVNTBUS, in place of a bit for each event.
    "a place on EVNTBUS (unknown)" => EventBusPlace {
        /// It was not found.
        "unknown" => Unknown,
    }
}

words! {
    /// Access to a register in User mode.
    "a rule for User mode (enabled, never, read)" => UserMode {
        /// The same as in privileged modes, if privileged software allows it.
        "enabled" => Enabled,
        /// No access.
        "never" => Never,
        /// Reads only, without permission of privileged software.
        "read" => Read,
    }
}

words! {
    /// The party that can fix the cause of a finding.
    "a party (caller, privileged_software, secure_software, integrator, nobody)" => FixableBy {
        "caller" => Caller,
        "privileged_software" => PrivilegedSoftware,
        "secure_software" => SecureSoftware,
        "integrator" => Integrator,
        "nobody" => Nobody,
    }
}

words! {
    /// Confidence in a fact.
    "a confidence (A, B, C, D)" => Confidence {
        /// Read in a document of Arm.
        "A" => A,
        /// The same in two or more independent sources.
        "B" => B,
        /// In one source.
        "C" => C,
        /// Inferred.
        "D" => D,
    }
}

words! {
    /// The unit of a count of an event.
    "a unit (occurrences, cycles, beats)" => Unit {
        "occurrences" => Occurrences,
        "cycles" => Cycles,
        "beats" => Beats,
    }
}

words! {
    /// The unit of a metric.
    "a unit of a metric (percent, ratio, occurrences, bytes)" => MetricUnit {
        "percent" => Percent,
        "ratio" => Ratio,
        "occurrences" => Occurrences,
        "bytes" => Bytes,
    }
}

words! {
    /// A program, or a part of one, that has names of events.
    "a dialect (arm-data, gator, gator-smmuv3, libpfm4, linux-generic, linux-kernel, linux-perf, oprofile)" => Dialect {
        /// Arm's machine-readable event lists (ARM-software/data).
        "arm-data" => ArmData,
        /// The profiler gator.
        "gator" => Gator,
        /// The same, for any PMCG of SMMUv3.
        "gator-smmuv3" => GatorSmmuv3,
        /// The library libpfm4.
        "libpfm4" => Libpfm4,
        /// The generic events of Linux perf.
        "linux-generic" => LinuxGeneric,
        /// The constants of the drivers in Linux.
        "linux-kernel" => LinuxKernel,
        /// The event names of a PMU under Linux.
        "linux-perf" => LinuxPerf,
        /// The profiler OProfile.
        "oprofile" => Oprofile,
    }
}
