//! Reads text files.

use std::fs::File;
use std::io::{self, Read};

use crate::base::failure::Failure;

/// Reads a file of at most `limit` bytes; `-` is standard input. Invalid characters are replaced, because the file can
/// contain output of a measured program.
pub fn text(file: &str, limit: u64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().take(limit + 1).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::unreadable(file, error))?;
    if bytes.len() as u64 > limit {
        return Err(Failure::unreadable(
            file,
            format_args!("the file has more than {} MB", limit >> 20),
        ));
    }
    Ok(decode(&bytes))
}

/// Decodes UTF-8, or UTF-16 with a byte order mark, which PowerShell writes.
fn decode(bytes: &[u8]) -> String {
    let words = |of: fn([u8; 2]) -> u16| {
        let words: Vec<_> = bytes[2..].chunks_exact(2).map(|word| of([word[0], word[1]])).collect();
        String::from_utf16_lossy(&words)
    };
    match bytes {
        [0xFF, 0xFE, ..] => words(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => words(u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, text @ ..] => String::from_utf8_lossy(text).into_owned(),
        text => String::from_utf8_lossy(text).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_oversized_file_is_rejected() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("long.txt");
        std::fs::write(&path, vec![b'x'; (1 << 20) + 1]).expect("a file");
        let path = path.to_string_lossy();
        let error = text(&path, 1 << 20).expect_err("too long").to_string();
        assert!(error.ends_with("the file has more than 1 MB"), "{error}");
        assert_eq!(text(&path, 2 << 20).expect("a text").len(), (1 << 20) + 1);
    }
}
