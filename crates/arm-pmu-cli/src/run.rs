//! Dispatches each command to its module.

use crate::base::answer::Answer;
use crate::base::arguments::{Command, Doctor};
use crate::base::failure::Failure;
use crate::base::text::Screen;
use crate::lookup::{decode, encode, export, find, list, platform, show};
use crate::prompt::{device_tree, doctor, recipe};
use crate::{completion, linux, man};

pub fn run(command: &Command, screen: Screen) -> Result<Answer, Failure> {
    match command {
        Command::List(arguments) => list::run(arguments, screen),
        Command::Show(arguments) => show::run(arguments, screen),
        Command::Find(arguments) => find::run(arguments, screen),
        Command::Encode(arguments) => encode::run(arguments, screen),
        Command::Decode(arguments) => decode::run(arguments, screen),
        Command::Platform(arguments) if arguments.is_new() => device_tree::new(arguments),
        Command::Platform(arguments) => platform::run(arguments, screen),
        Command::Export(arguments) => export::run(arguments),
        Command::Perf(arguments) => linux::perf::run(arguments, screen),
        Command::Report(arguments) => linux::report::run(arguments, screen),
        #[cfg(target_os = "linux")]
        Command::Stat(arguments) => linux::stat::run(arguments, screen),
        #[cfg(target_os = "linux")]
        Command::Check(arguments) => linux::check::run(arguments, screen),
        Command::Recipe(arguments) => recipe::run(arguments),
        Command::Doctor(arguments) if arguments.live => live(arguments, screen),
        Command::Doctor(arguments) => doctor::run(arguments, screen),
        Command::DeviceTree(arguments) => device_tree::run(arguments),
        Command::Completions(arguments) => completion::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    }
}

#[cfg(target_os = "linux")]
fn live(arguments: &Doctor, screen: Screen) -> Result<Answer, Failure> {
    linux::live::run(arguments, screen)
}

#[cfg(not(target_os = "linux"))]
fn live(_: &Doctor, _: Screen) -> Result<Answer, Failure> {
    Err(Failure::wrong_use("--live inspects Linux, but this program is for another system"))
}
