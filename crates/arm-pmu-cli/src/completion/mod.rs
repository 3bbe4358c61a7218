//! Shell completion of commands, options and names of the tables.
//!
//! The script of `arm-pmu completions` runs this program for each completion.

mod bash;
mod candidates;

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::CompleteEnv;
use clap_complete::env::{EnvCompleter, Fish, Shells, Zsh};

use crate::base::answer::Answer;
use crate::base::arguments::{Arguments, Completions, Shell};
use crate::base::failure::Failure;
use crate::base::output;
use bash::Bash;

/// Environment variable that the completion scripts set to the name of the shell.
const VARIABLE: &str = "ARM_PMU_COMPLETE";

const NAME: &str = "arm-pmu";

/// Prints the completion script for a shell.
pub fn run(arguments: &Completions) -> Result<Answer, Failure> {
    let shell: &dyn EnvCompleter = match arguments.shell {
        Shell::Bash => &Bash,
        Shell::Fish => &Fish,
        Shell::Zsh => &Zsh,
    };
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, NAME, NAME, NAME, &mut script)?;
    let script = String::from_utf8_lossy(&script);
    Ok(Answer::text(format!("{}\n", script.trim())))
}

/// Prints candidates, if a completion script runs this program.
pub fn answer() -> Option<ExitCode> {
    // In a normal run, the shell does not set this variable, so the function returns here.
    std::env::var_os(VARIABLE)?;
    let words: Vec<String> = std::env::args().skip_while(|word| word != "--").skip(1).collect();
    let command = || candidates::add(Arguments::command(), &words);
    let complete = CompleteEnv::with_factory(command).var(VARIABLE);
    let shells = Shells(&[&Bash, &Fish, &Zsh]);
    let directory = std::env::current_dir().ok();
    match complete.shells(shells).try_complete(std::env::args_os(), directory.as_deref()) {
        Ok(true) => Some(ExitCode::SUCCESS),
        Ok(false) => None,
        Err(error) => Some(output::of_parser(&error)),
    }
}
