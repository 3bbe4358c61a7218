//! Pairs of functions that do the same: one with the crates of this workspace, the other written by hand, with a
//! volatile access or an instruction for each access. `cargo xtask asm` compiles them for each target and compares what
//! comes out.
//!
//! `NAME` is ours, and `NAME_by_hand` is the other one. `xtask/src/verify/asm/cases.rs` has the list of pairs, and
//! the bound of each.
//!
//! | file | what |
//! |---|---|
//! | `hand.rs` | the accesses of the versions by hand |
//! | `memory.rs`, `coprocessor.rs`, `system.rs` | single accesses |
//! | `drivers.rs` | methods of the drivers |
//! | `cci550_by_hand.rs`, `cortex_a53_by_hand.rs`, `cortex_a8_by_hand.rs`, `reading.rs` | drivers by hand |
#![cfg_attr(not(test), no_std)]

/// Pairs of functions, by the name of the first.
///
/// Hand-written functions have a section of their own: the compiler merges equal functions of one section, and
/// nothing would be left to compare.
macro_rules! pairs {
    ($(
        $(#[$doc:meta])*
        $($name:literal)+, ($($argument:ident: $Type:ty),*) $(-> $Result:ty)? $ours:block
        by hand($($by_hand:ident: $Hand:ty),*) $(-> $HandResult:ty)? $hand:block
    )*) => {$(
        const _: () = {
            $(#[$doc])*
            // The name of a pair is in no other.
            #[allow(unsafe_code)]
            #[allow(unused_mut, reason = "some only pass it on")]
            #[unsafe(export_name = concat!($($name),+))]
            pub fn ours($(mut $argument: $Type),*) $(-> $Result)? $ours

            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!($($name),+, "_by_hand"))]
            #[unsafe(link_section = ".text.by_hand")]
            pub fn by_hand($($by_hand: $Hand),*) $(-> $HandResult)? $hand
        };
    )*};
}

mod cci550_by_hand;
mod drivers;
mod hand;
mod memory;
mod reading;

#[cfg(target_arch = "arm")]
mod coprocessor;
#[cfg(any(target_arch = "aarch64", test))]
mod cortex_a53_by_hand;
#[cfg(any(target_arch = "arm", test))]
mod cortex_a8_by_hand;
#[cfg(target_arch = "aarch64")]
mod system;

#[cfg(test)]
mod tests;
