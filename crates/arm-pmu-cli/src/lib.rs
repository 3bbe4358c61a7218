//! The command `arm-pmu`: see `README.md`. What programs use is [`arm_pmu_tables`].

mod arguments;
#[cfg(target_os = "linux")]
mod check;
mod command;
mod completion;
mod device_tree;
mod doctor;
mod documents;
mod export;
mod failure;
mod generic;
mod input;
mod kernel;
#[cfg(target_os = "linux")]
mod live;
#[cfg(test)]
mod made_up;
mod name;
mod near;
mod output;
mod perf_name;
mod platform;
#[doc(hidden)]
#[allow(clippy::must_use_candidate, reason = "for the reference pages of this workspace")]
pub mod programming;
mod recipe;
#[doc(hidden)]
pub mod reference;
mod report;
#[doc(hidden)]
pub mod search;
#[cfg(target_os = "linux")]
mod stat;
mod stream;
mod text;
mod view;
#[doc(hidden)]
#[allow(clippy::must_use_candidate, reason = "for the reference pages of this workspace")]
pub mod words;

use std::process::ExitCode;

use clap::Parser;

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
            // Below 125, exit statuses are those of the program.
            let of_stat = error.use_stderr() && command == "stat";
            return if of_stat { ExitCode::from(125) } else { status };
        }
    };
    let screen = text::Screen::of_standard_output();
    match command::run(&arguments.command, screen) {
        Ok(answer) => output::answer(&answer),
        Err(failure) => output::failure(&failure),
    }
}
