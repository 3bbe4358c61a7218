//! No public item of a crate returns the permit for creating locations, so only described registers are
//! accessible (ARCHITECTURE.md, invariant 7).

use std::fs;
use std::path::{Path, PathBuf};

use crate::generate::load;

/// Beginnings of lines that may name the permit or its type: lines of a space, private imports, and
/// the locations of registers in core's macro `register!`.
const LINES: [&str; 10] = [
    "pub struct Permit(());",
    "pub(super) const PERMIT: Permit = Permit(());",
    "type Permit = Permit;",
    "type Permit = core::convert::Infallible;",
    "use crate::generated::space::{PERMIT, ",
    "at(PERMIT, 0x",
    "array(PERMIT, 0x",
    "cp15(PERMIT, Operands {",
    "sysreg(PERMIT, SystemRegister {",
    "sysregs(PERMIT, SystemRegister {",
];

/// The Rust files of a crate.
pub fn sources(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The first line that may leak the permit, or create another one.
fn leak(text: &str) -> Option<&str> {
    let is_named = |line: &str| {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| ["PERMIT", "Permit"].contains(&word))
    };
    let is_known =
        |line: &str| line.starts_with("//") || LINES.iter().any(|of| line.starts_with(of));
    let makes = |line: &str| line.starts_with("#[derive(") && line.contains("Default");
    let of_space = text.contains(LINES[0]);
    let mut lines = text.lines().map(str::trim_start);
    lines.find(|line| is_named(line) && !is_known(line) || of_space && makes(line))
}

#[test]
fn no_item_gives_a_permit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut spaces = 0;
    for package in load::crates(&root).expect("crates") {
        for path in sources(&root.join("crates").join(package).join("src")) {
            let text = fs::read_to_string(&path).expect("a source");
            assert_eq!(leak(&text), None, "{}", path.display());
            let is_generated = path.components().any(|part| part.as_os_str() == "generated");
            let names_it = text.contains("PERMIT,");
            assert!(is_generated || !names_it, "{} names the permit", path.display());
            spaces += usize::from(text.contains(LINES[1]));
        }
    }
    assert!(spaces >= 5, "{spaces} files with spaces");
}

#[test]
fn a_leaked_permit_is_noticed() {
    for line in [
        "impl Permit { pub const fn new() -> Self { PERMIT } }",
        "impl Default for Permit { fn default() -> Self { PERMIT } }",
        "    const GIVEN: Permit = PERMIT;",
        "pub const GIVEN: Permit = PERMIT;",
        "pub(crate) fn permit() -> Permit { PERMIT }",
        "pub use self::PERMIT as GIVEN;",
        "pub use crate::generated::space::{PERMIT, Space};",
        "pub struct Open(pub Permit);",
        "given! { PERMIT }",
    ] {
        assert_eq!(leak(&format!("//! Permit.\n{line}\n")), Some(line.trim_start()), "{line}");
    }
    assert!(leak("#[derive(Debug, Default)]\npub struct Permit(());\n").is_some());
    assert_eq!(leak("    at(PERMIT, 0x4);\n"), None);
}
