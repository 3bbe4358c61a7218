//! Generates the files of an architecture: the registers of all its implementations.
//!
//! Registers that all implementations share are in `registers.rs`. Each implementation has a directory with
//! a `registers.rs` for its other registers, and with a view of all its registers.

use super::prelude::*;
use super::{ATTRIBUTES, has_metrics, modules};

/// A register that is the same in all implementations, except for the confidences.
pub struct Shared<'m> {
    /// The register of the first implementation, with the reset values of all implementations.
    pub register: Register,
    /// Each implementation, with its own description of the register.
    pub of_ips: Vec<(&'m Ip, &'m Register)>,
    /// Whether one type fits all implementations: each has every field, except fields that a later version added.
    pub has_one_type: bool,
}

/// Registers that all implementations share.
pub struct Common<'m> {
    /// The architecture as an IP, with the implementations as its units.
    pub ip: Ip,
    pub shared: Vec<Shared<'m>>,
}

impl Common<'_> {
    /// Whether implementations take the type of this register from the architecture.
    pub fn has_one_type(&self, register: &Register) -> bool {
        let mut shared = self.shared.iter().filter(|shared| shared.has_one_type);
        shared.any(|shared| shared.register.name == register.name)
    }

    /// Whether all registers of an implementation have types of the architecture.
    pub fn has_views_of(&self, ip: &Ip) -> bool {
        ip.registers.iter().flat_map(Register::words).all(|word| self.has_one_type(&word))
    }

    /// The registers that an implementation does not have.
    pub fn lacks(&self, ip: &Ip) -> Vec<&str> {
        let names = self.shared.iter().map(|shared| &*shared.register.name);
        names.filter(|name| ip.registers.iter().all(|register| register.name != *name)).collect()
    }
}

/// Returns the registers that all implementations have. A register that came with a later version is included, because
/// all implementations from that version on have it.
///
/// `generic` is the IP that stands for every core. If it is given, the registers have the fields of
/// all versions.
pub fn common<'m>(
    architecture: &Architecture,
    ips: &[&'m Ip],
    generic: Option<&'m Ip>,
) -> Common<'m> {
    let Some(first) = ips.first() else {
        unreachable!("an architecture without implementations is not read")
    };
    let unit =
        |ip: &&Ip| PmuUnit { name: ip.name.clone(), title: ip.title.clone(), ..PmuUnit::default() };
    let mut names: Vec<&str> = Vec::new();
    for register in ips.iter().copied().chain(generic).flat_map(|ip| &ip.registers) {
        if !names.contains(&&*register.name) {
            names.push(&register.name);
        }
    }
    let shared = names.into_iter().filter_map(|name| {
        let of = |ip: &&'m Ip| {
            let register = ip.registers.iter().find(|register| register.name == name)?;
            Some((*ip, register))
        };
        let mut of_ips: Vec<(&Ip, &Register)> = ips.iter().filter_map(of).collect();
        let is_everywhere = of_ips.len() == ips.len();
        let of_all = generic.as_ref().and_then(of);
        if of_ips.is_empty() {
            of_ips.extend(of_all);
        }
        if !is_everywhere && !of_ips.iter().all(|(_, register)| register.is_later) {
            return None;
        }
        let wholes = of_ips.iter().map(|(_, register)| with_all_counters(register));
        let mut whole = wholes.reduce(|whole, other| with_fields_of(whole, &other, |_| true))?;
        if let Some((_, register)) = of_all {
            whole = with_fields_of(whole, register, |named| named.is_later);
        }
        let is_alike = |(_, register): &(&Ip, &Register)| {
            are_alike(&whole, &with_fields_of(with_all_counters(register), &whole, |_| true))
        };
        if !of_ips.iter().all(is_alike) {
            return None;
        }
        let has_one_type = of_ips.iter().all(|(_, register)| {
            // In PMUv3, bits of absent counters and of later versions read as zero. In CP15, bits of absent
            // counters can be unpredictable.
            let in_later_versions =
                || with_fields_of(with_all_counters(register), &whole, |named| named.is_later);
            are_alike(&whole, register)
                || matches!(register.location, Location::System { .. })
                    && are_alike(&whole, &in_later_versions())
        });
        let resets = resets(&of_ips);
        Some(Shared { register: Register { resets, ..whole }, of_ips, has_one_type })
    });
    let shared: Vec<_> = shared.collect();
    let ip = Ip {
        name: architecture.name.clone(),
        title: architecture.title.clone(),
        units: ips.iter().map(unit).collect(),
        registers: shared.iter().map(|shared| shared.register.clone()).collect(),
        findings: Vec::new(),
        metrics: Vec::new(),
        not_computable: Vec::new(),
        groups: Vec::new(),
        ..(*first).clone()
    };
    Common { ip, shared }
}

/// Highest number of an event counter of a core: bit 31 belongs to the cycle counter.
const HIGHEST_COUNTER: u32 = 30;

/// Returns the register with one bit for each counter that the architecture allows. Each field is as wide as in the
/// implementation where it is widest.
///
/// The procedures of the architecture use this register. For CP15 registers, users get the type of their
/// implementation, which lacks the bits of missing counters.
fn with_all_counters(register: &Register) -> Register {
    let mut register = register.clone();
    match &mut register.location {
        Location::Cp15 { selected_by: Some(selector), .. } => selector.count = 0,
        Location::System { count, .. } if *count > 1 => *count = HIGHEST_COUNTER + 1,
        _ => {}
    }
    let highest = |f: &Field| match &f.content {
        Content::Named(named) if named.per_counter => Some(HIGHEST_COUNTER),
        Content::Named(named) => named.highest.filter(|highest| *highest > f.bits.high),
        Content::Reserved(_) => None,
    };
    let mut fields: Vec<Field> = Vec::new();
    for mut field in register.fields {
        if let Some(highest) = highest(&field)
            && let Some(missing) = fields.pop()
        {
            // Reserved bits above the missing bits cannot be told apart from missing bits.
            field.bits.high = missing.bits.high.min(highest);
            if missing.bits.high > field.bits.high {
                let bits = Bits { low: field.bits.high + 1, ..missing.bits };
                fields.push(Field { bits, ..missing });
            }
        }
        fields.push(field);
    }
    Register { fields, ..register }
}

/// Returns a core's register, in which the selected fields of another core's register replace reserved bits.
fn with_fields_of(
    register: Register,
    other: &Register,
    which: impl Fn(&Named) -> bool,
) -> Register {
    if matches!(register.location, Location::Memory { .. }) {
        return register;
    }
    let is_named = |field: &&Field| matches!(&field.content, Content::Named(named) if which(named));
    let mut fields = register.fields;
    for new in other.fields.iter().filter(is_named) {
        let has_room = |field: &Field| {
            let Bits { high, low } = field.bits;
            let is_inside = low <= new.bits.low && new.bits.high <= high;
            is_inside && matches!(field.content, Content::Reserved(_))
        };
        let Some(at) = fields.iter().position(has_room) else { continue };
        let reserved = fields.remove(at);
        let Bits { high, low } = reserved.bits;
        let part = |bits| Field { bits, ..reserved.clone() };
        let above = (high > new.bits.high).then(|| part(Bits { high, low: new.bits.high + 1 }));
        let below = (new.bits.low > low).then(|| part(Bits { high: new.bits.low - 1, low }));
        let parts = above.into_iter().chain([new.clone()]).chain(below);
        fields.splice(at..at, parts);
    }
    Register { fields, ..register }
}

/// Returns whether one type can represent both registers: they have the same place, accesses and
/// fields, and the same initial value for writes.
fn are_alike(one: &Register, other: &Register) -> bool {
    let place = |register: &Register| match register.location {
        Location::Memory { page, block, offset, count, stride } => {
            (page, block, [offset, count, stride, 0, 0])
        }
        Location::Cp15 { operands: Operands { opc1, crn, crm, opc2 }, .. } => {
            (None, None, [opc1, crn, crm, opc2, 0])
        }
        Location::System {
            register: SystemRegister { op0, op1, crn, crm, op2 }, count, ..
        } => (None, None, [op0 << 8 | op1, crn, crm, op2, count]),
    };
    let field = |field: &Field| match &field.content {
        Content::Reserved(kind) => (field.bits, Some(*kind), None),
        Content::Named(named) => {
            let Named { name, access, reads_unpredictably, elements, .. } = &**named;
            let doc = named.doc_with_values();
            let named = (name.clone(), *access, *reads_unpredictably, elements.clone(), doc);
            (field.bits, None, Some(named))
        }
    };
    let fields = |register: &Register| register.fields.iter().map(field).collect::<Vec<_>>();
    place(one) == place(other)
        && (one.width, one.access) == (other.width, other.access)
        && (one.initial(), one.keep()) == (other.initial(), other.keep())
        && fields(one) == fields(other)
}

/// Returns the values after reset: only one if all implementations have the same value.
fn resets(of_ips: &[(&Ip, &Register)]) -> Vec<Reset> {
    let own = of_ips.iter().enumerate().flat_map(|(unit, (_, register))| {
        register.resets.iter().map(move |reset| Reset { unit: Some(unit), ..reset.clone() })
    });
    let mut all: Vec<Reset> = own.collect();
    if all.windows(2).all(|pair| pair[0].value == pair[1].value) {
        all.truncate(1);
        all.iter_mut().for_each(|reset| reset.unit = None);
    }
    all
}

pub fn module(architecture: &Architecture, ips: &[&Ip], generic: Option<&Ip>) -> Vec<String> {
    let of_driver = generic.map(|ip| {
        modules(
            "pub mod",
            &[
                ("events", true),
                ("findings", !ip.findings.is_empty()),
                ("metrics", has_metrics(ip, None)),
                ("pmu", true),
                ("running", true),
            ],
        )
    });
    let private = "mod implementation;\nmod space;\n".to_owned();
    let shared = match of_driver {
        // The driver for every core calls macros by their names alone, without paths.
        Some(of_driver) => format!("\n#[macro_use]\n{private}{of_driver}"),
        None => "\n".to_owned() + &private,
    };
    let text = inner_doc([
        format!("The specs of every {}, as Rust.", architecture.title),
        "`registers` has the typed contents of the common registers, and `field` has their common \
         types. The module of each implementation has all registers of that implementation."
            .to_owned(),
    ]);
    let implementations = ips.iter().map(|ip| {
        let name = names::of_ip(&ip.name).module;
        format!("/// {}.\npub mod {name} {{\n    pub mod registers;\n}}\n", ip.title)
    });
    let modules = format!("{ATTRIBUTES}pub mod field;\npub mod registers;\n{shared}");
    [text, modules].into_iter().chain(implementations).collect()
}

pub fn documentation(shared: &Shared<'_>, place: &str) -> Option<docs::OfRegister> {
    let Shared { register, of_ips, .. } = shared;
    let (ip, _) = of_ips.first()?;
    let names: Vec<&str> = of_ips.iter().map(|(ip, _)| ip.product()).collect();
    let value = |reset: &Reset| match reset.value {
        Some(value) => format!("{value:#x}"),
        None => "unknown".to_owned(),
    };
    let notes_of_resets = of_ips.iter().map(|(_, register)| match &register.resets[..] {
        [Reset { value: Some(_), origin, .. }, ..] => {
            docs::confidence_note(origin, &register.origin)
        }
        _ => "",
    });
    let notes_of_resets: Vec<&str> = notes_of_resets.collect();
    let note = one_or_each(&names, &notes_of_resets);
    let reset = match &register.resets[..] {
        [reset] if reset.value.is_none() => "unknown after reset".to_owned(),
        [reset] => format!("after reset {}{note}", value(reset)),
        resets if resets.len() <= docs::FEW => {
            let of_unit = |(reset, name): (&Reset, &&str)| format!("{} in a {name}", value(reset));
            let resets: Vec<_> = resets.iter().zip(&names).map(of_unit).collect();
            format!("after reset {}{note}", resets.join(", "))
        }
        _ => "after reset the value in the table of products below".to_owned(),
    };
    let doubt_of = |field: &Named| {
        let field = |register: &&Register| {
            let found = register.named().find(|(_, named)| named.name == field.name);
            found.map_or("", |(_, named)| docs::confidence_note(&named.origin, &register.origin))
        };
        let notes: Vec<&str> = of_ips.iter().map(|(_, register)| field(register)).collect();
        one_or_each(&names, &notes)
    };
    let mut of = docs::register_body(register, place, &reset, &names, doubt_of);
    of.text.push(String::new());
    if register.resets.len() > docs::FEW {
        let rows = register.resets.iter().zip(&names).zip(&notes_of_resets);
        let rows = rows.map(|((reset, name), note)| format!("| {name} | {}{note} |", value(reset)));
        of.text.extend(["| product | after reset |", "|-|-|"].map(str::to_owned));
        of.text.extend(rows);
        of.text.push(String::new());
    }
    let origins: Vec<(&Origin, &Manual)> =
        of_ips.iter().map(|(ip, register)| (&register.origin, &ip.manual)).collect();
    let same = origins.windows(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].0.section.is_none());
    if same {
        of.text.extend(docs::paragraph(&docs::origin(&register.origin, &ip.manual)));
    } else {
        let texts: Vec<_> =
            origins.iter().map(|(origin, manual)| docs::origin(origin, manual)).collect();
        of.text.extend(docs::paragraphs(
            by_text(&names, &texts).into_iter().map(|(names, text)| {
                text.replacen("Source", &format!("Source for the {names}"), 1)
            }),
        ));
    }
    Some(of)
}

/// Returns one text if all are equal; otherwise each text with its names.
fn one_or_each(names: &[&str], texts: &[&str]) -> String {
    match &by_text(names, texts)[..] {
        [] => String::new(),
        [(_, text)] => (**text).to_owned(),
        all => {
            let told = all.iter().filter(|(_, text)| !text.is_empty());
            let told = told
                .map(|(names, text)| format!("{names}: {}", text.trim_matches([' ', '(', ')'])));
            format!(" ({})", told.collect::<Vec<_>>().join("; "))
        }
    }
}

fn by_text<'t, T: PartialEq>(names: &[&str], texts: &'t [T]) -> Vec<(String, &'t T)> {
    let mut all: Vec<(String, &T)> = Vec::new();
    for (name, text) in names.iter().zip(texts) {
        match all.iter_mut().find(|(_, other)| *other == text) {
            Some((names, _)) => *names += &format!(", {name}"),
            None => all.push(((*name).to_owned(), text)),
        }
    }
    all
}
