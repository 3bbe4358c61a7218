//! `site DIRECTORY`: writes the reference pages there.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

fn main() -> ExitCode {
    let Some(directory) = env::args_os().nth(1) else {
        eprintln!("usage: site DIRECTORY");
        return ExitCode::from(2);
    };
    match write(Path::new(&directory)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", directory.display());
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
