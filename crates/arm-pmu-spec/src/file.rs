//! Reads files that a user names. Such a file can be a FIFO or a device.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Error, Read as _};
use std::path::Path;

/// Reads a regular file of at most `limit` bytes; `what` names the expected content in messages.
///
/// Rejects FIFOs and terminals, because reading can block, and other devices, because they can be endless. Follows
/// links.
pub fn read_regular(path: &Path, limit: u64, what: &str) -> io::Result<Vec<u8>> {
    let regular = |found: &Metadata| match kind(found.file_type()) {
        None => Ok(found.len()),
        Some(kind) => Err(Error::other(format!("{what} must be a regular file, not {kind}"))),
    };
    // The check precedes opening, because opening a FIFO blocks.
    regular(&path.metadata()?)?;
    let file = File::open(path)?;
    let length = regular(&file.metadata()?)?;
    if length > limit {
        let message = format!("the file has {length} bytes, but {what} has at most {limit}");
        return Err(Error::other(message));
    }
    // Some files, for example in /proc, report a wrong length.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("the file is longer than {limit} bytes, the maximum of {what}");
        return Err(Error::other(message));
    }
    Ok(bytes)
}

/// Kind of the file; `None` for a regular file.
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
