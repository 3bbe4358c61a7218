//! Known work: loops in assembly whose instructions are counted by hand.
//!
//! ```
//! use arm_pmu_linux::kernel::Kernel;
//!
//! // Each iteration has 8 branches, plus the branch that repeats the loop. `None` on processors other than Arm.
//! if let Some(executed) = Kernel::Taken.run(1000) {
//!     assert_eq!((executed.branches, executed.taken), (9_000, 8_999));
//! }
//! ```
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::traffic::Executed;

/// A loop with known instructions. The last branch of each iteration repeats the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// 62 exclusive ORs; each uses the previous result.
    Chain,
    /// 8 conditional branches that are taken.
    Taken,
    /// 8 conditional branches that are not taken.
    NotTaken,
    /// One branch on a random bit, which no predictor foresees.
    Random,
    /// 8 loads from one line.
    Loads,
    /// 8 stores to one line.
    Stores,
}

/// State of the random number generator. The numbers continue from run to run, so no predictor can learn them.
static RANDOM: AtomicUsize = AtomicUsize::new(0x2545_F491);

/// Shifts of Marsaglia's xorshift generator with 64 and 32 bits.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
const SHIFTS: (u32, u32, u32) = if usize::BITS == 64 { (13, 7, 17) } else { (13, 17, 5) };

impl Kernel {
    /// Runs this number of iterations, at least one. `None` on processors other than Arm.
    pub fn run(self, turns: u32) -> Option<Executed> {
        let turns = turns.max(1);
        let random = RANDOM.load(Ordering::Relaxed);
        let (after, not_taken) = execute(self, turns as usize, random)?;
        RANDOM.store(after, Ordering::Relaxed);
        Some(self.executed(turns.into(), not_taken as u64))
    }

    /// Instructions and branches of `n` iterations; `not_taken` is the number of random branches that were not taken.
    fn executed(self, n: u64, not_taken: u64) -> Executed {
        // Each iteration ends with a subtraction and a branch; the last branch is not taken.
        let turn = |others: u64, branches: u64, taken: u64| Executed {
            instructions: Some(n * (others + 2)),
            branches: n * (branches + 1),
            taken: n * (taken + 1) - 1,
            ..Executed::default()
        };
        match self {
            Self::Chain => Executed { chain: 62 * n, ..turn(62, 0, 0) },
            // One comparison, then eight taken branches, each followed by two instructions.
            Self::Taken => turn(1 + 8 * 3, 8, 8),
            // Each branch is followed by one more instruction, which a taken branch would skip.
            Self::NotTaken => turn(1 + 8 * 4, 8, 0),
            Self::Random => {
                let of = turn(5, 1, 1);
                let instructions = of.instructions.map(|all| all + not_taken);
                Executed { instructions, taken: of.taken - not_taken, random: n, ..of }
            }
            Self::Loads => Executed { loads: 8 * n, ..turn(8, 0, 0) },
            Self::Stores => Executed { stores: 8 * n, ..turn(8, 0, 0) },
        }
    }
}

/// Executes the loop. Returns the last random number, and the number of random branches that were not taken.
#[cfg(any(target_arch = "aarch64", target_arch = "arm"))]
fn execute(kernel: Kernel, turns: usize, mut random: usize) -> Option<(usize, usize)> {
    /// Repeats the instructions after the label 2.
    macro_rules! turns {
        ([$($line:literal,)*] $($operand:tt)*) => {
            std::arch::asm!(
                $($line,)*
                "subs {left}, {left}, #1",
                "bne 2b",
                left = inout(reg) turns => _,
                $($operand)*
            )
        };
    }

    #[repr(align(64))]
    struct Line([usize; 8]);

    let mut line = Line([0; 8]);
    let mut not_taken = 0_usize;
    match kernel {
        // SAFETY: the code changes only its registers.
        Kernel::Chain => unsafe {
            turns!(
                ["2:", ".rept 62", "eor {x}, {x}, {y}", ".endr",]
                x = inout(reg) random => _, y = in(reg) turns, options(nostack, nomem)
            );
        },
        // SAFETY: the code changes only its registers. Zero is equal to zero, so `eq` is true.
        Kernel::Taken => unsafe {
            turns!(
                ["2: tst {zero}, {zero}", ".rept 8", "beq 3f", "nop", "3: nop", "nop", ".endr",]
                zero = in(reg) 0_usize, options(nostack, nomem)
            );
        },
        // SAFETY: the code changes only its registers. Zero is equal to zero, so `ne` is false.
        Kernel::NotTaken => unsafe {
            turns!(
                ["2: tst {zero}, {zero}", ".rept 8", "bne 3f", "nop", "3: nop", "nop", ".endr",]
                zero = in(reg) 0_usize, options(nostack, nomem)
            );
        },
        // SAFETY: the code changes only its registers.
        Kernel::Random => unsafe {
            turns!(
                [
                    "2: eor {x}, {x}, {x}, lsl #{a}",
                    "eor {x}, {x}, {x}, lsr #{b}",
                    "eor {x}, {x}, {x}, lsl #{c}",
                    // Branches on a bit of the random number.
                    "tst {x}, #256",
                    "beq 3f",
                    "add {not_taken}, {not_taken}, #1",
                    "3:",
                ]
                x = inout(reg) random, not_taken = inout(reg) not_taken,
                a = const SHIFTS.0, b = const SHIFTS.1, c = const SHIFTS.2, options(nostack, nomem)
            );
        },
        // SAFETY: the code reads the first word of the line.
        Kernel::Loads => unsafe {
            turns!(
                ["2:", ".rept 8", "ldr {x}, [{base}]", ".endr",]
                x = out(reg) _, base = in(reg) line.0.as_ptr(), options(nostack, readonly)
            );
        },
        // SAFETY: the code writes the first word of the line.
        Kernel::Stores => unsafe {
            turns!(
                ["2:", ".rept 8", "str {left}, [{base}]", ".endr",]
                base = in(reg) line.0.as_mut_ptr(), options(nostack)
            );
        },
    }
    Some((random, not_taken))
}

#[cfg(not(any(target_arch = "aarch64", target_arch = "arm")))]
fn execute(_: Kernel, _: usize, _: usize) -> Option<(usize, usize)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_counts_match_hand_counts() {
        // The last branch of a loop is not taken. A random branch skips an instruction if it is taken.
        for (kernel, not_taken, instructions, branches, taken) in [
            (Kernel::Chain, 0, 640, 10, 9),
            (Kernel::Taken, 0, 270, 90, 89),
            (Kernel::NotTaken, 0, 350, 90, 9),
            (Kernel::Random, 4, 74, 20, 15),
        ] {
            let of = kernel.executed(10, not_taken);
            let counts = (of.instructions, of.branches, of.taken);
            assert_eq!(counts, (Some(instructions), branches, taken), "{kernel:?}");
        }
    }

    #[test]
    fn kernels_run_only_on_arm() {
        let ran = Kernel::Stores.run(3);
        assert_eq!(ran.is_some(), cfg!(any(target_arch = "aarch64", target_arch = "arm")));
        assert!(ran.is_none_or(|executed| executed.stores == 24));
    }
}
