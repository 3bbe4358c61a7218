//! The lists that name every IP.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::name::Names;
use crate::generate::load;

/// A file with one more IP.
pub struct Edit {
    pub path: String,
    pub text: String,
}

/// Where a line is added.
enum Place {
    /// In front of the first line of an IP that comes later in the alphabet, or after the last one.
    /// The text is the line of any IP, up to its name and after it.
    Among(&'static str, &'static str),
    /// In front of this.
    Before(&'static str),
}

use Place::{Among, Before};

/// File by file: where lines are added, and which.
const LISTS: &[(&str, &[(Place, &str)])] = &[
    (
        "Cargo.toml",
        &[(
            Among("", " = { version ="),
            "skeleton-ip = { version = \"0.1.0\", path = \"crates/skeleton-ip\" }\n",
        )],
    ),
    (
        "crates/arm-pmu/Cargo.toml",
        &[
            (Before("]\n## ARM1136, ARM1156"), ", \"skeleton-ip\""),
            (Before("\n[dependencies]"), "## SKELETON IP\nskeleton-ip = [\"dep:skeleton-ip\"]\n"),
            (
                Among("", " = { workspace = true, optional"),
                "skeleton-ip = { workspace = true, optional = true }\n",
            ),
        ],
    ),
    (
        "crates/arm-pmu/src/lib.rs",
        &[(
            Among("#[cfg(feature = \"", "\")]"),
            "#[cfg(feature = \"skeleton-ip\")]\npub use skeleton_ip;\n",
        )],
    ),
    ("crates/arm-pmu/README.md", &[(Among("| `", "` |"), "| `skeleton-ip` | SKELETON IP |\n")]),
    (
        "crates/arm-pmu-sim/src/lib.rs",
        &[
            (Before("\npub use access::"), "mod skeleton_ip;\n"),
            (Before("pub use register::"), "pub use skeleton_ip::SkeletonIp;\n"),
            (
                Before("//!\n//! [`Cci550::REGISTERS`]"),
                "//! | [`SkeletonIp`] | SKELETON IP | [`bus`](SkeletonIp::bus) |\n",
            ),
        ],
    ),
    (
        "xtask/src/tests/against_device/memory.rs",
        &[
            (
                Before("/// One element of a register."),
                concat!(include_str!("../../../template/against_device.rs"), "\n"),
            ),
            (Before("\nuse super::{ip, patterns};"), "use arm_pmu_sim::SkeletonIp;\n"),
            (Before("    mmu600_tcu: OfTcu;"), "    skeleton_ip: OfSkeletonIp;\n"),
        ],
    ),
    (
        "xtask/src/tests/against_device/fields.rs",
        &[
            (
                Before("#[test]\nfn fields_begin"),
                concat!(include_str!("../../../template/fields.rs"), "\n"),
            ),
            (Before("        (\"mmu600\", MMU600),"), "        (\"skeleton-ip\", SKELETON_IP),\n"),
        ],
    ),
    (
        "README.md",
        &[(
            Among("| [`", "`](crates/"),
            "| [`skeleton-ip`](crates/skeleton-ip) | SKELETON IP: 3 events, 2 counters | an example, of no device |\n",
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

/// What is put into the lists of files of Rust: the path, and the text.
pub fn templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lists = LISTS.iter().filter(|(path, _)| path.ends_with(".rs"));
    // Lines of documentation alone are not Rust.
    let is_code = |text: &&str| !text.starts_with("//!");
    lists.flat_map(move |(path, lines)| {
        lines.iter().map(|(_, text)| *text).filter(is_code).map(|text| (*path, text))
    })
}

/// The files with one more IP.
///
/// # Errors
///
/// If a file cannot be read, or has no such list.
pub fn edits(root: &Path, names: &Names) -> Result<Vec<Edit>> {
    let known = load::names(root)?;
    let mut edits = Vec::new();
    for (path, lines) in LISTS {
        let mut text =
            fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
        for (place, line) in *lines {
            let Some(at) = position(&text, place, &known, &names.ip.package) else {
                bail!("{path} has no list of IPs any more where there was one: {}", place.shown());
            };
            text.insert_str(at, &names.put_into(line));
        }
        edits.push(Edit { path: (*path).to_owned(), text });
    }
    Ok(edits)
}

/// Where the line of the new IP goes.
fn position(text: &str, place: &Place, known: &[String], new: &str) -> Option<usize> {
    match place {
        // Once: else it may be another list.
        Before(line) => (text.matches(line).count() == 1).then(|| text.find(line))?,
        Among(before, after) => {
            let mut last = None;
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                let of_ip = |ip: &&String| line.starts_with(&format!("{before}{ip}{after}"));
                match known.iter().find(of_ip) {
                    Some(ip) if ip.as_str() > new => return Some(start),
                    Some(_) => last = Some(start + line.len()),
                    // An entry may have more lines than its first.
                    None if last == Some(start) && line.starts_with("pub use ") => {
                        last = Some(start + line.len());
                    }
                    None => {}
                }
                start += line.len();
            }
            last
        }
    }
}

impl Place {
    fn shown(&self) -> String {
        match self {
            Among(before, after) => format!("no line `{before}<ip>{after}`"),
            Before(line) => format!("not once `{}`", line.trim()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_in_the_order_of_the_alphabet() {
        let known = ["b", "d"].map(str::to_owned);
        let text = "a = 1\n\n- b: 1\npub use b;\n- d: 1\npub use d;\n\nend\n";
        let at = |new| position(text, &Among("- ", ":"), &known, new);
        assert_eq!(at("a"), text.find("- b"));
        assert_eq!(at("c"), text.find("- d"));
        assert_eq!(at("e"), text.find("\nend"));
        assert_eq!(position(text, &Among("* ", ":"), &known, "c"), None);
        assert_eq!(position(text, &Before("end"), &known, "c"), text.find("end"));
        assert_eq!(position(text, &Before("pub use"), &known, "c"), None, "twice");
    }
}
