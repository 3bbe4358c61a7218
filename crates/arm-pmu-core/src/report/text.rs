//! How long a text is, and how it is padded, without a heap.

use core::fmt::{self, Write as _};

use crate::count::pad;

/// How many characters it prints as.
pub(super) fn length(text: &dyn fmt::Display) -> usize {
    struct Length(usize);

    impl fmt::Write for Length {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }

    let mut counter = Length(0);
    // It takes everything.
    let _ = write!(counter, "{text}");
    counter.0
}

/// Pads as the formatter wants it; at the right unless told otherwise.
pub(super) fn padded(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    pad(length(&text), f, |f| f.write_fmt(text))
}

/// So many of one character.
pub(super) fn repeat(out: &mut dyn fmt::Write, character: char, times: usize) -> fmt::Result {
    (0..times).try_for_each(|_| out.write_char(character))
}
