//! Compares both functions of each pair, and the size of each method with its bound.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use super::body::{body, size};
use super::disassembly::{Function, Instruction};
use super::methods::METHODS;
use super::{Architecture, Target};

/// The compiled functions of `xtask/asm` and of our libraries, by name.
pub type Functions = BTreeMap<String, Function>;

/// Compares all functions for one target, and returns the failures.
///
/// # Errors
///
/// Returns an error if a function is missing in the build.
pub fn all(program: &Functions, target: &Target, index: usize, print: bool) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    let pairs = program.keys().filter_map(|name| name.strip_suffix("_by_hand"));
    let mut equal = 0;
    for name in pairs {
        let ours = &function(program, target, name)?.instructions;
        let hand = &function(program, target, &format!("{name}_by_hand"))?.instructions;
        if print {
            print_both(target, name, ours, hand);
        }
        let problem = weak_fence(target.architecture, ours)
            .or_else(|| write_back(ours))
            .or_else(|| difference(target.architecture, ours, hand));
        match problem {
            None => equal += 1,
            Some(problem) => problems.push(format!("{}: `{name}` {problem}", target.name)),
        }
    }
    ensure!(equal + problems.len() > 0, "{}: there are no pairs", target.name);
    outln!("\n{}: {equal} functions are as those by hand; instructions:", target.name);
    for method in METHODS.iter().filter(|method| method.exists_on(target.architecture)) {
        let (instructions, at_most) = (whole(program, target, method.name)?, method.at_most[index]);
        outln!("  {:27}{instructions:4}, at most {at_most}", method.name.replace('_', " "));
        if instructions > at_most {
            problems.push(format!(
                "{}: `{}` has {instructions} instructions, more than {at_most}",
                target.name, method.name
            ));
        }
        let ours = &function(program, target, method.name)?.instructions;
        if let Some(problem) = weak_fence(target.architecture, ours) {
            problems.push(format!("{}: `{}` {problem}", target.name, method.name));
        }
    }
    Ok(problems)
}

fn function<'p>(program: &'p Functions, target: &Target, name: &str) -> Result<&'p Function> {
    let found = program.get(name);
    found.with_context(|| format!("{}: there is no function `{name}`", target.name))
}

/// The first fence on RISC-V, if any, that does not order all accesses to devices and to main memory.
fn weak_fence(architecture: Architecture, ours: &[Instruction]) -> Option<String> {
    let found = ours.iter().filter(|_| architecture == Architecture::Riscv).find(|one| {
        let Instruction { mnemonic, operands } = one;
        // A fence without operands is `fence iorw,iorw`.
        mnemonic.starts_with("fence") && !(mnemonic == "fence" && operands.is_empty())
    })?;
    let Instruction { mnemonic, operands } = found;
    Some(format!("has a fence that does not order device accesses: `{mnemonic} {operands}`"))
}

/// Returns the first access, if any, that also changes its address register. A hypervisor cannot
/// emulate such an access. Accesses to the stack may change their address register.
fn write_back(ours: &[Instruction]) -> Option<String> {
    let changes = |operands: &str| operands.ends_with('!') || operands.contains("], #");
    let found = ours.iter().find(|Instruction { mnemonic, operands }| {
        ["ldr", "str"].iter().any(|access| mnemonic.starts_with(access))
            && changes(operands)
            && !operands.contains("[sp")
    })?;
    Some(format!("changes an address: `{} {}`", found.mnemonic, found.operands))
}

/// The first difference between two functions, if any.
fn difference(
    architecture: Architecture,
    ours: &[Instruction],
    hand: &[Instruction],
) -> Option<String> {
    let [ours, hand] = [ours, hand].map(|function| lines(function, architecture));
    let end = ours.len().max(hand.len());
    let nth = (0..end).find(|nth| ours.get(*nth) != hand.get(*nth))?;
    let line = |lines: &[String]| lines.get(nth).map_or("nothing", String::as_str).to_owned();
    let (ours, hand) = (line(&ours), line(&hand));
    Some(format!("differs from instruction {} on: `{ours}`, by hand `{hand}`", nth + 1))
}

/// Returns the instructions that matter as text.
fn lines(function: &[Instruction], architecture: Architecture) -> Vec<String> {
    let line = |Instruction { mnemonic, operands }: &Instruction| format!("{mnemonic} {operands}");
    body(function, architecture).map(line).collect()
}

/// Returns the size of a function including all of our functions that it may call. A call of the
/// language's memory-copy routines counts as one instruction.
fn whole(program: &Functions, target: &Target, name: &str) -> Result<usize> {
    let mut total = 0;
    let mut reached = BTreeSet::from([name.to_owned()]);
    let mut to_do = vec![name.to_owned()];
    while let Some(name) = to_do.pop() {
        let Function { instructions, refers_to } = function(program, target, &name)?;
        total += size(instructions, target.architecture);
        for callee in refers_to {
            if program.contains_key(callee) && reached.insert(callee.clone()) {
                to_do.push(callee.clone());
            }
        }
    }
    Ok(total)
}

fn print_both(target: &Target, name: &str, ours: &[Instruction], hand: &[Instruction]) {
    outln!("\n{}: {name} | by hand", target.name);
    let [ours, hand] = [ours, hand].map(|function| lines(function, target.architecture));
    for line in 0..ours.len().max(hand.len()) {
        let [ours, hand] = [&ours, &hand].map(|lines| lines.get(line).map_or("", String::as_str));
        outln!("  {} {ours:44} | {hand}", if ours == hand { ' ' } else { '*' });
    }
}

#[cfg(test)]
mod tests {
    use super::super::disassembly::parse;
    use super::*;

    const TWO: &str = "0000 <f>:\n  0:\tmov\tr1, #105\n  4:\tstr\tr1, [r0, #8]\n  8:\tbx\tlr\n";

    fn arm(text: &str) -> Vec<Instruction> {
        parse(text).remove("f").unwrap().instructions
    }

    #[test]
    fn one_access_more_is_a_difference() {
        let more = TWO.replace("  8:", "  6:\tldr\tr2, [r0, #8]\n  8:");
        assert_eq!(difference(Architecture::Arm, &arm(TWO), &arm(TWO)), None);
        let found = difference(Architecture::Arm, &arm(&more), &arm(TWO)).unwrap();
        assert_eq!(found, "differs from instruction 3 on: `ldr r2, [r0, #8]`, by hand `nothing`");
        assert!(difference(Architecture::Arm, &arm(TWO), &arm(&more)).is_some());
    }

    #[test]
    fn a_changed_access_address_is_noticed() {
        let with = |access: &str| write_back(&arm(&TWO.replace("str\tr1, [r0, #8]", access)));
        assert_eq!(with("str\tr1, [r0, #8]"), None);
        assert_eq!(with("str\tr1, [sp, #-4]!"), None);
        for access in ["str\tr1, [r0, #8]!", "ldr\tr1, [r0], #8", "str\tr1, [r0, r2]!"] {
            let name = access.replace('\t', " ");
            assert_eq!(with(access).unwrap(), format!("changes an address: `{name}`"));
        }
    }

    #[test]
    fn a_fence_of_main_memory_only_is_noticed() {
        let with = |fence: &str| {
            let code = arm(&format!("0000 <f>:\n  0:\tsw\ta1,256(a0)\n  4:\t{fence}\n  8:\tret\n"));
            weak_fence(Architecture::Riscv, &code)
        };
        assert_eq!(with("fence"), None);
        for weak in ["fence\trw,rw", "fence\tiorw,rw", "fence.tso", "fence.i"] {
            let found = with(weak).unwrap_or_else(|| panic!("`{weak}` is accepted"));
            assert!(found.contains("does not order device accesses"), "{found}");
        }
    }
}
