//! Generates code from the model. This step cannot fail.
//!
//! Generated names are absolute (`::core::option::Option`), because the module around the enum can redefine short
//! names. Methods are called as `Self::name(*self)`, because other traits can have methods of the same name. Names of
//! parameters and variables cannot be absolute: see [`BINDINGS`].

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::attributes::FLAGS;
use crate::input::{Event, Input, Target};
use crate::values::Unit;

pub(crate) fn expand(input: &Input) -> TokenStream {
    let inherent = inherent(input);
    let event = event(input);
    let text = text(&input.target);
    let numbers = numbers(&input.target);
    let Target { ident, krate, .. } = &input.target;
    // The macro `event_formats!` expands to the formats that are enabled in its crate.
    let formats = quote!(#krate::event_formats!(#ident););
    let bindings = BINDINGS.map(|name| format_ident!("{name}"));
    quote! {
        #[allow(deprecated)]
        const _: () = {
            #(
                #[allow(dead_code)]
                fn #bindings() {}
            )*
            #inherent #event #text #numbers #formats
        };
    }
}

/// Names of all parameters and variables in the generated code, and in the macro `event_formats`.
///
/// If a constant, static or unit struct has such a name, a pattern refers to it and does not bind a variable. Therefore
/// the block around the generated code declares functions of these names, which patterns never refer to.
const BINDINGS: [&str; 6] = ["code", "event", "f", "name", "serializer", "deserializer"];

/// Generates the same items for an enum with mistakes, without events.
pub(crate) fn stub(target: Target) -> TokenStream {
    expand(&Input { target, events: Vec::new() })
}

/// Generates the items that can be used in constants.
fn inherent(Input { target, events }: &Input) -> TokenStream {
    let Target { vis, ident, .. } = target;
    let variants = events.iter().map(|event| &event.variant);
    let from_code = events.iter().map(|event| {
        let Event { variant, code, .. } = event;
        let spelling = &code.spelling;
        quote!(#spelling => ::core::option::Option::Some(Self::#variant),)
    });
    let names = texts(events, |event| &event.name);
    let summaries = texts(events, |event| &event.summary);
    quote! {
        #[automatically_derived]
        impl #ident {
            /// All events, in the order of the enum.
            #vis const ALL: &'static [Self] = &[#(Self::#variants),*];

            /// The number of the event.
            #[inline]
            #[must_use]
            #vis const fn code(self) -> ::core::primitive::u16 {
                self as ::core::primitive::u16
            }

            /// The event with this number, if there is one.
            #[inline]
            #[must_use]
            #vis const fn from_code(code: ::core::primitive::u16) -> ::core::option::Option<Self> {
                match code {
                    #(#from_code)*
                    _ => ::core::option::Option::None,
                }
            }

            /// The name of the event, in capitals.
            #[must_use]
            #vis const fn name(self) -> &'static ::core::primitive::str {
                #names
            }

            /// Events that increment the counter.
            #[must_use]
            #vis const fn summary(self) -> &'static ::core::primitive::str {
                #summaries
            }
        }
    }
}

fn event(Input { target, events }: &Input) -> TokenStream {
    let Target { ident, krate, .. } = target;
    let unit = unit(krate, events);
    let evntbus = evntbus(events);
    let flags = FLAGS.iter().enumerate().map(|(nth, name)| flag(nth, name, events));
    quote! {
        #[automatically_derived]
        impl #krate::event::Event for #ident {
            const ALL: &'static [Self] = Self::ALL;

            #[inline]
            fn code(self) -> ::core::primitive::u16 {
                Self::code(self)
            }

            #[inline]
            fn from_code(code: ::core::primitive::u16) -> ::core::option::Option<Self> {
                Self::from_code(code)
            }

            #[inline]
            fn name(self) -> &'static ::core::primitive::str {
                Self::name(self)
            }

            #[inline]
            fn summary(self) -> &'static ::core::primitive::str {
                Self::summary(self)
            }

            #unit
            #evntbus
            #(#flags)*
        }
    }
}

/// Generates `Display` and `FromStr`.
fn text(Target { ident, krate, .. }: &Target) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(Self::name(*self))
            }
        }

        #[automatically_derived]
        impl ::core::str::FromStr for #ident {
            type Err = #krate::event::UnknownName;

            fn from_str(
                name: &::core::primitive::str,
            ) -> ::core::result::Result<Self, #krate::event::UnknownName> {
                for event in Self::ALL {
                    if Self::name(*event).eq_ignore_ascii_case(name) {
                        return ::core::result::Result::Ok(*event);
                    }
                }
                ::core::result::Result::Err(#krate::event::UnknownName::new())
            }
        }
    }
}

/// Generates `TryFrom<u16>` and the conversion into `u16`.
fn numbers(Target { ident, krate, .. }: &Target) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl ::core::convert::TryFrom<::core::primitive::u16> for #ident {
            type Error = #krate::event::UnknownCode;

            #[inline]
            fn try_from(
                code: ::core::primitive::u16,
            ) -> ::core::result::Result<Self, #krate::event::UnknownCode> {
                Self::from_code(code).ok_or(#krate::event::UnknownCode(code))
            }
        }

        #[automatically_derived]
        impl ::core::convert::From<#ident> for ::core::primitive::u16 {
            #[inline]
            fn from(event: #ident) -> Self {
                #ident::code(event)
            }
        }
    }
}

/// Generates an expression for the text of `self`.
fn texts<'a>(events: &'a [Event], text: impl Fn(&'a Event) -> &'a String) -> TokenStream {
    if events.is_empty() {
        return quote!("");
    }
    let arms = events.iter().map(|event| {
        let variant = &event.variant;
        let text = text(event);
        quote!(Self::#variant => #text,)
    });
    quote!(match self { #(#arms)* })
}

fn unit(krate: &TokenStream, events: &[Event]) -> Option<TokenStream> {
    // The trait has a default for `Occurrences`.
    select(events, |event| event.unit != Unit::Occurrences)?;
    let arms = [
        (Unit::Occurrences, quote!(Occurrences)),
        (Unit::Cycles, quote!(Cycles)),
        (Unit::Beats, quote!(Beats)),
    ]
    .into_iter()
    .filter_map(|(unit, name)| {
        let pattern = select(events, |event| event.unit == unit)?;
        Some(quote!(#pattern => #krate::event::Unit::#name,))
    });
    Some(quote! {
        fn unit(self) -> #krate::event::Unit {
            match self { #(#arms)* }
        }
    })
}

fn evntbus(events: &[Event]) -> Option<TokenStream> {
    select(events, |event| event.evntbus.is_some())?;
    let arms = events.iter().filter_map(|event| {
        let variant = &event.variant;
        let bit = event.evntbus?;
        Some(quote!(Self::#variant => ::core::option::Option::Some(#bit),))
    });
    let rest = select(events, |event| event.evntbus.is_none())
        .map(|_| quote!(_ => ::core::option::Option::None,));
    Some(quote! {
        fn evntbus(self) -> ::core::option::Option<::core::primitive::u16> {
            match self { #(#arms)* #rest }
        }
    })
}

fn flag(nth: usize, name: &str, events: &[Event]) -> Option<TokenStream> {
    let set = select(events, |event| event.flags[nth])?;
    let method = format_ident!("{name}");
    Some(quote! {
        fn #method(self) -> ::core::primitive::bool {
            ::core::matches!(self, #set)
        }
    })
}

/// Generates a pattern for the events that `include` accepts; `None` without such events.
fn select(events: &[Event], include: impl Fn(&Event) -> bool) -> Option<TokenStream> {
    let mut variants =
        events.iter().filter(|event| include(event)).map(|event| &event.variant).peekable();
    variants.peek()?;
    Some(quote!(#(Self::#variants)|*))
}
