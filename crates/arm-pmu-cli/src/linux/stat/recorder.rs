//! Records each run, and writes it to a file.

use std::fs::{self, File};
use std::io::{self, Write};

use crate::base::failure::{Failure, refuse};
use crate::linux::report::record::{Line, Record, Start};

/// All lines recorded so far.
pub struct Recorder {
    file: Option<File>,
    pub record: Record,
    /// First error while writing.
    broken: Option<io::Error>,
}

impl Recorder {
    /// Creates the file, if a path is given.
    pub fn new(path: Option<&str>, start: Start) -> Result<Self, Failure> {
        let file = path.map(create).transpose()?;
        let mut recorder = Self { file, record: Record::new(start.clone()), broken: None };
        recorder.write(&Line::Start(Box::new(start)));
        Ok(recorder)
    }

    pub fn add(&mut self, line: Line) {
        self.write(&line);
        self.record.add(line);
    }

    /// Returns all lines, or the first error while writing.
    pub fn finish(self) -> Result<Record, Failure> {
        self.broken.map_or(Ok(self.record), |error| Err(error.into()))
    }

    /// Writes each line immediately, so that a power failure loses no earlier line.
    fn write(&mut self, line: &Line) {
        let Some(file) = &mut self.file else { return };
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| file.write_all(format!("{text}\n").as_bytes()));
        if let Err(error) = written {
            self.broken.get_or_insert(error);
        }
    }
}

/// Opens an empty file, a device or a pipe, or creates a file. Fails if the file has content.
fn create(path: &str) -> Result<File, Failure> {
    let has_content = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0);
    if has_content {
        refuse!("`{path}` exists; name another file for this recording, or remove it");
    }
    File::create(path).map_err(|error| Failure::unwritable(path.as_ref(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_recording_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.jsonl").display().to_string();
        // `mktemp` creates an empty file.
        create(&path).expect("a new file");
        let mut file = create(&path).expect("an empty file");
        file.write_all(b"a run\n").expect("a line");
        let failure = create(&path).expect_err("a recording").to_string();
        assert!(failure.ends_with("exists; name another file for this recording, or remove it"));
        assert_eq!(fs::read_to_string(&path).expect("a file"), "a run\n");
        create("/dev/null").expect("no file");
        assert!(
            create("/dev/null/x").expect_err("no folder").to_string().contains("cannot be written")
        );
    }
}
