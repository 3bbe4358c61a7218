//! Which variant has a value that only one may have.

use proc_macro2::Ident;

/// Values and the variants that have them. They are few enough to look through: a `HashMap` takes
/// longer to build than it would save.
#[derive(Default)]
pub(crate) struct Owners<T>(Vec<(T, Ident)>);

impl<T: PartialEq> Owners<T> {
    /// The variant that has `value` already. If there is none, it is `variant` from now on.
    pub(crate) fn other(&mut self, value: T, variant: &Ident) -> Option<&Ident> {
        let owner = self.0.iter().position(|(taken, _)| *taken == value);
        if owner.is_none() {
            self.0.push((value, variant.clone()));
        }
        owner.map(|owner| &self.0[owner].1)
    }
}
