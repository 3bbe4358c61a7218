//! Prints lines of text: on a host, to standard output; on a target, by semihosting.

use core::fmt;

#[cfg(target_os = "none")]
use semihosting::{print, println};

/// Takes text.
#[derive(Clone, Copy, Debug)]
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print!("{text}");
        Ok(())
    }
}

/// Prints one line.
pub fn print_line(text: fmt::Arguments<'_>) {
    println!("{text}");
}
