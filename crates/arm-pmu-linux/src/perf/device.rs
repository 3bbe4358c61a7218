//! A kernel PMU with its description in sysfs.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::error::Error;
use super::field::{Field, Words, word_number};

/// A kernel PMU, returned by [`Sysfs`](crate::perf::Sysfs).
#[derive(Clone, Debug)]
pub struct Device {
    pub(crate) directory: PathBuf,
    pub(crate) name: String,
    pub(crate) number: u32,
    pub(crate) identifier: Option<u64>,
    /// Arguments of events, by name. `None` if sysfs has no directory `format/` for this PMU.
    pub(crate) fields: Option<BTreeMap<String, Field>>,
    /// Named events: `event=0x11` or `config=0xff`.
    pub(crate) events: BTreeMap<String, String>,
}

impl Device {
    /// Returns the name, such as `CCI_400_r1`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of the PMU's type in `perf_event_attr`.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Returns the identifier, if the driver has one. The highest bits of an SMMU PMU's identifier are the part number.
    #[must_use]
    pub const fn identifier(&self) -> Option<u64> {
        self.identifier
    }

    /// Returns the processors that read the counters.
    ///
    /// `None` for a core PMU, because each core reads its own counters. The file is read at each call, because the
    /// kernel chooses another processor if one goes offline.
    ///
    /// # Errors
    ///
    /// Fails if the format of the file is unknown.
    pub fn cpu_mask(&self) -> Result<Option<Vec<u32>>, Error> {
        self.list("cpumask")
    }

    /// Returns the processors of a core PMU, if the kernel lists them.
    ///
    /// # Errors
    ///
    /// Fails if the format of the file is unknown.
    pub fn processors(&self) -> Result<Option<Vec<u32>>, Error> {
        self.list("cpus")
    }

    /// Reads a list of processors from a file.
    fn list(&self, file: &str) -> Result<Option<Vec<u32>>, Error> {
        let path = self.directory.join(file);
        let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
        match cpu_list(text.trim()) {
            Some(list) if !list.is_empty() => Ok(Some(list)),
            _ => Err(Error::File { path, why: "names no processor".to_owned() }),
        }
    }

    /// Returns the number of a named event, for example `inst_retired`.
    ///
    /// `None` for an unknown name, or if the event has terms besides its number.
    #[must_use]
    pub fn event_number(&self, name: &str) -> Option<u16> {
        number(self.events.get(name)?)
    }

    /// Returns name and number of each event that the kernel driver lists. For a core with PMUv3, the kernel driver
    /// lists only the events that the core reports in PMCEID.
    pub fn event_numbers(&self) -> impl Iterator<Item = (&str, u16)> {
        self.events.iter().filter_map(|(name, text)| Some((name.as_str(), number(text)?)))
    }

    /// Returns the number of slots in a cycle, for a core with PMUv3p4 or later and Linux 5.10 or later.
    #[must_use]
    pub fn slots(&self) -> Option<u32> {
        let text = fs::read_to_string(self.directory.join("caps/slots")).ok()?;
        let slots = u32::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()?;
        (slots > 0).then_some(slots)
    }

    /// Sets an argument of an event.
    pub(crate) fn set(
        &self,
        words: &mut Words,
        argument: &'static str,
        value: u64,
    ) -> Result<(), Error> {
        let device = || self.name.clone();
        let missing = || Error::NoArgument { device: device(), argument };
        let field = match &self.fields {
            Some(fields) => fields.get(argument).ok_or_else(missing)?,
            // Without `format/`, the driver uses all of `config` as the event number.
            None if argument == "event" => {
                words[0] = value;
                return Ok(());
            }
            None => return Err(missing()),
        };
        let too_wide = || Error::TooWide { device: device(), argument, value };
        field.set(words, value).ok_or_else(too_wide)
    }

    /// Sets the arguments of a named event; `None` if the driver has no such event.
    pub(crate) fn set_named(&self, words: &mut Words, event: &str) -> Option<Result<(), Error>> {
        let text = self.events.get(event)?;
        Some(self.set_terms(words, text).ok_or_else(|| Error::File {
            path: self.directory.join("events").join(event),
            why: format!("has an unknown form: {text}"),
        }))
    }

    /// Sets fields in `words` to the values in a text such as `event=0x11`.
    fn set_terms(&self, words: &mut Words, text: &str) -> Option<()> {
        for term in text.split(',') {
            let (key, value) = term.split_once('=')?;
            let value = match value.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok()?,
                None => value.parse().ok()?,
            };
            match (word_number(key), &self.fields) {
                (Some(word), _) => words[word] = value,
                (None, Some(fields)) => fields.get(key)?.set(words, value)?,
                (None, None) => return None,
            }
        }
        Some(())
    }
}

/// Parses the text of an event that consists only of a number (`event=0x11`).
fn number(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("event=0x")?, 16).ok()
}

/// Parses a list in the kernel's format: `0`, `0-3` or `0,4-7`.
pub(crate) fn cpu_list(text: &str) -> Option<Vec<u32>> {
    let mut list = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        list.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(list)
}
