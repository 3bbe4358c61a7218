//! The commands. Each makes its answer as a text; nothing prints but `output`.

mod completions;
mod decode;
mod device_tree;
mod doctor;
mod encode;
mod export;
mod find;
mod list;
mod man;
pub mod perf;
mod platform;
mod recipe;
pub mod report;
mod show;

pub use platform::numbers as platform_interrupts;
use serde::Serialize;

use crate::arguments::Command;
use crate::failure::Failure;
use crate::text::Screen;

/// What a command prints.
#[derive(Debug)]
pub struct Answer {
    pub text: String,
    /// Whether there is anything of what was searched.
    pub found: bool,
    /// What to know about it, on standard error.
    pub warnings: Vec<String>,
    /// The exit status of a program that was run.
    pub status: Option<u8>,
}

impl Answer {
    pub fn text(text: String) -> Self {
        Self { text, found: true, warnings: Vec::new(), status: None }
    }

    pub fn json(document: &impl Serialize) -> Result<Self, Failure> {
        let json = serde_json::to_string_pretty(document);
        let json = json.map_err(|error| Failure::Output(error.into()))?;
        Ok(Self::text(json + "\n"))
    }
}

/// Runs a command.
pub fn run(command: &Command, screen: Screen) -> Result<Answer, Failure> {
    match command {
        Command::List(arguments) => list::run(arguments, screen),
        Command::Show(arguments) => show::run(arguments, screen),
        Command::Find(arguments) => find::run(arguments, screen),
        Command::Encode(arguments) => encode::run(arguments, screen),
        Command::Decode(arguments) => decode::run(arguments, screen),
        Command::Perf(arguments) => perf::run(arguments, screen),
        Command::Platform(arguments) => platform::run(arguments, screen),
        Command::DeviceTree(arguments) => device_tree::run(arguments),
        Command::Report(arguments) => report::run(arguments, screen),
        #[cfg(target_os = "linux")]
        Command::Stat(arguments) => crate::stat::run(arguments, screen),
        #[cfg(target_os = "linux")]
        Command::Check(arguments) => crate::check::run(arguments, screen),
        Command::Recipe(arguments) => recipe::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments, screen),
        Command::Export(arguments) => export::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    }
}
