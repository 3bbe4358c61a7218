//! Register words; each is as wide as one access by software.

use arm_pmu_tables::{Access, Bits, Field, Pmu, Register, Reserved, ReservedBits};

/// A register of one unit, or one half of a register that is accessed as two words.
#[derive(Debug)]
pub struct Word {
    pub register: &'static Register,
    pub name: String,
    pub title: String,
    /// Number of the word's first bit in the register.
    first: u32,
    /// Fields with their bits in this word.
    pub fields: Vec<(Bits, &'static Field)>,
    pub reserved: Vec<(Bits, Reserved)>,
    /// Known reset values: one for each unit, or one for all units.
    pub resets: Vec<(Option<&'static str>, Option<u64>)>,
}

/// Splits a register into words. The high word is omitted if it has no fields.
pub fn words(pmu: Pmu, register: &'static Register) -> Vec<Word> {
    if register.width == register.access_width() {
        return vec![word(pmu, register, register.name.to_owned(), register.title.to_owned(), 0)];
    }
    let half = |end: &str, which: &str, first| {
        let title = format!("{}, {which} word", register.title);
        word(pmu, register, format!("{}_{end}", register.name), title, first)
    };
    let high = half("HI", "high", 32);
    let mut words = vec![half("LO", "low", 0)];
    words.extend(Some(high).filter(|high| !high.fields.is_empty()));
    words
}

fn word(pmu: Pmu, register: &'static Register, name: String, title: String, first: u32) -> Word {
    let within = |bits: Bits| {
        let high = bits.high.min(first + register.access_width() - 1).checked_sub(first)?;
        let low = bits.low.max(first) - first;
        (low <= high).then_some(Bits { high, low })
    };
    let (here, elsewhere): (Vec<&Field>, Vec<&Field>) =
        register.fields.iter().partition(|field| pmu.has(field.only));
    let fields = here.into_iter().filter_map(|field| Some((within(field.bits)?, field)));
    let reserved = register.reserved.iter().map(|of: &ReservedBits| (of.bits, of.reserved));
    let elsewhere = elsewhere.into_iter().filter_map(|field| Some((field.bits, field.elsewhere?)));
    let reserved = reserved.chain(elsewhere);
    let resets = register
        .resets
        .iter()
        .filter(|reset| pmu.unit.is_none_or(|unit| reset.unit.is_none_or(|of| of == unit.name)));
    let value = |value: u64| value >> first & u64::MAX >> (64 - register.access_width());
    Word {
        register,
        name,
        title,
        first,
        fields: fields.collect(),
        reserved: reserved.filter_map(|(bits, of)| Some((within(bits)?, of))).collect(),
        resets: resets.map(|of| (of.unit, of.value.map(value))).collect(),
    }
}

impl Word {
    /// Offset of an element from the base of the IP or page; `None` in a core.
    pub fn offset(&self, element: u32) -> Option<u32> {
        Some(self.register.offset(element)? + self.first / 8)
    }

    /// Reset value, if it is known and equal in all units.
    pub fn reset(&self) -> Option<u64> {
        match self.resets[..] {
            [(_, value)] => value,
            _ => None,
        }
    }

    /// Bits that a read-modify-write must keep.
    pub fn keep(&self) -> u64 {
        self.written() | self.reserved(Reserved::ShouldBeZeroOrPreserved)
    }

    /// Base value for a write without a preceding read.
    pub fn initial(&self) -> u64 {
        self.reset().unwrap_or(0) & self.written() | self.reserved(Reserved::One)
    }

    fn written(&self) -> u64 {
        let fields = self.fields.iter().filter(|(_, field)| field.access == Access::ReadWrite);
        fields.fold(0, |mask, (bits, _)| mask | bits.mask())
    }

    fn reserved(&self, rule: Reserved) -> u64 {
        let bits = self.reserved.iter().filter(|(_, of)| *of == rule);
        bits.fold(0, |mask, (bits, _)| mask | bits.mask())
    }
}
