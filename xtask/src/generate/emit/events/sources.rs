//! Sources of events.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::{decimal, doc, docs, hex};
use super::shift;
use crate::generate::model::{Bits, Group, Ip, Source};
use crate::generate::names::{self, ident};

/// The enum of a group's sources; `bits` are those of a source in an event id.
pub fn emit(ip: &Ip, group: &Group, unit: Option<usize>, bits: Bits) -> TokenStream {
    let name = ident(&names::source_type(&group.name));
    let events = ident(&names::event_type(&group.name));
    let text = format!(" A {}, as a source of events.", group.title);
    let count = decimal(u32::try_from(group.sources.len()).unwrap_or(u32::MAX));
    let digits = bits.width().div_ceil(4) as usize;
    let low = shift(quote!(<<), bits.low);
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
    let evntbus = ip.evntbus_of(unit).then(|| {
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
                Selection(EventId::new(self.id() #low | event.code() #event_low))
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
