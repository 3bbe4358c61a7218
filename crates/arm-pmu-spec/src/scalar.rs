//! Scalars of all specs.

use serde_json::{Value, json};

use crate::problem::{Problems, report};
use crate::read::{Checked, Read, scalar, shown, wrapped};
use crate::schema::Definitions;
use crate::words;
use crate::yaml::Node;

/// Text for readers: ASCII, and not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(pub String);

impl Read for Text {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a text", problems)?;
        let text = text.trim_ascii();
        if !text.contains(|c: char| c.is_alphanumeric()) {
            report(problems, node, "the text is empty");
            return None;
        }
        if let Some(other) = text.chars().find(|c| !c.is_ascii() || (c.is_ascii_control())) {
            let message = format!("`{}` is not printable ASCII", other.escape_default());
            let help = match other {
                '\n' => "write a long text as `>-` with its lines below: they become one",
                _ => "texts are copied into Rust, C and tables, so write them in ASCII",
            };
            report(problems, node, message).help(help);
            return None;
        }
        Some(Self(text.to_owned()))
    }

    /// Numbers and words like `true` are also accepted as text.
    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A text in ASCII.",
            "type": ["string", "number", "boolean"],
            "pattern": r"^[ \t\n\f\r]*[ -~]*[A-Za-z0-9][ -~]*[ \t\n\f\r]*$",
        })
    }
}

/// Location in the manual: "2.4.4, Table 2-3". A location contains a number, and begins with a section number, a table, a
/// figure, a page, or the name of a register or document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section(pub String);

impl Read for Section {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Text(text) = Text::read(node, problems)?;
        let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let begins =
            ["Table", "Tables", "Figure", "Figures", "Chapter", "Appendix", "page", "pages"];
        let is_name = first.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        if has_digit(first) || (is_name || begins.contains(&first)) && has_digit(rest) {
            return Some(Self(text));
        }
        let message = format!("`{}` is not a place in the manual", shown(&text));
        let help =
            "a section, table or page: \"2.4.4, Table 2-3\"; name any other source in `from`";
        report(problems, node, message).help(help);
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        let first = "(Tables?|Figures?|Chapter|Appendix|pages?|[A-Z_]+) [ -~]*|[!-~]*";
        json!({
            "description": "A section, table or page of the manual.",
            "type": ["string", "number"],
            "pattern": format!(r"^[ \t\n\f\r]*({first})[0-9][ -~]*[ \t\n\f\r]*$"),
        })
    }
}

/// Name of a register, field, event, source or group: a letter, then letters, digits, underscores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(pub String);

impl Read for Name {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, _) = scalar(node, "a name", problems)?;
        if is_name(text) {
            return Some(Self(text.to_owned()));
        }
        report(problems, node, format!("`{}` is not a name", shown(text))).help(
            "a letter, then letters, digits and underscores, all ASCII; not `true` or `false`",
        );
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A name: a letter, then letters, digits and underscores.",
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_]*$",
        })
    }
}

/// Name of a legend entry, with an optional location in the document: `linux`, `ihi0070 10.5.2`.
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
        report(problems, node, message).help("a name, and after a space the place in the document");
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        json!({
            "description": "A name of the legend; after a space, the place in the document.",
            "type": "string",
            "pattern": "^[ \\t\\n\\f\\r]*[A-Za-z][A-Za-z0-9_]*( [ -~]*)?[ \\t\\n\\f\\r]*$",
        })
    }
}

pub fn is_name(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    // Other YAML parsers convert these words to booleans.
    let is_truth = text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false");
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(word) && !is_truth
}

/// Hexadecimal number: a code, an offset or a reset value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hex(pub u32);

impl Read for Hex {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a hexadecimal number", problems)?;
        match hex(text) {
            Ok(number) if !quoted => return Some(Self(number)),
            Ok(_) => report(problems, node, "a number is written without quotes"),
            Err(message) => report(problems, node, message)
                .help("codes, offsets and reset values are written as 0x and hexadecimal digits"),
        };
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        let number = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
        let description = "In hexadecimal: 0x1F, 0x8000_0000.";
        json!({ "description": description, "anyOf": [number, grouped(8)] })
    }
}

/// A number with underscores and at most `digits` digits. YAML parses such a number as text.
pub fn grouped(digits: u32) -> Value {
    let pattern = format!("^0x(?=.*_)[0_]*([0-9A-Fa-f]_*){{1,{digits}}}$");
    json!({ "type": "string", "pattern": pattern })
}

/// Parses a 32-bit number from `0x` and digits.
pub fn hex(text: &str) -> Result<u32, String> {
    let number = hex64(text)?;
    u32::try_from(number).map_err(|_| format!("`{}` does not fit 32 bits", shown(text)))
}

/// Parses a 64-bit number from `0x` and digits.
pub fn hex64(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x").unwrap_or("");
    if !digits.contains(|c: char| c.is_ascii_hexdigit())
        || !digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_')
    {
        return Err(format!("`{}` is not a hexadecimal number", shown(text)));
    }
    u64::from_str_radix(&digits.replace('_', ""), 16)
        .map_err(|_| format!("`{}` does not fit in 64 bits", shown(text)))
}

/// Decimal number: a bit number or a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal(pub u32);

impl Read for Decimal {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let (text, quoted) = scalar(node, "a decimal number", problems)?;
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits && !quoted => return Some(Self(number)),
            Ok(_) if digits => report(problems, node, "a number is written without quotes"),
            _ => {
                let why = if digits { "does not fit 32 bits" } else { "is not a decimal number" };
                let problem = report(problems, node, format!("`{}` {why}", shown(text)));
                problem.help("bit numbers and counts are written as decimal digits")
            }
        };
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        let description = "In decimal.";
        json!({ "description": description, "type": "integer", "minimum": 0, "maximum": u32::MAX })
    }
}

/// Highest bit of the widest register.
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
            // A number that does not fit in `u32` is outside of any register.
            digits.then(|| text.parse::<u32>().unwrap_or(u32::MAX))
        };
        match (number(high_text), number(low_text)) {
            (Some(high), Some(low)) if high < low && low <= HIGHEST_BIT => {
                report(problems, node, format!("bits {high}:{low} are in the wrong order"))
                    .help(format!("the high bit comes first: \"{low}:{high}\""))
            }
            (Some(high), Some(low)) if high.max(low) > HIGHEST_BIT => {
                let outside = if high > HIGHEST_BIT { high_text } else { low_text };
                let message = format!("bit {} is outside of any register", shown(outside));
                report(problems, node, message)
                    .help("bits are 31 to 0, or 63 to 0 in a register of 64 bits")
            }
            (Some(_), Some(_)) if !quoted => {
                report(problems, node, "a range of bits is written in quotes")
                    .help(format!("write \"{text}\""))
            }
            (Some(high), Some(low)) => return Some(Self { high, low }),
            _ => report(problems, node, format!("`{}` is not a range of bits", shown(text)))
                .help("write \"15:11\", or \"5\" for one bit"),
        };
        None
    }

    fn describe(_: &mut Definitions) -> Value {
        let bit = "0*([0-9]|[1-5][0-9]|6[0-3])";
        let description = "Bits in quotes, the high one first: \"15:11\", or \"5\" for one.";
        let pattern = format!("^{bit}(:{bit})?$");
        json!({ "description": description, "type": "string", "pattern": pattern })
    }
}

words! {
    /// Confidence in a fact.
    "a confidence (A, B, C, D, M)" => Confidence {
        /// Stated in a document of Arm.
        "A" => A,
        /// Stated alike in two or more independent sources.
        "B" => B,
        /// Stated in one source.
        "C" => C,
        /// Inferred from other facts.
        "D" => D,
        /// Measured on hardware by `arm-pmu check`; the source names the board.
        "M" => M,
    }
}

wrapped!(Decimal: u32, Hex: u32, Name: String, Text: String);

impl Checked for Bits {
    type As = Self;

    fn checked(&self) -> Self {
        *self
    }
}
