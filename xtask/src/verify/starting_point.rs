//! `starting-point/`, as a user has it: copied to a directory of its own, built and run with `cargo run`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::command::{Program, cargo};
use crate::generate::load;
use crate::output::outln;
use crate::verify::arm::{Toolchain, qemu_is_usable, skip};

/// Targets, with the emulator that the project names for each.
const TARGETS: [(&str, &str); 2] =
    [("aarch64-unknown-none", "qemu-system-aarch64"), ("armv7a-none-eabi", "qemu-system-arm")];

/// Where the README says what to type, and what is printed.
const README: &str = "starting-point/README.md";

/// What the README calls the copy.
const COPY: &str = "../firmware";

/// What `check` prints of each event: the pass, its name, and the verdict. QEMU counts these, and more of a Cortex-A7 than
/// it does.
const CHECKED: [&str; 4] = [
    "software SW_INCR right",
    "read INST_RETIRED right",
    "write INST_RETIRED right",
    "read CPU_CYCLES right",
];

/// The guide that changes the project for a board.
const GUIDE: &str = "guides/zynqmp-firmware.md";

/// QEMU's model of a board with that chip: the target, and how it runs.
const ZCU102: (&str, &str) = (
    "aarch64-unknown-none",
    "qemu-system-aarch64 -M xlnx-zcu102 -icount shift=0,sleep=off -nographic -audio none -kernel",
);

/// How `board.rs` says that there is no interconnect.
const NO_INTERCONNECT: &str = "INTERCONNECT: Option<usize> = None;";

/// Memory of `virt` that no program uses.
const RAM: u32 = 0x4700_0000;

/// Registers of a CCI-400 r1 that memory can have: PMCR with four counters, and PID0 to PID2.
const IDENTITY: [(u32, u32); 4] = [(0x100, 0x2000), (0xFE0, 0x20), (0xFE4, 0xB4), (0xFE8, 0x6B)];

/// The fewest instructions of the work: each turn of its loop takes several.
const INSTRUCTIONS: u64 = 1_000 * 3;

/// How long a program may run. It takes less than a second, on a busy machine much longer.
const LIMIT: Duration = Duration::from_secs(300);

/// Copies the project, runs it for each target, and compares what it prints, all as its README says.
///
/// # Errors
///
/// If it does not build, prints something else, or is not formatted.
pub fn test(root: &Path) -> Result<()> {
    let readme = fs::read_to_string(root.join(README)).context(README)?;
    let instructions = Instructions::of(&readme)?;
    let copy = root.join("target/starting-point");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    cargo(root, &["fetch"]).run()?;
    instructions.copy(root, &copy)?;
    cargo(&copy, &["fmt", "--check"]).run()?;
    let default = default_target(&copy)?;
    let mut of_zcu102 = None;
    for (target, emulator) in TARGETS {
        let missing = Toolchain::of_figures(root, target)
            .and_then(|toolchain| qemu_is_usable(emulator).map(|()| toolchain));
        let toolchain = match missing {
            Ok(toolchain) => toolchain,
            Err(missing) => {
                skip(&format!("the starting point for {target}"), &missing)?;
                continue;
            }
        };
        let project = Project { root, copy: &copy, toolchain };
        project.cargo("build", OFFLINE).run()?;
        let runs = instructions.runs.iter().filter(|run| run.target.unwrap_or(&default) == target);
        let mut programs = Vec::new();
        for run in runs {
            let lines = project.run(&run.arguments, None)?;
            if run.arguments.contains(&"check") {
                compare_check(&lines, instructions.checked)?;
            } else {
                compare(&lines, instructions.printed)?;
            }
            programs.push(run.arguments.contains(&"check"));
        }
        programs.sort_unstable();
        if programs != [false, true] {
            bail!("{README} does not run both programs for {target}");
        }
        with_interconnect(&project)?;
        if target == ZCU102.0 {
            of_zcu102 = Some(project);
        }
    }
    // Last, because it changes the copy.
    of_zcu102.map_or(Ok(()), |project| on_zcu102(&project, &instructions))
}

/// Cargo downloads nothing, and says nothing of what it builds.
const OFFLINE: &[&str] = &["--quiet", "--offline"];

/// The copy, with the compiler for one target.
struct Project<'p> {
    root: &'p Path,
    copy: &'p Path,
    toolchain: Toolchain,
}

impl Project<'_> {
    fn cargo(&self, subcommand: &str, arguments: &[&str]) -> Program {
        let cargo = self.toolchain.cargo(self.copy, subcommand, arguments);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target/arm"))
    }

    /// What a program prints.
    fn run(&self, arguments: &[&str], runner: Option<&str>) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        let mut run = self.cargo("run", &[OFFLINE, arguments].concat());
        if let Some(runner) = runner {
            run = run.env(&self.toolchain.variable("RUNNER"), runner);
        }
        let status = run.run_within(LIMIT, |line| lines.push(line.to_owned()))?;
        let target = self.toolchain.target();
        outln!("{target}, `cargo run {}`, which ended with {status}:", arguments.join(" "));
        outln!("{}", lines.join("\n"));
        Ok(lines)
    }
}

/// What the README says.
struct Instructions<'r> {
    /// Lines of a shell that make the copy.
    preparation: Vec<&'r str>,
    runs: Vec<Run<'r>>,
    /// What the program prints, but for numbers.
    printed: &'r str,
    /// Rows of `check`.
    checked: &'r str,
}

/// A line `cargo run`.
struct Run<'r> {
    target: Option<&'r str>,
    arguments: Vec<&'r str>,
}

impl<'r> Instructions<'r> {
    /// # Errors
    ///
    /// If the README has other blocks than these.
    fn of(readme: &'r str) -> Result<Self> {
        let blocks = |kind: &str| -> Vec<&'r str> {
            let start = format!("\n```{kind}\n");
            let blocks = readme.split(start.as_str()).skip(1);
            blocks.filter_map(|rest| rest.split("\n```").next()).collect()
        };
        let [printed, checked] = blocks("text")[..] else { bail!("{README} has not two outputs") };
        let mut preparation = Vec::new();
        let mut runs = Vec::new();
        for line in blocks("sh").into_iter().flat_map(str::lines) {
            let Some(rest) = line.strip_prefix("cargo run") else {
                preparation.push(line);
                continue;
            };
            let words = rest.split(" #").next().unwrap_or_default();
            let mut arguments: Vec<_> = words.split_whitespace().collect();
            let at = arguments.iter().position(|word| *word == "--target");
            let target = at.and_then(|at| arguments.drain(at..at + 2).nth(1));
            runs.push(Run { target, arguments });
        }
        Ok(Self { preparation, runs, printed, checked })
    }

    /// Makes the copy, with the versions of other packages that are there already.
    ///
    /// # Errors
    ///
    /// If a line fails.
    fn copy(&self, root: &Path, to: &Path) -> Result<()> {
        let place = to.to_str().context("a place that is not UTF-8")?;
        // What is there already: the compiler's targets, and another compiler's for the figures.
        let lines = self.preparation.iter().filter(|line| !line.starts_with("rustup "));
        let lines: Vec<_> = lines.map(|line| line.replace(COPY, place)).collect();
        if !lines.iter().any(|line| line.contains(place)) {
            bail!("{README} makes no copy {COPY}");
        }
        let shell = Program::new("sh").arguments(["-e", "-c", &lines.join("\n")]);
        shell.directory(&fs::canonicalize(root)?).run()?;
        fs::copy(root.join("Cargo.lock"), to.join("Cargo.lock"))?;
        // What a run in place has left.
        let built = to.join("target");
        if built.exists() {
            fs::remove_dir_all(built)?;
        }
        Ok(())
    }
}

/// Makes the copy that the README describes.
///
/// # Errors
///
/// If that fails.
pub fn copied(root: &Path, to: &Path) -> Result<()> {
    let readme = fs::read_to_string(root.join(README)).context(README)?;
    Instructions::of(&readme)?.copy(root, to)
}

/// The target that the project builds for without an option.
fn default_target(copy: &Path) -> Result<String> {
    let settings = fs::read_to_string(copy.join(".cargo/config.toml"))?;
    let target = settings.lines().find_map(|line| line.strip_prefix("target = "));
    Ok(target.context("no target in .cargo/config.toml")?.trim_matches('"').to_owned())
}

/// The program that runs images for a target.
fn runner(copy: &Path, target: &str) -> Result<String> {
    let settings = fs::read_to_string(copy.join(".cargo/config.toml"))?;
    let of_target = settings.split(&format!("[target.{target}]")).nth(1).unwrap_or_default();
    let runner = of_target.lines().find_map(|line| line.strip_prefix("runner = "));
    Ok(runner.context("no runner in .cargo/config.toml")?.trim_matches('"').to_owned())
}

/// `check` with the address of a CCI-400: what answers there is memory. Without the identification, the driver refuses
/// it. With it, all is programmed, and no count is valid, because memory does not clear its overflow flags.
fn with_interconnect(project: &Project) -> Result<()> {
    let board = project.copy.join("src/bin/check/board.rs");
    let text = fs::read_to_string(&board)?;
    let with = NO_INTERCONNECT.replace("None", &format!("Some({RAM:#x})"));
    let changed = text.replace(NO_INTERCONNECT, &with);
    if changed == text {
        bail!("{} does not say `{NO_INTERCONNECT}`", board.display());
    }
    fs::write(&board, changed)?;
    let refused = project.run(&["--bin", "check"], None)?;
    let plain = runner(project.copy, project.toolchain.target())?;
    let words: Vec<String> = IDENTITY
        .iter()
        .map(|(offset, value)| {
            format!("-device loader,addr={:#x},data={value:#x},data-len=4", RAM + offset)
        })
        .collect();
    let identified = plain.replace(" -kernel", &format!(" {} -kernel", words.join(" ")));
    let programmed = project.run(&["--bin", "check"], Some(&identified));
    fs::write(&board, text)?;
    let programmed = programmed?;
    let why = format!("no driver of the CCI-400 at {RAM:#x}: ");
    if !refused.iter().any(|line| line.starts_with(&why)) {
        bail!("`check` does not say `{why}..`");
    }
    for (pass, event) in [("read", "S3:READ_REQUEST_ANY"), ("write", "S3:WRITE_REQUEST_ANY")] {
        let row = programmed.iter().find(|line| line.contains(event));
        let row = row.with_context(|| format!("`check` has no row of {event}"))?;
        if !row.starts_with(pass) || !row.ends_with("NOT COUNTED") {
            bail!("memory is no CCI-400, but `check` printed: {row}");
        }
    }
    Ok(())
}

/// The project with the lines of the guide, on QEMU's model of that board: UART, memory and core are as there. It has no
/// CCI-400, so `check` is built alone.
fn on_zcu102(project: &Project, instructions: &Instructions) -> Result<()> {
    let guide = fs::read_to_string(project.root.join(GUIDE)).context(GUIDE)?;
    let mut changes = changes(&guide)?;
    // What a boot loader does: it enables the transmitter.
    changes.push(Change {
        file: "src/uart.rs".to_owned(),
        old: "    pub const fn new() -> Self {\n".to_owned(),
        new: "    pub fn new() -> Self {\n        // SAFETY: the control register.\n        \
              unsafe { (BASE as *mut u32).write_volatile(0x10) };\n"
            .to_owned(),
    });
    // PSCI of this model is called in another way. On the board, the program waits.
    changes.push(Change {
        file: "src/aarch64.rs".to_owned(),
        old: "\"hvc #0\"".to_owned(),
        new: "\"smc #0\"".to_owned(),
    });
    for Change { file, old, new } in changes {
        let path = project.copy.join(&file);
        let text = fs::read_to_string(&path).with_context(|| file.clone())?;
        if text.matches(&old).count() != 1 {
            bail!("{GUIDE}: {file} has not once\n{old}");
        }
        fs::write(&path, text.replace(&old, &new))?;
    }
    project.cargo("build", OFFLINE).run()?;
    compare(&project.run(&[], Some(ZCU102.1))?, instructions.printed)
}

/// A change of a block `diff`.
#[derive(Debug, PartialEq)]
struct Change {
    file: String,
    old: String,
    new: String,
}

/// The changes in the block `diff` of a guide.
fn changes(guide: &str) -> Result<Vec<Change>> {
    let block = guide.split("\n```diff\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let mut changes: Vec<Change> = Vec::new();
    let mut file = "";
    for line in block.with_context(|| format!("{GUIDE} has no block of diff"))?.lines() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            file = name;
        } else if line.starts_with("@@ ") {
            changes.push(Change { file: file.to_owned(), old: String::new(), new: String::new() });
        } else if let (false, Some(change)) = (line.starts_with("--- "), changes.last_mut()) {
            let (sign, rest) = line.split_at_checked(1).context("an empty line")?;
            let text = match sign {
                "-" => &mut change.old,
                "+" => &mut change.new,
                _ => bail!("{GUIDE}: `{line}` is neither old nor new"),
            };
            *text += &format!("{rest}\n");
        }
    }
    Ok(changes)
}

/// Arguments of Cargo, as if the registry had our packages, and with nothing loaded.
///
/// # Errors
///
/// If the specs cannot be read.
pub fn offline(root: &Path) -> Result<Vec<String>> {
    let mut patches = ["--quiet", "--offline"].map(str::to_owned).to_vec();
    for name in packages(root)? {
        let path = root.join("crates").join(&name);
        patches.extend(["--config".to_owned(), format!("patch.crates-io.{name}.path={path:?}")]);
    }
    Ok(patches)
}

/// The packages of the workspace that a project may need: drivers, and what these need.
fn packages(root: &Path) -> Result<Vec<String>> {
    let mut packages =
        ["arm-pmu-core", "arm-pmu-derive", "arm-pmu-sim"].map(str::to_owned).to_vec();
    packages.extend(load::crates(root)?);
    Ok(packages)
}

/// Whether the last lines are those of a measurement that counted, and but for numbers those of the README.
fn compare(lines: &[String], printed: &str) -> Result<()> {
    let printed: Vec<_> = printed.lines().map(without_numbers).collect();
    let lines = &lines[lines.len().saturating_sub(printed.len())..];
    let found: Vec<_> = lines.iter().map(|line| without_numbers(line)).collect();
    if found != printed {
        bail!("it printed, without the numbers: {found:#?}");
    }
    for line in &lines[..2] {
        let count: u64 = line.split_whitespace().next().unwrap_or_default().parse()?;
        if count < INSTRUCTIONS {
            bail!("it counted too little: {line}");
        }
    }
    Ok(())
}

/// Whether all that QEMU counts is right, and nothing else is; and whether all rows of the README are there.
fn compare_check(lines: &[String], checked: &str) -> Result<()> {
    let words =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let all: Vec<_> = lines.iter().map(|line| words(line)).collect();
    for row in checked.lines() {
        if !all.contains(&words(row)) {
            bail!("{README} says that `check` prints `{row}`");
        }
    }
    let rows: Vec<_> = all
        .iter()
        .filter(|words| {
            words.first().is_some_and(|pass| ["software", "read", "write"].contains(&pass.as_str()))
        })
        .collect();
    let ended = |end: &str| -> Vec<String> {
        let rows = rows.iter().filter(|row| row.last().is_some_and(|last| last == end));
        rows.map(|row| format!("{} {} {end}", row[0], row[1])).collect()
    };
    if ended("right") != CHECKED || rows.len() != CHECKED.len() + NOT_COUNTED {
        bail!("`check` printed: {lines:#?}");
    }
    // Software increments are exact, and so is what is behind the `expected` of an instruction to within the limits.
    let exact = |row: &&&Vec<String>| row[2] == row[5];
    if rows.iter().filter(exact).count() < 3 {
        bail!(
            "software increments, and the instructions of both passes, have to be counted exactly: {rows:#?}"
        );
    }
    if !lines.iter().any(|line| line.starts_with("drivers: ") && line.contains("cci400 0.")) {
        bail!("`check` does not say which drivers it has: {lines:#?}");
    }
    if !lines.last().is_some_and(|line| line.starts_with("4 right, ")) {
        bail!("the last line of `check` is {:?}", lines.last());
    }
    Ok(())
}

/// Events of `check` that QEMU does not count.
const NOT_COUNTED: usize = 12;

/// The words of a line, with `#` for each number.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for letter in line.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match letter {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = include_str!("../../../starting-point/README.md");

    #[test]
    fn counts_are_compared_by_their_form() {
        let instructions = Instructions::of(TEXT).expect("instructions");
        let compare = |lines: &[String]| compare(lines, instructions.printed);
        let lines = |count: &str| {
            let of_counts = format!("instructions per cycle: 1.000  ({count} / {count})");
            [format!("   {count}  INST_RETIRED"), format!("   {count}  cycles"), of_counts]
        };
        assert!(compare(&lines("5000")).is_ok());
        assert!(compare(&lines("12")).unwrap_err().to_string().contains("too little: "));
        let refused = compare(&["no driver: another device".to_owned()]).unwrap_err().to_string();
        assert!(refused.contains("no driver"), "{refused}");
    }

    #[test]
    fn the_readme_makes_a_copy_and_runs_both_programs_for_both_targets() {
        let instructions = Instructions::of(TEXT).expect("instructions");
        let runs: Vec<_> =
            instructions.runs.iter().map(|run| (run.target, run.arguments.join(" "))).collect();
        let armv7 = Some("armv7a-none-eabi");
        let expected = [(None, ""), (armv7, ""), (None, "--bin check"), (armv7, "--bin check")];
        assert_eq!(runs, expected.map(|(target, words)| (target, words.to_owned())));
        assert!(instructions.preparation.iter().any(|line| line.contains(COPY)));
        assert!(instructions.checked.lines().count() > 3);
    }

    #[test]
    fn the_guide_changes_lines_that_there_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let guide = fs::read_to_string(root.join(GUIDE)).expect("a guide");
        let changes = changes(&guide).expect("changes");
        for Change { file, old, new } in &changes {
            let text = fs::read_to_string(root.join("starting-point").join(file)).expect("a file");
            assert!(text.matches(old).count() == 1 && !new.is_empty(), "{file}: {old}");
        }
        let files: Vec<_> = changes.iter().map(|change| change.file.as_str()).collect();
        for file in ["link.ld", "src/uart.rs", "src/bin/check/board.rs"] {
            assert!(files.contains(&file), "{files:?}");
        }
    }

    /// Each package of the project that this workspace has is patched: with one left out, a copy does not build.
    #[test]
    fn the_readme_names_all_crates() {
        let list = TEXT.split("for crate in ").nth(1).and_then(|rest| rest.split(';').next());
        let mut named: Vec<_> = list.expect("a list").split(' ').collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let manifest =
            fs::read_to_string(root.join("starting-point/Cargo.toml")).expect("a manifest");
        let of = |manifest: &str| -> Vec<String> {
            let names = manifest.lines().filter_map(|line| line.split([' ', '.']).next());
            let is_ours = |name: &&str| root.join("crates").join(name).is_dir() && !name.is_empty();
            names.filter(is_ours).map(str::to_owned).collect()
        };
        let mut needed = of(&manifest);
        let mut next = 0;
        while let Some(name) = needed.get(next).cloned() {
            next += 1;
            let manifest = fs::read_to_string(root.join("crates").join(&name).join("Cargo.toml"));
            let manifest = manifest.expect("a manifest");
            // Not those of its tests.
            let own = manifest.split("[dev-dependencies]").next().unwrap_or_default();
            for name in of(own) {
                if !needed.contains(&name) {
                    needed.push(name);
                }
            }
        }
        named.sort_unstable();
        needed.sort_unstable();
        assert_eq!(named, needed);
    }
}
