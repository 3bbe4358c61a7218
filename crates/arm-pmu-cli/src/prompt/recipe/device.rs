//! Registers in memory, with the reset values of the tables. A driver can use these registers, but they count no
//! events.

use std::collections::HashMap;

use arm_pmu::bus::Operands;
use arm_pmu_tables::{Access, Field, Location, Pmu, Register, Space};

/// The address of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Offset in a page. If the device has no pages, `page` is 0.
    Memory {
        page: usize,
        offset: usize,
    },
    Cp15(Operands),
}

/// Registers of one PMU.
#[derive(Clone, Debug)]
pub struct Device {
    words: HashMap<Place, Vec<Word>>,
}

/// A 32-bit word of a register.
#[derive(Clone, Debug)]
struct Word {
    bits: u32,
    /// Bits that keep a written value.
    held: u32,
    /// Bits that a write of 1 clears or sets.
    clears: u32,
    sets: u32,
    /// Bits that a read returns.
    seen: u32,
    /// Field that selects one of several words at this address.
    selector: Option<(Place, u32, u32)>,
}

/// Page number and offset of a register.
fn place(pmu: Pmu, register: &Register, element: u32, high: bool) -> Option<Place> {
    match register.location {
        Location::Cp15 { operands, .. } => {
            let operand = |number: u32| u8::try_from(number).ok();
            Some(Place::Cp15(Operands {
                opc1: operand(operands.opc1)?,
                crn: operand(operands.crn)?,
                crm: operand(operands.crm)?,
                opc2: operand(operands.opc2)?,
            }))
        }
        Location::Memory { page, .. } => {
            let page = match pmu.ip.space {
                Space::Pages(all) => all.iter().position(|known| Some(known.name) == page)?,
                _ => 0,
            };
            let offset = register.offset(element)? as usize + if high { 4 } else { 0 };
            Some(Place::Memory { page, offset })
        }
        _ => None,
    }
}

/// A word of a register, with its address.
#[derive(Clone, Copy, Debug)]
pub struct WordAt {
    pub place: Place,
    pub register: &'static Register,
    pub element: u32,
    /// Whether this is the high word of a 64-bit register.
    pub high: bool,
}

pub fn words(pmu: Pmu) -> impl Iterator<Item = WordAt> {
    let elements = pmu
        .registers()
        .flat_map(|register| (0..register.count()).map(move |element| (register, element)));
    elements.flat_map(move |(register, element)| {
        let halves = [false, true].into_iter().filter(|high| !high || register.width > 32);
        halves.filter_map(move |high| {
            Some(WordAt { place: place(pmu, register, element, high)?, register, element, high })
        })
    })
}

impl WordAt {
    pub fn part(self, bits: u64) -> u32 {
        (bits >> if self.high { 32 } else { 0 }) as u32
    }

    /// Index of an array element; `None` for a single register.
    pub fn index(self) -> Option<u32> {
        (self.register.count() > 1).then_some(self.element)
    }

    /// Fields in this word, with their bits in the word.
    pub fn fields(self, pmu: Pmu) -> impl Iterator<Item = (&'static Field, u32)> {
        self.register.fields.iter().filter_map(move |field| {
            let of_element = field.elements.is_empty() || field.elements.contains(&self.element);
            let mask = self.part(field.bits.mask());
            (pmu.has(field.only) && of_element && mask != 0).then_some((field, mask))
        })
    }
}

impl Device {
    /// All registers with their reset values, or 0 if unknown.
    pub fn new(pmu: Pmu) -> Self {
        let mut all: HashMap<Place, Vec<Word>> = HashMap::new();
        for at in words(pmu) {
            let (selector, copies) = match at.register.location {
                Location::Cp15 { selected_by: Some(by), .. } => {
                    let field =
                        pmu.registers().find(|one| one.name == by.register).and_then(|one| {
                            let field = one.fields.iter().find(|field| field.name == by.field)?;
                            Some((place(pmu, one, 0, false)?, field.bits.low, by.count))
                        });
                    (field, by.count)
                }
                _ => (None, 1),
            };
            let word = Word::of(pmu, at, selector);
            all.entry(at.place).or_default().extend((0..copies).map(|_| word.clone()));
        }
        Self { words: all }
    }

    /// Copy of the device with another value in one register.
    fn with(&self, place: Place, value: u32) -> Self {
        let mut changed = self.clone();
        for word in changed.words.entry(place).or_default() {
            word.bits = value;
        }
        changed
    }

    /// Variants of the device that differ in one register: in a value that the tables do not have, for example a
    /// revision, or in a bit that other software can set.
    pub fn variants(&self, pmu: Pmu) -> impl Iterator<Item = Self> {
        let unit = pmu.unit.map(|unit| unit.name);
        let unknown = pmu.registers().filter(move |register| {
            register.access == Access::ReadOnly && register.reset(unit).is_none()
        });
        let unknown = unknown.filter_map(move |register| place(pmu, register, 0, false));
        // Identification registers have eight bits, so all values are tried.
        let identified = unknown.flat_map(|place| (0..=0xFF).map(move |value| (place, value)));
        let settings = pmu.registers().filter(|register| register.access == Access::ReadWrite);
        let settings = settings.filter_map(move |register| place(pmu, register, 0, false));
        let set = settings.flat_map(|place| {
            let reset = self.read(place);
            (0..u32::BITS).map(move |bit| (place, reset | 1 << bit))
        });
        identified.chain(set).map(|(place, value)| self.with(place, value))
    }

    pub fn read(&self, place: Place) -> u32 {
        self.word(place).map_or(0, |word| word.bits & word.seen)
    }

    pub fn write(&mut self, place: Place, value: u32) {
        let chosen = self.chosen(place);
        if let Some(word) = self.words.get_mut(&place).and_then(|words| words.get_mut(chosen)) {
            word.bits = word.bits & !word.held | value & word.held;
            word.bits = word.bits & !(value & word.clears) | value & word.sets;
        }
    }

    fn word(&self, place: Place) -> Option<&Word> {
        self.words.get(&place)?.get(self.chosen(place))
    }

    /// Index of the selected word at an address.
    fn chosen(&self, place: Place) -> usize {
        let selector = self.words.get(&place).and_then(|words| words.first()?.selector);
        selector.map_or(0, |(by, low, count)| (self.read(by) >> low) as usize % count as usize)
    }
}

impl Word {
    fn of(pmu: Pmu, at: WordAt, selector: Option<(Place, u32, u32)>) -> Self {
        let reset = at.register.reset(pmu.unit.map(|unit| unit.name)).unwrap_or(0);
        let bits = at.part(reset);
        let mut word = Self { bits, held: 0, clears: 0, sets: 0, seen: u32::MAX, selector };
        for (field, mask) in at.fields(pmu) {
            match field.access {
                Access::ReadWrite | Access::WriteOnly => word.held |= mask,
                Access::WriteOneClears => word.clears |= mask,
                Access::WriteOneSets => word.sets |= mask,
                _ => {}
            }
            if !field.access.can_read() {
                word.seen &= !mask;
            }
        }
        word
    }
}
