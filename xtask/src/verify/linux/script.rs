//! Parses files in the form of claims and recordings: commands for boards, each followed by its
//! output.

use anyhow::{Result, bail};

/// Commands that several boards run.
#[derive(Debug, PartialEq)]
pub struct Section {
    pub boards: Vec<String>,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// Reason for the entry.
    pub remark: String,
    pub command: String,
    /// Lines that are not commands.
    pub below: String,
}

/// Parses `= BOARD ..` before a section, `# REMARK` before each command, and `$ LINE` and `> LINE` of a
/// command.
///
/// # Errors
///
/// Returns an error that contains the misplaced line.
pub fn parse(text: &str) -> Result<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(boards) = line.strip_prefix("= ") {
            let boards = boards.split(' ').map(str::to_owned).collect();
            sections.push(Section { boards, entries: Vec::new() });
            continue;
        }
        let Some(Section { entries, .. }) = sections.last_mut() else {
            bail!("no board: `{line}`")
        };
        let remark = line.strip_prefix("# ");
        if remark.is_some() && entries.last().is_none_or(|entry| !entry.command.is_empty()) {
            entries.push(Entry::default());
        }
        let Some(entry) = entries.last_mut() else { bail!("no remark: `{line}`") };
        if let Some(remark) = remark {
            entry.remark += &format!("{remark} ");
        } else if let Some(command) = line.strip_prefix("$ ").or(line.strip_prefix("> ")) {
            entry.command += &format!("{command}\n");
        } else {
            entry.below += &format!("{line}\n");
        }
    }
    for entry in sections.iter_mut().flat_map(|section| &mut section.entries) {
        entry.remark.truncate(entry.remark.trim_end().len());
        // Blank lines separate entries.
        entry.below.truncate(entry.below.trim_end().len());
        if !entry.below.is_empty() {
            entry.below.push('\n');
        }
    }
    Ok(sections)
}
