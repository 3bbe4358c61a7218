//! Standard output and standard error, which a reader may close early, as in `.. | head`.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::base::answer::Answer;
use crate::base::failure::Failure;
use crate::base::text::{WARNING, styled};

pub fn answer(answer: &Answer) -> ExitCode {
    if let Err(error) = write(&mut anstream::stdout(), &answer.text) {
        return failure(&error.into());
    }
    answer.warnings.iter().for_each(|warning| complain(warning));
    ExitCode::from(answer.status)
}

/// Replaces a file atomically. Creates a missing directory.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let cannot = |error| Failure::unwritable(path, error);
    // A symbolic link is kept; its target is replaced.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let directory = path.parent().filter(|parent| *parent != Path::new(""));
    let directory = directory.unwrap_or(Path::new("."));
    fs::create_dir_all(directory).map_err(cannot)?;
    stage(path, directory, text).map_err(cannot)
}

fn stage(path: &Path, directory: &Path, text: &str) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".arm-pmu-");
    let existing = fs::metadata(path).ok().map(|of| of.permissions());
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

pub fn failure(failure: &Failure) -> ExitCode {
    complain(&failure.text);
    ExitCode::from(failure.status)
}

fn complain(text: &str) {
    let text = format!("{} {text}\n", styled(WARNING, "arm-pmu:"));
    // If standard error is closed, the text cannot be printed anywhere.
    let _closed = write(&mut anstream::stderr(), &text);
}

/// Prints help, the version, or an error in the arguments.
pub fn of_parser(error: &clap::Error) -> ExitCode {
    let text = error.render().ansi().to_string();
    let written = if error.use_stderr() {
        write(&mut anstream::stderr(), &text)
    } else {
        write(&mut anstream::stdout(), &text)
    };
    match written {
        Err(error) => failure(&error.into()),
        Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
    }
}

/// A closed pipe is not an error, because the reader, for example `head`, needs no more.
pub fn write(output: &mut impl Write, text: &str) -> io::Result<()> {
    let written = output.write_all(text.as_bytes()).and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
