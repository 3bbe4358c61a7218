//! Pairs of equivalent functions: one uses the crates of this workspace, the other is written by hand, with a volatile
//! access or an instruction for each access. `cargo xtask asm` compiles them for each target and compares their machine
//! code.
//!
//! The function `NAME` uses the crates, and its counterpart `NAME_by_hand` does not. Methods of the drivers have no
//! hand-written counterpart. Instead, `xtask/src/verify/asm/mod.rs` limits their number of instructions.
//!
//! | file | what |
//! |---|---|
//! | `hand.rs` | the accesses by hand |
//! | `memory.rs`, `coprocessor.rs`, `system.rs` | pairs |
//! | `drivers.rs` | methods of the drivers |
#![no_std]

/// Defines pairs of functions. Each pair has a name: the first function has this name, and the
/// second has this name with `_by_hand` appended.
///
/// Hand-written functions are in their own section: within one section, the compiler would merge equal functions, and
/// nothing would be left to compare.
macro_rules! pairs {
    ($(
        $(#[$doc:meta])*
        $name:literal, ($($argument:ident: $Type:ty),*) $(-> $Result:ty)? $ours:block
        by hand($($by_hand:ident: $Hand:ty),*) $(-> $HandResult:ty)? $hand:block
    )*) => {$(
        const _: () = {
            $(#[$doc])*
            // No other symbol has this name.
            #[allow(unsafe_code)]
            #[allow(unused_mut, reason = "some functions only pass the argument on")]
            #[unsafe(export_name = $name)]
            pub fn ours($(mut $argument: $Type),*) $(-> $Result)? $ours

            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!($name, "_by_hand"))]
            #[unsafe(link_section = ".text.by_hand")]
            pub fn by_hand($($by_hand: $Hand),*) $(-> $HandResult)? $hand
        };
    )*};
}

/// Defines two pairs of functions, which read and write all registers of a crate. A comparison of the pairs checks the
/// encodings of the registers.
#[cfg(any(target_arch = "arm", target_arch = "aarch64"))]
macro_rules! each {
    ($read:literal, $write:literal, $krate:ident, $Bus:ident, $Hand:ty, $Value:ty;
        $($register:ident $Spec:ident [$index:literal]: $($operand:expr),*;)*) => {
        pairs! {
            $read, (bus: $krate::$Bus) -> $Value {
                0 $(^ bus.load::<$krate::registers::$register::$Spec>($index))*
            }
            by hand(registers: $Hand) -> $Value {
                0 $(^ registers.read::<$({ $operand }),*>())*
            }

            $write, (bus: $krate::$Bus, value: $Value) {
                $(bus.store::<$krate::registers::$register::$Spec>($index, value);)*
            }
            by hand(registers: $Hand, value: $Value) {
                $(registers.write::<$({ $operand }),*>(value);)*
            }
        }
    };
}

mod drivers;
mod hand;
mod memory;

#[cfg(target_arch = "arm")]
mod coprocessor;
#[cfg(target_arch = "aarch64")]
mod system;
