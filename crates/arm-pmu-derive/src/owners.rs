//! Finds values that more than one variant has.

use proc_macro2::Ident;

/// Values and their variants.
///
/// For few values, a search in a `Vec` is fast. A `HashMap` would cost more compile time than it saves.
#[derive(Default)]
pub(crate) struct Owners<T>(Vec<(T, Ident)>);

impl<T: PartialEq> Owners<T> {
    /// Returns the variant that already has `value`; if there is none, records `variant`.
    pub(crate) fn other(&mut self, value: T, variant: &Ident) -> Option<&Ident> {
        let owner = self.0.iter().position(|(taken, _)| *taken == value);
        if owner.is_none() {
            self.0.push((value, variant.clone()));
        }
        owner.map(|owner| &self.0[owner].1)
    }
}
