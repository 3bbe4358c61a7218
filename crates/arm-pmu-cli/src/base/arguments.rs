//! The command line.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, CommandFactory, Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Example: arm-pmu show cci550 READ_DATA_SNOOP_HIT
IP is a product (cci550), or one of its units (cci400:r0, mmu600:tbu, arm1176).
Exit status: 0 found, 1 not found, 2 wrong use.";

/// Help template without the options `--help` and `--version`, which every command has.
const TEMPLATE: &str = "{about}. Usage: {usage}\n\n{subcommands}{after-help}";

/// Events, registers and metrics of Arm PMUs
#[derive(Debug, Parser)]
#[command(name = "arm-pmu", version, after_help = EXAMPLES, help_template = TEMPLATE, term_width = 80)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    List(List),
    Show(Show),
    Find(Find),
    Encode(Encode),
    Decode(Decode),
    Perf(Perf),
    Platform(Platform),
    DeviceTree(DeviceTree),
    Report(Report),
    #[cfg(target_os = "linux")]
    Stat(Stat),
    #[cfg(target_os = "linux")]
    Check(Check),
    Recipe(Recipe),
    Doctor(Doctor),
    Export(Export),
    Completions(Completions),
    Man(Man),
}

/// A board that names PMUs and interfaces.
#[derive(Clone, Debug, Default, Args)]
pub struct Place {
    /// Board in place of IP: zynqmp, ./mine.yaml
    #[arg(long, value_name = "BOARD")]
    pub platform: Option<String>,
}

/// List the IPs; or events, registers and metrics of one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu list cci400:r0 --events
  arm-pmu list --platform zynqmp --metrics")]
pub struct List {
    /// An IP, or a unit of it: cci550, cci400:r0
    #[arg(conflicts_with = "platform")]
    pub ip: Option<String>,
    #[command(flatten)]
    pub place: Place,
    #[command(flatten)]
    pub kinds: Kinds,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Show everything about an event, register, metric or finding
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu show cci550 SI3:READ_DATA_SNOOP_HIT    an event, at one source
  arm-pmu show cci550 0x69                       a code, event id or offset
  arm-pmu show cci400 si_rrq_hs_any              its name under Linux
  arm-pmu show cci550 PMCR.CEN                   a register, or a field of it
  arm-pmu show --platform zynqmp apu:READ_DATA_SNOOP_HIT")]
#[command(override_usage = "arm-pmu show [OPTIONS] <IP> <NAME|CODE|REGISTER|METRIC>")]
pub struct Show {
    /// An IP, or a unit of it: cci550, mmu600:tbu
    #[arg(required_unless_present = "platform")]
    pub ip: Option<String>,
    /// An event, register, metric or finding
    #[arg(required_unless_present = "platform", value_name = "NAME|CODE|REGISTER|METRIC")]
    pub name: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Find events, registers, metrics and findings by words
#[derive(Debug, Args)]
#[command(after_help = "\
Searches names, names in other programs, codes and descriptions, and
allows for misspellings. The entry that matches most words comes first.

Example: arm-pmu find snoop hit --ip cci550 --events")]
pub struct Find {
    /// Words, a name or a code: bandwidth, tlb miss
    #[arg(required = true)]
    pub words: Vec<String>,
    /// Only in this IP or unit
    #[arg(long, value_name = "IP", conflicts_with = "platform")]
    pub ip: Option<String>,
    #[command(flatten)]
    pub place: Place,
    #[command(flatten)]
    pub kinds: Kinds,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Print event ids, and the register values that select events
#[derive(Debug, Args)]
#[command(after_help = "\
The first event goes to counter 0, the second to counter 1.

Examples:
  arm-pmu encode cci550 SI3:READ_DATA_SNOOP_HIT SI3:READ_REQUEST_ANY
  arm-pmu encode arm1176 DCACHE_MISS --counter 1
  arm-pmu encode --platform zynqmp apu:READ_REQUEST_ANY")]
#[command(override_usage = "arm-pmu encode [OPTIONS] <IP> <EVENT>...")]
pub struct Encode {
    /// An IP, or a unit of it: cci550, arm1176
    #[arg(required_unless_present = "platform")]
    pub ip: Option<String>,
    /// EVENT, SOURCE:EVENT, 'EVENT>=3' (threshold), an id or raw:ID
    #[arg(required_unless_present = "platform", value_name = "EVENT")]
    pub events: Vec<String>,
    #[command(flatten)]
    pub place: Place,
    /// The counter of the first event
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub counter: u32,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Explain register values and event ids, bit by bit
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu decode cci550 EVENT_SELECT=0x69 PMCR=0x4001
  arm-pmu decode cci550 0x69                     an event id
  arm-pmu decode cci400 CCI_400_r1/si_rrq_hs_any,source=3/
  arm-pmu decode --platform zynqmp PMCR=0x2001")]
#[command(override_usage = "arm-pmu decode [OPTIONS] <IP> <REGISTER=VALUE>...")]
pub struct Decode {
    /// An IP, or a unit of it: cci550, mmu600:tcu
    #[arg(required_unless_present = "platform")]
    pub ip: Option<String>,
    /// REGISTER=VALUE, OFFSET=VALUE, an event id or a perf term
    #[arg(required_unless_present = "platform", value_name = "REGISTER=VALUE")]
    pub values: Vec<String>,
    #[command(flatten)]
    pub place: Place,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Print the `perf stat` command that counts events under Linux
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu perf --platform zynqmp --metric SNOOP_HIT_RATE:apu
  arm-pmu perf arm1176 DATA_CACHE_MISS -- ./bench
  arm-pmu perf mmu600:tbu TRANSACTION --pmu smmuv3_pmcg_2b442 --stream 0x42
  arm-pmu perf --platform agilex5 tsn-tbu:TRANSACTION --stream gmac0
  arm-pmu perf agilex5:tbu TRANSACTION           all of its TBUs")]
#[command(override_usage = "arm-pmu perf [OPTIONS] <IP> [EVENT]... [-- <COMMAND>...]")]
pub struct Perf {
    /// An IP, or a unit of it: cci400:r0, mmu600:tbu
    #[arg(required_unless_present = "platform")]
    pub ip: Option<String>,
    /// EVENT, SOURCE:EVENT, an event id, raw:ID, or cycles
    #[arg(value_name = "EVENT")]
    pub events: Vec<String>,
    #[command(flatten)]
    pub place: Place,
    /// The events of a metric: SNOOP_HIT_RATE:S3
    #[arg(long = "metric", value_name = "METRIC")]
    pub metrics: Vec<String>,
    /// Kernel names of the PMUs: smmuv3_pmcg_2b442
    #[arg(long = "pmu", id = "pmu", value_name = "NAME")]
    pub pmus: Vec<String>,
    /// One StreamID, or a span: 0x42, 0x40..0x44, 05:02.3
    #[arg(long, value_name = "ID")]
    pub stream: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The program to run while perf counts
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

/// Show the PMUs of a system on chip, and settings they need
#[derive(Debug, Args)]
#[command(after_help = "\
Without a name, all platforms are listed. A path names your own file, in the
form of specs/platforms. `new` creates such a file from a device tree.

Examples:
  arm-pmu platform zynqmp
  arm-pmu platform new --from board.dtb > board.yaml")]
pub struct Platform {
    /// A platform, its file, or `new`: zynqmp, ./mine.yaml
    #[arg(value_name = "NAME|FILE")]
    pub name: Option<String>,
    /// With `new`: the device tree, as a blob
    #[arg(long, value_name = "DTB", conflicts_with = "json")]
    pub from: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Platform {
    /// Whether the command is `platform new`.
    pub fn is_new(&self) -> bool {
        self.name.as_deref() == Some("new")
    }
}

/// Print the device tree nodes that Linux needs for the PMU
#[derive(Debug, Args)]
#[command(after_help = "\
The output is device tree source, for the file of the board or an overlay.

Examples:
  arm-pmu device-tree versal
  arm-pmu device-tree versal --overlay | dtc -@ -I dts -O dtb -o versal.dtbo -
  arm-pmu device-tree ./mine.yaml:cci")]
#[command(override_usage = "arm-pmu device-tree <NAME|FILE>")]
pub struct DeviceTree {
    /// A platform, or one of its PMUs: versal, agilex5:tcu, ./mine.yaml
    #[arg(
        value_name = "NAME|FILE",
        required_unless_present = "platform",
        conflicts_with = "platform"
    )]
    pub name: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// Print the source of an overlay
    #[arg(long, conflicts_with = "json")]
    pub overlay: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Report what perf stat has counted
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu report run.json --plot run.svg         rows of perf stat -I over time
  arm-pmu report old.json new.json               what changed
  arm-pmu report run.csv --platform rk3399       bytes a second
  arm-pmu report runs.jsonl                      arm-pmu stat --record")]
pub struct Report {
    /// Output of `perf stat`, or a recording; - is standard input
    pub file: String,
    /// A later run, to compare with FILE
    pub new: Option<String>,
    /// Exit with 3 if a change is proven: 'CYCLES > +2%'
    #[arg(long, value_name = "CONDITION")]
    pub fail_if: Vec<String>,
    /// The IP of events without an IP in their names
    #[arg(long, value_name = "IP")]
    pub ip: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// Input of a metric besides counts: beat_bytes=16
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// Draw the intervals of perf stat -I
    #[arg(long, value_name = "SVG", value_parser = svg)]
    pub plot: Option<String>,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Checks that the file name of a plot has the extension `svg`, or none.
fn svg(file: &str) -> Result<String, String> {
    match Path::new(file).extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("svg") => {
            let name = Path::new(file).with_extension("svg");
            Err(format!("the plot is an SVG; name it {}", name.display()))
        }
        _ => Ok(file.to_owned()),
    }
}

/// Count a program, or until Ctrl-C, with the kernel's drivers
#[cfg(target_os = "linux")]
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: the program's, or 125. Example: arm-pmu stat -m topdown -- ./bench")]
#[command(override_usage = "arm-pmu stat [OPTIONS] [-- <PROGRAM>...]")]
pub struct Stat {
    /// [PMU:]EVENT, for example mmu600:tcu:TLB_MISS
    #[arg(short, long = "event", value_name = "EVENT")]
    pub events: Vec<String>,
    /// Events of [PMU:]METRIC[:SOURCE] or of a topic: tlb
    #[arg(short, long = "metric", value_name = "METRIC")]
    pub metrics: Vec<String>,
    /// Input of a metric besides counts: slots=5
    #[arg(long, value_name = "NAME=NUMBER")]
    pub set: Vec<String>,
    /// The board, for its interface names
    #[arg(long, value_name = "NAME")]
    pub platform: Option<String>,
    /// PMUs for SMMU events: smmuv3_pmcg_2b442
    #[arg(long = "pmu", id = "pmu", value_name = "NAME")]
    pub pmus: Vec<String>,
    /// Devices behind an SMMU, in turn: eth0, 0x42, all
    #[arg(long, value_name = "NAME")]
    pub device: Vec<String>,
    /// Print the counts of each interval: 500ms, 2s
    #[arg(short = 'I', long, value_name = "TIME", value_parser = crate::base::duration::duration)]
    pub interval: Option<std::time::Duration>,
    /// Run the program this many times, and print means
    #[arg(short, long, value_name = "RUNS", conflicts_with = "interval",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: Option<u32>,
    /// Run two programs alternately, and compare them
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["program", "interval"])]
    pub compare: Vec<String>,
    /// Keep each run, for `arm-pmu report`
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,
    /// Print the caveats of metrics
    #[arg(long)]
    pub caveats: bool,
    /// Print CSV
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Print JSON; with -I, a line for each interval
    #[arg(long)]
    pub json: bool,
    /// Write to this file, not to standard output or error
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    /// What to measure
    #[arg(last = true, value_name = "PROGRAM", hide = true)]
    pub program: Vec<String>,
}

/// Compare counts of this system with known work
#[cfg(target_os = "linux")]
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Runs hand-counted loops and known memory traffic while the PMUs of the cores
count, and with --platform the interconnect at their interface. Prints the
expected counts, the measured counts, and the limits: one text to post.

Examples:
  arm-pmu check --platform zynqmp
  arm-pmu check --compare rpi5.json orion.json
Exit status: 0 all counts are right, 1 some are not, 2 nothing was counted.")]
pub struct Check {
    /// The board, for its interconnect: zynqmp, ./mine.yaml
    #[arg(long, value_name = "BOARD")]
    pub platform: Option<String>,
    /// MiB to access; default 16 times the caches, min. 64
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub size: Option<u32>,
    /// Also count past 2^32, for some seconds
    #[arg(long)]
    pub long: bool,
    /// Merge outputs of --json: a table for each core
    #[arg(long, value_name = "FILE", num_args = 1.., exclusive = true)]
    pub compare: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Print a script that counts without a driver: start, read, stop
#[derive(Debug, Args)]
#[command(after_help = "\
The script has the driver's register accesses. In C, a core needs no --count.

Examples:
  arm-pmu recipe zynqmp --count apu:READ_REQUEST_ANY --for devmem
  arm-pmu recipe mmu600:tbu --base 0x16040000 --count TRANSACTION --for gdb
  arm-pmu recipe arm1176 --count DATA_CACHE_MISS cycles --for openocd
  arm-pmu recipe cortex-a55 --for c > cortex_a55_pmu.h")]
#[command(override_usage = "arm-pmu recipe <IP> [OPTIONS]")]
pub struct Recipe {
    /// An IP, a unit of it, or a platform: mmu600:tbu, zynqmp
    #[arg(required_unless_present = "platform", conflicts_with = "platform")]
    pub ip: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// The address of the IP, or of the unit
    #[arg(long, value_name = "ADDRESS")]
    pub base: Option<String>,
    /// EVENT, SOURCE:EVENT, an event id, or cycles
    #[arg(long, num_args = 1.., value_name = "EVENT", required_unless_present = "language")]
    pub count: Vec<String>,
    /// devmem, u-boot, gdb, openocd, xsdb, or c
    #[arg(long = "for", value_name = "LANGUAGE", hide_possible_values = true)]
    #[arg(required_unless_present = "json", conflicts_with = "json")]
    pub language: Option<Language>,
    /// Do not read identification registers
    #[arg(long)]
    pub no_identify: bool,
    /// Print the steps as JSON, for another language
    #[arg(long)]
    pub json: bool,
}

/// The program that runs a recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    Devmem,
    UBoot,
    Gdb,
    Openocd,
    Xsdb,
    C,
}

/// Find out why counters read zero, or why Linux has no PMU
#[derive(Debug, Args)]
#[command(after_help = "\
Reads devmem, devmem2, U-Boot (md.l), OpenOCD (mdw), xsdb, GDB (x/xw) and perf.

Examples:
  arm-pmu doctor zynqmp --ask u-boot
  arm-pmu doctor cci400 --base 0xfd6e0000 --from dump.txt
  arm-pmu doctor --from perf.txt")]
#[command(override_usage = "arm-pmu doctor [IP] [OPTIONS]")]
pub struct Doctor {
    /// An IP, its unit, or a platform; default: what perf names
    #[arg(required_unless_present_any = ["platform", "live", "from"], conflicts_with = "platform")]
    pub ip: Option<String>,
    #[command(flatten)]
    pub place: Place,
    /// The address of the IP or unit; --live: or /dev/uio0
    #[arg(long, value_name = "ADDRESS")]
    pub base: Option<String>,
    /// The text; - is standard input
    #[arg(long, value_name = "FILE", required_unless_present_any = ["ask", "live"])]
    pub from: Option<String>,
    /// Print commands for devmem, u-boot, xsdb or gdb
    #[arg(long, value_name = "PROGRAM", hide_possible_values = true, conflicts_with = "from")]
    pub ask: Option<Asked>,
    /// Inspect this Linux system; needs no IP
    #[arg(long, conflicts_with_all = ["from", "ask"])]
    pub live: bool,
    /// With --live: access registers; it can stop the machine
    #[cfg(target_os = "linux")]
    #[arg(long, requires = "live")]
    pub i_may_crash: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Debugger or shell whose commands are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Asked {
    Devmem,
    UBoot,
    Xsdb,
    Gdb,
}

/// Export events and registers for C, SVD, JSON or CSV
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arm-pmu export c cci550 > cci550.h
  arm-pmu export svd agilex5 > agilex5.svd
  arm-pmu export svd cci550@0x2A090000 mmu600:tbu=DISPLAY@0x40000000
  arm-pmu export svd cci550@0x2A090000 --merge-into vendor.svd")]
pub struct Export {
    /// c, svd, json or csv
    #[arg(hide_possible_values = true)]
    pub format: Format,
    /// IPs, or a platform (default: all); svd: with a base
    #[arg(value_name = "IP[=NAME][@BASE]")]
    pub ips: Vec<String>,
    #[command(flatten)]
    pub place: Place,
    /// Directory for the files; default: print one file
    #[arg(long, value_name = "DIR")]
    pub out: Option<String>,
    /// svd: the name of the system, and of the file
    #[arg(long, value_name = "NAME")]
    pub device: Option<String>,
    /// svd: the processor, such as CA53 or CA53:r0p4
    #[arg(long, value_name = "NAME")]
    pub cpu: Option<String>,
    /// svd: print this file with the PMUs added
    #[arg(long, value_name = "FILE", conflicts_with_all = ["device", "cpu"])]
    pub merge_into: Option<String>,
    /// With --merge-into: replace that file
    #[arg(long, requires = "merge_into", conflicts_with = "out")]
    pub in_place: bool,
    /// With --merge-into: merge even if peripherals overlap
    #[arg(long, requires = "merge_into")]
    pub allow_overlap: bool,
}

/// Export formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    C,
    Svd,
    Json,
    Csv,
}

/// Print a script that completes names in a shell
#[derive(Debug, Args)]
#[command(after_help = "\
The script completes commands and options, and the names of IPs, events,
registers and metrics. Add the line for your shell to its startup file.

Examples:
  source <(arm-pmu completions bash)             in ~/.bashrc
  source <(arm-pmu completions zsh)              in ~/.zshrc, behind compinit
  arm-pmu completions fish | source              in ~/.config/fish/config.fish")]
pub struct Completions {
    /// bash, fish or zsh
    #[arg(hide_possible_values = true)]
    pub shell: Shell,
}

/// A shell for which `arm-pmu completions` prints completions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shell {
    Bash,
    Fish,
    Zsh,
}

/// Write the manual pages
#[derive(Debug, Args)]
#[command(after_help = "\
Each command has a page; `man arm-pmu-show` displays one.

Example: arm-pmu man ~/.local/share/man/man1")]
pub struct Man {
    /// The directory to write the pages to
    #[arg(value_name = "DIR")]
    pub directory: String,
}

/// Kinds of entries in a list or search.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Kinds {
    /// Only events
    #[arg(long)]
    pub events: bool,
    /// Only registers
    #[arg(long)]
    pub registers: bool,
    /// Only metrics
    #[arg(long)]
    pub metrics: bool,
}

impl Kinds {
    /// Returns whether no kind was given, so all kinds are selected.
    pub fn all(self) -> bool {
        !(self.events || self.registers || self.metrics)
    }

    /// Selects all kinds if the user selected none.
    pub fn or_all(self) -> Self {
        if self.all() { Self { events: true, registers: true, metrics: true } } else { self }
    }
}

/// Replaces placeholders in an error of `clap` by phrases from the help. `clap` prints only
/// `<NAME|CODE|REGISTER|METRIC>`.
pub fn explained(error: clap::Error, command: &str) -> clap::Error {
    let mut all = Arguments::command();
    all.build();
    let missing = |known: &clap::Command| {
        // In errors, `clap` changes the brackets of conditionally required arguments.
        let plain = |shown: &str| shown.replace(['[', ']', '<', '>'], "");
        let find =
            |shown: &str| known.get_arguments().find(|one| plain(&one.to_string()) == plain(shown));
        let of_list = |shown: &String| {
            let argument = find(shown)?;
            let help = phrase(argument)?;
            Some(if argument.is_positional() { help } else { format!("{shown}: {help}") })
        };
        match (error.kind(), error.get(ContextKind::InvalidArg)?) {
            (ErrorKind::MissingRequiredArgument, ContextValue::Strings(missing)) => {
                let phrases = missing.iter().map(of_list).collect::<Option<Vec<_>>>()?;
                Some(match &phrases[..] {
                    [one] => format!("{command} needs {one}"),
                    several => format!("{command} needs\n  {}", several.join("\n  ")),
                })
            }
            (ErrorKind::InvalidValue, ContextValue::String(option)) => {
                let value = error.get(ContextKind::InvalidValue);
                let is_missing = value == Some(&ContextValue::String(String::new()));
                is_missing.then_some(format!("{option} needs a value: {}", phrase(find(option)?)?))
            }
            _ => None,
        }
    };
    let Some(known) = all.find_subcommand_mut(command) else { return error };
    match missing(known) {
        Some(text) => known.error(error.kind(), text),
        None => error,
    }
}

/// Help text of an argument as a phrase within a sentence.
fn phrase(argument: &Arg) -> Option<String> {
    let help = argument.get_help()?.to_string();
    let mut letters = help.chars();
    let first = letters.next()?.to_ascii_lowercase();
    let is_word =
        help.split([' ', ',', ';']).next()?.chars().skip(1).all(|c| c.is_ascii_lowercase());
    Some(if is_word { format!("{first}{}", letters.as_str()) } else { help })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `explained` must recognize each argument by the text that `clap` prints.
    #[test]
    fn every_required_argument_has_a_phrase() {
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            let error = match Arguments::try_parse_from(["arm-pmu", name]) {
                Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => error,
                _ => continue,
            };
            let said = explained(error, name).to_string();
            assert!(said.starts_with(&format!("error: {name} needs")), "{said}");
        }
    }

    #[test]
    fn help_fits_a_screen_and_has_an_example() {
        let command = Arguments::command();
        let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert!(names.len() >= 9);
        for name in names.into_iter().map(Some).chain([None]) {
            let line = ["arm-pmu"].into_iter().chain(name).chain(["--help"]);
            let help = Arguments::try_parse_from(line).expect_err("help").to_string();
            let has_example = help.contains("Example: arm-pmu ") || help.contains("Examples:\n  ");
            assert!(has_example && help.contains("arm-pmu "), "{help}");
            // The prompt takes one of the 24 lines of a terminal.
            assert!(help.lines().count() <= 23, "{help}");
            assert!(help.lines().all(|line| line.len() <= 80), "{help}");
        }
    }
}
