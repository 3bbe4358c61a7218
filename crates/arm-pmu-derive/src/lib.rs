#![doc = include_str!("../README.md")]

mod attributes;
mod code;
mod expand;
#[cfg(test)]
mod fuzz;
mod input;
mod owners;
mod problems;
mod suggestion;
mod summary;
mod syntax;
mod values;

#[cfg(test)]
mod stored_messages;

use proc_macro2::TokenStream;
use quote::quote;

use crate::input::Mistakes;

/// Implements `arm_pmu_core::event::Event` for an enum, and what it asks for: `Display`, `FromStr`,
/// `TryFrom<u16>`, and `From` into `u16`.
///
/// `Clone`, `Copy`, `Debug`, `PartialEq`, `Eq` and `Hash` are derived beside it.
///
/// # The enum
///
/// It has no generics and at least one variant; a variant has no fields. The code of every event is
/// written out as an integer literal and occurs once. The first paragraph of its doc comment, in
/// printable ASCII, is its summary.
///
/// The enum gets `ALL`, `code`, `from_code`, `name` and `summary`, as visible as itself. They are
/// the items of the trait of the same names, but can be used in constants, and without the trait in
/// scope.
///
/// # `#[event(..)]` on the enum
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `bits = 5` | width of a code, 1 to 16: a code that does not fit is refused | 16 |
/// | `crate = path` | where to find the module `event` of `arm-pmu-core`, and its macro `event_formats` | `::arm_pmu_core` |
///
/// # `#[event(..)]` on a variant
///
/// | attribute | meaning | default |
/// |---|---|---|
/// | `name = "READ_DATA_BEAT"` | the manual's name: capitals, digits and `_`; occurs once | required |
/// | `unit = beats` | what one count stands for: `occurrences`, `cycles` or `beats` | `occurrences` |
/// | `evntbus = 8` | the bit that the event drives on EVNTBUS; occurs once | drives none |
/// | `secure_exempt` | counted whatever the security state | no |
/// | `ace_only` | happens on ACE interfaces only | no |
/// | `never_fires` | has a code, but is never signalled | no |
/// | `filterable` | obeys a StreamID filter | no |
/// | `secure_only` | counted only while Secure observation is on | no |
/// | `architectural` | has the same code in every implementation | no |
#[proc_macro_derive(Event, attributes(event))]
pub fn derive_event(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(item.into()).into()
}

fn derive(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        // The compiler gives a derive nothing but items.
        Err(error) => return error.into_compile_error(),
    };
    match input::parse(item) {
        Ok(input) => expand::expand(&input),
        Err(Mistakes { errors, target }) => {
            // The trait without contents, so that the mistakes are not buried under complaints from
            // all places that use the enum.
            let stub = target.map(expand::stub);
            quote!(#errors #stub)
        }
    }
}
