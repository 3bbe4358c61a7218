//! Lines of text: on a host, its standard output; on a target, what starts QEMU.

#[cfg(target_os = "none")]
mod semihosted;

#[cfg(target_os = "none")]
pub use semihosted::{Console, print_line};

/// Prints one line.
#[cfg(not(target_os = "none"))]
pub fn print_line(text: core::fmt::Arguments<'_>) {
    println!("{text}");
}
