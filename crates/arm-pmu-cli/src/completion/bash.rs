//! Completion for bash, which splits `SI3:READ` into three words. The script that `clap_complete` generates does not
//! join these words again.

use std::ffi::OsString;
use std::io::{Result, Write};
use std::path::Path;

use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;

/// `$2` is the text that bash replaces, for example `READ` of `SI3:READ`. The preceding text is removed from each
/// candidate.
const SCRIPT: &str = include_str!("bash.sh.in");

#[derive(Debug)]
pub struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        bin: &str,
        completer: &str,
        out: &mut dyn Write,
    ) -> Result<()> {
        let script = SCRIPT.replace("VARIABLE", variable).replace("COMPLETER", completer);
        out.write_all(script.replace("BIN", bin).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        directory: Option<&Path>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let last = words.len().saturating_sub(1);
        for candidate in complete(command, words, last, directory)? {
            writeln!(out, "{}", candidate.get_value().to_string_lossy())?;
        }
        Ok(())
    }
}
