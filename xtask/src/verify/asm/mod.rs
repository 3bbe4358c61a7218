//! `cargo xtask asm`: compares the machine code of the typed API with hand-written code.
//!
//! `xtask/asm` contains pairs of functions. For each target, both functions of a pair are compiled in release mode.
//! Their code must be equal, instruction by instruction, except for the stack frame. A method of a driver has a
//! [bound](METHODS) for its number of instructions, including all functions that it may call.

mod disassembly;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use regex::Regex;

use crate::command::output;
use crate::verify::arm::{Toolchain, or_skip};
use disassembly::Functions;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only compare, and print the figures; by default, both functions of each pair are printed side
    /// by side
    #[arg(long)]
    check: bool,
}

/// Targets: name, disassembler, and pattern of instructions that do not matter. These instructions save or restore
/// registers, or move the stack or frame pointer: their number depends on the registers that a function needs, and
/// Arm targets without an operating system keep a frame pointer even in the smallest function.
const TARGETS: [(&str, &str, &str); 5] = [
    ("armv6-none-eabi", "arm-linux-gnueabihf-objdump", ARM),
    ("armv7a-none-eabi", "arm-linux-gnueabihf-objdump", ARM),
    (
        "aarch64-unknown-none",
        "aarch64-linux-gnu-objdump",
        r"^ret $|^(stp|ldp|str|ldr) x(19|2\d|30),.*\[sp|^(mov|add|sub) (x29, sp|sp, x29|sp, sp)",
    ),
    (
        "x86_64-unknown-linux-gnu",
        "objdump",
        r"^(push|pop|ret) |^mov %rsp,%rbp$|^(add|sub) \$.*,%rsp$|^(nop|cs nop|data16|int3|xchg %ax,%ax)",
    ),
    (
        "riscv64gc-unknown-none-elf",
        "riscv64-linux-gnu-objdump",
        r"^(ret|nop) $|^(ld|sd) (ra|s\d*),.*\(sp\)$|^addi? sp,sp,",
    ),
];
const ARM: &str = r"^(push|pop) |^bx lr$|^nop|^(mov|add|sub) (fp, sp|sp, fp|sp, sp)";

/// Methods of drivers: functions of `xtask/asm/src/drivers.rs`. For each target that has the IP, the number of
/// instructions with rustc 1.96, including called functions, rounded up to tens. Lower a number when a driver becomes
/// smaller.
const METHODS: [(&str, [usize; 5]); 14] = [
    ("cci550_start", [360, 340, 330, 280, 330]),
    ("cci550_stop", [280, 270, 250, 280, 310]),
    ("cci550_running_counts", [150, 150, 130, 380, 380]),
    ("cci550_acknowledge", [260, 250, 210, 240, 290]),
    ("cci550_measure_nothing", [720, 690, 670, 640, 730]),
    ("cortex_a8_start", [190, 190, 0, 0, 0]),
    ("cortex_a8_stop", [140, 140, 0, 0, 0]),
    ("cortex_a8_running_counts", [210, 210, 0, 0, 0]),
    ("cortex_a8_acknowledge", [30, 30, 0, 0, 0]),
    ("cortex_a8_measure_nothing", [520, 520, 0, 0, 0]),
    ("cortex_a53_start", [0, 0, 260, 0, 0]),
    ("cortex_a53_stop", [0, 0, 210, 0, 0]),
    ("cortex_a53_running_counts", [0, 0, 280, 0, 0]),
    ("cortex_a53_acknowledge", [0, 0, 90, 0, 0]),
];

/// Libraries of the Rust language. If our code calls one of their functions, only the call counts,
/// as one instruction.
const NOT_OURS: [&str; 3] = ["core", "compiler_builtins", "alloc"];

/// # Errors
///
/// See [`check`].
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    compare(root, &TARGETS, !arguments.check)
}

/// Runs the comparison for CI, and prints the figures. RISC-V is left out, because it needs a build of the library
/// `core` that no other step makes.
///
/// # Errors
///
/// If a function fails. The error is returned after all comparisons. In CI, a missing tool is also an error.
pub fn check(root: &Path) -> Result<()> {
    compare(root, &TARGETS[..4], false)
}

fn compare(root: &Path, targets: &[(&'static str, &str, &str)], print: bool) -> Result<()> {
    let mut problems = Vec::new();
    for (index, &(target, disassembler, frame)) in targets.iter().enumerate() {
        let installed = output(disassembler, &["--version"]);
        let toolchain = installed.ok_or_else(|| format!("there is no {disassembler}"));
        let toolchain = toolchain.and_then(|_| Toolchain::of_figures(root, target));
        let Some(toolchain) = or_skip(target, toolchain)? else { continue };
        let program = Program {
            target,
            functions: build(root, &toolchain, disassembler)?,
            frame: Regex::new(frame)?,
        };
        problems.extend(program.pairs(print)?);
        for (method, bounds) in METHODS.iter().filter(|(_, bounds)| bounds[index] > 0) {
            let (size, bound) = (program.size(method)?, bounds[index]);
            outln!("  {:27}{size:4}, at most {bound}", method.replace('_', " "));
            if size > bound {
                problems.push(format!(
                    "{target}: `{method}` has {size} instructions, more than {bound}"
                ));
            }
        }
    }
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// Compiles the functions for a target.
fn build(root: &Path, toolchain: &Toolchain, disassembler: &str) -> Result<Functions> {
    let arguments = [
        "--package",
        "asm-cases",
        "--release",
        // With several codegen units, inlining depends on the number of functions.
        "--config",
        "profile.release.package.asm-cases.codegen-units=1",
    ];
    let mut functions = Functions::new();
    for (name, library) in toolchain.cargo(root, "build", &arguments).libraries()? {
        // Macros run in the compiler, so they are built for the host.
        let is_for_target = library.components().any(|part| part.as_os_str() == toolchain.target());
        if is_for_target && !NOT_OURS.contains(&name.as_str()) {
            functions.extend(disassembly::of(disassembler, &library)?);
        }
    }
    Ok(functions)
}

/// The compiled functions of `xtask/asm` and of our libraries for a target.
struct Program {
    target: &'static str,
    functions: Functions,
    frame: Regex,
}

impl Program {
    /// Returns the instructions of a function and its constants, without the code for the stack
    /// frame.
    fn body(&self, name: &str) -> Result<Vec<&str>> {
        let function = self.functions.get(name);
        let function =
            function.with_context(|| format!("{}: there is no function `{name}`", self.target))?;
        let lines = function.lines.iter().map(String::as_str);
        Ok(lines.filter(|line| !self.frame.is_match(line)).collect())
    }

    /// Compares the functions of each pair, and returns the differences.
    fn pairs(&self, print: bool) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        let mut equal = 0;
        for name in self.functions.keys().filter_map(|name| name.strip_suffix("_by_hand")) {
            let (ours, hand) = (self.body(name)?, self.body(&format!("{name}_by_hand"))?);
            if print {
                outln!("\n{}: {name} | by hand", self.target);
            }
            let rows = (1..=ours.len().max(hand.len())).map(|nth| {
                let [ours, hand] =
                    [&ours, &hand].map(|lines| lines.get(nth - 1).copied().unwrap_or_default());
                (nth, ours, hand)
            });
            for (_, ours, hand) in rows.clone().filter(|_| print) {
                outln!("  {} {ours:44} | {hand}", if ours == hand { ' ' } else { '*' });
            }
            if let Some((nth, ours, hand)) = rows.clone().find(|(_, ours, hand)| ours != hand) {
                let target = self.target;
                problems.push(format!(
                    "{target}: `{name}` differs from instruction {nth}: `{ours}`, by hand `{hand}`"
                ));
            } else {
                equal += 1;
            }
        }
        ensure!(equal + problems.len() > 0, "{}: there are no pairs", self.target);
        outln!("\n{}: {equal} functions equal the hand-written ones; instructions:", self.target);
        Ok(problems)
    }

    /// Returns the number of instructions of a function, including all our functions that it may call.
    fn size(&self, name: &str) -> Result<usize> {
        let mut total = 0;
        let mut reached = BTreeSet::from([name]);
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            total += self.body(name)?.iter().filter(|line| !line.starts_with('.')).count();
            let callees = self.functions[name].refers_to.iter().map(String::as_str);
            let callees = callees.filter(|callee| self.functions.contains_key(*callee));
            open.extend(callees.filter(|callee| reached.insert(callee)));
        }
        Ok(total)
    }
}
