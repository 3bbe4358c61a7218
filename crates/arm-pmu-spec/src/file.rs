//! Reads files that a user names. Such a file can be a FIFO or a device.

use std::fmt;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// Reason why a file was not read.
#[derive(Debug)]
pub enum FileError {
    /// The file is not regular. `what` is the expected content.
    NotRegular { kind: &'static str, what: &'static str },
    /// The file is larger than the limit. `length` is its size, if known.
    TooLong { length: Option<u64>, limit: u64, what: &'static str },
    /// Error of the system.
    Io(io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRegular { kind, what } => {
                write!(f, "{what} must be a regular file, not {kind}")
            }
            Self::TooLong { length: Some(length), limit, what } => {
                write!(f, "the file has {length} bytes, but {what} has at most {limit}")
            }
            Self::TooLong { length: None, limit, what } => {
                write!(f, "the file is longer than {limit} bytes, the maximum of {what}")
            }
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads a regular file of at most `limit` bytes; `what` names the expected content in messages.
///
/// Rejects FIFOs and terminals, because reading can block, and other devices, because they can be endless. Follows
/// links.
pub fn read_regular(path: &Path, limit: u64, what: &'static str) -> Result<Vec<u8>, FileError> {
    let regular = |found: &Metadata| match kind(found.file_type()) {
        None => Ok(found.len()),
        Some(kind) => Err(FileError::NotRegular { kind, what }),
    };
    // The check precedes opening, because opening a FIFO blocks.
    regular(&path.metadata()?)?;
    let file = File::open(path)?;
    let length = regular(&file.metadata()?)?;
    if length > limit {
        return Err(FileError::TooLong { length: Some(length), limit, what });
    }
    // Some files, for example in /proc, report a wrong length.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLong { length: None, limit, what });
    }
    Ok(bytes)
}

/// Kind of a file that is not regular.
pub fn kind(file_type: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return Some("a FIFO");
        }
        if file_type.is_socket() {
            return Some("a socket");
        }
        if file_type.is_char_device() || file_type.is_block_device() {
            return Some("a device");
        }
    }
    match file_type {
        of if of.is_file() => None,
        of if of.is_dir() => Some("a directory"),
        of if of.is_symlink() => Some("a link"),
        _ => Some("a special file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_regular_files_are_read() {
        let read = |path: &str, limit| {
            read_regular(Path::new(path), limit, "a spec").map_err(|error| error.to_string())
        };
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let length = std::fs::metadata(own).expect("a manifest").len();
        assert_eq!(read(own, length).expect("it fits").len() as u64, length);
        let message = format!("the file has {length} bytes, but a spec has at most 9");
        assert_eq!(read(own, 9), Err(message));
        let folder = read(env!("CARGO_MANIFEST_DIR"), 9).expect_err("a folder");
        assert_eq!(folder, "a spec must be a regular file, not a directory");
        if cfg!(target_os = "linux") {
            let device = read("/dev/zero", 9).expect_err("a device without an end");
            assert_eq!(device, "a spec must be a regular file, not a device");
            // Opening a FIFO would wait for a writer.
            let fifo = std::env::temp_dir().join(format!("fifo-{}", std::process::id()));
            let made = std::process::Command::new("mkfifo").arg(&fifo).status();
            assert!(made.expect("mkfifo").success());
            let waits = read(fifo.to_str().expect("text"), 9).expect_err("a FIFO");
            std::fs::remove_file(&fifo).expect("a FIFO");
            assert_eq!(waits, "a spec must be a regular file, not a FIFO");
            let kernel = read("/proc/self/status", 9).expect_err("a length of 0 is stated");
            assert_eq!(kernel, "the file is longer than 9 bytes, the maximum of a spec");
        }
    }
}
