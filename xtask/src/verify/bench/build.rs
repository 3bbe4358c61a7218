//! Clean debug builds, side by side.
//!
//! All are built for the host, by one compiler. This is possible because the code of `aarch32-cpu`
//! that needs an Arm processor is left out elsewhere, as is ours. So no crate has the advantage of a target
//! that the other one was not made for, and nothing has to be installed.

use std::path::Path;

use anyhow::{Context, Result};

use super::subject::{PUBLISHED, Subject};
use super::table::{Report, Row};
use crate::command;
use crate::generate::load;
use crate::output::{errln, outln};

#[derive(clap::Args)]
pub struct Arguments {
    /// How often each is built
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// # Errors
///
/// If a dependency cannot be fetched, or a crate does not build.
pub fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    // Temporary crates depend on ours by path.
    let root = &root.canonicalize().with_context(|| format!("no directory {}", root.display()))?;
    let directory = tempfile::tempdir().context("cannot make a temporary directory")?;
    let mut subjects = Vec::new();
    for published in PUBLISHED {
        subjects.push(Subject::published(directory.path(), published)?);
    }
    for ip in load::names(root)? {
        subjects.push(Subject::ours(directory.path(), root, &ip)?);
    }
    errln!("fetching what {} crates need", subjects.len());
    for subject in &subjects {
        subject.fetch()?;
    }
    let rounds = arguments.rounds;
    let mut builds = vec![Vec::new(); subjects.len()];
    // One build of each in turn, so that other load on the machine affects all crates.
    for round in 1..=rounds {
        for (subject, builds) in subjects.iter().zip(&mut builds) {
            let taken = subject.build()?;
            errln!("round {round} of {rounds}: {} {:.2} s", subject.name(), taken.seconds);
            builds.push(taken);
        }
    }
    let rows = subjects
        .iter()
        .zip(builds)
        .map(|(subject, builds)| Row::new(subject.name(), subject.is_published(), builds));
    let compiler = command::output("rustc", &["-vV"]).context("there is no rustc")?;
    let report = Report::new(&compiler, rounds, rows.collect());
    if arguments.json {
        outln!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        outln!("{report}");
    }
    Ok(())
}
