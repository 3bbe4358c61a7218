//! Creates the crate of an implementation from `xtask/template/implementation`. Only tests and examples are
//! written by hand.
//!
//! Registers and driver come from the architecture. `notes.md` beside the specs contains the parts
//! of the documentation that are specific to the implementation.

use std::collections::HashSet;
use std::fs;
use std::ops::Deref;
use std::path::Path;

use anyhow::{Context, Result, bail};
use askama::Template;

use crate::generate::emit::docs;
use crate::generate::files::{self, Change, Generated};
use crate::generate::model::{Content, Group, Ip};
use crate::generate::names::{self, IpNames};
use crate::generate::overview::listed;

/// Each crate links to these files in the root of the repository.
pub const LINKS: [&str; 3] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Line width to which a paragraph is wrapped again.
const WIDTH: usize = 110;

const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

const ORDINALS: &str =
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth";

/// Returns the changes that complete the crates of all implementations. `src/generated` and the READMEs are not
/// included.
pub fn compare(root: &Path, ips: &[Ip]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut tested = HashSet::new();
    for ip in ips {
        let Some(values) = Values::of(ip) else { continue };
        let path = format!("specs/{}/notes.md", ip.name);
        let notes = Notes::read(&root.join(&path)).with_context(|| path)?;
        let has_refusals = root.join("refusals/tests").join(&ip.name).is_dir();
        let directory = root.join("crates").join(&ip.name);
        let page = values.page(&notes, has_refusals)?;
        let tests_examples = tested.insert(values.examples_without_names(&page));
        for (name, text) in [
            ("Cargo.toml", manifest(&values.architecture, &ip.name, &ip.title, tests_examples)?),
            ("src/lib.rs", values.library()?),
            ("src/lib.md", page),
        ] {
            changes.extend(files::compare_file(directory.join(name), text)?);
        }
        for name in LINKS {
            let path = directory.join(name);
            if path.symlink_metadata().is_err() {
                changes.push(Change::Link { path, to: format!("../../{name}") });
            }
        }
    }
    Ok(changes)
}

/// Returns the files in `src/generated` that describe the implementation to the code of the
/// architecture.
pub fn identity(ip: &Ip) -> Result<Vec<Generated>> {
    let Some(values) = Values::of(ip) else { return Ok(Vec::new()) };
    let text = match values.is_core {
        true => filled(&CoreIdentity(&values))?,
        false => filled(&InterconnectIdentity(&values))?,
    };
    let mut files = vec![Generated { name: "identity.rs".to_owned(), text }];
    if has_filter_file(ip) {
        files.push(Generated { name: "filter.rs".to_owned(), text: filled(&Filter(&values))? });
    }
    Ok(files)
}

/// Returns whether `src/generated` contains the file of a filter. With PMUv3, there is no such file: every core has a
/// filter, and `pmu.rs` contains the filter's methods.
pub fn has_filter_file(ip: &Ip) -> bool {
    let architecture = ip.architecture.as_ref().filter(|_| !ip.is_generic());
    let form = architecture.and_then(|of| Form::of(&of.name));
    form == Some(Form::Armv7) && has_filter(ip)
}

/// The lowest ID_AA64DFR0_EL1.PMUVer that the driver works with: 6 for counters of 64 bits,
/// otherwise 5 if it reads PMMIR_EL1; `None` if it works with every version.
pub fn version(ip: &Ip) -> Option<u32> {
    let has_pmmir = ip.registers.iter().any(|register| register.name == "PMMIR_EL1");
    match ip.counters.bits {
        64 => Some(6),
        _ => has_pmmir.then_some(5),
    }
}

/// Whether counters can be limited to modes or Exception levels.
pub fn has_filter(ip: &Ip) -> bool {
    has_field(ip, "NSH")
}

pub fn has_thresholds(ip: &Ip) -> bool {
    has_field(ip, "TH")
}

fn has_field(ip: &Ip, name: &str) -> bool {
    let mut fields = ip.registers.iter().flat_map(|register| &register.fields);
    fields.any(|field| matches!(&field.content, Content::Named(named) if named.name == name))
}

pub fn manifest(
    architecture: &str,
    package: &str,
    title: &str,
    tests_examples: bool,
) -> Result<String> {
    let Some(form) = Form::of(architecture) else {
        bail!(
            "xtask/template/implementation has no crate of an IP with the architecture `{architecture}`"
        )
    };
    let family = title.split(['-', ' ']).next().unwrap_or_default().to_lowercase();
    let (target, mut keywords) = match form {
        Form::Aarch64 => ("aarch64-unknown-none", ["aarch64", "arm", &family, "pmu", "profiling"]),
        Form::Armv7 => ("armv7a-none-eabi", ["arm", "armv7", &family, "pmu", "profiling"]),
        Form::Interconnect => {
            ("x86_64-unknown-linux-gnu", ["arm", "cci", "interconnect", "pmu", "profiling"])
        }
    };
    keywords.sort_unstable();
    let keywords = keywords.map(|keyword| format!("{keyword:?}")).join(", ");
    let is_core = form != Form::Interconnect;
    let keywords = &keywords;
    filled(&Manifest { architecture, package, title, target, keywords, is_core, tests_examples })
}

/// Kind of an architecture. The crates of its IPs contain different text for each kind.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Aarch64,
    Armv7,
    Interconnect,
}

impl Form {
    fn of(architecture: &str) -> Option<Self> {
        match architecture {
            "arm-pmuv3" => Some(Self::Aarch64),
            "armv7-pmu" => Some(Self::Armv7),
            "cci5xx" => Some(Self::Interconnect),
            _ => None,
        }
    }
}

/// Values for the templates.
struct Values {
    architecture: String,
    architecture_module: String,
    of_architecture: String,
    package: String,
    module: String,
    type_name: String,
    constant: String,
    title: String,
    product: String,
    /// Products with these events: `Cortex-A72 and Cortex-A57`.
    products: String,
    /// Titles of all products, each with an article: `a Cortex-A72 or a Cortex-A57`.
    one_of_products: String,
    /// Main ID Register of the first revision. `also` has two texts for each further product: its
    /// Main ID Register and its title.
    main_id: String,
    also: Vec<(String, String)>,
    parts_also: String,
    titles_also: String,
    event_type: String,
    /// Imports of the examples, in alphabetical order.
    imports: String,
    imports_of_tasks: String,
    event_count: usize,
    source_count: usize,
    /// Names of the sources of each group, as links.
    slaves: String,
    masters: String,
    counters: u32,
    counter_bits: u32,
    counters_in_words: String,
    /// Ordinal of the counter after the last one: `a seventh`.
    next_counter: String,
    /// Text for the first counter only.
    only_first: String,
    bus: &'static str,
    is_core: bool,
    aarch64: bool,
    is_armv7: bool,
    has_filter: bool,
    has_metrics: bool,
    /// Metric of the examples.
    metric: Option<&'static str>,
    /// Variables for the events of the examples.
    examples: (&'static str, &'static str),
    /// Names of the enum variants for four events of the core.
    accesses: String,
    misses: String,
    cycle: String,
    instruction: String,
    /// The lowest ID_AA64DFR0_EL1.PMUVer of the core. `None` before PMUv3p4, where the driver does
    /// not depend on it.
    version: Option<u32>,
    has_thresholds: bool,
}

impl Values {
    /// Returns `None` for an IP with a hand-written crate.
    fn of(ip: &Ip) -> Option<Self> {
        let architecture = ip.architecture.as_ref().filter(|_| !ip.is_generic())?;
        let form = Form::of(&architecture.name)?;
        let is_core = form != Form::Interconnect;
        let IpNames { package, module, type_name, constant } = names::of_ip(&ip.name);
        let product = ip.product().to_owned();
        let group = ip.groups.first()?;
        let coded = |code| group.events.iter().find(|event| event.code == code);
        let variant =
            |code| coded(code).map_or(String::new(), |event| names::type_name(&event.name));
        let instruction = match &ip.instructions {
            Some(name) => names::type_name(name),
            None => variant(0x08),
        };
        let main_id = |part: u32| {
            let id = 0x410F_0000 | part << 4;
            format!("0x{:04X}_{:04X}", id >> 16, id & 0xFFFF)
        };
        let also = ip.also.iter().filter_map(|other| Some((other.title.clone(), other.main_id?)));
        let titles: Vec<_> =
            [product.clone()].into_iter().chain(also.clone().map(|(title, _)| title)).collect();
        let with_articles: Vec<_> = titles.iter().map(|title| docs::with_article(title)).collect();
        let metric = match is_core {
            true => ("L1_DATA_CACHE_MISS_RATIO", "L1DataCacheMissRatio"),
            false => ("SNOOP_HIT_RATE", "SnoopHitRate"),
        };
        let has_metric = ip.metrics.iter().any(|known| known.name == metric.0);
        let counters = ip.counters.count;
        let only_first: Vec<_> = (0..counters).map(|counter| (counter == 0).to_string()).collect();
        let has_filter = has_filter(ip);
        let filter = if has_filter { "Filter" } else { "" };
        let divider = if form == Form::Armv7 { "Divider" } else { "" };
        let event_type = names::event_type(&group.name);
        Some(Self {
            architecture: architecture.name.clone(),
            architecture_module: names::of_ip(&architecture.name).module,
            of_architecture: match form {
                Form::Armv7 => docs::with_article(&architecture.title),
                _ => architecture.title.clone(),
            },
            imports: sorted(&[&event_type, divider, filter, "Pmu"]),
            imports_of_tasks: sorted(&["Counters", &event_type, "Diagnose", "Pmu", "Selection"]),
            event_type,
            event_count: ip.groups.iter().map(|group| group.events.len()).sum(),
            source_count: ip.groups.iter().map(|group| group.sources.len()).sum(),
            slaves: sources(ip.groups.first()),
            masters: sources(ip.groups.get(1)),
            products: listed(&titles, "and"),
            one_of_products: listed(&with_articles, "or"),
            main_id: main_id(ip.main_id.as_ref().map_or(0, |id| id.part)),
            parts_also: also
                .clone()
                .map(|(_, part)| format!("0x{part:X}"))
                .collect::<Vec<_>>()
                .join(", "),
            titles_also: titles[1..].join(", "),
            also: also.map(|(title, part)| (title, main_id(part))).collect(),
            counters,
            counter_bits: ip.counters.bits,
            counters_in_words: NUMBERS
                .get(counters as usize)
                .map_or(counters.to_string(), |word| (*word).to_owned()),
            next_counter: ORDINALS
                .split(' ')
                .nth(counters as usize + 1)
                .map_or(format!("counter {}, as", counters + 1), docs::with_article),
            only_first: only_first.join(", "),
            bus: if form == Form::Aarch64 { "Sysreg" } else { "Cp15" },
            is_core,
            aarch64: form == Form::Aarch64,
            is_armv7: form == Form::Armv7,
            has_filter,
            has_metrics: !ip.metrics.is_empty() || !ip.not_computable.is_empty(),
            metric: has_metric.then_some(metric.1),
            examples: if is_core { ("accesses", "misses") } else { ("reads", "writes") },
            accesses: variant(0x04),
            misses: variant(0x03),
            cycle: variant(0x11),
            instruction,
            version: version(ip),
            has_thresholds: has_thresholds(ip),
            title: ip.title.clone(),
            package,
            module,
            type_name,
            constant,
            product,
        })
    }

    fn library(&self) -> Result<String> {
        if self.is_core { filled(&Core(self)) } else { filled(&Interconnect(self)) }
    }

    /// Returns the code of the first page. Crates in which only names differ have the same result.
    fn examples_without_names(&self, page: &str) -> String {
        let code = page.split("```").skip(1).step_by(2);
        let names = [&self.event_type, &self.type_name, &self.module];
        names.into_iter().fold(code.collect(), |code, name| code.replace(name, "_"))
    }

    fn page(&self, notes: &Notes, has_refusals: bool) -> Result<String> {
        let page = Page { values: self, notes, has_refusals };
        let text = if self.is_core {
            filled(&CorePage(&page))?
        } else {
            filled(&InterconnectPage(&page))?
        };
        Ok(refilled(&text))
    }
}

/// Sorts the names of items alphabetically, and joins them with commas.
fn sorted(names: &[&str]) -> String {
    let mut names: Vec<_> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.join(", ")
}

/// Returns links to the first and the last source of a group.
fn sources(group: Option<&Group>) -> String {
    match group.map_or(&[][..], |group| &group.sources) {
        [] => String::new(),
        [only] => format!("[`{}`]", only.name),
        [first, .., last] => format!("[`{}`] to [`{}`]", first.name, last.name),
    }
}

/// Values for the first page of the crate's documentation.
struct Page<'a> {
    values: &'a Values,
    notes: &'a Notes,
    has_refusals: bool,
}

impl Deref for Page<'_> {
    type Target = Values;

    fn deref(&self) -> &Values {
        self.values
    }
}

#[derive(Template)]
#[template(path = "Cargo.toml", escape = "none")]
struct Manifest<'a> {
    architecture: &'a str,
    package: &'a str,
    title: &'a str,
    target: &'a str,
    keywords: &'a str,
    is_core: bool,
    tests_examples: bool,
}

/// Defines a template with borrowed values.
macro_rules! templates {
    ($($name:ident($values:ty) = $path:literal;)*) => {$(
        #[derive(Template)]
        #[template(path = $path, escape = "none")]
        struct $name<'a>(&'a $values);

        impl<'a> Deref for $name<'a> {
            type Target = $values;

            fn deref(&self) -> &$values {
                self.0
            }
        }
    )*};
}

templates! {
    Core(Values) = "core.rs";
    CoreIdentity(Values) = "core_identity.rs";
    Filter(Values) = "filter.rs";
    CorePage(Page<'a>) = "core.md";
    Interconnect(Values) = "interconnect.rs";
    InterconnectIdentity(Values) = "interconnect_identity.rs";
    InterconnectPage(Page<'a>) = "interconnect.md";
}

fn filled(template: &impl Template) -> Result<String> {
    Ok(template.render()?.trim_end().to_owned() + "\n")
}

/// Wraps long paragraphs again, because a value can be longer than its name in the template.
fn refilled(text: &str) -> String {
    let options =
        textwrap::Options::new(WIDTH).word_splitter(textwrap::WordSplitter::NoHyphenation);
    let mut is_code = false;
    let mut out = String::new();
    for paragraph in text.split_inclusive("\n\n") {
        let starts_in_code = is_code;
        is_code ^= paragraph.lines().filter(|line| line.starts_with("```")).count() % 2 == 1;
        let is_prose = !starts_in_code && !is_code && !paragraph.contains("```");
        let is_long = paragraph.lines().any(|line| line.len() > WIDTH);
        if !is_prose || !is_long || paragraph.starts_with(['-', '|', '<', '#']) {
            out += paragraph;
            continue;
        }
        let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        out += &textwrap::fill(&words, &options);
        out += "\n\n";
    }
    out
}

/// Sections of `notes.md`, by their headings.
#[derive(Default)]
struct Notes(Vec<(String, String)>);

impl Notes {
    /// Without the file, there are no notes.
    fn read(path: &Path) -> Result<Self> {
        if path.symlink_metadata().is_err() {
            return Ok(Self::default());
        }
        Self::of(&fs::read_to_string(path)?)
    }

    fn of(text: &str) -> Result<Self> {
        let mut sections: Vec<(String, String)> = Vec::new();
        let mut is_code = false;
        for (number, line) in (1..).zip(text.lines()) {
            is_code ^= line.starts_with("```");
            let heading = line.strip_prefix("# ").filter(|_| !is_code);
            if let Some(heading) = heading
                && sections.iter().any(|(known, _)| known == heading)
            {
                bail!("line {number}: a second section `{heading}`");
            }
            match (heading, sections.last_mut()) {
                (Some(heading), _) => sections.push((heading.to_owned(), String::new())),
                (None, Some((_, text))) => {
                    *text += line;
                    text.push('\n');
                }
                (None, None) if line.trim().is_empty() => {}
                (None, None) => {
                    bail!(
                        "line {number}: text before the first heading\n  = help: start with `# Sources`, for example"
                    )
                }
            }
        }
        Ok(Self(sections))
    }

    fn get(&self, heading: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == heading).map(|(_, text)| text.trim())
    }

    /// Returns the text of a section for a list or paragraphs of the template, with a line break at its end.
    fn items(&self, heading: &str) -> String {
        self.get(heading).map_or(String::new(), |text| format!("{text}\n"))
    }

    /// Returns whether the text links to the items about the skew of reads.
    fn has_skew(&self) -> bool {
        self.0.iter().any(|(_, text)| text.contains("[`RunningMonitor::SKEW`]"))
    }

    /// Returns the sections that have no place in the templates.
    fn others(&self) -> String {
        let others = self.0.iter().filter(|(heading, _)| !PLACES.contains(&&**heading));
        others.map(|(heading, text)| format!("# {heading}\n\n{}\n\n", text.trim())).collect()
    }
}

/// Sections that the templates insert at a specific place.
const PLACES: [&str; 6] = [
    "Before you trust a number",
    "Before you trust a zero",
    "When a counter reads zero",
    "What ran on hardware",
    "Sources",
    "Cost",
];
