//! A crate whose build is timed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;

use super::processor;
use crate::command::{Program, cargo};

/// Published crates to compare with, and their versions: a driver of the same interconnects, and a
/// crate of typed system registers.
pub const PUBLISHED: [(&str, &str); 2] = [("arm-cci", "0.2.1"), ("aarch32-cpu", "0.4.0")];

/// The time of one build, in seconds.
#[derive(Clone, Copy, Serialize)]
pub struct Taken {
    /// Elapsed time.
    pub seconds: f64,
    /// Sum over all processors, where the system reports it.
    pub processor: Option<f64>,
}

/// A crate, and a temporary one of one line that depends on it.
pub struct Subject {
    name: String,
    published: bool,
    directory: PathBuf,
}

impl Subject {
    /// A crate of the registry, in exactly this version.
    pub fn published(parent: &Path, (name, version): (&str, &str)) -> Result<Self> {
        let dependency = toml_string(&format!("={version}"));
        Self::new(parent, name, &dependency, format!("{name} {version}"), true)
    }

    /// A crate of this workspace.
    pub fn ours(parent: &Path, root: &Path, name: &str) -> Result<Self> {
        let path = root.join("crates").join(name);
        let dependency = format!("{{ path = {} }}", toml_string(&path.to_string_lossy()));
        Self::new(parent, name, &dependency, name.to_owned(), false)
    }

    fn new(
        parent: &Path,
        package: &str,
        dependency: &str,
        name: String,
        published: bool,
    ) -> Result<Self> {
        let directory = parent.join(package);
        let subject = Self { name, published, directory };
        let (manifest, library) = user(package, dependency);
        subject.write("Cargo.toml", &manifest)?;
        subject.write("src/lib.rs", &library)?;
        Ok(subject)
    }

    /// Name for the table, with the published version.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn is_published(&self) -> bool {
        self.published
    }

    /// Downloads its dependencies, so that a build needs no network.
    ///
    /// # Errors
    ///
    /// If that fails.
    pub fn fetch(&self) -> Result<()> {
        self.cargo(&["fetch", "--quiet"]).run()
    }

    /// Makes a clean build of it and its dependencies.
    ///
    /// # Errors
    ///
    /// If it does not build.
    pub fn build(&self) -> Result<Taken> {
        let target = self.directory.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)
                .with_context(|| format!("cannot remove {}", target.display()))?;
        }
        let build = self.cargo(&["build", "--offline", "--quiet", "--target-dir", "target"]);
        let (start, worked) = (Instant::now(), processor::of_programs());
        build.run()?;
        let seconds = start.elapsed().as_secs_f64();
        let processor = processor::of_programs().zip(worked).map(|(now, before)| now - before);
        Ok(Taken { seconds, processor: processor.map(|time| time.as_secs_f64()) })
    }

    /// Cargo without settings of the environment that change builds.
    fn cargo(&self, arguments: &[&str]) -> Program {
        let empty = ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS"];
        // Cargo does not compile crates of the registry incrementally. Ours is a path dependency
        // here, and would be compiled incrementally.
        let program = cargo(&self.directory, arguments).env("CARGO_INCREMENTAL", "0");
        empty.into_iter().fold(program, |program, name| program.env(name, ""))
    }

    fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.directory.join(file);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all);
        written
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The manifest and the one line of a crate that uses another.
fn user(package: &str, dependency: &str) -> (String, String) {
    let manifest = format!(
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{package} = {dependency}\n\n\
         # Not a part of a workspace that may be around it.\n[workspace]\n"
    );
    (manifest, format!("pub use {} as used;\n", package.replace('-', "_")))
}

/// A text, quoted as TOML has it.
fn toml_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_one_line_and_depends_on_the_crate() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let ours = Subject::ours(parent.path(), Path::new("/the \"root\""), "cortex-a8");
        let ours = ours.expect("to write");
        let read = |file: &str| fs::read_to_string(ours.directory.join(file)).expect("to read");
        assert_eq!(read("src/lib.rs"), "pub use cortex_a8 as used;\n");
        let path = Path::new("/the \\\"root\\\"").join("crates").join("cortex-a8");
        let line = format!("cortex-a8 = {{ path = \"{}\" }}\n", path.display());
        assert!(cfg!(windows) || read("Cargo.toml").contains(&line), "{}", read("Cargo.toml"));
        assert_eq!((ours.name(), ours.is_published()), ("cortex-a8", false));

        let other = Subject::published(parent.path(), PUBLISHED[0]).expect("to write");
        let manifest = fs::read_to_string(other.directory.join("Cargo.toml")).expect("to read");
        assert!(manifest.contains("arm-cci = \"=0.2.1\"\n"), "{manifest}");
        assert_eq!((other.name(), other.is_published()), ("arm-cci 0.2.1", true));
    }
}
