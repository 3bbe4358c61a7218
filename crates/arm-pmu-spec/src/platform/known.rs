//! Facts of the IPs that the rules need.

/// An IP, as the caller has it: from its specs, or from the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownIp {
    /// `cci400`.
    pub name: String,
    pub units: Vec<KnownUnit>,
    pub place: KnownPlace,
    /// Counters without the cycle counter.
    pub counters: u32,
    pub has_cycle_counter: bool,
    pub sources: Vec<KnownSource>,
}

/// A unit or revision of an IP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownUnit {
    pub name: String,
    /// Its pages: name, offset from the base, length.
    pub pages: Vec<(String, u32, u32)>,
}

/// The place of the registers of an IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownPlace {
    /// The number of bytes in memory.
    Region(u32),
    /// In memory, on the pages of its units.
    Pages,
    /// In a core.
    Core,
    /// Unknown, as all else but the name: the specs of the IP have problems.
    Unchecked,
}

/// A source of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSource {
    /// The only unit with it.
    pub unit: Option<String>,
    pub name: String,
}

impl KnownIp {
    /// An IP with problems in its specs. No rule applies to its facts.
    #[must_use]
    pub fn unchecked(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            units: Vec::new(),
            place: KnownPlace::Unchecked,
            counters: 0,
            has_cycle_counter: false,
            sources: Vec::new(),
        }
    }

    pub fn unit(&self, name: &str) -> Option<&KnownUnit> {
        self.units.iter().find(|unit| unit.name == name)
    }

    /// The sources of a unit; without one, of all.
    pub fn sources_of<'s>(&'s self, unit: Option<&'s str>) -> impl Iterator<Item = &'s str> {
        let is = move |source: &&KnownSource| {
            unit.is_none() || source.unit.is_none() || source.unit.as_deref() == unit
        };
        self.sources.iter().filter(is).map(|source| source.name.as_str())
    }

    /// The overflow outputs: one for each counter.
    pub fn outputs(&self) -> u32 {
        self.counters + u32::from(self.has_cycle_counter)
    }
}
