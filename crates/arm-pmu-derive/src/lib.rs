#![doc = include_str!("lib.md")]

mod attributes;
mod code;
mod expand;
mod input;
mod owners;
mod problems;
mod suggestion;
mod summary;
mod syntax;
#[cfg(test)]
mod tests;
mod tokens;
mod values;

use proc_macro2::TokenStream;
use quote::quote;

use crate::input::Mistakes;
use crate::syntax::Definition;
use crate::tokens::Tokens;

/// Implements `arm_pmu_core::event::Event` and its supertraits for an enum.
///
/// The derive implements `Display`, `FromStr`, `TryFrom<u16>` and the conversion into `u16`. `Clone`, `Copy`,
/// `Debug`, `PartialEq`, `Eq` and `Hash` must be derived too.
///
/// # The enum
///
/// The enum must have at least one variant, and no generics. A variant must have no fields, and its code must
/// be a unique integer literal. The first paragraph of a variant's doc comment is the summary of the event,
/// in printable ASCII.
///
/// The derive also adds the items `ALL`, `code`, `from_code`, `name` and `summary` to the enum, with its
/// visibility. These items are equal to the items of the trait, but can be used in constants, and without importing the
/// trait.
///
/// # `#[event(..)]` on the enum
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `bits = 5` | width of a code, 1 to 16: a code that does not fit is an error | 16 |
/// | `crate = path` | path of the module `event` and the macro `event_items` of `arm-pmu-core` | `::arm_pmu_core` |
///
/// # `#[event(..)]` on a variant
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `name = "READ_DATA_BEAT"` | the manual's name: capitals, digits and `_`; occurs once | required |
/// | `unit = beats` | unit of the count: `occurrences`, `cycles` or `beats` | `occurrences` |
/// | `evntbus = 8` | the bit that the event drives on EVNTBUS; occurs once | none |
/// | `secure_exempt` | counted in every security state | no |
/// | `ace_only` | happens on ACE interfaces only | no |
/// | `never_fires` | has a code, but is never signalled | no |
/// | `filterable` | obeys a StreamID filter | no |
/// | `secure_only` | counted only while Secure observation is enabled | no |
/// | `architectural` | has the same code in every implementation | no |
#[proc_macro_derive(Event, attributes(event))]
pub fn derive_event(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(item.into()).into()
}

fn derive(item: TokenStream) -> TokenStream {
    let Some(item) = Definition::parse(Tokens::new(item)) else {
        // The compiler passes only items, so this code is unreachable.
        return quote!(::core::compile_error! { "expected an item" });
    };
    match input::parse(item) {
        Ok(input) => expand::expand(&input),
        Err(Mistakes { errors, target }) => {
            // A stub implementation of the trait avoids further errors wherever the enum is used.
            let stub = target.map(expand::stub);
            quote!(#errors #stub)
        }
    }
}
