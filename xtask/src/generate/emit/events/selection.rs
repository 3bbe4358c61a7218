//! `Selection` of an IP whose events have sources.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::{decimal, doc, docs, format, hex};
use super::shift;
use crate::generate::model::{Bits, Group, Ip};
use crate::generate::names::{self, ident};

/// What one counter counts: an event id with its two forms, number and text.
pub fn emit(ip: &Ip, unit: Option<usize>, source: Bits) -> TokenStream {
    let groups: Vec<_> = ip.groups_of(unit).collect();
    let width = ip.counters.id_width();
    let event = ip.counters.event;
    let (event_mask, source_mask) =
        (hex((1 << event.width()) - 1, 0), hex((1 << source.width()) - 1, 0));
    let (event_low, source_low) = (shift(quote!(>>), event.low), shift(quote!(>>), source.low));
    let bits = decimal(width);
    let digits = decimal(width.div_ceil(4) + 2);
    let raw_doc = doc(&docs::paragraphs([
        "Returns the selection with any event id, even if the manual does not list the id. `None` if \
         the id is too wide."
            .to_owned(),
        format!("An id has {width} bits. An id that the manual does not list prints as `raw:0x..`."),
    ]));
    let listed_doc = " An event with its source, if the manual lists the id.";
    let variants: Vec<_> =
        groups.iter().map(|group| ident(&names::group_variant(&group.name))).collect();
    let events: Vec<_> =
        groups.iter().map(|group| ident(&names::event_type(&group.name))).collect();
    let sources: Vec<_> =
        groups.iter().map(|group| ident(&names::source_type(&group.name))).collect();
    let titles = groups.iter().map(|group| format!(" An event of a {}.", group.title));
    let (first_source, first_event) = example(&groups, unit);
    let selection_doc = doc(&docs::paragraphs([
        "The selection of one counter: an event at a source.".to_owned(),
        format!(
            "The `event` method of a source returns it. Its number is the event id. Its text has the \
             form `{first_source}:{first_event}`."
        ),
        docs::link_to_example(super::EXAMPLE),
    ]));
    let single = groups.iter().filter(|group| group.sources.len() == 1).map(|group| {
        let (events, sources) =
            (ident(&names::event_type(&group.name)), ident(&names::source_type(&group.name)));
        let variant = ident(&names::source_variant(&group.sources[0].name));
        quote! {
            impl From<#events> for Selection {
                #[inline]
                fn from(event: #events) -> Self {
                    #sources::#variant.event(event)
                }
            }

            impl arm_pmu_core::event::Selectable for #events {
                const PMU: &'static str = Selection::PMU;

                fn event_id(self) -> u16 {
                    Selection::from(self).id()
                }
            }
        }
    });
    let evntbus = ip.evntbus_of(unit).then(|| {
        quote! {
            /// Returns the bit of EVNTBUS that the event drives.
            ///
            /// `None` if the manual lists no such event, or the bit depends on the configuration of the part.
            #[must_use]
            pub fn evntbus(self) -> Option<u16> {
                match self.listed()? {
                    #( Listed::#variants(source, event) => Some(source.evntbus()? + event.evntbus()?), )*
                }
            }
        }
    });
    let conversions = format::call("selection_conversions", &format!("{:?}\n", path(ip, unit)));
    let (code_type, code) = number(quote!(self.id() #event_low & #event_mask), event);
    let (source_type, source_id) = number(quote!(self.id() #source_low & #source_mask), source);
    let code_doc = format!(
        " Returns the code of the event, listed or not: 0 to {:#X}, in the type of the field that selects it.",
        (1 << event.width()) - 1
    );
    let source_doc = format!(
        " Returns the number of the source, listed or not: 0 to {:#X}, in the type of the field that selects it.",
        (1 << source.width()) - 1
    );
    let pair_doc = doc(&docs::paragraphs([
        "Returns the selection with this source number and event code, as in the registers."
            .to_owned(),
        format!(
            "The inverse of [`source_id`](Self::source_id) and [`code`](Self::code). In \
             `{first_source}:{first_event}`, the number is that of `{first_source}` and the code that of \
             `{first_event}`. For an event that the manual does not list, see [`raw`](Self::raw)."
        ),
    ]));
    quote! {
        #selection_doc
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Selection(EventId);

        #[doc = #listed_doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Listed {
            #( #[doc = #titles] #variants(#sources, #events), )*
        }

        impl Selection {
            #raw_doc
            #[must_use]
            pub const fn raw(id: u16) -> Option<Self> {
                if id >> #bits == 0 { Some(Self(EventId::new(id))) } else { None }
            }

            /// Returns the selection with this event id. `None` if the manual lists no such event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match Self::raw(id) {
                    Some(selection) if selection.listed().is_some() => Some(selection),
                    _ => None,
                }
            }

            /// Returns the event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self.0.get()
            }

            #pair_doc
            ///
            /// # Errors
            ///
            /// If the manual lists no such source, or no such event of it.
            pub const fn from_source_and_code(source: u16, code: u16) -> Result<Self, UnknownEvent> {
                #(
                    if let Some(known) = #sources::from_id(source) {
                        return match #events::from_code(code) {
                            Some(event) => Ok(known.event(event)),
                            None => Err(UnknownEvent::Code { source, code }),
                        };
                    }
                )*
                Err(UnknownEvent::Source(source))
            }

            #[doc = #code_doc]
            #[inline]
            #[must_use]
            pub const fn code(self) -> #code_type {
                #code
            }

            #[doc = #source_doc]
            #[inline]
            #[must_use]
            pub const fn source_id(self) -> #source_type {
                #source_id
            }

            #evntbus
            /// Returns the event and its source. `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<Listed> {
                #(
                    if let Some(source) = #sources::from_id(self.id() #source_low & #source_mask) {
                        return match #events::from_code(self.id() #event_low & #event_mask) {
                            Some(event) => Some(Listed::#variants(source, event)),
                            None => None,
                        };
                    }
                )*
                None
            }
        }

        impl fmt::Display for Selection {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.listed() {
                    #( Some(Listed::#variants(source, event)) => write!(f, "{source}:{event}"), )*
                    None => write!(f, "raw:{:#0width$x}", self.id(), width = #digits),
                }
            }
        }

        /// Parses `source:event` or `raw:0x..`, in upper or lower case.
        impl FromStr for Selection {
            type Err = InvalidSelection;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let (source, event) = text.split_once(':').ok_or(InvalidSelection::Form)?;
                if source.eq_ignore_ascii_case("raw") {
                    let digits = event.strip_prefix("0x").or_else(|| event.strip_prefix("0X"));
                    let digits = digits.filter(|digits| !digits.starts_with('+'));
                    let id = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
                    return id.and_then(Self::raw).ok_or(InvalidSelection::Number);
                }
                #(
                    if let Some(source) = #sources::ALL
                        .into_iter()
                        .find(|known| known.name().eq_ignore_ascii_case(source))
                    {
                        let event: #events = event.parse().map_err(|_| InvalidSelection::Event)?;
                        return Ok(source.event(event));
                    }
                )*
                Err(InvalidSelection::Source)
            }
        }

        #conversions
        #(#single)*
    }
}

/// The smallest type for a part of an event id, the same as the register field's.
pub fn number_type(bits: Bits) -> &'static str {
    if bits.width() > 8 { "u16" } else { "u8" }
}

/// A part of an event id in that type.
fn number(value: TokenStream, bits: Bits) -> (TokenStream, TokenStream) {
    let ty = ident(number_type(bits));
    if bits.width() > 8 { (quote!(#ty), value) } else { (quote!(#ty), quote!((#value) as #ty)) }
}

/// The PMU whose events they are, as a path: `cci550`, `mmu600::tbu`.
pub fn path(ip: &Ip, unit: Option<usize>) -> String {
    match ip.unit(unit) {
        Some(unit) => format!("{}::{}", ip.name, unit.name),
        None => ip.name.clone(),
    }
}

/// A source and an event of it, for the documentation.
fn example<'m>(groups: &[&'m Group], unit: Option<usize>) -> (&'m str, &'m str) {
    let group = groups.first();
    let source = group.and_then(|group| group.sources.first()).map_or("", |source| &source.name);
    let event =
        group.and_then(|group| group.events_of(unit).next()).map_or("", |event| &event.name);
    (source, event)
}
