//! A checked spec. Everything here is true; `emit` cannot fail on it.

pub use crate::generate::spec::Manual;
pub use crate::generate::spec::events::{EventBus, Source};
pub use crate::generate::spec::formula::Operator;
pub use crate::generate::spec::metrics::Argument;
pub use crate::generate::spec::registers::{
    Block, LinuxPmu, NamedValue, Operands, Page, Selector, SystemRegister,
};
pub use crate::generate::spec::scalar::{
    Access, Bits, Confidence, Dialect, FieldPath, FixableBy, LinuxDriver, MetricUnit, NonSecure,
    Reserved, Unit, UserMode,
};

/// One product.
#[derive(Clone, Debug)]
pub struct Ip {
    /// The name of its crate.
    pub name: String,
    pub title: String,
    /// Other products with the same registers and events; a look-up of them finds this IP.
    pub also: Vec<Product>,
    /// Unsupported products that a probe can find instead: of the IP and of its architecture.
    pub others: Vec<Product>,
    pub manual: Manual,
    /// The entries of all legends of the specs, each once.
    pub documents: Vec<Document>,
    /// The architecture of the registers and the driver, if the IP shares them.
    pub architecture: Option<Architecture>,
    /// Notes for the generated part of the driver; `None` if all of it is written by hand.
    pub driver: Option<DriverNotes>,
    pub space: Space,
    /// The identification of the processor, if the IP is one.
    pub main_id: Option<MainId>,
    /// For a core: the event that counts executed instructions, if not 0x08.
    pub instructions: Option<String>,
    /// The PMU in the Linux kernel, if the IP is one PMU.
    pub linux: Option<LinuxPmu>,
    /// Units that are separate PMUs; empty if the IP is one PMU.
    pub units: Vec<PmuUnit>,
    pub blocks: Vec<Block>,
    pub registers: Vec<Register>,
    pub counters: Counters,
    pub groups: Vec<Group>,
    /// Findings of a diagnosis, shared findings first. May be empty.
    pub findings: Vec<Finding>,
    pub metrics: Vec<Metric>,
    pub not_computable: Vec<UnavailableMetric>,
    /// The width of EVNTBUS, if events are exported there.
    pub evntbus: Option<EventBus>,
    /// The files that have the aliases of events.
    pub alias_sources: Vec<AliasSource>,
    /// The names of the cycle counter in other programs.
    pub cycle_aliases: CycleAliases,
}

/// A file that has names of events.
#[derive(Clone, Debug)]
pub struct AliasSource {
    /// Its entry in the legend.
    pub name: String,
    pub dialect: Dialect,
    pub repository: String,
    pub path: String,
    pub commit: String,
    /// The units of the events it names, as indices into [`Ip::units`]; empty if all.
    pub of: Vec<usize>,
}

/// The names of the cycle counter in other programs.
#[derive(Clone, Debug, Default)]
pub struct CycleAliases {
    /// The number that they use for it in place of an event code.
    pub code: Option<u32>,
    pub aliases: Vec<Alias>,
}

/// A name in another program.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Index into [`Ip::alias_sources`].
    pub source: usize,
    pub name: String,
}

/// The architecture of an IP.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// The name of its crate.
    pub name: String,
    pub title: String,
    /// Default number of event counters of the driver for every core, for an architecture that has
    /// one.
    pub counters: Option<u32>,
}

/// Sentences about the hardware for the documentation of a driver.
#[derive(Clone, Debug, Default)]
pub struct DriverNotes {
    /// Kind of the units, if there are any.
    pub units: Option<String>,
    pub start: Vec<String>,
    pub resume: Vec<String>,
    /// Default number of counters, for SMMUv3 PMCGs.
    pub group_counters: Option<u32>,
    /// Why there is no recipe.
    pub no_recipe: Option<String>,
    /// Added to recipes of debuggers that halt the core.
    pub halted: Option<String>,
    pub interrupts: String,
    pub acknowledge: Vec<String>,
    pub diagnosis: Vec<String>,
}

/// Location of the registers.
#[derive(Clone, Debug)]
pub enum Space {
    /// Registers in one region of memory; the length is in bytes.
    Region { length: u32 },
    /// On pages with separate base addresses.
    Pages(Vec<Page>),
    /// In coprocessor 15.
    Cp15,
    /// Among the system registers of AArch64.
    System,
}

/// A separate PMU inside an IP.
#[derive(Clone, Debug)]
pub struct PmuUnit {
    pub name: String,
    pub title: String,
    /// The identification of the processor, if it is one.
    pub main_id: Option<MainId>,
    pub linux: Option<LinuxPmu>,
    /// Other products with this part number.
    pub shares_part: Vec<String>,
    /// Offset of each page of the IP from the base of the unit.
    pub pages: Vec<PageOfUnit>,
}

/// Another product.
#[derive(Clone, Debug)]
pub struct Product {
    pub title: String,
    /// Bits 15 to 4 of the Main ID Register.
    pub main_id: Option<u32>,
    pub linux: Option<LinuxPmu>,
}

/// The contents of the Main ID Register of a processor.
#[derive(Clone, Debug)]
pub struct MainId {
    /// Bits 15 to 4.
    pub part: u32,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub struct PageOfUnit {
    pub offset: u32,
    pub origin: Origin,
}

/// A document or program that facts come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub title: String,
    /// Its number, with the issue.
    pub id: Option<String>,
    /// The number of bytes read.
    pub issue: Option<String>,
}

/// The origin of a fact, with the values inherited from the mappings around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub section: Option<String>,
    pub confidence: Confidence,
    pub source: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Register {
    pub name: String,
    /// The names in the manual of the product.
    pub aliases: Vec<String>,
    pub title: String,
    pub origin: Origin,
    pub location: Location,
    /// 32 or 64. Software accesses memory 32 bits at a time: see [`Register::words`].
    pub width: u32,
    pub access: Access,
    /// One for all units, or one for each.
    pub resets: Vec<Reset>,
    pub non_secure: Option<NonSecure>,
    pub user: Option<UserMode>,
    /// Units with the register, as indices into [`Ip::units`]; all if empty.
    pub only: Vec<usize>,
    /// Whether earlier versions of the architecture lack the register.
    pub is_later: bool,
    pub doc: String,
    pub note: Option<String>,
    /// High bit first; together they are all bits.
    pub fields: Vec<Field>,
}

/// The value after reset.
#[derive(Clone, Debug)]
pub struct Reset {
    /// Index into [`Ip::units`]; `None` for all.
    pub unit: Option<usize>,
    /// `None` if unknown.
    pub value: Option<u64>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum Location {
    /// The register's position in memory, including its block.
    Memory {
        /// Index into the pages of [`Space::Pages`].
        page: Option<usize>,
        /// Index into [`Ip::blocks`].
        block: Option<usize>,
        /// Offset of element 0 from the base of the IP or of the page.
        offset: u32,
        count: u32,
        /// 0 if there is one element.
        stride: u32,
    },
    /// In coprocessor 15.
    Cp15 { operands: Operands, selected_by: Option<Selector> },
    /// System registers of AArch64: element 0, and how many there are. CRm and op2 form one number.
    System { register: SystemRegister, count: u32 },
}

/// The operands in assembler syntax, for any register.
impl std::fmt::Display for SystemRegister {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { op0, op1, crn, crm, op2 } = self;
        write!(f, "S{op0}_{op1}_C{crn}_C{crm}_{op2}")
    }
}

#[derive(Clone, Debug)]
pub struct Field {
    pub bits: Bits,
    pub content: Content,
}

#[derive(Clone, Debug)]
pub enum Content {
    Reserved(Reserved),
    Named(Box<Named>),
}

/// A field with a name.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    /// Its other names, in manuals and in software.
    pub aliases: Vec<String>,
    pub access: Access,
    /// It is `w1`, but does not read as 0.
    pub reads_unpredictably: bool,
    /// The field has one bit for each counter, so it is wider in implementations with more
    /// counters.
    pub per_counter: bool,
    /// The highest bit in the implementation of the architecture where it is widest, if they differ.
    pub highest: Option<u32>,
    /// The only elements of an array that have it; empty if all have.
    pub elements: Vec<u32>,
    /// The units that have the field, as indices into [`Ip::units`]; empty if all have it.
    pub only: Vec<usize>,
    /// Whether earlier versions of the architecture lack the field.
    pub is_later: bool,
    /// The kind of the bits elsewhere.
    pub elsewhere: Option<Reserved>,
    pub doc: String,
    /// Values that have a name, in the order of the spec.
    pub values: Vec<NamedValue>,
    /// Bit n tells whether the event of this code plus n exists.
    pub events_from: Option<u32>,
    pub origin: Origin,
}

impl Named {
    /// Its description, and the descriptions of its values.
    pub fn doc_with_values(&self) -> String {
        let values =
            self.values.iter().map(|of| format!(" 0x{:X} ({}): {}", of.value, of.name, of.doc));
        self.doc.clone() + &values.collect::<String>()
    }
}

/// The part of a name that look-ups compare.
pub fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The word of a title that names the IP, or the whole title.
pub fn product<'t>(title: &'t str, ip: &str) -> &'t str {
    title.split(' ').find(|word| letters(word) == letters(ip)).unwrap_or(title)
}

impl Ip {
    /// The name of the product: `CCI-550` of `CoreLink CCI-550 Cache Coherent Interconnect`.
    pub fn product(&self) -> &str {
        product(&self.title, &self.name)
    }

    /// The unit of this index.
    pub fn unit(&self, unit: Option<usize>) -> Option<&PmuUnit> {
        self.units.get(unit?)
    }

    /// The title of a unit, or of the IP.
    pub fn title_of(&self, unit: Option<usize>) -> &str {
        self.unit(unit).map_or(&self.title, |unit| &unit.title)
    }

    /// Pages with separate bases.
    pub fn pages(&self) -> &[Page] {
        match &self.space {
            Space::Pages(pages) => pages,
            Space::Region { .. } | Space::Cp15 | Space::System => &[],
        }
    }

    /// Whether this is an architecture with a driver for every core, instead of an IP.
    pub fn is_generic(&self) -> bool {
        self.architecture.as_ref().is_some_and(|architecture| architecture.name == self.name)
    }

    /// The names that a look-up finds it by.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = [self.name.as_str(), self.product()];
        own.into_iter().chain(self.also.iter().map(|product| product.title.as_str()))
    }

    /// Whether a look-up of `name` finds this IP.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| letters(known) == letters(name))
    }

    /// Whether the units differ in registers: in registers, fields, or initial values for writes.
    pub fn registers_differ(&self) -> bool {
        let written = |f: &Field| matches!(&f.content, Content::Named(named) if named.access == Access::ReadWrite);
        let limited =
            |f: &Field| matches!(&f.content, Content::Named(named) if !named.only.is_empty());
        let differs = |register: &Register| {
            !register.only.is_empty()
                || register.fields.iter().any(limited)
                || register.resets.len() > 1 && register.fields.iter().any(written)
        };
        self.registers.iter().any(differs)
    }

    /// The registers as a single unit has them.
    pub fn registers_of(&self, unit: usize) -> Vec<Register> {
        let mut registers = self.registers.clone();
        registers.retain(|register| register.only.is_empty() || register.only.contains(&unit));
        for register in &mut registers {
            register.resets.retain(|reset| reset.unit.is_none_or(|of| of == unit));
            for field in &mut register.fields {
                if let Content::Named(named) = &field.content
                    && let Some(elsewhere) = named.elsewhere
                    && !named.only.is_empty()
                    && !named.only.contains(&unit)
                {
                    field.content = Content::Reserved(elsewhere);
                }
            }
        }
        registers
    }

    /// Whether the EVNTBUS bits of a unit's events are known.
    pub fn evntbus_of(&self, unit: Option<usize>) -> bool {
        let mut events = self.groups_of(unit).flat_map(|group| &group.events);
        events.any(|event| event.evntbus.is_some())
    }

    /// Whether some finding applies to certain units only.
    pub fn findings_differ(&self) -> bool {
        self.findings.iter().any(|finding| !finding.only.is_empty())
    }

    /// The findings of a unit.
    pub fn findings_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Finding> {
        let has = move |finding: &&Finding| {
            finding.only.is_empty() || unit.is_some_and(|unit| finding.only.contains(&unit))
        };
        self.findings.iter().filter(has)
    }

    /// The metrics that a unit has.
    pub fn metrics_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Metric> {
        self.metrics.iter().filter(move |m| self.has(unit, m.group, &m.only))
    }

    /// The unavailable metrics of a unit.
    pub fn not_computable_of(
        &self,
        unit: Option<usize>,
    ) -> impl Iterator<Item = &UnavailableMetric> {
        self.not_computable.iter().filter(move |none| self.has(unit, none.group, &none.only))
    }

    /// Whether a unit has an item of this group of events, limited to some units.
    fn has(&self, unit: Option<usize>, group: usize, only: &[usize]) -> bool {
        let of_group =
            self.groups.get(group).is_some_and(|g| g.unit.is_none_or(|of| Some(of) == unit));
        of_group && (only.is_empty() || unit.is_some_and(|unit| only.contains(&unit)))
    }

    /// The event groups of a unit.
    pub fn groups_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.unit.is_none_or(|of| Some(of) == unit))
    }
}

impl Register {
    /// The named fields, high bit first.
    pub fn named(&self) -> impl Iterator<Item = (Bits, &Named)> {
        self.fields.iter().filter_map(|field| match &field.content {
            Content::Named(named) => Some((field.bits, &**named)),
            Content::Reserved(_) => None,
        })
    }

    /// Number of instances at separate locations.
    pub fn count(&self) -> u32 {
        match self.location {
            Location::Memory { count, .. } | Location::System { count, .. } => count,
            Location::Cp15 { .. } => 1,
        }
    }

    /// Registers reached by each single access: the whole register, or each half that has a field;
    /// always the low half.
    pub fn words(&self) -> Vec<Self> {
        if self.width == 32 || matches!(self.location, Location::System { .. }) {
            return vec![self.clone()];
        }
        let mut words = vec![self.half(crate::generate::names::low_word(&self.name), "low", 0)];
        let high = self.half(crate::generate::names::high_word(&self.name), "high", 32);
        if high.named().next().is_some() {
            words.push(high);
        }
        words
    }

    fn half(&self, name: String, which: &str, first: u32) -> Self {
        let mut half = Self { name, width: 32, ..self.clone() };
        half.title = format!("{}, {which} word", self.title);
        if let Location::Memory { offset, .. } = &mut half.location {
            *offset += first / 8;
        }
        for reset in &mut half.resets {
            reset.value = reset.value.map(|value| value >> first & u64::from(u32::MAX));
        }
        half.fields.retain(|field| field.bits.high >= first && field.bits.low < first + 32);
        for Field { bits: Bits { high, low }, .. } in &mut half.fields {
            *high = (*high).min(first + 31) - first;
            *low = (*low).max(first) - first;
        }
        half
    }

    /// The bits that `modify` keeps from the value read. For a word.
    pub fn keep(&self) -> u64 {
        self.mask(|content| {
            is_written(content)
                || matches!(content, Content::Reserved(Reserved::ShouldBeZeroOrPreserved))
        })
    }

    /// The bits that `write` starts from. Of a word.
    pub fn initial(&self) -> u64 {
        let ones = self.mask(|c| matches!(c, Content::Reserved(Reserved::One)));
        let reset = match &self.resets[..] {
            [Reset { value: Some(value), .. }] => *value,
            // Unknown, or not the same for all units: then no field is written.
            _ => 0,
        };
        reset & self.mask(is_written) | ones
    }

    fn mask(&self, which: impl Fn(&Content) -> bool) -> u64 {
        let fields = self.fields.iter().filter(|field| which(&field.content));
        fields.fold(0, |mask, field| mask | field.bits.mask())
    }
}

fn is_written(content: &Content) -> bool {
    matches!(content, Content::Named(named) if named.access == Access::ReadWrite)
}

/// The registers that count and select.
#[derive(Clone, Debug)]
pub struct Counters {
    pub count: u32,
    pub bits: u32,
    /// Position of the event's code in an event id.
    pub event: Bits,
    /// Position of the source, if events have sources.
    pub source: Option<Bits>,
    /// Whether there is a cycle counter beside the event counters.
    pub cycles: bool,
    pub registers: CounterRegisters,
}

/// The registers of the counters, as the spec names them.
#[derive(Clone, Debug)]
pub struct CounterRegisters {
    /// One for all counters, or one for each.
    pub value: Vec<String>,
    pub event: Vec<FieldPath>,
    pub source: Option<FieldPath>,
    pub cycles: Option<String>,
}

impl Counters {
    /// The width of an event id.
    pub fn id_width(&self) -> u32 {
        self.event.high.max(self.source.map_or(0, |source| source.high)) + 1
    }
}

/// Events of one kind of source, or of the PMU itself.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    /// The kind of source, or the part that has the events, in the singular.
    pub title: String,
    /// The origin of the facts about all its events.
    pub origin: Origin,
    /// Index into [`Ip::units`] of the unit with the events; `None` if all have them.
    pub unit: Option<usize>,
    pub sources: Vec<Source>,
    pub events: Vec<Event>,
}

impl Group {
    /// The events that a driver has, of one unit.
    pub fn events_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Event> {
        let has = move |event: &&Event| {
            event.only.is_empty() || unit.is_some_and(|unit| event.only.contains(&unit))
        };
        self.events.iter().filter(|event| !event.unreported).filter(has)
    }
}

#[derive(Clone, Debug)]
pub struct Event {
    pub code: u32,
    pub name: String,
    pub origin: Origin,
    pub unit: Unit,
    /// Its bit of EVNTBUS, counted from the first bit of the source.
    pub evntbus: Option<u32>,
    /// Attributes that are true, by their names in the spec.
    pub flags: Vec<&'static str>,
    /// The units that have it, as indices into [`Ip::units`]; empty if all have it.
    pub only: Vec<usize>,
    /// Of an architecture: no register tells whether a core has it, so its driver for every core lacks it.
    pub unreported: bool,
    pub doc: String,
    pub note: Option<String>,
    pub aliases: Vec<Alias>,
}

/// A finding of a diagnosis.
#[derive(Clone, Debug)]
pub struct Finding {
    pub name: String,
    pub origin: Origin,
    /// The only units that it is about, as indices into [`Ip::units`]; empty if it is about all.
    pub only: Vec<usize>,
    /// Several causes look the same.
    pub ambiguous: bool,
    pub cause: String,
    /// The meaning of the number that was read.
    pub read: String,
    pub expected: String,
    pub fix: String,
    pub fixable_by: FixableBy,
}

/// A figure that is computed from counts.
#[derive(Clone, Debug)]
pub struct Metric {
    pub name: String,
    pub origin: Origin,
    /// Index into [`Ip::groups`] of the group of its events.
    pub group: usize,
    /// The units that have it, as indices into [`Ip::units`]; empty if all have it.
    pub only: Vec<usize>,
    pub unit: MetricUnit,
    /// The formula as written in the spec.
    pub formula: String,
    /// Same, split into its parts.
    pub root: Expression,
    /// The counts, in the order of the formula.
    pub inputs: Vec<Input>,
    pub arguments: Vec<Argument>,
    /// Names with which users count several metrics.
    pub topics: Vec<String>,
    /// Topics to measure next if this is the largest of its topic.
    pub next: Vec<String>,
    pub doc: String,
    pub caveat: Option<String>,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub enum Expression {
    Number(u64),
    /// Index into [`Metric::inputs`].
    Input(usize),
    /// Index into [`Metric::arguments`].
    Argument(usize),
    Parentheses(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
}

/// A count in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Index into [`Group::events`].
    Event(usize),
    /// The counter of cycles.
    Cycles,
}

/// A figure that users look for and no events provide.
#[derive(Clone, Debug)]
pub struct UnavailableMetric {
    pub name: String,
    pub origin: Origin,
    /// Index into [`Ip::groups`].
    pub group: usize,
    /// The units it applies to, as indices into [`Ip::units`]; all if empty.
    pub only: Vec<usize>,
    pub doc: String,
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::problem::File;
    use crate::tests::good;

    /// A made-up IP with some lines of its registers changed.
    fn changed(name: &str, changes: &[(&str, &str)]) -> Ip {
        let mut sources = good::sources(name);
        let text = sources.get_mut(File::Registers).text.as_mut().expect("a good spec");
        for (old, new) in changes {
            assert_eq!(text.matches(old).count(), 1, "{old}");
            *text = text.replace(old, new);
        }
        good::load(&sources).0.expect("a good spec")
    }

    #[test]
    fn different_start_values_give_units_own_registers() {
        let everywhere = ("only: [core2], elsewhere: sbz, doc: \"1: an", "doc: \"1: an");
        assert!(changed("cores", &[everywhere]).registers_differ());
        let read_only = (
            "access: rw, doc: \"The number of cycles.",
            "access: ro, doc: \"The number of cycles.",
        );
        assert!(!changed("cores", &[everywhere, read_only]).registers_differ());
    }

    #[test]
    fn a_register_of_64_bits_is_two_words() {
        let ip = changed("pages", &[]);
        let events = ip.registers.iter().find(|register| register.name == "EVENTS").expect("it");
        let words = events.words();
        let of_words = words.iter().map(|word| {
            let Location::Memory { offset, .. } = word.location else { panic!("in memory") };
            let fields: Vec<_> = word.named().map(|(bits, named)| (&*named.name, bits)).collect();
            (&*word.name, word.width, offset, word.resets[0].value, fields)
        });
        let all = Bits { high: 31, low: 0 };
        assert_eq!(
            of_words.collect::<Vec<_>>(),
            [
                ("EVENTS_LO", 32, 0xE20, Some(0x7F), vec![("LOW", all)]),
                ("EVENTS_HI", 32, 0xE24, Some(1), vec![("HIGH", all)]),
            ]
        );
    }
}
