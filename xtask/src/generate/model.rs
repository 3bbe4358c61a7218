//! A checked spec. A model has passed all checks, so `emit` cannot fail on it.

pub use arm_pmu_spec::text::letters;

pub use crate::generate::spec::Manual;
pub use crate::generate::spec::events::{EventBus, Source};
pub use crate::generate::spec::formula::Operator;
pub use crate::generate::spec::metrics::{Argument, ArgumentValue};
pub use crate::generate::spec::registers::{
    Block, LinuxPmu, NamedValue, Operands, Page, Product, Selector, SystemRegister,
};
pub use crate::generate::spec::scalar::{
    Access, Bits, Confidence, Counted, Dialect, FieldPath, FixableBy, LinuxDriver, Measure,
    NonSecure, Reserved, UserMode,
};

/// One product.
#[derive(Clone, Debug)]
pub struct Ip {
    /// Name of the crate.
    pub name: String,
    pub title: String,
    /// Other products with the same registers and events; a look-up of them returns this IP.
    pub also: Vec<Product>,
    /// Unsupported products that a probe can find instead of the IP. The spec of the IP or of its
    /// architecture lists them.
    pub others: Vec<Product>,
    pub manual: Manual,
    /// Entries of all legends of the specs, each once.
    pub documents: Vec<Document>,
    /// Architecture of the registers and the driver, if the IP shares them.
    pub architecture: Option<Architecture>,
    /// Notes for the generated part of the driver; `None` if the whole driver is written by hand.
    pub driver: Option<DriverNotes>,
    pub space: Space,
    /// Identification of the processor, if the IP is a processor.
    pub main_id: Option<MainId>,
    /// The core's event for executed instructions, if its code is not 0x08.
    pub instructions: Option<String>,
    /// PMU in the Linux kernel, if the IP is one PMU.
    pub linux: Option<LinuxPmu>,
    /// Units that are separate PMUs; empty if the IP is one PMU.
    pub units: Vec<PmuUnit>,
    pub blocks: Vec<Block>,
    pub registers: Vec<Register>,
    pub counters: Counters,
    pub groups: Vec<Group>,
    /// Findings of a diagnosis, with shared findings first. May be empty.
    pub findings: Vec<Finding>,
    pub metrics: Vec<Metric>,
    pub not_computable: Vec<UnavailableMetric>,
    /// Width of EVNTBUS, if events are exported there.
    pub evntbus: Option<EventBus>,
    /// Files that contain aliases of events.
    pub alias_sources: Vec<AliasSource>,
    /// Names of the cycle counter in other programs.
    pub cycle_aliases: CycleAliases,
}

/// A file with names of events.
#[derive(Clone, Debug)]
pub struct AliasSource {
    /// Name of the file's entry in the legend.
    pub name: String,
    pub dialect: Dialect,
    pub repository: String,
    pub path: String,
    pub commit: String,
    /// Units whose events the file names, as indices into [`Ip::units`]; empty for all units.
    pub of: Vec<usize>,
}

/// Names of the cycle counter in other programs.
#[derive(Clone, Debug, Default)]
pub struct CycleAliases {
    /// Number that these programs use, in place of an event code, to select the cycle counter.
    pub code: Option<u32>,
    pub aliases: Vec<Alias>,
}

/// Name of an event in another program.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Index into [`Ip::alias_sources`].
    pub source: usize,
    pub name: String,
}

/// Architecture of an IP.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// Name of the crate.
    pub name: String,
    pub title: String,
    /// Default number of event counters of the driver for every core; `None` if the architecture
    /// has no such driver.
    pub counters: Option<u32>,
}

/// Sentences about the hardware that appear in the documentation of a driver.
#[derive(Clone, Debug, Default)]
pub struct DriverNotes {
    /// Kind of the units, if the IP has units.
    pub units: Option<String>,
    pub start: Vec<String>,
    pub resume: Vec<String>,
    /// Default number of counters of SMMUv3 PMCGs.
    pub group_counters: Option<u32>,
    /// Reason why there is no recipe.
    pub no_recipe: Option<String>,
    /// Text that is added to the recipes for debuggers that halt the core.
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
    /// Registers on pages with separate base addresses.
    Pages(Vec<Page>),
    /// In coprocessor 15.
    Cp15,
    /// Registers among the AArch64 system registers.
    System,
}

/// A separate PMU inside an IP.
#[derive(Clone, Debug, Default)]
pub struct PmuUnit {
    pub name: String,
    pub title: String,
    /// Identification of the processor, if the unit is a processor.
    pub main_id: Option<MainId>,
    pub linux: Option<LinuxPmu>,
    /// Other products with the same part number.
    pub shares_part: Vec<String>,
    /// Offset of each page of the IP from the base of the unit.
    pub pages: Vec<PageOfUnit>,
}

/// Contents of a processor's Main ID Register.
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

/// A document or program that states facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub title: String,
    /// Number of the document, with the issue.
    pub id: Option<String>,
    /// Issue or pages that were read.
    pub issue: Option<String>,
}

/// Origin of a fact, including values inherited from the enclosing mappings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub section: Option<String>,
    pub confidence: Confidence,
    pub source: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Register {
    pub name: String,
    /// Other names, in the manual of the product.
    pub aliases: Vec<String>,
    pub title: String,
    pub origin: Origin,
    pub location: Location,
    /// 32 or 64. Width in bits; software accesses memory 32 bits at a time: see
    /// [`Register::words`].
    pub width: u32,
    pub access: Access,
    /// One reset value for all units, or one for each unit.
    pub resets: Vec<Reset>,
    pub non_secure: Option<NonSecure>,
    pub user: Option<UserMode>,
    /// Units with the register, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    /// Whether earlier versions of the architecture lack the register.
    pub is_later: bool,
    pub doc: String,
    pub note: Option<String>,
    /// Fields, with the high bit first; together they cover all bits.
    pub fields: Vec<Field>,
}

/// Value after reset.
#[derive(Clone, Debug)]
pub struct Reset {
    /// Index into [`Ip::units`]; `None` for all units.
    pub unit: Option<usize>,
    /// `None` if unknown.
    pub value: Option<u64>,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub enum Location {
    /// Position of the register in memory, including its block.
    Memory {
        /// Index into the pages of [`Space::Pages`].
        page: Option<usize>,
        /// Index into [`Ip::blocks`].
        block: Option<usize>,
        /// Offset of element 0 from the base address of the IP or of the page.
        offset: u32,
        count: u32,
        /// The stride is 0 if there is one element.
        stride: u32,
    },
    /// In coprocessor 15.
    Cp15 { operands: Operands, selected_by: Option<Selector> },
    /// AArch64 system registers: the encoding of element 0, and the number of elements. CRm and op2
    /// count as one number.
    System { register: SystemRegister, count: u32, selected_by: Option<Selector> },
}

impl Location {
    /// Returns the field that selects one of several instances of the register.
    pub fn selector(&self) -> Option<&Selector> {
        match self {
            Self::Cp15 { selected_by, .. } | Self::System { selected_by, .. } => {
                selected_by.as_ref()
            }
            Self::Memory { .. } => None,
        }
    }
}

/// Prints the operands in assembler syntax, for any register.
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
    /// Other names, in manuals and in software.
    pub aliases: Vec<String>,
    pub access: Access,
    /// The field is `w1`, but does not read as 0.
    pub reads_unpredictably: bool,
    /// The field has one bit for each counter, so it is wider in implementations with more
    /// counters.
    pub per_counter: bool,
    /// Highest bit in the widest implementation of the architecture, if the widths differ.
    pub highest: Option<u32>,
    /// Elements of an array that have the field; empty for all elements.
    pub elements: Vec<u32>,
    /// Units that have the field, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    /// Whether earlier versions of the architecture lack the field.
    pub is_later: bool,
    /// Kind of the bits where the field does not exist.
    pub elsewhere: Option<Reserved>,
    pub doc: String,
    /// Named values in the order of the spec.
    pub values: Vec<NamedValue>,
    /// Bit n reports whether the event with this code plus n exists.
    pub events_from: Option<u32>,
    pub origin: Origin,
}

impl Named {
    /// Returns the description, followed by the descriptions of the values.
    pub fn doc_with_values(&self) -> String {
        let values =
            self.values.iter().map(|of| format!(" 0x{:X} ({}): {}", of.value, of.name, of.doc));
        self.doc.clone() + &values.collect::<String>()
    }
}

/// Returns the word of a title that names the IP, or the whole title.
pub fn product<'t>(title: &'t str, ip: &str) -> &'t str {
    title.split(' ').find(|word| letters(word) == letters(ip)).unwrap_or(title)
}

impl Ip {
    /// Returns the product name: `CCI-550` for `CoreLink CCI-550 Cache Coherent Interconnect`.
    pub fn product(&self) -> &str {
        product(&self.title, &self.name)
    }

    pub fn unit(&self, unit: Option<usize>) -> Option<&PmuUnit> {
        self.units.get(unit?)
    }

    pub fn title_of(&self, unit: Option<usize>) -> &str {
        self.unit(unit).map_or(&self.title, |unit| &unit.title)
    }

    /// Returns the pages with separate base addresses.
    pub fn pages(&self) -> &[Page] {
        match &self.space {
            Space::Pages(pages) => pages,
            Space::Region { .. } | Space::Cp15 | Space::System => &[],
        }
    }

    /// Returns whether this IP implements the architecture, or is its driver for every core.
    pub fn is_of(&self, architecture: &Architecture) -> bool {
        self.architecture.as_ref().is_some_and(|of| of.name == architecture.name)
    }

    /// Returns whether this is an architecture with a driver for every core, instead of an IP.
    pub fn is_generic(&self) -> bool {
        self.architecture.as_ref().is_some_and(|architecture| architecture.name == self.name)
    }

    /// Returns whether the PMU belongs to a core.
    pub fn is_processor(&self) -> bool {
        let has_id = self.main_id.is_some() || self.units.iter().any(|unit| unit.main_id.is_some());
        matches!(self.space, Space::Cp15 | Space::System) && (has_id || self.is_generic())
    }

    /// Returns the IP's names for look-ups.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = [self.name.as_str(), self.product()];
        own.into_iter().chain(self.also.iter().map(|product| product.title.as_str()))
    }

    /// Returns whether a look-up of `name` finds this IP.
    pub fn is_called(&self, name: &str) -> bool {
        self.names().any(|known| letters(known) == letters(name))
    }

    /// Returns whether the units differ in registers, fields, or initial values for writes.
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

    /// Returns whether the EVNTBUS bits of a unit's events are known.
    pub fn evntbus_of(&self, unit: Option<usize>) -> bool {
        let mut events = self.groups_of(unit).flat_map(|group| &group.events);
        events.any(|event| event.evntbus.is_some())
    }

    /// Returns whether a finding applies to certain units only.
    pub fn findings_differ(&self) -> bool {
        self.findings.iter().any(|finding| !finding.only.is_empty())
    }

    pub fn findings_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Finding> {
        let has = move |finding: &&Finding| {
            finding.only.is_empty() || unit.is_some_and(|unit| finding.only.contains(&unit))
        };
        self.findings.iter().filter(has)
    }

    pub fn metrics_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Metric> {
        self.metrics.iter().filter(move |m| self.has(unit, m.group, &m.only))
    }

    pub fn not_computable_of(
        &self,
        unit: Option<usize>,
    ) -> impl Iterator<Item = &UnavailableMetric> {
        self.not_computable.iter().filter(move |none| self.has(unit, none.group, &none.only))
    }

    /// Returns whether a unit has an item that belongs to this event group and exists only in the
    /// units `only`.
    fn has(&self, unit: Option<usize>, group: usize, only: &[usize]) -> bool {
        let of_group =
            self.groups.get(group).is_some_and(|g| g.unit.is_none_or(|of| Some(of) == unit));
        of_group && (only.is_empty() || unit.is_some_and(|unit| only.contains(&unit)))
    }

    pub fn groups_of(&self, unit: Option<usize>) -> impl Iterator<Item = &Group> {
        self.groups.iter().filter(move |group| group.unit.is_none_or(|of| Some(of) == unit))
    }
}

impl Register {
    /// Returns the named fields, high bit first.
    pub fn named(&self) -> impl Iterator<Item = (Bits, &Named)> {
        self.fields.iter().filter_map(|field| match &field.content {
            Content::Named(named) => Some((field.bits, &**named)),
            Content::Reserved(_) => None,
        })
    }

    /// Returns the number of instances at separate locations.
    pub fn count(&self) -> u32 {
        match self.location {
            Location::Memory { count, .. } | Location::System { count, .. } => count,
            Location::Cp15 { .. } => 1,
        }
    }

    /// Returns the parts of the register that a single access can reach: the whole register, or its
    /// low half and, if the high half has fields, its high half.
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

    /// Returns the bits of the read value that `modify` keeps. This register must be one of the
    /// `words`.
    pub fn keep(&self) -> u64 {
        self.mask(|content| {
            is_written(content)
                || matches!(content, Content::Reserved(Reserved::ShouldBeZeroOrPreserved))
        })
    }

    /// Returns the bits that `write` starts with. This register must be one of the `words`.
    pub fn initial(&self) -> u64 {
        let ones = self.mask(|c| matches!(c, Content::Reserved(Reserved::One)));
        let reset = match &self.resets[..] {
            [Reset { value: Some(value), .. }] => *value,
            // The value is unknown or differs between units, so no field is written.
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

/// Registers that count and select events.
#[derive(Clone, Debug)]
pub struct Counters {
    pub count: u32,
    pub bits: u32,
    /// Position of the event code in an event id.
    pub event: Bits,
    /// Position of the source in an event id, if events have sources.
    pub source: Option<Bits>,
    /// Whether the PMU has a cycle counter in addition to the event counters.
    pub cycles: bool,
    pub registers: CounterRegisters,
}

/// Registers of the counters, as the spec names them.
#[derive(Clone, Debug)]
pub struct CounterRegisters {
    /// Registers that hold the values: one for all counters, or one for each counter.
    pub value: Vec<String>,
    pub event: Vec<FieldPath>,
    pub source: Option<FieldPath>,
    pub cycles: Option<String>,
}

impl Counters {
    pub fn id_width(&self) -> u32 {
        self.event.high.max(self.source.map_or(0, |source| source.high)) + 1
    }
}

/// Events of one kind of source, or of the PMU itself.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    /// Title of the source kind, or of the part that has the events, in the singular.
    pub title: String,
    /// Origin of the facts about all events of the group.
    pub origin: Origin,
    /// Unit with the events, as an index into [`Ip::units`]; `None` for all units.
    pub unit: Option<usize>,
    pub sources: Vec<Source>,
    pub events: Vec<Event>,
}

impl Group {
    /// Returns the events of one unit that a driver has.
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
    pub unit: Counted,
    /// EVNTBUS bit, counted from the first bit of the source.
    pub evntbus: Option<u32>,
    /// Names of the event's attributes that are `true` in the spec.
    pub flags: Vec<&'static str>,
    /// Units that have the event, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    /// No register reports whether a core has the event, so the driver for every core lacks it.
    pub unreported: bool,
    pub doc: String,
    pub note: Option<String>,
    pub aliases: Vec<Alias>,
}

/// Finding of a diagnosis.
#[derive(Clone, Debug)]
pub struct Finding {
    pub name: String,
    pub origin: Origin,
    /// Units to which the finding applies, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    /// Several causes cannot be distinguished.
    pub ambiguous: bool,
    pub cause: String,
    /// Meaning of the number that was read.
    pub read: String,
    pub expected: String,
    pub fix: String,
    pub fixable_by: FixableBy,
}

/// A value that is computed from counts.
#[derive(Clone, Debug)]
pub struct Metric {
    pub name: String,
    pub origin: Origin,
    /// Group of the metric's events, as an index into [`Ip::groups`].
    pub group: usize,
    /// Units that have the metric, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    pub unit: Measure,
    /// The formula as written in the spec.
    pub formula: String,
    /// Formula, parsed into its parts.
    pub root: Expression,
    /// Counts in the order of the formula.
    pub inputs: Vec<Input>,
    pub arguments: Vec<Argument>,
    /// Values of the arguments; the first applicable value is used.
    pub values: Vec<ArgumentValue>,
    /// Names that users give to select several metrics.
    pub topics: Vec<String>,
    /// Topics to measure next if this metric is the largest of its topic.
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
    /// The cycle counter.
    Cycles,
}

/// A metric that users look for, but that no events provide.
#[derive(Clone, Debug)]
pub struct UnavailableMetric {
    pub name: String,
    pub origin: Origin,
    /// Index into [`Ip::groups`].
    pub group: usize,
    /// Units to which the reason applies, as indices into [`Ip::units`]; empty for all units.
    pub only: Vec<usize>,
    pub doc: String,
    pub reason: String,
}
