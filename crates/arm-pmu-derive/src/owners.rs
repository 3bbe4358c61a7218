//! Values that only one variant may have.

use proc_macro2::Ident;

/// Values and the variants that have them.
///
/// They are few, so a search in a `Vec` is fast enough. A `HashMap` would cost more compile time than it saves.
#[derive(Default)]
pub(crate) struct Owners<T>(Vec<(T, Ident)>);

impl<T: PartialEq> Owners<T> {
    /// Returns the variant that already has `value`; otherwise records `variant`.
    pub(crate) fn other(&mut self, value: T, variant: &Ident) -> Option<&Ident> {
        let owner = self.0.iter().position(|(taken, _)| *taken == value);
        if owner.is_none() {
            self.0.push((value, variant.clone()));
        }
        owner.map(|owner| &self.0[owner].1)
    }
}
