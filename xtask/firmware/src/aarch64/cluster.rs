//! A model of the registers of a cluster's PMU, which QEMU does not have: its undefined instructions are answered.
//!
//! The model holds values and counts nothing. Its encodings are from the manual of the DSU-120AE.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Number of encodings with op0 3 and CRn 15: op1, CRm and op2.
const ENCODINGS: usize = 1 << 10;

/// Returns the number of an encoding.
#[must_use]
pub const fn encoding(op1: usize, crm: usize, op2: usize) -> usize {
    op1 << 7 | crm << 3 | op2
}

const PMCR: usize = encoding(0, 5, 0);
const CNTENSET: usize = encoding(0, 5, 1);
const SELR: usize = encoding(0, 5, 5);
const XEVTYPER: usize = encoding(0, 6, 1);
const XEVCNTR: usize = encoding(0, 6, 2);
const COUNTERS: usize = 6;

static HELD: [AtomicU64; ENCODINGS] = [const { AtomicU64::new(0) }; ENCODINGS];
/// Event and value of each counter.
static SELECTED: [[AtomicU64; 2]; COUNTERS] =
    [const { [const { AtomicU64::new(0) }; 2] }; COUNTERS];
static READ: [AtomicBool; ENCODINGS] = [const { AtomicBool::new(false) }; ENCODINGS];
static WRITTEN: [AtomicBool; ENCODINGS] = [const { AtomicBool::new(false) }; ENCODINGS];

/// Returns whether software has read and has written the register with this encoding.
#[must_use]
pub fn accessed(encoding: usize) -> (bool, bool) {
    (READ[encoding].load(Relaxed), WRITTEN[encoding].load(Relaxed))
}

/// Number of encodings that software has accessed.
#[must_use]
pub fn all_accessed() -> usize {
    (0..ENCODINGS).filter(|encoding| accessed(*encoding) != (false, false)).count()
}

/// Adds to an event counter.
pub fn happens(counter: usize, times: u64) {
    SELECTED[counter][1].fetch_add(times, Relaxed);
}

/// Returns the event code of a counter.
#[must_use]
pub fn event(counter: usize) -> u64 {
    SELECTED[counter][0].load(Relaxed)
}

/// Answers an instruction: returns the value of a read, or the value that was written.
///
/// # Panics
///
/// If it is no access to a register with op0 3 and CRn 15.
#[unsafe(no_mangle)]
extern "C" fn answer_undefined(instruction: u32, value: u64) -> u64 {
    assert_eq!(instruction & 0xFFD8_F000, 0xD518_F000, "undefined: {instruction:#010x}");
    let encoding = (instruction >> 16 & 7) as usize * 128 + (instruction >> 5 & 0x7F) as usize;
    let selected = SELECTED.get(HELD[SELR].load(Relaxed) as usize);
    let cell = match encoding {
        XEVTYPER | XEVCNTR => selected.map(|of| &of[encoding - XEVTYPER]),
        // A clear register and the set register before or after it show the same bits.
        _ => Some(&HELD[held_at(encoding).0]),
    };
    if instruction >> 21 & 1 == 1 {
        READ[encoding].store(true, Relaxed);
        let held = cell.map_or(0, |cell| cell.load(Relaxed));
        return if encoding == PMCR { held | (COUNTERS as u64) << 11 } else { held };
    }
    WRITTEN[encoding].store(true, Relaxed);
    if let Some(cell) = cell {
        match held_at(encoding).1 {
            Some(true) => drop(cell.fetch_or(value, Relaxed)),
            Some(false) => drop(cell.fetch_and(!value, Relaxed)),
            None => cell.store(value, Relaxed),
        }
    }
    value
}

/// The register that holds the bits of a set or clear register, and whether writing 1 sets them.
const fn held_at(encoding: usize) -> (usize, Option<bool>) {
    const OVSSET: usize = CNTENSET + 2;
    const INTENSET: usize = SELR + 1;
    match encoding {
        CNTENSET | OVSSET | INTENSET => (encoding, Some(true)),
        _ if matches!(encoding - 1, CNTENSET | OVSSET | INTENSET) => (encoding - 1, Some(false)),
        _ => (encoding, None),
    }
}

// The interrupted code keeps all its registers, except the result of a read. Slot 31 of the frame is xzr.
core::arch::global_asm!(
    ".section .text.el1, \"ax\"",
    ".global exception_at_el1",
    "exception_at_el1:",
    "   sub  sp, sp, #256",
    "   stp  x0, x1, [sp]",
    "   stp  x2, x3, [sp, #16]",
    "   stp  x4, x5, [sp, #32]",
    "   stp  x6, x7, [sp, #48]",
    "   stp  x8, x9, [sp, #64]",
    "   stp  x10, x11, [sp, #80]",
    "   stp  x12, x13, [sp, #96]",
    "   stp  x14, x15, [sp, #112]",
    "   stp  x16, x17, [sp, #128]",
    "   stp  x18, x19, [sp, #144]",
    "   stp  x20, x21, [sp, #160]",
    "   stp  x22, x23, [sp, #176]",
    "   stp  x24, x25, [sp, #192]",
    "   stp  x26, x27, [sp, #208]",
    "   stp  x28, x29, [sp, #224]",
    "   stp  x30, xzr, [sp, #240]",
    "   mrs  x0, currentel",
    "   cmp  x0, #4",
    "   b.ne fatal_exception",
    "   mrs  x0, esr_el1",
    "   lsr  x0, x0, #26",
    "   cbnz x0, fatal_exception",
    "   mov  x22, sp",
    "   .irp n, 0, 2, 4, 6, 16, 18, 20, 22, 24, 26, 28, 30",
    "   sub  sp, sp, #32",
    "   str  q\\n, [sp]",
    "   .endr",
    "   .irp n, 1, 3, 5, 7, 17, 19, 21, 23, 25, 27, 29, 31",
    "   sub  sp, sp, #32",
    "   str  q\\n, [sp]",
    "   .endr",
    "   mrs  x20, elr_el1",
    "   ldr  w0, [x20], #4",
    "   msr  elr_el1, x20",
    "   and  x21, x0, #31",
    "   ldr  x1, [x22, x21, lsl #3]",
    "   bl   answer_undefined",
    "   str  x0, [x22, x21, lsl #3]",
    "   .irp n, 31, 29, 27, 25, 23, 21, 19, 17, 7, 5, 3, 1",
    "   ldr  q\\n, [sp], #32",
    "   .endr",
    "   .irp n, 30, 28, 26, 24, 22, 20, 18, 16, 6, 4, 2, 0",
    "   ldr  q\\n, [sp], #32",
    "   .endr",
    "   ldp  x0, x1, [sp]",
    "   ldp  x2, x3, [sp, #16]",
    "   ldp  x4, x5, [sp, #32]",
    "   ldp  x6, x7, [sp, #48]",
    "   ldp  x8, x9, [sp, #64]",
    "   ldp  x10, x11, [sp, #80]",
    "   ldp  x12, x13, [sp, #96]",
    "   ldp  x14, x15, [sp, #112]",
    "   ldp  x16, x17, [sp, #128]",
    "   ldp  x18, x19, [sp, #144]",
    "   ldp  x20, x21, [sp, #160]",
    "   ldp  x22, x23, [sp, #176]",
    "   ldp  x24, x25, [sp, #192]",
    "   ldp  x26, x27, [sp, #208]",
    "   ldp  x28, x29, [sp, #224]",
    "   ldr  x30, [sp, #240]",
    "   add  sp, sp, #256",
    "   eret",
);
