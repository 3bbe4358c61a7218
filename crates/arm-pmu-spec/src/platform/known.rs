//! Facts about IPs, for the rules of platforms.

/// Facts about an IP, from its specs or from the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownIp {
    /// Name such as `cci400`.
    pub name: String,
    pub units: Vec<KnownUnit>,
    pub place: KnownPlace,
    /// Other products with the same registers and events.
    pub also: Vec<String>,
    /// Whether this is an architecture, which stands for a core without its own IP.
    pub is_any_core: bool,
    /// Whether this is the PMU of a core, and not of another unit with registers in the core.
    pub is_processor: bool,
    /// Number of event counters.
    pub counters: u32,
    pub has_cycle_counter: bool,
    pub sources: Vec<KnownSource>,
}

/// Unit or revision of an IP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownUnit {
    pub name: String,
    /// Pages of the unit: name, offset from the base, length.
    pub pages: Vec<(String, u32, u32)>,
}

/// Location of the registers of an IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownPlace {
    /// One region in memory of this length.
    Region(u32),
    /// Pages of the units in memory.
    Pages,
    /// Registers of a core.
    Core,
    /// Unknown, because the specs of the IP have problems.
    Unchecked,
}

/// Source of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSource {
    /// Unit with the source; `None` for all units.
    pub unit: Option<String>,
    pub name: String,
}

impl KnownIp {
    /// An IP whose specs have problems, so that the rules do not apply to it.
    #[must_use]
    pub fn unchecked(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            units: Vec::new(),
            place: KnownPlace::Unchecked,
            also: Vec::new(),
            is_any_core: false,
            is_processor: true,
            counters: 0,
            has_cycle_counter: false,
            sources: Vec::new(),
        }
    }

    /// Facts about the core's architecture, for cores without their own IP. `None` for an IP that is not in a core.
    #[must_use]
    pub fn architecture(&self, name: &str) -> Option<Self> {
        let is_core = matches!(self.place, KnownPlace::Core | KnownPlace::Unchecked);
        is_core.then(|| Self {
            name: name.to_owned(),
            units: Vec::new(),
            also: Vec::new(),
            sources: Vec::new(),
            is_any_core: true,
            is_processor: true,
            ..self.clone()
        })
    }

    pub fn unit(&self, name: &str) -> Option<&KnownUnit> {
        self.units.iter().find(|unit| unit.name == name)
    }

    /// Sources of `unit`; without a unit, the sources of all units.
    pub fn sources_of<'s>(&'s self, unit: Option<&'s str>) -> impl Iterator<Item = &'s str> {
        let is = move |source: &&KnownSource| {
            unit.is_none() || source.unit.is_none() || source.unit.as_deref() == unit
        };
        self.sources.iter().filter(is).map(|source| source.name.as_str())
    }

    /// Number of overflow outputs: one for each counter.
    pub fn outputs(&self) -> u32 {
        self.counters + u32::from(self.has_cycle_counter)
    }
}
