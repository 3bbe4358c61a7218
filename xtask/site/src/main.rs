//! `site DIRECTORY`: writes the reference pages there. `site --lines FILE`: writes tests of all Rust lines of the
//! pages, for `tests/lines.rs`.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let (path, written) = match arguments.as_slice() {
        [directory] if directory != "--lines" => (directory, write(Path::new(directory))),
        [lines, file] if lines == "--lines" => (file, fs::write(file, site::lines::rust())),
        _ => {
            eprintln!("usage: site DIRECTORY\n       site --lines FILE");
            return ExitCode::from(2);
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

/// Writes all pages, once all of them are made.
fn write(directory: &Path) -> io::Result<()> {
    let files = site::all().map_err(io::Error::other)?;
    fs::create_dir_all(directory)?;
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    for file in &files {
        fs::write(directory.join(&file.name), &file.text)?;
    }
    println!(
        "{} files, {} KB: {}",
        files.len(),
        bytes / 1000,
        directory.join("index.html").display()
    );
    Ok(())
}
