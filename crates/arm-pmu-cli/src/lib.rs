//! The command `arm-pmu`: see `README.md`. What programs use is [`arm_pmu_tables`].

mod arguments;
mod command;
mod completion;
mod device_tree;
mod doctor;
mod export;
mod failure;
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
        Err(error) => return output::of_parser(&error),
    };
    let screen = text::Screen::of_standard_output();
    match command::run(&arguments.command, screen) {
        Ok(answer) => output::answer(&answer),
        Err(failure) => output::failure(&failure),
    }
}
