//! `Selection` of an IP whose events have no sources.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::{decimal, doc, docs};
use super::{event_type, selection};
use crate::generate::model::{Group, Ip};
use crate::generate::names::ident;

/// What one counter counts: an event id, which is the code of an event.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>) -> TokenStream {
    let events = ident(&event_type(ip, group, unit));
    let width = ip.counters.id_width();
    let digits = decimal(width.div_ceil(4).min(2) + 2);
    let example = group.events_of(unit).next().map_or("", |event| &event.name);
    let text = doc(&docs::paragraphs([
        "The selection of one counter: an event.".to_owned(),
        format!("Its number is the event id, the code of the event; as text it is `{example}`."),
        docs::link_to_example(super::EXAMPLE),
    ]));
    let raw_doc = doc(&docs::paragraphs([
        "Returns the selection with any event id, even if the manual does not list the id. `None` if \
         the id is too wide."
            .to_owned(),
        format!(
            "An id has {width} bits. An id that the manual does not list prints as `raw:0x..`."
        ),
    ]));
    // A number of 16 bits cannot have more.
    let raw = if width < 16 {
        let bits = decimal(width);
        quote!(if id >> #bits == 0 { Some(Self(EventId::new(id))) } else { None })
    } else {
        quote!(Some(Self(EventId::new(id))))
    };
    let conversions = selection::conversions(ip, unit);
    let (code_type, code) = selection::number(quote!(self.id()), ip.counters.event);
    let code_doc = format!(
        " The code of the event, listed or not, in the type of the field that selects it: the event id, \
         0 to {:#X}.",
        (1_u32 << width) - 1
    );
    let beside_cycles = ip.counters.cycles.then(|| {
        quote! {
            /// For functions such as [`measure`](arm_pmu_core::measure::measure), which count cycles too.
            impl From<#events> for EventOrCycles<Selection> {
                #[inline]
                fn from(event: #events) -> Self {
                    Self::Event(Selection::event(event))
                }
            }
        }
    });
    quote! {
        #text
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Selection(EventId);

        impl Selection {
            /// Returns the selection of an event.
            #[inline]
            #[must_use]
            pub const fn event(event: #events) -> Self {
                Self(EventId::new(event.code()))
            }

            #raw_doc
            #[must_use]
            pub const fn raw(id: u16) -> Option<Self> {
                #raw
            }

            /// Returns the selection with this event id. `None` if the manual lists no such event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match #events::from_code(id) {
                    Some(event) => Some(Self::event(event)),
                    None => None,
                }
            }

            /// Returns the event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self.0.get()
            }

            #[doc = #code_doc]
            #[inline]
            #[must_use]
            pub const fn code(self) -> #code_type {
                #code
            }

            /// Returns the event. `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<#events> {
                #events::from_code(self.id())
            }
        }

        impl From<#events> for Selection {
            #[inline]
            fn from(event: #events) -> Self {
                Self::event(event)
            }
        }

        impl Selectable for #events {
            const PMU: &'static str = Selection::PMU;

            fn event_id(self) -> u16 {
                self.code()
            }
        }

        #beside_cycles

        impl fmt::Display for Selection {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.listed() {
                    Some(event) => event.fmt(f),
                    None => write!(f, "raw:{:#0width$x}", self.id(), width = #digits),
                }
            }
        }

        /// Parses an event or `raw:0x..`, in upper or lower case.
        impl FromStr for Selection {
            type Err = InvalidSelection;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let Some((form, id)) = text.split_once(':') else {
                    let event: #events = text.parse().map_err(|_| InvalidSelection::Event)?;
                    return Ok(Self::event(event));
                };
                if !form.eq_ignore_ascii_case("raw") {
                    return Err(InvalidSelection::Source);
                }
                let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X"));
                let digits = digits.filter(|digits| !digits.starts_with('+'));
                let id = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
                id.and_then(Self::raw).ok_or(InvalidSelection::Number)
            }
        }

        #conversions
    }
}
