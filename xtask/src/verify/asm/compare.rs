//! Compares both functions of each case.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};

use super::body::{body, size};
use super::cases::{CASES, Case, Expected};
use super::disassembly::{Function, Instruction};
use super::report::{Figures, Report};
use super::{Architecture, Target};
use crate::output::outln;

/// The compiled functions of the cases and of our libraries, by name.
pub type Functions = BTreeMap<String, Function>;

/// The name of the hand-written version of a case.
fn by_hand(name: &str) -> String {
    format!("{name}_by_hand")
}

/// Compares all cases for one target, and returns the failures.
///
/// # Errors
///
/// If a function is missing in the build.
pub fn all(
    program: &Functions,
    target: &Target,
    index: usize,
    print: bool,
    report: &mut Report,
) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for name in program.keys() {
        if let Some(case) = name.strip_suffix("_by_hand")
            && !CASES.iter().any(|known| known.name == case)
        {
            problems.push(format!("{}: `{case}` is not among the cases", target.name));
        }
    }
    let here = CASES.iter().filter(|case| exists_on(target.architecture, case.name));
    for case in here {
        let ours = instructions(program, target, case.name)?;
        let hand = instructions(program, target, &by_hand(case.name))?;
        if print {
            print_both(target, case.name, ours, hand);
        }
        let figures = Figures {
            ours: whole(program, target, case.name)?,
            by_hand: whole(program, target, &by_hand(case.name))?,
        };
        report.add(case.name, index, figures);
        if let Some(problem) = judge(case, target.architecture, index, [ours, hand], figures) {
            problems.push(format!("{}: `{}` {problem}", target.name, case.name));
        }
    }
    Ok(problems)
}

fn function<'p>(program: &'p Functions, target: &Target, name: &str) -> Result<&'p Function> {
    let found = program.get(name);
    found.with_context(|| format!("{}: there is no function `{name}`", target.name))
}

fn instructions<'p>(
    program: &'p Functions,
    target: &Target,
    name: &str,
) -> Result<&'p [Instruction]> {
    Ok(&function(program, target, name)?.instructions)
}

/// Whether targets of this architecture have the IP of the case. All have memory-mapped IPs.
fn exists_on(architecture: Architecture, name: &str) -> bool {
    match name {
        _ if name.starts_with("cortex_a8") || name.starts_with("arm11") => {
            architecture == Architecture::Arm
        }
        _ if name.starts_with("cortex_a53") => architecture == Architecture::Aarch64,
        _ => true,
    }
}

/// The failure of a case, if it fails.
fn judge(
    case: &Case,
    architecture: Architecture,
    index: usize,
    [ours, hand]: [&[Instruction]; 2],
    figures: Figures,
) -> Option<String> {
    if architecture == Architecture::Riscv
        && let Some(problem) = weak_fence(ours)
    {
        return Some(problem);
    }
    match &case.expected {
        Expected::Equal => write_back(ours).or_else(|| difference(architecture, ours, hand)),
        Expected::Longer { at_most, .. } => {
            let at_most = at_most.get(index).copied().flatten()?;
            let Figures { ours, by_hand } = figures;
            (ours > by_hand + at_most).then(|| {
                format!("has {ours} instructions, by hand {by_hand}: more than {at_most} more")
            })
        }
    }
}

/// The first fence, if any, that does not order all accesses to devices and to main memory.
fn weak_fence(ours: &[Instruction]) -> Option<String> {
    let found = ours.iter().find(|Instruction { mnemonic, operands }| {
        // Without operands, it is `fence iorw,iorw`.
        mnemonic.starts_with("fence") && !(mnemonic == "fence" && operands.is_empty())
    })?;
    let Instruction { mnemonic, operands } = found;
    Some(format!("has a fence that does not order device accesses: `{mnemonic} {operands}`"))
}

/// The first access, if any, that also changes its address register. A hypervisor
/// cannot emulate it. Accesses to the stack may do so.
fn write_back(ours: &[Instruction]) -> Option<String> {
    let changes = |operands: &str| operands.ends_with('!') || operands.contains("], #");
    let found = ours.iter().find(|Instruction { mnemonic, operands }| {
        ["ldr", "str"].iter().any(|access| mnemonic.starts_with(access))
            && changes(operands)
            && !operands.contains("[sp")
    })?;
    Some(format!("changes an address: `{} {}`", found.mnemonic, found.operands))
}

/// The first difference between two functions of single accesses, if any.
pub fn difference(
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

/// The instructions that matter, as text.
fn lines(function: &[Instruction], architecture: Architecture) -> Vec<String> {
    let line = |Instruction { mnemonic, operands }: &Instruction| format!("{mnemonic} {operands}");
    body(function, architecture).map(line).collect()
}

/// The size of a function with all of our functions that it may call. A call of the language's
/// memory-copy routines counts as one instruction.
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
        let equal = Case { name: "f", expected: Expected::Equal };
        let with = |access: &str| {
            let code = arm(&TWO.replace("str\tr1, [r0, #8]", access));
            judge(&equal, Architecture::Arm, 0, [&code, &code], Figures { ours: 3, by_hand: 3 })
        };
        assert_eq!(with("str\tr1, [r0, #8]"), None);
        assert_eq!(with("str\tr1, [sp, #-4]!"), None);
        for access in ["str\tr1, [r0, #8]!", "ldr\tr1, [r0], #8", "str\tr1, [r0, r2]!"] {
            let name = access.replace('\t', " ");
            assert_eq!(with(access).unwrap(), format!("changes an address: `{name}`"));
        }
    }

    #[test]
    fn a_fence_of_main_memory_only_is_noticed() {
        let case = no_longer_case();
        let with = |fence: &str| {
            let code = arm(&format!("0000 <f>:\n  0:\tsw\ta1,256(a0)\n  4:\t{fence}\n  8:\tret\n"));
            let figures = Figures { ours: 2, by_hand: 2 };
            judge(&case, Architecture::Riscv, 4, [&code, &code], figures)
        };
        assert_eq!(with("fence"), None);
        for weak in ["fence\trw,rw", "fence\tiorw,rw", "fence.tso", "fence.i"] {
            let found = with(weak).unwrap_or_else(|| panic!("`{weak}` is accepted"));
            assert!(found.contains("does not order device accesses"), "{found}");
        }
    }

    fn no_longer_case() -> Case {
        Case { name: "f", expected: Expected::Longer { because: "reasons", at_most: [Some(0); 5] } }
    }

    #[test]
    fn accesses_in_another_order_are_a_difference() {
        let text = |first: &str, second: &str| {
            let access = |place| format!("movl   $0x1,{place}(%rdi)");
            arm(&format!(
                "0000 <f>:\n  0:\t{}\n  4:\t{}\n  8:\tret\n",
                access(first),
                access(second)
            ))
        };
        let (one, other) = (text("0x8", "0xc"), text("0xc", "0x8"));
        assert_eq!(difference(Architecture::X86, &one, &one), None);
        assert!(difference(Architecture::X86, &one, &other).is_some());
    }

    #[test]
    fn code_may_exceed_its_bound_slightly() {
        let at_most = [Some(4); 5];
        let case = Case { name: "f", expected: Expected::Longer { because: "reasons", at_most } };
        let figures = |ours| Figures { ours, by_hand: 10 };
        let judge = |ours| judge(&case, Architecture::Arm, 0, [&[], &[]], figures(ours));
        assert_eq!(judge(14), None);
        assert_eq!(judge(15).unwrap(), "has 15 instructions, by hand 10: more than 4 more");
    }
}
