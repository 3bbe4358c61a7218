//! Converts the enum in the source to a model, or reports all its mistakes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::attributes::{Attributes, FLAGS, Place};
use crate::code::Code;
use crate::owners::Owners;
use crate::problems::Problems;
use crate::syntax::{Definition, Variant};
use crate::values::Unit;
use crate::{summary, values};

/// An enum of events.
pub(crate) struct Input {
    pub(crate) target: Target,
    pub(crate) events: Vec<Event>,
}

/// The enum for which the trait is implemented.
pub(crate) struct Target {
    pub(crate) vis: TokenStream,
    pub(crate) ident: Ident,
    /// Path of arm-pmu-core.
    pub(crate) krate: TokenStream,
}

pub(crate) struct Event {
    pub(crate) variant: Ident,
    pub(crate) code: Code,
    pub(crate) name: String,
    pub(crate) summary: String,
    pub(crate) unit: Unit,
    pub(crate) evntbus: Option<u16>,
    /// Flags in the order of [`FLAGS`].
    pub(crate) flags: [bool; FLAGS.len()],
}

/// Mistakes in an enum of events.
pub(crate) struct Mistakes {
    pub(crate) errors: TokenStream,
    /// The enum that gets the trait despite the mistakes; `None` if the trait cannot be
    /// implemented.
    pub(crate) target: Option<Target>,
}

/// Names that a variant cannot have, because `Self::ALL` would refer to the variant.
const GENERATED: [&str; 5] = ["ALL", "code", "from_code", "name", "summary"];

const NOT_AN_ENUM: &str = "`Event` can only be derived for an enum: its variants are the events";

pub(crate) fn parse(input: Definition) -> Result<Input, Mistakes> {
    let mut problems = Problems::default();
    let mut bits = 16;
    let mut krate = Some(quote!(::arm_pmu_core));
    for item in Attributes::read(input.attributes, Place::Enum, &mut problems).items {
        match item.key {
            "bits" => bits = values::bits(&item, &mut problems).unwrap_or(bits),
            "crate" => krate = values::krate(&item, &mut problems),
            // `Attributes` contains only known keys.
            _ => {}
        }
    }
    let mut has_shape = krate.is_some();
    for generics in [input.generics, input.where_clause] {
        if !generics.is_empty() {
            has_shape = false;
            problems.add(&generics, &"an enum of events has no generics: remove them");
        }
    }
    if input.keyword != "enum" {
        has_shape = false;
        problems.add(&input.keyword, &NOT_AN_ENUM);
    } else if input.variants.is_empty() {
        problems.add(&input.ident, &"an enum of events needs at least one variant");
    }
    let mut events = Vec::new();
    let mut taken = Taken::default();
    for variant in input.variants {
        has_shape &= check_variant(&variant, &mut problems);
        events.extend(read_event(variant, bits, &mut taken, &mut problems));
    }

    let krate = krate.unwrap_or_default();
    let target = Target { vis: input.vis, ident: input.ident, krate };
    match problems.into_errors() {
        None => Ok(Input { target, events }),
        Some(errors) => Err(Mistakes { errors, target: has_shape.then_some(target) }),
    }
}

fn check_variant(variant: &Variant, problems: &mut Problems) -> bool {
    let ident = &variant.ident;
    let name = unraw(ident);
    let is_generated = GENERATED.iter().any(|generated| name == *generated);
    if is_generated {
        problems
            .add(ident, &format_args!("every `Event` has an item `{name}`: rename the variant"));
    }
    if let Some(fields) = &variant.fields {
        problems.add(
            fields,
            &format_args!("an event is only a number: write `{ident} = 0x08`, without fields"),
        );
    }
    !is_generated && variant.fields.is_none()
}

/// The name without `r#`: `r#code` is another spelling of `code`.
fn unraw(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// Values of earlier variants.
#[derive(Default)]
struct Taken {
    codes: Owners<u16>,
    names: Owners<String>,
    evntbus: Owners<u16>,
}

/// Parses one event; `None` after reporting a mistake.
fn read_event(
    variant: Variant,
    bits: u16,
    taken: &mut Taken,
    problems: &mut Problems,
) -> Option<Event> {
    let Variant { attributes, ident, fields, discriminant } = variant;
    let summary = summary::read(&attributes, &ident, problems);

    let mut name = None;
    let mut unit = Unit::default();
    let mut evntbus = None;
    let mut flags = [false; FLAGS.len()];
    let attributes = Attributes::read(attributes, Place::Variant, problems);
    for item in &attributes.items {
        match item.key {
            "name" => name = values::name(item, &ident, &mut taken.names, problems),
            "unit" => unit = values::unit(item, problems).unwrap_or_default(),
            "evntbus" => evntbus = values::evntbus(item, &ident, &mut taken.evntbus, problems),
            // `Attributes` contains only known keys, so every other key is a flag.
            key => {
                for (flag, known) in flags.iter_mut().zip(FLAGS) {
                    *flag |= key == known;
                }
                item.check_flag(problems);
            }
        }
    }
    if attributes.lack("name") {
        let name = values::shout(&unraw(&ident));
        problems.add(&ident, &format_args!("missing name: add `#[event(name = \"{name}\")]`"));
    }

    if discriminant.is_none() && fields.is_some() {
        // The error about the fields has already been reported, and it also tells the user to write
        // a number.
        return None;
    }
    let code = Code::read(discriminant.as_ref(), &ident, bits, problems);
    if let Some(Code { value, spelling }) = &code {
        if let Some(first) = taken.codes.other(*value, &ident) {
            problems.add(&discriminant, &format_args!("`{first}` has the code {spelling} already"));
        }
    }

    Some(Event { code: code?, name: name?, variant: ident, summary, unit, evntbus, flags })
}
