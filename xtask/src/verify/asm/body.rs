//! Returns the instructions of a function that matter for a comparison.

use super::Architecture;
use super::disassembly::Instruction;

/// Returns the number of instructions, without the stack frame and without data.
pub fn size(instructions: &[Instruction], architecture: Architecture) -> usize {
    body(instructions, architecture).filter(|instruction| !instruction.is_data()).count()
}

/// Returns the instructions that matter: without stack frame and padding.
pub fn body(
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

/// Returns whether an instruction only saves or restores registers, or moves the stack or frame
/// pointer. Their number depends on the registers that a function needs, and Arm targets without an
/// operating system keep a frame pointer even in the smallest function.
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

/// Returns whether a function has to preserve the first register of an AArch64 instruction.
fn saves(operands: &str) -> bool {
    let number = operands.split(',').next().and_then(|register| register.strip_prefix('x'));
    number
        .and_then(|number| number.parse().ok())
        .is_some_and(|number: u8| (19..=30).contains(&number))
}

#[cfg(test)]
mod tests {
    use super::super::disassembly::parse;
    use super::*;

    fn function(lines: &str) -> Vec<Instruction> {
        let lines = lines.lines().enumerate();
        let text: String = lines.map(|(n, line)| format!("  {n:x}:\t{}\n", line.trim())).collect();
        parse(&format!("0000 <f>:\n{text}")).remove("f").unwrap().instructions
    }

    #[test]
    fn frames_and_padding_do_not_matter() {
        for (architecture, text, kept) in [
            (
                Architecture::Arm,
                "push\t{fp, lr}\nmov\tfp, sp\nmov\tr1, #105\nstr\tr1, [r0, #8]\npop\t{fp, pc}",
                ["mov", "str"],
            ),
            (Architecture::Aarch64, "ldr\tw8, [x0]\nmov\tw0, w8\nret", ["ldr", "mov"]),
            (
                Architecture::X86,
                "push   %rbp\nmov    %rsp,%rbp\nmov    %r8d,0x10(%rdi)\nmovzbl %al,%edi\nnopw   0x0",
                ["mov", "movzbl"],
            ),
        ] {
            let function = function(text);
            let mnemonics = body(&function, architecture).map(|one| one.mnemonic.as_str());
            assert_eq!(mnemonics.collect::<Vec<_>>(), kept);
            assert_eq!(size(&function, architecture), 2);
        }
    }
}
