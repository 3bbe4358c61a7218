//! Loads and stores of 32 bits, as `Mmio` makes them. Anything else is an error that names the
//! instruction.
//!
//! Encodings: Arm DDI 0487 (C4.1, load/store register, unsigned immediate), Arm DDI 0406 (A5.3, load/store
//! word).

/// Use of the data register by an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The register gets the value; the bits above the 32nd become 0.
    Load,
    /// The device gets the low 32 bits of the register.
    Store,
}

/// One load or store of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Use of the data register.
    pub direction: Direction,
    /// Number of the data register.
    pub data: usize,
    /// Number of the address register.
    pub base: usize,
    /// Distance of the address from the address register.
    pub displacement: i32,
}

/// Decodes an instruction of AArch64: `ldr wt, [xn, #imm]` or `str wt, [xn, #imm]`.
///
/// # Errors
///
/// With the reason, if it is another instruction.
pub fn aarch64(word: u32) -> Result<Access, String> {
    if word & 0x3F00_0000 != 0x3900_0000 {
        return Err(format!("{word:#010x} is no `ldr` or `str` with an unsigned offset"));
    }
    let (size, kind) = (word >> 30, word >> 22 & 0b11);
    let direction = match (size, kind) {
        (0b10, 0) => Direction::Store,
        (0b10, 1) => Direction::Load,
        (0b10, _) => return Err(format!("{word:#010x} is a load with sign extension")),
        _ => return Err(format!("{word:#010x} is an access of {} bits", 8 << size)),
    };
    Ok(Access {
        direction,
        data: field(word, 0),
        base: field(word, 5),
        displacement: (word >> 10 & 0xFFF) as i32 * 4,
    })
}

/// Decodes an instruction of 32-bit Arm code: `ldr rt, [rn, #imm]` or `str rt, [rn, #imm]`.
///
/// # Errors
///
/// With the reason, if it is another instruction.
pub fn arm(word: u32) -> Result<Access, String> {
    if word & 0x0E00_0090 == 0x90 {
        return Err(format!("{word:#010x} is an access of 16 or 64 bits, or none"));
    }
    if word & 0x0E00_0000 != 0x0400_0000 || word >> 28 == 0xF {
        return Err(format!("{word:#010x} is no `ldr` or `str` with an immediate offset"));
    }
    if word & 1 << 22 != 0 {
        return Err(format!("{word:#010x} is an access of 8 bits"));
    }
    let (indexed, writes_back) = (word & 1 << 24 != 0, word & 1 << 21 != 0);
    if !indexed || writes_back {
        return Err(format!("{word:#010x} changes its address register"));
    }
    let distance = (word & 0xFFF) as i32;
    let data = (word >> 12 & 0xF) as usize;
    if data == 15 {
        return Err(format!("{word:#010x} loads or stores the program counter"));
    }
    Ok(Access {
        direction: if word & 1 << 20 == 0 { Direction::Store } else { Direction::Load },
        data,
        base: (word >> 16 & 0xF) as usize,
        displacement: if word & 1 << 23 == 0 { -distance } else { distance },
    })
}

/// The number of a register, of 5 bits.
fn field(word: u32, shift: u32) -> usize {
    (word >> shift & 0x1F) as usize
}

#[cfg(test)]
mod tests {
    use super::Direction::{Load, Store};
    use super::*;

    fn access(direction: Direction, data: usize, base: usize, displacement: i32) -> Access {
        Access { direction, data, base, displacement }
    }

    // The words come from GNU as.

    #[test]
    fn loads_and_stores_of_aarch64() {
        assert_eq!(aarch64(0xB941_0041), Ok(access(Load, 1, 2, 0x100))); // ldr w1, [x2, #256]
        assert_eq!(aarch64(0xB90F_FC7F), Ok(access(Store, 31, 3, 0xFFC))); // str wzr, [x3, #4092]
    }

    #[test]
    fn other_instructions_of_aarch64_are_named() {
        for (word, problem) in [
            (0xF940_8041, "0xf9408041 is an access of 64 bits"), // ldr x1, [x2, #256]
            (0x3940_0041, "0x39400041 is an access of 8 bits"),  // ldrb w1, [x2]
            (0x7900_0041, "0x79000041 is an access of 16 bits"), // strh w1, [x2]
            (0xB980_0041, "0xb9800041 is a load with sign extension"), // ldrsw x1, [x2]
            (0xB840_4C41, "0xb8404c41 is no `ldr` or `str` with an unsigned offset"), // ldr w1, [x2, #4]!
            (0x2940_0C41, "0x29400c41 is no `ldr` or `str` with an unsigned offset"), // ldp w1, w3, [x2]
        ] {
            assert_eq!(aarch64(word).unwrap_err(), problem);
        }
    }

    #[test]
    fn loads_and_stores_of_arm() {
        assert_eq!(arm(0xE592_1100), Ok(access(Load, 1, 2, 0x100))); // ldr r1, [r2, #256]
        assert_eq!(arm(0xE503_C004), Ok(access(Store, 12, 3, -4))); // str ip, [r3, #-4]
    }

    #[test]
    fn other_instructions_of_arm_are_named() {
        for (word, problem) in [
            (0xE1C2_01D0_u32, "0xe1c201d0 is an access of 16 or 64 bits, or none"), // ldrd r0, [r2, #16]
            (0xE5D2_1000, "0xe5d21000 is an access of 8 bits"),                     // ldrb r1, [r2]
            (0xE5B2_1004, "0xe5b21004 changes its address register"), // ldr r1, [r2, #4]!
            (0xE492_1004, "0xe4921004 changes its address register"), // ldr r1, [r2], #4
            (0xE792_1003, "0xe7921003 is no `ldr` or `str` with an immediate offset"), // [r2, r3]
            (0xE592_F000, "0xe592f000 loads or stores the program counter"), // ldr pc, [r2]
        ] {
            assert_eq!(arm(word).unwrap_err(), problem);
        }
    }
}
