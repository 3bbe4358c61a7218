//! Implements the command `arm-pmu`, described in `README.md`. Library users need [`arm_pmu_lookup`].

mod base;
mod completion;
mod linux;
mod lookup;
mod man;
mod prompt;
mod run;
#[cfg(all(test, target_os = "linux"))]
mod schemas;

use std::process::ExitCode;

use clap::Parser;

use crate::base::{arguments, output, text};

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    if let Some(status) = completion::answer() {
        return status;
    }
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let command = std::env::args().nth(1).unwrap_or_default();
            let error = arguments::explained(error, &command);
            let status = output::of_parser(&error);
            // `stat` fails with 125, because lower statuses belong to the measured program.
            let of_stat = error.use_stderr() && command == "stat";
            return if of_stat { ExitCode::from(125) } else { status };
        }
    };
    let screen = text::Screen::of_standard_output();
    match run::run(&arguments.command, screen) {
        Ok(answer) => output::answer(&answer),
        Err(failure) => output::failure(&failure),
    }
}
