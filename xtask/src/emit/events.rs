//! `events.rs` of an IP: events, sources, and what a counter can be told to count.

use proc_macro2::TokenStream;
use quote::quote;

use super::{decimal, doc, docs, hex, inner_doc};
use crate::model::{Event, Group, Ip, Source, Unit};
use crate::names::{self, ident};

/// The items of the file.
pub fn emit(ip: &Ip) -> TokenStream {
    let mut texts = vec![format!("What the counters of the {} can count.", ip.title)];
    texts.extend(ip.groups.iter().map(|group| {
        format!(
            "[`{}`]: {} events of a {}.",
            names::event_type(&group.name),
            group.events.len(),
            group.title
        )
    }));
    texts.push(format!("{}, {}.", ip.manual.title, ip.manual.id));
    let text = inner_doc(&docs::paragraphs(texts));
    let groups = ip.groups.iter().map(|group| {
        let (events, sources) = (events(ip, group), sources(ip, group));
        quote!(#events #sources)
    });
    let selection = selection(ip);
    let count = decimal(ip.counters.count);
    let event_trait = ip.evntbus.then(|| {
        quote!(
            use arm_pmu_core::Event as _;
        )
    });
    quote! {
        #text

        use core::fmt;
        use core::str::FromStr;

        #event_trait
        use arm_pmu_core::{InvalidSelection, UnknownId};
        use arm_pmu_derive::Event;

        /// How many counters there are.
        pub const COUNTERS: usize = #count;

        #(#groups)*
        #selection
    }
}

/// The enum of a group's events.
fn events(ip: &Ip, group: &Group) -> TokenStream {
    let name = ident(&names::event_type(&group.name));
    let mut texts = vec![format!("Events of a {}.", group.title)];
    // Where they all come from; an event of its own source says so itself.
    texts.extend(group.events.first().map(|event| docs::origin(&event.origin, &ip.manual)));
    let text = doc(&docs::paragraphs(texts));
    let bits = decimal(ip.counters.event.width());
    let digits = ip.counters.event.width().div_ceil(4) as usize;
    let variants = group.events.iter().map(|event| {
        let text = doc(&docs::event(event, digits, &ip.manual));
        let data = attributes(event);
        let (variant, code) = (ident(&names::event_variant(&event.name)), hex(event.code, digits));
        quote! {
            #text
            #[event(#data)]
            #variant = #code,
        }
    });
    quote! {
        #text
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Event)]
        #[event(crate = arm_pmu_core, bits = #bits)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
        }
    }
}

/// The line of data of an event.
fn attributes(event: &Event) -> TokenStream {
    let name = &event.name;
    let unit = (event.unit != Unit::Occurrences).then(|| {
        let unit = ident(event.unit.word());
        quote!(, unit = #unit)
    });
    let evntbus = event.evntbus.map(|bit| {
        let bit = decimal(bit);
        quote!(, evntbus = #bit)
    });
    let flags = event.flags.iter().map(|flag| ident(flag));
    quote!(name = #name #unit #evntbus #(, #flags)*)
}

/// The enum of a group's sources.
fn sources(ip: &Ip, group: &Group) -> TokenStream {
    let name = ident(&names::source_type(&group.name));
    let events = ident(&names::event_type(&group.name));
    let text = format!(" A {}, as a source of events.", group.title);
    let count = decimal(u32::try_from(group.sources.len()).unwrap_or(u32::MAX));
    let digits = ip.counters.source.width().div_ceil(4) as usize;
    let low = shift(quote!(<<), ip.counters.source.low);
    let event_low = shift(quote!(<<), ip.counters.event.low);
    let variants: Vec<_> =
        group.sources.iter().map(|source| ident(&names::source_variant(&source.name))).collect();
    let ids: Vec<_> = group.sources.iter().map(|source| hex(source.id, digits)).collect();
    let texts = group.sources.iter().map(|source| doc(&docs::paragraphs([source_text(source)])));
    let names = group.sources.iter().map(|source| &source.name);
    let all_doc = doc(&[match group.sources.len() {
        1 => "The only one.".to_owned(),
        _ => {
            "All of them. Which ones are built is a matter of the part's configuration.".to_owned()
        }
    }]);
    let evntbus = ip.evntbus.then(|| {
        let bases = group.sources.iter().map(|source| match source.evntbus {
            Some(bit) => {
                let bit = decimal(bit);
                quote!(Some(#bit))
            }
            None => quote!(None),
        });
        quote! {
            /// The bit of EVNTBUS at which the events of this source start. `None` if it depends on
            /// how the part is built.
            #[must_use]
            pub const fn evntbus(self) -> Option<u16> {
                match self {
                    #( Self::#variants => #bases, )*
                }
            }
        }
    });
    quote! {
        #[doc = #text]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum #name {
            #( #texts #variants = #ids, )*
        }

        impl #name {
            #all_doc
            pub const ALL: [Self; #count] = [#(Self::#variants),*];

            /// The number that stands for the source in an event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self as u16
            }

            /// The source with this number, if it is one of this kind.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match id {
                    #( #ids => Some(Self::#variants), )*
                    _ => None,
                }
            }

            /// The name in the manual.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    #( Self::#variants => #names, )*
                }
            }

            #evntbus
            /// An event of this source, for a counter to count.
            #[inline]
            #[must_use]
            pub const fn event(self, event: #events) -> Selection {
                Selection(self.id() #low | event.code() #event_low)
            }
        }

        impl fmt::Display for #name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    }
}

fn source_text(source: &Source) -> String {
    match source.evntbus {
        Some(bit) => format!("{}: from bit {bit} of EVNTBUS on.", source.title),
        None => format!("{}.", source.title),
    }
}

/// A shift, if there is anything to shift.
fn shift(direction: TokenStream, by: u32) -> Option<TokenStream> {
    let number = decimal(by);
    (by != 0).then(|| quote!(#direction #number))
}

/// What one counter counts: an event id with its two forms, number and text.
fn selection(ip: &Ip) -> TokenStream {
    let width = ip.counters.id_width();
    let (event, source) = (ip.counters.event, ip.counters.source);
    let (event_mask, source_mask) =
        (hex(event.mask() >> event.low, 0), hex(source.mask() >> source.low, 0));
    let (event_low, source_low) = (shift(quote!(>>), event.low), shift(quote!(>>), source.low));
    let bits = decimal(width);
    let digits = decimal(width.div_ceil(4) + 2);
    let raw_doc = doc(&docs::paragraphs([
        "Any event id, also one that the manual does not list, for an event that this crate does not \
         know. `None` if it is too wide."
            .to_owned(),
        format!("An id has {width} bits. What an unlisted one counts is for you to know; it prints as `raw:0x..`."),
    ]));
    let listed_doc = " An event with its source, if the manual lists the id.";
    let variants: Vec<_> =
        ip.groups.iter().map(|group| ident(&names::group_variant(&group.name))).collect();
    let events: Vec<_> =
        ip.groups.iter().map(|group| ident(&names::event_type(&group.name))).collect();
    let sources: Vec<_> =
        ip.groups.iter().map(|group| ident(&names::source_type(&group.name))).collect();
    let titles = ip.groups.iter().map(|group| format!(" An event of a {}.", group.title));
    let (first_source, first_event) = example(ip);
    let selection_doc = doc(&docs::paragraphs([
        "What one counter is told to count: an event at a source.".to_owned(),
        format!(
            "Made by the `event` method of a source. Its number is the event id; as text it is \
             `{first_source}:{first_event}`."
        ),
    ]));
    let single = ip.groups.iter().filter(|group| group.sources.len() == 1).map(|group| {
        let (events, sources) =
            (ident(&names::event_type(&group.name)), ident(&names::source_type(&group.name)));
        let variant = ident(&names::source_variant(&group.sources[0].name));
        quote! {
            impl From<#events> for Selection {
                fn from(event: #events) -> Self {
                    #sources::#variant.event(event)
                }
            }
        }
    });
    let evntbus = ip.evntbus.then(|| {
        quote! {
            /// The bit of EVNTBUS that the event drives. `None` if the manual lists no such event, or
            /// the bit depends on how the part is built.
            #[must_use]
            pub fn evntbus(self) -> Option<u16> {
                match self.listed()? {
                    #( Listed::#variants(source, event) => Some(source.evntbus()? + event.evntbus()?), )*
                }
            }
        }
    });
    quote! {
        #selection_doc
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct Selection(u16);

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
                if id >> #bits == 0 { Some(Self(id)) } else { None }
            }

            /// The selection with this event id. `None` if the manual lists no such event.
            #[must_use]
            pub const fn from_id(id: u16) -> Option<Self> {
                match Self::raw(id) {
                    Some(selection) if selection.listed().is_some() => Some(selection),
                    _ => None,
                }
            }

            /// The event id.
            #[inline]
            #[must_use]
            pub const fn id(self) -> u16 {
                self.0
            }

            /// The code of the event, listed or not.
            #[inline]
            #[must_use]
            pub const fn code(self) -> u16 {
                self.0 #event_low & #event_mask
            }

            /// The number of the source, listed or not.
            #[inline]
            #[must_use]
            pub const fn source_id(self) -> u16 {
                self.0 #source_low & #source_mask
            }

            #evntbus
            /// The event and its source. `None` if the manual lists no such event.
            #[must_use]
            pub const fn listed(self) -> Option<Listed> {
                #(
                    if let Some(source) = #sources::from_id(self.source_id()) {
                        return match #events::from_code(self.code()) {
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
                    None => write!(f, "raw:{:#0width$x}", self.0, width = #digits),
                }
            }
        }

        impl fmt::Debug for Selection {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "Selection({self})")
            }
        }

        /// Reads `source:event` and `raw:0x..`, whatever the case of the letters.
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

        impl TryFrom<u16> for Selection {
            type Error = UnknownId;

            fn try_from(id: u16) -> Result<Self, Self::Error> {
                Self::from_id(id).ok_or(UnknownId(id))
            }
        }

        impl From<Selection> for u16 {
            fn from(selection: Selection) -> Self {
                selection.id()
            }
        }

        #(#single)*
    }
}

/// A source and an event of it, for the documentation.
fn example(ip: &Ip) -> (&str, &str) {
    let group = ip.groups.first();
    let source = group.and_then(|group| group.sources.first()).map_or("", |source| &source.name);
    let event = group.and_then(|group| group.events.first()).map_or("", |event| &event.name);
    (source, event)
}
