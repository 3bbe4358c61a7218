//! Encoding: the register writes that select an event on a counter.

use arm_pmu_tables::{Bits, Field, FieldPath, Ip, Pmu, Register, Reserved, Selection};

/// Values for some fields of a register.
#[derive(Clone, Debug)]
pub struct Write {
    /// Register to write.
    pub register: &'static Register,
    /// Index of an array element.
    pub element: Option<u32>,
    /// Fields with their values.
    pub fields: Vec<(&'static Field, u32)>,
}

impl Write {
    fn new(register: &'static Register) -> Self {
        Self { register, element: None, fields: Vec::new() }
    }

    /// Adds the value of a field. Returns false if the register has no such field.
    pub fn add(&mut self, field: &str, value: u16) -> bool {
        let field = self.register.fields.iter().find(|one| one.name == field);
        self.fields.extend(field.map(|field| (field, value.into())));
        field.is_some()
    }

    /// Value of the register, with zeros in all other fields.
    #[must_use]
    pub fn value(&self) -> u64 {
        let bits = self.fields.iter().map(|(field, value)| u64::from(*value) << field.bits.low);
        bits.fold(0, |all, bits| all | bits)
    }

    /// Mask of the fields.
    #[must_use]
    pub fn mask(&self) -> u64 {
        self.fields.iter().fold(0, |all, (field, _)| all | field.bits.mask())
    }

    /// Whether the register has other writable bits, which a write must preserve.
    #[must_use]
    pub fn has_other_fields(&self) -> bool {
        let others = self.register.fields.iter().filter(|field| field.access.can_write());
        others.fold(0, |all, field| all | field.bits.mask()) & !self.mask() != 0
    }

    /// Name of the register: `EVENT_SELECT[3]`, `PMNC`.
    #[must_use]
    pub fn name(&self) -> String {
        element_name(self.register, self.element)
    }
}

/// Name of a register or array element: `EVENT_SELECT[3]`, `PMNC`.
#[must_use]
pub fn element_name(register: &Register, element: Option<u32>) -> String {
    match element {
        Some(element) => format!("{}[{element}]", register.name),
        None => register.name.to_owned(),
    }
}

/// Returns the writes that select an event on a counter, in order.
///
/// `None` if the tables lack a register or field that has to be written. A test checks that this
/// does not happen.
#[must_use]
pub fn writes(selection: &Selection, counter: u32) -> Option<Vec<Write>> {
    writes_of_id(selection.of.ip, selection.id(), counter)
}

/// Returns the writes that select an event by its id. The event need not have a name.
#[must_use]
pub fn writes_of_id(ip: &'static Ip, id: u32, counter: u32) -> Option<Vec<Write>> {
    let counters = &ip.counters;
    let (code, source) = counters.id.split(id)?;
    let path = match counters.event {
        [one] => one,
        each => each.get(counter as usize)?,
    };
    let (register, field) = resolve(ip, path)?;
    let mut write = Write::new(register);
    if let (Some(source), Some(path)) = (source, &counters.source) {
        let (_, field) = resolve(ip, path)?;
        write.fields.push((field, source));
    }
    write.fields.push((field, code));
    if register.count() > 1 {
        write.element = Some(counter);
    }
    let mut writes = Vec::new();
    if let Some(by) = register.location.selector() {
        let selector = ip.registers.iter().find(|register| register.name == by.register)?;
        let field = selector.fields.iter().find(|field| field.name == by.field)?;
        let mut select = Write::new(selector);
        select.fields.push((field, counter));
        writes.push(select);
    }
    writes.push(write);
    Some(writes)
}

/// Returns the register and the field that a path names.
#[must_use]
pub fn resolve(ip: &Ip, path: &FieldPath) -> Option<(&'static Register, &'static Field)> {
    let register = ip.registers.iter().find(|register| register.name == path.register)?;
    Some((register, register.fields.iter().find(|field| field.name == path.field)?))
}

/// Event that a register value selects on one counter.
#[derive(Debug)]
pub struct Selected {
    /// Number of the counter, if the register determines the counter.
    pub counter: Option<usize>,
    /// Event id.
    pub id: u64,
    /// Events with this id.
    pub selections: Vec<Selection>,
}

/// Decodes a register value. Returns one element for each counter in the register.
#[must_use]
pub fn selections(pmu: Pmu, register: &Register, value: u64) -> Vec<Selected> {
    let counters = &pmu.ip.counters;
    let mut selected = Vec::new();
    for (number, path) in counters.event.iter().enumerate() {
        let Some((of, field)) = resolve(pmu.ip, path) else { continue };
        if !std::ptr::eq(of, register) {
            continue;
        }
        let code = part(value, field);
        let source = counters
            .source
            .and_then(|path| resolve(pmu.ip, &path))
            .map(|(_, field)| part(value, field));
        let place = counters.id.source.map_or(0, |bits| bits.low);
        let id = code << counters.id.code.low | source.unwrap_or(0) << place;
        selected.push(Selected {
            counter: (counters.event.len() > 1).then_some(number),
            id,
            selections: pmu.selections().filter(|one| u64::from(one.id()) == id).collect(),
        });
    }
    selected
}

/// All bits of a register in descending order: the fields, and the rules of reserved bits.
#[must_use]
pub fn parts(register: &'static Register) -> Vec<(Bits, Result<&'static Field, Reserved>)> {
    let fields = register.fields.iter().map(|field| (field.bits, Ok(field)));
    let reserved = register.reserved.iter().map(|of| (of.bits, Err(of.reserved)));
    let mut parts: Vec<_> = fields.chain(reserved).collect();
    parts.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
    parts
}

/// Extracts the value of a field.
#[must_use]
pub fn part(value: u64, field: &Field) -> u64 {
    (value & field.bits.mask()) >> field.bits.low
}
