//! Generates code from the model. This step cannot fail.
//!
//! The macro `event_items` of arm-pmu-core defines the code that is the same for every enum. Its arguments are the
//! names, codes and texts of the events.
//!
//! Generated names are absolute (`::core::option::Option`), because the module around the enum can redefine short
//! names.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::attributes::FLAGS;
use crate::input::{Event, Input, Target};
use crate::values::Unit;

pub(crate) fn expand(
    Input { target: Target { vis, ident, krate }, events }: &Input,
) -> TokenStream {
    let rows = events.iter().map(|event| {
        let Event { variant, code, name, summary, .. } = event;
        let code = &code.spelling;
        quote!(#variant #code #name #summary)
    });
    let unit = unit(krate, events);
    let evntbus = evntbus(events);
    let flags = FLAGS.iter().enumerate().filter_map(|(nth, name)| {
        let set = select(events, &|event| event.flags[nth])?;
        let method = Ident::new(name, Span::call_site());
        Some(quote! {
            fn #method(self) -> ::core::primitive::bool {
                ::core::matches!(self, #set)
            }
        })
    });
    // The trait's path and the enum keep their positions in the source, so that compiler messages point to them.
    quote! {
        #[allow(deprecated)]
        const _: () = {
            #krate::event_items! { #vis #ident [#(#rows)*] }

            #[automatically_derived]
            impl #krate::event::Event for #ident {
                #krate::event_items! { @methods }
                #unit #evntbus #(#flags)*
            }
        };
    }
}

/// For an enum with mistakes, generates the same items as if it had no events.
pub(crate) fn stub(target: Target) -> TokenStream {
    expand(&Input { target, events: Vec::new() })
}

fn unit(krate: &TokenStream, events: &[Event]) -> Option<TokenStream> {
    // The trait has a default for `Occurrences`.
    select(events, &|event| event.unit != Unit::Occurrences)?;
    let arms = [Unit::Occurrences, Unit::Cycles, Unit::Beats].into_iter().filter_map(|unit| {
        let pattern = select(events, &|event| event.unit == unit)?;
        let name = Ident::new(&format!("{unit:?}"), Span::call_site());
        Some(quote!(#pattern => #krate::event::Unit::#name,))
    });
    Some(quote! {
        fn unit(self) -> #krate::event::Unit {
            match self { #(#arms)* }
        }
    })
}

fn evntbus(events: &[Event]) -> Option<TokenStream> {
    let arms: TokenStream = events
        .iter()
        .filter_map(|event| {
            let variant = &event.variant;
            let bit = event.evntbus?;
            Some(quote!(Self::#variant => ::core::option::Option::Some(#bit),))
        })
        .collect();
    let rest = select(events, &|event| event.evntbus.is_none())
        .map(|_| quote!(_ => ::core::option::Option::None,));
    (!arms.is_empty()).then(|| {
        quote! {
            fn evntbus(self) -> ::core::option::Option<::core::primitive::u16> {
                match self { #arms #rest }
            }
        }
    })
}

/// Generates a pattern for the events that `include` accepts; `None` without such events.
fn select(events: &[Event], include: &dyn Fn(&Event) -> bool) -> Option<TokenStream> {
    let variants: Vec<_> =
        events.iter().filter(|event| include(event)).map(|event| &event.variant).collect();
    (!variants.is_empty()).then(|| quote!(#(Self::#variants)|*))
}
