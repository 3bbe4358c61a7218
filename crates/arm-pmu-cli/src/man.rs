//! `arm-pmu man`: writes a manual page for each command.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::base::answer::Answer;
use crate::base::arguments::{self, Arguments};
use crate::base::failure::Failure;

const STATUS: [(&str, &str); 3] = [
    ("0", "Success."),
    ("1", "Not found. The message suggests similar names."),
    (
        "2",
        "Wrong use, a name with more than one meaning, or a file that cannot be read or written.",
    ),
];

/// Exit statuses of `arm-pmu stat`, which also returns the program's status.
const STATUS_OF_STAT: [(&str, &str); 3] = [
    ("0 to 255", "The program's status; 128 plus the signal number if a signal ended it."),
    ("125", "The events cannot be counted. The message names the missing part."),
    ("126, 127", "The program cannot be run, or was not found."),
];

/// Exit statuses of `arm-pmu check`.
const STATUS_OF_CHECK: [(&str, &str); 3] = [
    ("0", "All counts are within their limits."),
    ("1", "A count or a behaviour is off, or with --platform, an event cannot be counted."),
    ("2", "Nothing was counted, or wrong use."),
];

/// Writes all pages, or none if one page fails.
pub fn run(arguments: &arguments::Man) -> Result<Answer, Failure> {
    let pages = pages()?;
    let directory = Path::new(&arguments.directory);
    fs::create_dir_all(directory).map_err(|error| Failure::unwritable(directory, error))?;
    let mut text = String::new();
    for (name, page) in pages {
        let path = directory.join(name);
        fs::write(&path, page).map_err(|error| Failure::unwritable(&path, error))?;
        text += &format!("{}\n", path.display());
    }
    Ok(Answer::text(text))
}

/// Renders each page, with its file name.
fn pages() -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let others = |own: &str| {
        let all = [&command].into_iter().chain(&subcommands).filter_map(name);
        all.filter(|name| name != own).collect::<Vec<_>>()
    };
    let mut pages = Vec::new();
    for command in [&command].into_iter().chain(&subcommands) {
        let own = name(command).unwrap_or_default();
        let see = if command.has_subcommands() { Vec::new() } else { others(&own) };
        pages.push((format!("{own}.1"), page(command, &own, &see)?));
    }
    Ok(pages)
}

/// Name of a page: `arm-pmu-show`.
fn name(command: &clap::Command) -> Option<String> {
    Some(command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned())
}

fn page(command: &clap::Command, name: &str, see: &[String]) -> std::io::Result<Vec<u8>> {
    let help = Help::of(command);
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let page = Man::new(command.clone().override_usage(usage));
    let mut out = Vec::new();
    // `Man` omits an empty date, so the next field would be printed as the date.
    let (title, version) = (name.to_uppercase(), env!("CARGO_PKG_VERSION"));
    writeln!(out, ".TH {title} 1 \"\" \"arm-pmu {version}\" \"arm-pmu\"")?;
    page.render_name_section(&mut out)?;
    page.render_synopsis_section(&mut out)?;
    page.render_description_section(&mut out)?;
    let mut roff = Roff::new();
    for line in &help.prose {
        roff.control("PP", []);
        roff.text([roman(line.as_str())]);
    }
    roff.to_writer(&mut out)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut out)?;
    }
    page.render_options_section(&mut out)?;
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    for example in &help.examples {
        roff.text([roman(example.as_str())]);
    }
    roff.control("fi", []);
    roff.control("SH", ["EXIT STATUS"]);
    let statuses = match name {
        "arm-pmu-stat" => STATUS_OF_STAT,
        "arm-pmu-check" => STATUS_OF_CHECK,
        _ => STATUS,
    };
    for (status, meaning) in statuses {
        roff.control("TP", []);
        roff.text([bold(status)]);
        roff.text([roman(meaning)]);
    }
    if !see.is_empty() {
        roff.control("SH", ["SEE ALSO"]);
        let see: Vec<_> = see.iter().map(|name| format!("{name}(1)")).collect();
        roff.text([roman(see.join(", "))]);
    }
    roff.to_writer(&mut out)?;
    Ok(out)
}

/// Parts of the text that `--help` prints below the options.
#[derive(Default)]
struct Help {
    /// Paragraphs of text.
    prose: Vec<String>,
    /// Command lines.
    examples: Vec<String>,
}

impl Help {
    fn of(command: &clap::Command) -> Self {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let mut help = Self::default();
        for paragraph in text.split("\n\n") {
            if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
                help.examples.extend(examples.lines().map(|line| line.trim().to_owned()));
                continue;
            }
            let mut prose = Vec::new();
            for line in paragraph.lines() {
                match line.strip_prefix("Example: ") {
                    Some(example) => help.examples.push(example.to_owned()),
                    None if line.starts_with("Exit status:") => {}
                    None => prose.push(line),
                }
            }
            if !prose.is_empty() {
                help.prose.push(prose.join(" "));
            }
        }
        help
    }
}
