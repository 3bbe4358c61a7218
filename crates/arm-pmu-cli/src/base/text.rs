//! Text in columns and paragraphs.

use std::collections::HashSet;
use std::hash::Hash;
use std::io::IsTerminal;
use std::ops::Range;

use anstyle::Style;
use arm_pmu_lookup::text::paragraph;

/// Style in which names of items are printed.
pub const NAME: Style = Style::new().bold();

/// Style of the headings of columns and sections.
pub const HEADING: Style = Style::new().underline();

/// Style of secondary text.
pub const ASIDE: Style = Style::new().dimmed();

pub const WARNING: Style =
    Style::new().fg_color(Some(anstyle::Color::Ansi(anstyle::AnsiColor::Yellow)));

/// Heading of a section, after an empty line.
pub fn heading(text: &str) -> String {
    format!("\n{}\n", styled(HEADING, text))
}

/// Items without repetition, in the order of their first occurrence.
pub fn distinct<T: Clone + Eq + Hash>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

/// The first items of a list, and the number of the others: `a, b and 3 more`.
pub fn listed(items: &[impl AsRef<str>], most: usize) -> String {
    let some: Vec<_> = items.iter().take(most).map(AsRef::as_ref).collect();
    match items.len().saturating_sub(most) {
        0 => some.join(", "),
        more => format!("{} and {more} more", some.join(", ")),
    }
}

/// Width of the output.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Maximum width of paragraphs.
    columns: usize,
    /// Maximum width of table lines; `None` prints whole lines.
    cut: Option<usize>,
}

impl Screen {
    /// Output to a file or a pipe, where no table line is cut off.
    pub const FILE: Self = Self { columns: 80, cut: None };

    /// Output to a terminal of this width.
    pub fn terminal(columns: usize) -> Self {
        // Paragraphs of more than 100 columns are hard to read; tables need at least 40 columns.
        Self { columns: columns.clamp(40, 100), cut: Some(columns.max(40)) }
    }

    pub fn of_standard_output() -> Self {
        if !std::io::stdout().is_terminal() {
            return Self::FILE;
        }
        let size = terminal_size::terminal_size_of(std::io::stdout());
        Self::terminal(size.map_or(80, |(width, _)| usize::from(width.0)))
    }

    /// Maximum width of paragraphs.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// Returns this screen, but without cutting off the lines of tables.
    pub fn whole(self) -> Self {
        Self { cut: None, ..self }
    }

    /// A paragraph that begins with `first`. Later lines are indented by the width of `first`.
    pub fn paragraph(self, first: &str, text: &str) -> String {
        paragraph(self.columns, first, text)
    }

    /// A paragraph with a mark that stands out.
    pub fn warning(self, text: &str) -> String {
        self.paragraph("- ", text).replacen('-', &styled(WARNING, "-"), 1)
    }

    /// A table with columns two spaces apart. Empty columns are omitted, and on a terminal the last column is cut.
    pub fn table(self, indent: usize, styles: &[Style], rows: &[Vec<String>]) -> String {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in rows {
            let mut line = " ".repeat(indent);
            let mut used = indent;
            // The gap is written before the next cell, so that no line ends with spaces.
            let mut gap = 0;
            for (column, cell) in row.iter().enumerate() {
                let Some(&width) = widths.get(column).filter(|width| **width > 0) else { continue };
                let last = column + 1 == columns;
                let cell = if last { self.cut(cell, used + gap) } else { cell.clone() };
                let length = cell.chars().count();
                if length > 0 {
                    line.push_str(&" ".repeat(gap));
                    used += gap + length;
                    gap = 0;
                    line.push_str(&styled(styles.get(column).copied().unwrap_or_default(), &cell));
                }
                gap += width - length.min(width) + 2;
            }
            out.push_str(&line);
            out.push('\n');
        }
        out
    }

    fn cut(self, cell: &str, used: usize) -> String {
        let Some(room) = self.cut.map(|cut| cut.saturating_sub(used)) else {
            return cell.to_owned();
        };
        if cell.chars().count() <= room {
            return cell.to_owned();
        }
        let kept: String = cell.chars().take(room.saturating_sub(3)).collect();
        format!("{}...", kept.trim_end())
    }

    /// Boxes with headings, as many side by side as fit.
    pub fn boxes(self, cells: &[(String, String)]) -> String {
        let width = |(above, inside): &(String, String)| above.len().max(inside.len());
        let mut rows: Vec<Vec<&(String, String)>> = Vec::new();
        let mut used = self.columns;
        for cell in cells {
            let columns = width(cell) + 3;
            if used + columns > self.columns {
                rows.push(Vec::new());
                used = 3;
            }
            used += columns;
            rows.last_mut().into_iter().for_each(|row| row.push(cell));
        }
        let mut text = String::new();
        for row in rows {
            let line = |with: &dyn Fn(&(String, String)) -> String, between: &str| {
                let cells: Vec<_> = row.iter().map(|cell| with(cell)).collect();
                let line = format!("  {between}{}{between}", cells.join(between));
                line.trim_end().to_owned() + "\n"
            };
            let edge = line(&|cell| "-".repeat(width(cell) + 2), "+");
            text += &line(&|cell| format!(" {:^1$} ", cell.0, width(cell)), " ");
            text += &edge;
            text += &line(&|cell| format!(" {:^1$} ", cell.1, width(cell)), "|");
            text += &edge;
        }
        text
    }
}

/// Aligns some columns of all rows to the right.
pub fn aligned(mut rows: Vec<Vec<String>>, columns: Range<usize>) -> Vec<Vec<String>> {
    for column in columns {
        let cells = || rows.iter().filter_map(|row| row.get(column));
        let width = cells().map(String::len).max().unwrap_or(0);
        // Empty cells have no padding, because lines must not end with spaces.
        let cells = rows.iter_mut().filter_map(|row| row.get_mut(column));
        for cell in cells.filter(|cell| !cell.is_empty()) {
            *cell = format!("{cell:>width$}");
        }
    }
    rows
}

/// Text with terminal style codes, which are removed if the output is not a terminal.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(styled: &str) -> String {
        anstream::adapter::strip_str(styled).to_string()
    }

    #[test]
    fn tables_are_cut_on_a_terminal_only() {
        let rows = [
            vec!["a".to_owned(), String::new(), "first words ".repeat(9).trim().to_owned()],
            vec!["long".to_owned(), String::new(), "x".to_owned()],
            vec!["end".to_owned(), String::new(), String::new()],
        ];
        let cut = plain(&Screen::terminal(40).table(0, &[NAME], &rows));
        assert_eq!(cut, "a     first words first words first w...\nlong  x\nend\n");
        let whole = plain(&Screen::FILE.table(0, &[NAME], &rows));
        assert!(whole.lines().next().is_some_and(|line| line.len() > 100), "{whole}");
    }
}
