//! Length and padding of texts, without a heap.

use core::fmt::{self, Write as _};

use crate::count::pad;

/// Returns the number of characters that a value prints.
#[inline]
pub(super) fn length(text: &dyn fmt::Display) -> usize {
    struct Length(usize);

    impl fmt::Write for Length {
        #[inline]
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }

    let mut counter = Length(0);
    // Writing to the counter never fails.
    let _ = write!(counter, "{text}");
    counter.0
}

/// Writes a text padded as the formatter requests, aligned to the right by default.
#[inline]
pub(super) fn padded(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    pad(length(&text), f, |f| f.write_fmt(text))
}

/// Writes a character `times` times.
#[inline]
pub(super) fn repeat(out: &mut dyn fmt::Write, character: char, times: usize) -> fmt::Result {
    (0..times).try_for_each(|_| out.write_char(character))
}
