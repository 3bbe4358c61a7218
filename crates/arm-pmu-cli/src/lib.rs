//! The command `arm-pmu`: see `README.md`. What programs use is [`arm_pmu_tables`].

mod arguments;
mod command;
mod failure;
mod name;
mod near;
mod output;
mod programming;
mod text;
mod view;
mod words;

use std::process::ExitCode;

use clap::Parser;

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
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
