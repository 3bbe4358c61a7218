//! The figures, as a table for people.

use std::collections::BTreeMap;
use std::fmt;

use super::TARGETS;
use super::cases::{CASES, Expected};

/// Numbers of instructions.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub ours: usize,
    pub by_hand: usize,
}

/// The results, by case and index of the target.
#[derive(Default)]
pub struct Report {
    figures: BTreeMap<(&'static str, usize), Figures>,
}

impl Report {
    pub fn add(&mut self, case: &'static str, target: usize, figures: Figures) {
        self.figures.insert((case, target), figures);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let compared =
            |name| (0..TARGETS.len()).any(|target| self.figures.contains_key(&(name, target)));
        let mut cases = CASES.iter().filter(|case| compared(case.name)).peekable();
        if cases.peek().is_none() {
            return writeln!(f, "nothing was compared");
        }
        writeln!(f, "\nInstructions, ours / by hand, without the stack frame:\n")?;
        let names = TARGETS.map(|target| target.name.split('-').next().unwrap_or_default());
        writeln!(
            f,
            "| case | {} | |\n|---|{}---|",
            names.join(" | "),
            "---|".repeat(TARGETS.len())
        )?;
        for case in cases {
            write!(f, "| {} |", case.name.replace('_', " "))?;
            for target in 0..TARGETS.len() {
                match self.figures.get(&(case.name, target)) {
                    Some(Figures { ours, by_hand }) => {
                        write!(f, " {ours} / {by_hand} |")?;
                    }
                    None => write!(f, " |")?,
                }
            }
            match &case.expected {
                Expected::Equal => writeln!(f, " must be equal |")?,
                Expected::Longer { because, .. } => writeln!(f, " {because} |")?,
            }
        }
        Ok(())
    }
}
