//! A checked spec. Everything here is true; `emit` cannot fail on it.

pub use crate::spec::scalar::{Access, Bits, Confidence, Reserved, Unit};

/// One product.
#[derive(Debug)]
pub struct Ip {
    /// The name of its crate.
    pub name: String,
    pub title: String,
    pub manual: Manual,
    /// Bytes from the base that hold registers.
    pub length: u32,
    pub blocks: Vec<Block>,
    pub registers: Vec<Register>,
    pub counters: Counters,
    /// Whether events are exported on EVNTBUS.
    pub evntbus: bool,
    pub groups: Vec<Group>,
}

#[derive(Debug)]
pub struct Manual {
    pub id: String,
    pub title: String,
}

/// Where a fact comes from, with what is inherited from the mappings around it.
#[derive(Clone, Debug)]
pub struct Origin {
    pub section: Option<String>,
    pub confidence: Confidence,
    pub source: Option<String>,
}

/// Registers that repeat together.
#[derive(Debug)]
pub struct Block {
    pub name: String,
    pub title: String,
    pub offset: u32,
    pub count: u32,
    pub stride: u32,
    pub doc: String,
}

#[derive(Debug)]
pub struct Register {
    pub name: String,
    pub title: String,
    pub origin: Origin,
    pub location: Location,
    pub access: Access,
    /// `None` if unknown.
    pub reset: Option<u32>,
    pub reset_origin: Origin,
    pub doc: String,
    pub note: Option<String>,
    /// High bit first; together they are all 32 bits.
    pub fields: Vec<Field>,
}

/// Where a register is, its block taken into account.
#[derive(Debug)]
pub struct Location {
    /// Index into [`Ip::blocks`].
    pub block: Option<usize>,
    /// Of element 0, from the base of the IP.
    pub offset: u32,
    pub count: u32,
    /// 0 if there is one element.
    pub stride: u32,
}

#[derive(Debug)]
pub struct Field {
    pub bits: Bits,
    pub content: Content,
}

#[derive(Debug)]
pub enum Content {
    Reserved(Reserved),
    Named { name: String, access: Access, doc: String, origin: Origin },
}

impl Register {
    /// The named fields, high bit first.
    pub fn named(&self) -> impl Iterator<Item = (Bits, &str, Access, &str)> {
        self.fields.iter().filter_map(|field| match &field.content {
            Content::Named { name, access, doc, .. } => {
                Some((field.bits, name.as_str(), *access, doc.as_str()))
            }
            Content::Reserved(_) => None,
        })
    }

    /// The bits that `modify` carries over from what was read.
    pub fn keep(&self) -> u32 {
        self.mask(|content| {
            matches!(
                content,
                Content::Named { access: Access::ReadWrite, .. }
                    | Content::Reserved(Reserved::ShouldBeZeroOrPreserved)
            )
        })
    }

    /// The bits that `write` starts from.
    pub fn initial(&self) -> u32 {
        let written = self.mask(|c| matches!(c, Content::Named { access: Access::ReadWrite, .. }));
        let ones = self.mask(|c| matches!(c, Content::Reserved(Reserved::One)));
        self.reset.unwrap_or(0) & written | ones
    }

    fn mask(&self, which: impl Fn(&Content) -> bool) -> u32 {
        self.fields.iter().filter(|f| which(&f.content)).fold(0, |mask, f| mask | f.bits.mask())
    }
}

/// The registers that count and select.
#[derive(Debug)]
pub struct Counters {
    pub count: u32,
    pub bits: u32,
    /// Where the code of an event stands in an event id.
    pub event: Bits,
    /// Where its source stands.
    pub source: Bits,
    /// Whether there is a counter of cycles beside those of events.
    pub cycles: bool,
}

impl Counters {
    /// The width of an event id.
    pub fn id_width(&self) -> u32 {
        self.event.high.max(self.source.high) + 1
    }
}

/// Events of one kind of source.
#[derive(Debug)]
pub struct Group {
    pub name: String,
    /// What the sources are, in the singular.
    pub title: String,
    pub sources: Vec<Source>,
    pub events: Vec<Event>,
}

#[derive(Debug)]
pub struct Source {
    pub id: u32,
    pub name: String,
    pub title: String,
    /// Where its events start on EVNTBUS, if that is known.
    pub evntbus: Option<u32>,
}

#[derive(Debug)]
pub struct Event {
    pub code: u32,
    pub name: String,
    pub origin: Origin,
    pub unit: Unit,
    /// Its bit of EVNTBUS, counted from the first bit of the source.
    pub evntbus: Option<u32>,
    /// Attributes that are true, by their names in the spec.
    pub flags: Vec<&'static str>,
    pub doc: String,
    pub note: Option<String>,
}
