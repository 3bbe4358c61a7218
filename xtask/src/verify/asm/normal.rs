//! Reduces a disassembly to the parts that matter for a comparison.

use super::Architecture;
use super::disassembly::Instruction;

/// The instructions of one function, comparable with those of another.
pub fn normal(instructions: &[Instruction], architecture: Architecture) -> Vec<String> {
    let mut seen = Seen::default();
    body(instructions, architecture)
        .map(|instruction| seen.renamed(instruction, architecture))
        .collect()
}

/// Number of instructions, without those of the stack frame and without data.
pub fn size(instructions: &[Instruction], architecture: Architecture) -> usize {
    body(instructions, architecture).filter(|instruction| !instruction.is_data()).count()
}

fn body(
    instructions: &[Instruction],
    architecture: Architecture,
) -> impl Iterator<Item = &Instruction> {
    let padding =
        instructions.iter().rev().take_while(|instruction| is_padding(instruction)).count();
    let end = instructions.len() - padding;
    instructions[..end].iter().filter(move |instruction| !is_frame(instruction, architecture))
}

/// Padding between functions.
fn is_padding(instruction: &Instruction) -> bool {
    let Instruction { mnemonic, operands } = instruction;
    mnemonic.starts_with("nop")
        || mnemonic == "int3"
        || mnemonic == "data16"
        || (mnemonic == "cs" && operands.starts_with("nop"))
        || (mnemonic == "xchg" && operands == "%ax,%ax")
}

/// Whether it only saves or restores registers, or moves the stack and the frame pointer. That depends
/// on how many registers a function needs, and Arm targets without an operating system keep a frame
/// pointer in the smallest function.
fn is_frame(instruction: &Instruction, architecture: Architecture) -> bool {
    let Instruction { mnemonic, operands } = instruction;
    match architecture {
        Architecture::Arm => {
            matches!(mnemonic.as_str(), "push" | "pop")
                || (mnemonic == "bx" && operands == "lr")
                || (matches!(mnemonic.as_str(), "mov" | "add" | "sub")
                    && ["fp, sp", "sp, fp", "sp, sp"].iter().any(|pair| operands.starts_with(pair)))
        }
        Architecture::Aarch64 => {
            let pair = matches!(mnemonic.as_str(), "stp" | "ldp" | "str" | "ldr");
            mnemonic == "ret"
                || (pair && operands.contains("[sp") && saves(operands))
                || (matches!(mnemonic.as_str(), "mov" | "add" | "sub")
                    && ["x29, sp", "sp, x29", "sp, sp"]
                        .iter()
                        .any(|pair| operands.starts_with(pair)))
        }
        Architecture::X86 => {
            matches!(mnemonic.as_str(), "push" | "pop" | "ret")
                || (mnemonic == "mov" && operands == "%rsp,%rbp")
                || (matches!(mnemonic.as_str(), "add" | "sub")
                    && operands.ends_with(",%rsp")
                    && operands.starts_with('$'))
        }
        Architecture::Riscv => {
            let saved = ["ra,", "s"].iter().any(|register| operands.starts_with(register));
            mnemonic == "ret"
                || (matches!(mnemonic.as_str(), "ld" | "sd") && saved && operands.ends_with("(sp)"))
                || (matches!(mnemonic.as_str(), "add" | "addi") && operands.starts_with("sp,sp,"))
        }
    }
}

/// Whether the first register of an AArch64 instruction is one that a function has to preserve.
fn saves(operands: &str) -> bool {
    let number = operands.split(',').next().and_then(|register| register.strip_prefix('x'));
    number
        .and_then(|number| number.parse().ok())
        .is_some_and(|number: u8| (19..=30).contains(&number))
}

/// Registers and targets of branches, in the order in which they appeared.
#[derive(Default)]
struct Seen {
    registers: Vec<String>,
    targets: Vec<String>,
}

impl Seen {
    fn renamed(&mut self, instruction: &Instruction, architecture: Architecture) -> String {
        let mut text = format!("{} ", instruction.mnemonic);
        if let Some((before, target)) = branch_target(&instruction.operands) {
            text += &self.operands(before, architecture);
            text += &format!("->{}", number(&mut self.targets, target));
        } else {
            text += &self.operands(&instruction.operands, architecture);
        }
        text.trim_end().to_owned()
    }

    fn operands(&mut self, operands: &str, architecture: Architecture) -> String {
        let mut text = String::new();
        let mut rest = operands;
        while !rest.is_empty() {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length.max(1));
            text += &match register(word, architecture) {
                Some((class, name)) => format!("{class}{}", number(&mut self.registers, name)),
                None => word.to_owned(),
            };
            rest = after;
        }
        text
    }
}

fn number(seen: &mut Vec<String>, name: String) -> usize {
    seen.iter().position(|known| *known == name).unwrap_or_else(|| {
        seen.push(name);
        seen.len() - 1
    })
}

/// `14 <name+0x14>` as the place that it stands for, with the operands before it.
fn branch_target(operands: &str) -> Option<(&str, String)> {
    let (before, name) = operands.strip_suffix('>')?.rsplit_once(" <")?;
    let start = before.rfind([' ', ',']).map_or(0, |comma| comma + 1);
    // Only the place inside of the function, as the functions have different names.
    let place = name.rsplit_once('+').map_or("0", |(_, offset)| offset);
    Some((&before[..start], place.to_owned()))
}

/// The class and the name of a register that the compiler was free to choose.
fn register(word: &str, architecture: Architecture) -> Option<(&'static str, String)> {
    let numbered = |prefix: char, count: u8| {
        let number: u8 = word.strip_prefix(prefix)?.parse().ok()?;
        (number < count).then(|| number.to_string())
    };
    match architecture {
        Architecture::Arm => match word {
            "sl" | "fp" | "ip" | "lr" => Some(("r", word.to_owned())),
            _ => Some(("r", numbered('r', 13)?)),
        },
        Architecture::Aarch64 => {
            let wide = numbered('x', 31).map(|number| ("x", number));
            wide.or_else(|| Some(("w", numbered('w', 31)?)))
        }
        Architecture::X86 => x86_register(word),
        Architecture::Riscv => {
            let classes = ['a', 's', 't'].into_iter();
            let free = word == "ra" || classes.filter_map(|class| numbered(class, 12)).count() == 1;
            free.then(|| ("r", word.to_owned()))
        }
    }
}

/// All widths of a register have one name.
fn x86_register(word: &str) -> Option<(&'static str, String)> {
    const FAMILIES: [(&str, [&str; 4]); 7] = [
        ("a", ["rax", "eax", "ax", "al"]),
        ("b", ["rbx", "ebx", "bx", "bl"]),
        ("c", ["rcx", "ecx", "cx", "cl"]),
        ("d", ["rdx", "edx", "dx", "dl"]),
        ("si", ["rsi", "esi", "si", "sil"]),
        ("di", ["rdi", "edi", "di", "dil"]),
        ("bp", ["rbp", "ebp", "bp", "bpl"]),
    ];
    const WIDTHS: [&str; 4] = ["q", "l", "w", "b"];
    for (family, names) in FAMILIES {
        if let Some(width) = names.iter().position(|name| *name == word) {
            return Some((WIDTHS[width], family.to_owned()));
        }
    }
    let rest = word.strip_prefix('r')?;
    let digits = rest.trim_end_matches(['d', 'w', 'b']);
    let number: u8 = digits.parse().ok()?;
    let width = match &rest[digits.len()..] {
        "" => "q",
        "d" => "l",
        "w" => "w",
        _ => "b",
    };
    (8..16).contains(&number).then(|| (width, number.to_string()))
}

/// The accesses of a small x86_64 function to memory that is not its stack, in their order: whether it
/// writes, and the distance from the address in its argument.
pub fn x86_accesses(instructions: &[Instruction]) -> Vec<(bool, String)> {
    let mut accesses = Vec::new();
    for Instruction { mnemonic, operands } in body(instructions, Architecture::X86) {
        let Some((before, after)) = operands.split_once('(') else { continue };
        let Some((base, after)) = after.split_once(')') else { continue };
        if mnemonic == "lea" || ["%rsp", "%rbp", "%rip"].contains(&base) {
            continue;
        }
        let distance = before.rsplit(',').next().unwrap_or(before).to_owned();
        // The destination comes last.
        let writes = after.is_empty();
        if writes && !mnemonic.starts_with("mov") {
            accesses.push((false, distance.clone()));
        }
        accesses.push((writes, distance));
    }
    accesses
}

#[cfg(test)]
mod tests {
    use super::super::disassembly::parse;
    use super::*;

    fn function(lines: &str) -> Vec<Instruction> {
        let lines = lines.lines().enumerate();
        let text: String = lines.map(|(n, line)| format!("  {n:x}:\t{}\n", line.trim())).collect();
        parse(&format!("0000 <f>:\n{text}")).remove("f").unwrap()
    }

    fn arm(lines: &str) -> Vec<String> {
        normal(&function(lines), Architecture::Arm)
    }

    #[test]
    fn registers_and_frames_do_not_matter() {
        let one =
            arm("push\t{fp, lr}\nmov\tfp, sp\nmov\tr1, #105\nstr\tr1, [r0, #8]\npop\t{fp, pc}");
        let other = arm("mov\tip, #105\nstr\tip, [r3, #8]\nbx\tlr");
        assert_eq!(one, other);
        assert_eq!(one, ["mov r0, #105", "str r0, [r1, #8]"]);
    }

    #[test]
    fn values_offsets_and_coprocessor_registers_do() {
        let base = arm("mov\tr1, #105\nstr\tr1, [r0, #8]\nmcr\t15, 0, r1, cr9, cr12, {1}");
        for (from, to) in [("105", "104"), ("#8", "#12"), ("cr12", "cr13"), ("{1}", "{2}")] {
            let changed = "mov\tr1, #105\nstr\tr1, [r0, #8]\nmcr\t15, 0, r1, cr9, cr12, {1}";
            assert_ne!(arm(&changed.replace(from, to)), base, "{from}");
        }
        assert_ne!(
            arm("mov\tr1, #105\nstr\tr0, [r1, #8]"),
            arm("mov\tr1, #105\nstr\tr1, [r0, #8]")
        );
        assert_ne!(arm("mov\tr1, #105"), arm("mov\tr1, #105\nstr\tr1, [r0, #8]"));
    }

    #[test]
    fn branches_lead_to_numbered_places() {
        let one = arm("beq\t14 <f+0x14>\nb\t8 <f+0x8>\nbne\t14 <f+0x14>");
        assert_eq!(one, ["beq ->0", "b ->1", "bne ->0"]);
        assert_eq!(one, arm("beq\t20 <g+0x20>\nb\tc <g+0xc>\nbne\t20 <g+0x20>"));
        assert_ne!(one, arm("beq\t20 <g+0x20>\nb\tc <g+0xc>\nbne\tc <g+0xc>"));
    }

    #[test]
    fn widths_matter_on_other_architectures() {
        let text = "ldr\tw8, [x0]\nmov\tw0, w8\nret";
        let lines = normal(&function(text), Architecture::Aarch64);
        assert_eq!(lines, ["ldr w0, [x1]", "mov w1, w0"]);
        let text =
            "push   %rbp\nmov    %rsp,%rbp\nmov    %r8d,0x10(%rdi)\nmovzbl %al,%edi\nnopw   0x0";
        let lines = normal(&function(text), Architecture::X86);
        assert_eq!(lines, ["mov %l0,0x10(%q1)", "movzbl %b2,%l1"]);
    }

    #[test]
    fn accesses_are_distinguished_from_other_instructions() {
        let text = "mov    0x100(%rdi),%eax\nand    $0x10,%eax\norl    $0x1,0x100(%rdi)\n\
                    lea    0x4(%rdi),%rcx\nmov    %rax,-0x8(%rsp)\nmovl   $0x69,(%rdi)";
        let places = [(false, "0x100"), (false, "0x100"), (true, "0x100"), (true, "")];
        let expected = places.map(|(writes, place)| (writes, place.to_owned()));
        assert_eq!(x86_accesses(&function(text)), expected);
    }
}
