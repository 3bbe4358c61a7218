//! The table of build times, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::statistics::median;
use super::subject::Taken;
use crate::command;

/// All builds of one run.
#[derive(Serialize)]
pub struct Report {
    compiler: String,
    host: String,
    rounds: u32,
    crates: Vec<Row>,
}

/// The builds of one crate.
#[derive(Serialize)]
pub struct Row {
    name: String,
    published: bool,
    /// Medians.
    seconds: f64,
    processor: Option<f64>,
    /// The medians divided by the least median of a published crate.
    ratio: f64,
    processor_ratio: Option<f64>,
    builds: Vec<Taken>,
}

impl Row {
    pub fn new(name: &str, published: bool, builds: Vec<Taken>) -> Self {
        let seconds: Vec<_> = builds.iter().map(|taken| taken.seconds).collect();
        let processor: Option<Vec<_>> = builds.iter().map(|taken| taken.processor).collect();
        Self {
            name: name.to_owned(),
            published,
            seconds: median(&seconds),
            processor: processor.map(|processor| median(&processor)),
            ratio: 1.0,
            processor_ratio: None,
            builds,
        }
    }
}

impl Report {
    /// `compiler` is what `rustc -vV` says.
    pub fn new(compiler: &str, rounds: u32, mut crates: Vec<Row>) -> Self {
        // Not always the same crate: one may need less processor time, another less elapsed time.
        let published = || crates.iter().filter(|row| row.published);
        let seconds = published().map(|row| row.seconds).fold(f64::INFINITY, f64::min);
        let processor = published().map(|row| row.processor).collect::<Option<Vec<_>>>();
        let processor =
            processor.map(|processor| processor.into_iter().fold(f64::INFINITY, f64::min));
        for row in &mut crates {
            row.ratio = row.seconds / seconds;
            row.processor_ratio = row.processor.zip(processor).map(|(own, least)| own / least);
        }
        let host = command::host(compiler);
        Self {
            compiler: compiler.lines().next().unwrap_or_default().to_owned(),
            host: host.unwrap_or_default().to_owned(),
            rounds,
            crates,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { compiler, host, rounds, .. } = self;
        writeln!(f, "Clean debug builds for {host}, with all dependencies; {compiler}.")?;
        writeln!(f, "Medians of {rounds} rounds in seconds, on the clock and of all processors")?;
        writeln!(f, "together; ratios are to the least of a published crate.\n")?;
        let width = self.crates.iter().map(|row| row.name.len()).max().unwrap_or(0);
        write!(f, "{:width$}  clock  ratio  processors  ratio", "")?;
        for row in &self.crates {
            let shown = |figure: Option<f64>| figure.map_or("-".to_owned(), |f| format!("{f:.2}"));
            let (processor, its_ratio) = (shown(row.processor), shown(row.processor_ratio));
            let Row { name, seconds, ratio, .. } = row;
            write!(
                f,
                "\n{name:width$}  {seconds:5.2}  {ratio:5.2}  {processor:>10}  {its_ratio:>5}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_to_the_least_of_a_published_crate() {
        let row = |name, published, builds: &[(f64, Option<f64>)]| {
            let taken = |&(seconds, processor)| Taken { seconds, processor };
            Row::new(name, published, builds.iter().map(taken).collect())
        };
        let crates = vec![
            row("fat 0.4.0", true, &[(11.0, Some(5.0)), (99.0, Some(5.0)), (12.0, Some(6.0))]),
            row("lean 1.0.0", true, &[(8.0, Some(8.0)), (9.0, Some(4.5)), (7.5, Some(10.0))]),
            row("ours", false, &[(1.0, Some(1.0)), (2.0, None), (3.0, Some(1.0))]),
        ];
        let compiler = "rustc 1.95.0 (59807616e)\nbinary: rustc\nhost: x86_64-unknown-linux-gnu";
        let report = Report::new(compiler, 3, crates);
        let text = report.to_string();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "Clean debug builds for x86_64-unknown-linux-gnu, with all dependencies; \
                 rustc 1.95.0 (59807616e).",
                "Medians of 3 rounds in seconds, on the clock and of all processors",
                "together; ratios are to the least of a published crate.",
                "",
                "            clock  ratio  processors  ratio",
                "fat 0.4.0   12.00   1.50        5.00   1.00",
                "lean 1.0.0   8.00   1.00        8.00   1.60",
                "ours         2.00   0.25           -      -",
            ]
        );
        let json = serde_json::to_value(&report).expect("JSON");
        assert_eq!(json["crates"][2]["ratio"], 0.25);
        assert_eq!(json["crates"][0]["builds"][1]["seconds"], 99.0);
    }
}
