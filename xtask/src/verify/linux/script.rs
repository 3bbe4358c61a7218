//! Files of commands for boards, each followed by its output: the form of claims and recordings.

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
/// Returns the misplaced line as the error.
pub fn parse(text: &str) -> Result<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    // First character of the previous line.
    let mut above = '=';
    for line in text.lines() {
        let (kind, rest) = match line.split_once(' ') {
            Some((kind @ ("=" | "#" | "$" | ">"), rest)) => (kind, rest),
            _ => ("", line),
        };
        let kind = kind.chars().next().unwrap_or(' ');
        if kind == '=' {
            let boards = rest.split(' ').map(str::to_owned).collect();
            sections.push(Section { boards, entries: Vec::new() });
        } else {
            let Some(section) = sections.last_mut() else { bail!("no board for `{line}`") };
            if kind == '#' && above != '#' {
                section.entries.push(Entry::default());
            }
            let Some(entry) = section.entries.last_mut() else { bail!("no remark for `{line}`") };
            let part = match kind {
                '#' => &mut entry.remark,
                '$' | '>' => &mut entry.command,
                _ => &mut entry.below,
            };
            *part += rest;
            part.push(if kind == '#' { ' ' } else { '\n' });
        }
        above = kind;
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
