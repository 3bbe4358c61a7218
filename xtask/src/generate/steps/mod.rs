//! Steps of the generator without writing files, which `benches/generator.rs` measures.

mod synthetic;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use arm_pmu_spec::problem::Renderer;

use crate::generate::check::{self, Spec};
use crate::generate::emit;
use crate::generate::load;
use crate::generate::model::Ip;
use crate::generate::problem::{Problems, Sources};

/// Returns the names of all IPs with specs.
///
/// # Errors
///
/// Returns an error if there are none, or if they cannot be listed.
pub fn names(root: &Path) -> Result<Vec<String>> {
    load::names(root)
}

/// Returns the time that svd2rust has taken on this thread so far.
#[must_use]
pub fn spent_in_svd2rust() -> Duration {
    emit::spent_in_svd2rust()
}

/// Specs of an IP as texts.
#[derive(Debug)]
pub struct Texts {
    name: String,
    sources: Sources,
}

impl Texts {
    /// Reads the specs of an IP of this workspace.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read.
    pub fn of_ip(root: &Path, name: &str) -> Result<Self> {
        let (sources, errors) = load::Directories::read(root)?.files(name);
        match errors.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(Self { name: name.to_owned(), sources }),
        }
    }

    /// Returns the specs of a made-up IP with this number of parts: see [`synthetic`].
    #[must_use]
    pub fn made_up(parts: u32) -> Self {
        Self { name: synthetic::NAME.to_owned(), sources: synthetic::specs(parts) }
    }

    /// Parses the texts.
    ///
    /// # Errors
    ///
    /// With all problems.
    pub fn read(&self) -> Result<Read<'_>> {
        let mut problems = Problems::default();
        match load::parse(&self.sources, &load::Parsed::default(), &mut problems) {
            Some(spec) if problems.is_empty() => Ok(Read { texts: self, spec }),
            _ => bail!("{}", problems.render(&self.sources, &Renderer::plain())),
        }
    }
}

/// Parsed specs.
#[derive(Debug)]
pub struct Read<'t> {
    texts: &'t Texts,
    spec: Spec,
}

impl Read<'_> {
    /// Applies all rules.
    ///
    /// # Errors
    ///
    /// With all problems.
    pub fn check(&self) -> Result<Checked> {
        let mut problems = Problems::default();
        match check::check(&self.texts.name, &self.spec, &mut problems) {
            Some(ip) => Ok(Checked(ip)),
            None => bail!("{}", problems.render(&self.texts.sources, &Renderer::plain())),
        }
    }
}

/// Specs without problems.
#[derive(Debug)]
pub struct Checked(Ip);

impl Checked {
    /// Returns the number of events in the specs.
    #[must_use]
    pub fn events(&self) -> usize {
        self.0.groups.iter().map(|group| group.events.len()).sum()
    }

    /// Returns the number of registers in the specs.
    #[must_use]
    pub fn registers(&self) -> usize {
        self.0.registers.len()
    }

    /// Generates all files and returns their size in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if svd2rust does not render a register.
    pub fn emit(&self) -> Result<usize> {
        Ok(emit::emit(&self.0, None)?.iter().map(|file| file.text.len()).sum())
    }
}
