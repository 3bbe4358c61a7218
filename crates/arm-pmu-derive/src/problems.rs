//! The mistakes found so far.

use core::fmt::Display;

use quote::ToTokens;

/// Collects mistakes, so that all of them can be reported together.
#[derive(Default)]
pub(crate) struct Problems(Option<syn::Error>);

impl Problems {
    /// Adds one mistake, underlining `place`.
    pub(crate) fn add(&mut self, place: impl ToTokens, message: impl Display) {
        let error = syn::Error::new_spanned(place, message);
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.0
    }
}
