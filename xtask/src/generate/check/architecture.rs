//! Derives the registers of one implementation from an architecture's registers.

use super::legend::{ALL, Facts as _, Legend};
use super::limits;
use super::lists::are_listed_once;
use super::prelude::*;
use super::units::{are_known, are_some, is_known};
use crate::generate::model::{letters, product};
use crate::generate::names;
use crate::generate::spec::ManualSpec;
use crate::generate::spec::architecture::{Architecture, Implementation};
use crate::generate::spec::registers::{
    CountOfUnit, OriginOfUnit, ResetOfUnit, ResetValue, SelectorSpec, WidthBefore,
};
use crate::generate::spec::scalar::{Reference, Section};

/// Returns the registers of the implementation `ip`, as a spec of this IP alone would list them.
/// Returns `None` if there are problems.
///
/// In problems, each fact has its place in the file of the architecture. If `ip` is the architecture, the result
/// describes every core, and `manual` is the architecture's manual.
pub fn project(
    spec: &Architecture,
    directory: &str,
    ip: &str,
    manual: Option<&ManualSpec>,
    problems: &mut Problems,
) -> Option<Registers> {
    let units = units(spec);
    is_sound(spec, directory, &units, problems);
    if ip == directory {
        let manual = manual.filter(|_| problems.is_empty())?;
        return Some(of_every_core(spec, manual, problems));
    }
    let unit = names::of_ip(ip).module;
    let implementation = spec.implementations.iter().find(|found| found.name.0 == unit);
    if implementation.is_none() && spec.implementations.complete {
        let message = format!("`{}` is not among the implementations", shown(&unit));
        report(problems, &spec.architecture, message)
            .help("list it, or give the IP a `registers.yaml` of its own");
    }
    if !problems.is_empty() {
        return None;
    }
    let implementation = implementation?;
    let Implementation { name, title, manual, main_id, linux, counters, version, .. } =
        implementation;
    let version = version.as_ref().map_or(0, |version| version.0);
    let of = View { unit: &unit, counters: counters.as_ref(), version };
    let ip = At { value: Text(ip.to_owned()), place: name.place.clone() };
    let (main_id, linux) = (main_id.clone(), linux.clone());
    let mut file = Registers { main_id, linux, ..of.file(spec, ip, title, manual) };
    resolve(spec, Some(&unit), &mut file, problems);
    Some(file)
}

/// Derives the confidence and the source text of each fact about an implementation, or about every core.
fn resolve(spec: &Architecture, unit: Option<&str>, file: &mut Registers, problems: &mut Problems) {
    let legend = Legend::new(&spec.legend, unit);
    file.each_fact(&mut |fact| legend.apply(fact, problems));
}

/// Returns the texts of the architecture, filled in for an IP.
pub fn words(spec: &Architecture, ip: &str) -> Vec<(&'static str, String)> {
    let module = names::of_ip(ip).module;
    let own = spec.implementations.iter().find(|found| found.name.0 == module);
    own.map_or_else(Vec::new, |own| {
        let counters = own.counters.as_ref().map(|counters| counters.0.to_string());
        let part = own.main_id.as_ref().map(|id| format!("{:X}", id.part.0));
        let product = Some(product(&own.title.0, ip).to_owned());
        let words = [("{product}", product), ("{counters}", counters), ("{part}", part)];
        words.into_iter().filter_map(|(word, own)| Some((word, own?))).collect()
    })
}

/// Returns the registers that all cores share. They have the form of the latest architecture version and the maximum
/// number of event counters, but only fields that every core has.
///
/// `manual` is from the events file, which names the manuals of the implementations.
fn of_every_core(spec: &Architecture, manual: &ManualSpec, problems: &mut Problems) -> Registers {
    let of = View { unit: "", counters: None, version: u32::MAX };
    // Values that differ between cores are unknown here.
    let unknown = |register: Register| {
        let reset = register.reset.clone().or_else(|| {
            let (value, from) = (Reset::Unknown, List::default());
            let place = register.name.place.clone();
            let of =
                ResetValue { value, place: place.clone(), confidence: None, source: None, from };
            Some(At { value: of, place })
        });
        // The manual of one core does not apply to every core.
        let manuals = "the manuals of the implementations".to_owned();
        let manuals = At { value: Text(manuals), place: register.name.place.clone() };
        Register { reset, source: register.source.clone().or(Some(manuals)), ..register }
    };
    let mut file = of.file(spec, spec.architecture.clone(), &spec.title, manual);
    resolve(spec, None, &mut file, problems);
    file.registers.items = file.registers.items.into_iter().map(unknown).collect();
    file
}

/// A driver for every core needs system registers, and uses the architecture's maximum number of
/// counters.
fn has_a_driver_for_every_core(spec: &Architecture, problems: &mut Problems) {
    let counters = spec.driver.as_ref().and_then(|driver| driver.counters.as_ref());
    let Some(counters) = counters else { return };
    let most = BITS_OF_COUNTERS.width();
    if !(2..=most).contains(&counters.0) {
        report(problems, counters, format!("a driver uses from 2 to {most} counters"));
    }
    if spec.registers.iter().any(|register| register.sysreg.is_none()) {
        let message = "a driver for every core needs system registers of AArch64";
        report(problems, counters, message).help("remove `counters`: each IP has its own driver");
    }
}

/// Returns the implementations as units, so that the rules about units apply to them.
fn units(spec: &Architecture) -> List<Unit> {
    let unit = |implementation: &Implementation| Unit {
        place: implementation.place.clone(),
        name: implementation.name.clone(),
        title: implementation.title.clone(),
        section: None,
        confidence: None,
        from: List::default(),
        source: None,
        main_id: None,
        linux: None,
        shares_part: List::default(),
        pages: List::default(),
    };
    let List { items, complete } = &spec.implementations;
    List { items: items.iter().map(unit).collect(), complete: *complete }
}

/// Checks the rules for an architecture's file; the rules for IPs are checked for each of its IPs.
fn is_sound(spec: &Architecture, directory: &str, units: &List<Unit>, problems: &mut Problems) {
    if spec.architecture.0 != directory {
        let name = shown(&spec.architecture.0);
        let message = format!("`{name}` is not the name of the directory, `{}`", shown(directory));
        report(problems, &spec.architecture, message)
            .help("directory, crate and `architecture` have the same name");
    }
    are_listed_once(
        spec.implementations.iter().map(|found| (&*found.name.0, &found.name.place)),
        problems,
    );
    titles_differ(spec, problems);
    other_names_differ(spec, problems);
    has_a_driver_for_every_core(spec, problems);
    let legend = Legend::new(&spec.legend, None);
    for entry in spec.legend.iter() {
        if !matches!(&entry.of.items[..], [only] if only.0 == ALL) {
            entry.of.iter().for_each(|name| is_known(units, name, problems));
        }
        if entry.of.is_empty() && entry.of.complete {
            let message = format!("`{}` does not name the IPs that it describes", entry.name.0);
            report(problems, &entry.name, message)
                .help("list the IPs in `of`, or write `all`; for other IPs, facts from this source are inferred (D)");
        }
    }
    legend.has(&spec.from, problems);
    let own = spec.implementations.iter().filter_map(|found| found.main_id.as_ref());
    let products = spec.implementations.iter().flat_map(|found| found.also.iter());
    let products = products.chain(spec.others.iter());
    for id in own.chain(products.filter_map(|product| product.main_id.as_ref())) {
        legend.has(&id.from, problems);
    }
    for register in spec.registers.iter() {
        let Register { from, origins, reset, resets, counts, .. } = register;
        legend.has(from, problems);
        of_origins(units, origins, &legend, problems);
        has_no_plain_origin(origin!(register), problems);
        if let Some(reset) = reset {
            legend.has(&reset.from, problems);
            has_no_plain_origin(reset.origin(), problems);
        }
        resets.iter().for_each(|reset| legend.has(&reset.from, problems));
        if reset.is_some() {
            // `reset` is the value for IPs without an entry in `resets`.
            are_known(units, resets.iter().map(|reset| &reset.unit), problems);
        } else if !resets.is_empty() {
            limits::of_resets(units, register, problems);
        }
        of_counts(units, register, counts, problems);
        are_some(units, &register.only, problems);
        for field in register.fields.iter() {
            legend.has(&field.from, problems);
            of_origins(units, &field.origins, &legend, problems);
            has_no_plain_origin(origin!(field), problems);
            has_bits_for_counters(spec, field, problems);
            of_widths(field, problems);
            are_known(units, field.elsewheres.iter().map(|kind| &kind.unit), problems);
            of_since(field, problems);
            if !field.only.is_empty() {
                limits::of_field(units, field, problems);
            }
        }
    }
    legend.is_sound(problems);
}

/// Each implementation has a directory with the other spec files of an IP.
pub fn implementations_are_there(spec: &Architecture, ips: &[String], problems: &mut Problems) {
    for Implementation { name, .. } in spec.implementations.iter() {
        if !ips.iter().any(|ip| names::of_ip(ip).module == name.0) {
            let message = format!("there are no specs of the implementation `{}`", name.0);
            let architecture = &spec.architecture.0;
            report(problems, name, message).help(format!(
                "its events are in specs/{}; `cargo xtask new --architecture {architecture}` makes an implementation",
                name.0.replace('_', "-"),
            ));
        }
    }
}

/// The title contains the name of the product, because people search for it.
fn titles_differ(spec: &Architecture, problems: &mut Problems) {
    let titles = spec.implementations.iter().map(|found| (&found.title.0, &found.place));
    for (_, found, first) in repeated(titles) {
        report(problems, found, "two implementations have the same title")
            .other(first, "the first")
            .help("look-ups use the product's name, which is a word of the title");
    }
}

/// The name of a product in `also` is unique, and is not the name of an implementation.
fn other_names_differ(spec: &Architecture, problems: &mut Problems) {
    let own = spec.implementations.iter().map(|found| (&*found.name.0, &found.name.place));
    let mut taken: Vec<_> = own.map(|(name, place)| (letters(name), place)).collect();
    for also in spec.implementations.iter().flat_map(|found| found.also.iter()) {
        let title = &also.title;
        let name = letters(&title.0);
        if let Some((_, first)) = taken.iter().find(|(taken, _)| *taken == name) {
            let message = format!("`{}` is the name of another product", shown(&title.0));
            report(problems, title, message)
                .other(first, "here")
                .help("look-ups find one IP by each name");
        }
        taken.push((name, &title.place));
    }
}

/// Checks that each origin names an implementation, and that no implementation is named twice.
fn of_origins(
    units: &List<Unit>,
    origins: &List<OriginOfUnit>,
    legend: &Legend<'_>,
    problems: &mut Problems,
) {
    origins.iter().for_each(|origin| legend.has(&origin.from, problems));
    are_known(units, origins.iter().map(|origin| &origin.unit), problems);
}

/// The sources of a fact determine its IPs, so `section`, `confidence` and `source` are not
/// allowed.
fn has_no_plain_origin(own: Origin<'_>, problems: &mut Problems) {
    let place = |place: &Place| place.clone();
    let section = own.section.map(|at| place(&at.place));
    let confidence = own.confidence.map(|at| place(&at.place));
    let source = own.source.map(|at| place(&at.place));
    if let Some(place) = section.or(confidence).or(source) {
        let message =
            "an architecture has facts about several IPs, but this fact does not name its IPs";
        report(problems, &place, message)
            .help("write `from`, so that the confidence of each IP follows, or write `origins`");
    }
}

/// Bits of a field that has one bit for each event counter a core can have.
const BITS_OF_COUNTERS: Bits = Bits { high: 30, low: 0 };

/// A field with a bit for each counter has bits for the highest number of counters; each
/// implementation states its own number.
fn has_bits_for_counters(spec: &Architecture, field: &Field, problems: &mut Problems) {
    if !field.per_counter {
        return;
    }
    let place = &field.bits.place;
    if field.elsewhere.is_none() && field.reserved.is_none() {
        report(problems, place, "`per_counter` needs an `elsewhere`")
            .help("give the kind of the bits that belong to counters that do not exist");
    }
    if let Some(only) = field.only.first().map(|only| &only.place) {
        let message = "a field with a bit for each counter belongs to all IPs";
        report(problems, place, message).other(only, "here");
    }
    if *field.bits != BITS_OF_COUNTERS {
        let message = "the bits of event counters are 30 to 0; bit 31 belongs to the cycle counter";
        report(problems, place, message);
    }
    let most = BITS_OF_COUNTERS.width();
    for Implementation { name, counters, .. } in spec.implementations.iter() {
        match counters {
            None => {
                let message = format!("`{}` does not give its number of counters", name.0);
                report(problems, name, message)
                    .help("write `counters`")
                    .other(place, "needed here");
            }
            Some(counters) if !(1..=most).contains(&counters.0) => {
                let message = format!("there are from 1 to {most} counters");
                report(problems, counters, message).other(place, "their bits");
            }
            Some(_) => {}
        }
    }
}

/// A field with `since` must state what its bits are in earlier versions.
fn of_since(field: &Field, problems: &mut Problems) {
    let Some(since) = &field.since else { return };
    if field.elsewhere.is_none() && field.reserved.is_none() {
        report(problems, since, "`since` needs an `elsewhere`")
            .help("state what these bits are in earlier versions");
    }
    let limits = field.only.first().map(|at| &at.place);
    if let Some(other) = limits.or(field.widths.first().map(|at| &at.place)) {
        let message = "a field with `since` has neither `only` nor `widths`";
        report(problems, since, message).other(other, "this field");
    }
}

/// `bits` are for the latest version; `widths` give fewer bits for earlier versions.
fn of_widths(field: &Field, problems: &mut Problems) {
    let Some(first) = field.widths.first() else { return };
    are_listed_once(
        field.widths.iter().map(|width| (width.before.0, &width.before.place)),
        problems,
    );
    if field.elsewhere.is_none() && field.reserved.is_none() {
        report(problems, first, "`widths` need an `elsewhere`")
            .help("state how the bits above a narrower field are reserved");
    }
    let other = field.only.first().map(|only| &only.place);
    if let Some(place) = other.or(field.per_counter.then_some(&field.bits.place)) {
        let message = "a field with `widths` cannot have `only` or `per_counter`";
        report(problems, first, message).other(place, "this field");
    }
    let whole = field.bits.width();
    for WidthBefore { bits, .. } in field.widths.iter() {
        if !(1..whole).contains(&bits.0) {
            let message = format!("the narrower field has from 1 to {} bits", whole - 1);
            report(problems, bits, message).other(&field.bits, "the field");
        }
    }
}

/// If the counts differ, each implementation has one count.
fn of_counts(
    units: &List<Unit>,
    register: &Register,
    counts: &List<CountOfUnit>,
    problems: &mut Problems,
) {
    are_known(units, counts.iter().map(|count| &count.unit), problems);
    let has = |unit: &Unit| counts.iter().any(|count| count.unit.0 == unit.name.0);
    if !counts.is_empty()
        && counts.complete
        && let Some(unit) = units.iter().find(|unit| !has(unit))
    {
        let message = format!("{} lacks the count of `{}`", register.name.0, unit.name.0);
        report(problems, &register.name, message).help("list it in `counts`");
    }
}

/// Only the file of an architecture can have the keys of an architecture.
pub fn is_not_meant(spec: &Registers, problems: &mut Problems) {
    for register in spec.registers.iter() {
        let of_fields =
            register.fields.iter().flat_map(|field| field.origins.first().map(|at| &at.place));
        let places = register.origins.first().map(|at| &at.place).into_iter();
        let places = places.chain(register.counts.first().map(|at| &at.place));
        let of_counters = register.fields.iter().filter(|field| field.per_counter);
        let places = places.chain(of_counters.map(|field| &field.bits.place));
        let of_widths = register.fields.iter().filter_map(|field| field.widths.first());
        let places = places.chain(of_widths.map(|width| &width.place));
        let kinds = register.fields.iter().filter_map(|field| field.elsewheres.first());
        let places = places.chain(kinds.map(|kind| &kind.place));
        let since = register.fields.iter().filter_map(|field| field.since.as_ref());
        let places = places.chain(since.chain(&register.since).map(|since| &since.place));
        for place in places.chain(of_fields) {
            report(problems, place, "only the registers of an architecture have this key")
                .help("the registers of this IP are not shared: see specs/README.md");
        }
    }
}

/// Restricts the architecture's registers to what one implementation has.
struct View<'s> {
    unit: &'s str,
    counters: Option<&'s At<Decimal>>,
    /// Of the architecture.
    version: u32,
}

/// Keys for the origin of a fact: section, sources, confidence and basis.
type OwnOrigin =
    (Option<At<Section>>, List<At<Reference>>, Option<At<Confidence>>, Option<At<Text>>);

impl View<'_> {
    /// Returns the file of the implementation's registers, with this head.
    fn file(
        &self,
        spec: &Architecture,
        ip: At<Text>,
        title: &Text,
        manual: &ManualSpec,
    ) -> Registers {
        let own = spec.registers.iter();
        let own = own.filter(|register| self.has(&register.only, register.since.as_ref()));
        Registers {
            place: ip.place.clone(),
            ip,
            shares: None,
            title: title.clone(),
            manual: manual.clone(),
            length: spec.length.clone(),
            legend: List::default(),
            section: None,
            confidence: None,
            from: spec.from.clone(),
            source: None,
            main_id: None,
            linux: None,
            others: List::default(),
            pages: List::default(),
            units: List::default(),
            blocks: spec.blocks.clone(),
            prefix: None,
            registers: List {
                items: own.map(|register| self.register(register)).collect(),
                complete: spec.registers.complete,
            },
            driver: None,
        }
    }

    fn register(&self, register: &Register) -> Register {
        let (section, from, confidence, source) = self.origin(&register.from, &register.origins);
        let of_unit = register.resets.iter().find(|reset| reset.unit.0 == self.unit);
        let own_reset = of_unit.map(|ResetOfUnit { value, from, confidence, source, .. }| {
            let (value, place) = (value.value, value.place.clone());
            let (confidence, source) = (confidence.clone(), source.clone());
            let from = from.clone();
            let value = ResetValue { value, place: place.clone(), confidence, source, from };
            At { value, place }
        });
        let count = register.counts.iter().find(|count| count.unit.0 == self.unit);
        let selected_by = register.selected_by.clone().map(|selector| match self.counters {
            Some(counters) => SelectorSpec { count: counters.clone(), ..selector },
            None => selector,
        });
        let fields = &register.fields;
        Register {
            section,
            from,
            confidence,
            source,
            origins: List::default(),
            count: count.map(|count| count.count.clone()).or_else(|| match self.counters {
                Some(counters) if register.sysreg.is_some() && register.count.is_some() => {
                    Some(counters.clone())
                }
                _ => register.count.clone(),
            }),
            counts: List::default(),
            selected_by,
            reset: own_reset.or_else(|| register.reset.clone()),
            resets: List::default(),
            fields: List { items: self.fields(fields), complete: fields.complete },
            only: List::default(),
            ..register.clone()
        }
    }

    /// Returns whether an item with this `only` and `since` exists in the implementation. An empty `only` excludes
    /// none.
    fn has(&self, only: &List<At<Name>>, since: Option<&At<Decimal>>) -> bool {
        let is_of_unit = only.is_empty() || only.iter().any(|name| name.0 == self.unit);
        is_of_unit && since.is_none_or(|since| since.0 <= self.version)
    }

    fn fields(&self, fields: &[Field]) -> Vec<Field> {
        let mut seen: Vec<Field> = Vec::new();
        for field in fields.iter().flat_map(|field| self.without_missing_bits(field)) {
            let mut field = self.field(&field);
            // If this implementation lacks some bits of a field, they are merged with the reserved
            // bits above them.
            if let (Some(above), Some(kind)) = (seen.last_mut(), &field.reserved)
                && above.reserved.as_ref().is_some_and(|above| above.value == kind.value)
                && Some(above.bits.low) == field.bits.high.checked_add(1)
            {
                field.bits.value = Bits { high: above.bits.high, low: field.bits.low };
                seen.pop();
            }
            seen.push(field);
        }
        seen
    }

    /// Splits a field that is narrower in this implementation into the missing bits and the rest.
    fn without_missing_bits(&self, field: &Field) -> Vec<Field> {
        let Bits { high, low } = *field.bits;
        let narrower = field.widths.iter().filter(|width| self.version < width.before.0);
        let narrower = narrower.min_by_key(|width| width.before.0);
        let width = match field.per_counter {
            true => self.counters.map(|counters| counters.0),
            false => narrower.map(|width| width.bits.0),
        };
        if !field.per_counter && field.widths.is_empty() {
            return vec![field.clone()];
        }
        let first_missing = width.map_or(u32::MAX, |width| low.saturating_add(width));
        if first_missing > high {
            return vec![Field { elsewhere: None, widths: List::default(), ..field.clone() }];
        }
        // The architecture also needs the width that the whole field has in later versions.
        let whole = narrower.map(|width| WidthBefore {
            bits: At { value: Decimal(high - low + 1), place: width.bits.place.clone() },
            ..width.clone()
        });
        let widths = List { items: whole.into_iter().collect(), complete: true };
        let at = |high, low| At { value: Bits { high, low }, place: field.bits.place.clone() };
        let missing = Field {
            bits: at(high, first_missing),
            reserved: self.elsewhere(field),
            name: None,
            access: None,
            per_counter: false,
            widths: List::default(),
            elsewhere: None,
            doc: None,
            ..field.clone()
        };
        let there =
            Field { bits: at(first_missing - 1, low), elsewhere: None, widths, ..field.clone() };
        vec![missing, there]
    }

    /// Returns how the bits of a field are reserved where the field does not exist.
    fn elsewhere(&self, field: &Field) -> Option<At<Reserved>> {
        let own = field.elsewheres.iter().find(|kind| kind.unit.0 == self.unit);
        own.map(|kind| kind.reserved.clone()).or_else(|| field.elsewhere.clone())
    }

    fn field(&self, field: &Field) -> Field {
        let (section, from, confidence, source) = self.origin(&field.from, &field.origins);
        let own = Field {
            section,
            from,
            confidence,
            source,
            origins: List::default(),
            only: List::default(),
            elsewheres: List::default(),
            ..field.clone()
        };
        if field.only.is_empty() && field.since.is_none() {
            return own;
        }
        if self.has(&field.only, field.since.as_ref()) {
            return Field { elsewhere: None, ..own };
        }
        let reserved = self.elsewhere(field);
        let (events_from, since) = (None, None);
        let own = Field { events_from, since, doc: None, ..own };
        Field { reserved, name: None, access: None, elsewhere: None, ..own }
    }

    /// Returns the origin for this implementation in `origins`, or the sources of all implementations.
    fn origin(&self, from: &List<At<Reference>>, origins: &List<OriginOfUnit>) -> OwnOrigin {
        let own = origins.iter().find(|origin| origin.unit.0 == self.unit);
        let section = own.and_then(|own| own.section.clone());
        match own.filter(|own| !own.from.is_empty() || own.confidence.is_some()) {
            Some(own) => (section, own.from.clone(), own.confidence.clone(), own.source.clone()),
            None => (section, from.clone(), None, None),
        }
    }
}
