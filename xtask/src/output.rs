//! Standard output and standard error, whose reader may close them early, as in `.. | head`.
//!
//! `println!` panics when its text cannot be written. A task finishes its work on files: a closed pipe is no failure,
//! and any other error is reported at the end.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};
use std::sync::Mutex;

/// The first error other than a closed pipe.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints to standard output.
pub fn print(text: Arguments<'_>) {
    // Tests use a separate output.
    #[cfg(test)]
    #[allow(clippy::print_stdout, reason = "the output of a test")]
    {
        std::print!("{text}");
    }
    #[cfg(not(test))]
    write(&mut anstream::stdout(), text);
}

/// Prints to standard error.
pub fn print_error(text: Arguments<'_>) {
    #[cfg(test)]
    #[allow(clippy::print_stderr, reason = "the output of a test")]
    {
        std::eprint!("{text}");
    }
    #[cfg(not(test))]
    write(&mut anstream::stderr(), text);
}

/// Returns the first printing error so far. A closed pipe is no error.
pub fn failure() -> Option<io::Error> {
    FAILURE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
}

#[cfg_attr(test, allow(dead_code, reason = "a test prints otherwise"))]
fn write(output: &mut impl Write, text: Arguments<'_>) {
    let written = output.write_all(text.to_string().as_bytes()).and_then(|()| output.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        FAILURE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
    }
}

/// Prints a line like `println!`, to standard output that may be closed.
macro_rules! outln {
    ($($text:tt)*) => { $crate::output::print(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints a line like `eprintln!`, to standard error that may be closed.
macro_rules! errln {
    ($($text:tt)*) => { $crate::output::print_error(format_args!("{}\n", format_args!($($text)*))) };
}

/// Prints text like `print!`, to standard output that may be closed.
macro_rules! out {
    ($($text:tt)*) => { $crate::output::print(format_args!($($text)*)) };
}

pub(crate) use {errln, out, outln};
