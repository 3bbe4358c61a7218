//! Test harness: prints one line for each check, and counts the failures.

use core::fmt;

use semihosting::{print, println};

/// Highest exit status for failed checks. A panic has the exit status 134.
const MOST_FAILED: u8 = 100;

/// Checks of one image.
///
/// `cargo xtask arm test` reads the exit status and the last line.
#[derive(Debug)]
pub struct Checks {
    made: u32,
    failed: u32,
}

impl Checks {
    /// Creates a harness without checks.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "no image needs a default")]
    pub const fn new() -> Self {
        Self { made: 0, failed: 0 }
    }

    /// Prints whether `condition` is true, and counts a failure if it is false.
    pub fn check(&mut self, name: impl fmt::Display, condition: bool) {
        self.made += 1;
        self.failed += u32::from(!condition);
        println!("{} {name}", if condition { "ok    " } else { "FAILED" });
    }

    /// Checks that `found` is equal to `expected`, and prints both if they differ.
    pub fn equal<T: PartialEq + fmt::Debug>(&mut self, name: &str, found: T, expected: T) {
        if found == expected {
            self.check(name, true);
        } else {
            let both = format_args!("{name}: {found:x?}, not {expected:x?} (hexadecimal)");
            self.check(both, false);
        }
    }

    /// Prints text that is not checked.
    pub fn note(&mut self, text: fmt::Arguments<'_>) {
        println!("note   {text}");
    }

    /// Prints the summary line, and returns the exit status.
    #[must_use]
    pub fn end(self) -> u8 {
        println!("{} checks, {} failed", self.made, self.failed);
        u8::try_from(self.failed).map_or(MOST_FAILED, |failed| failed.min(MOST_FAILED))
    }
}

/// Takes text.
#[derive(Clone, Copy, Debug)]
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        print!("{text}");
        Ok(())
    }
}
