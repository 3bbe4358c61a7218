//! How long a text is, and how it is padded, without a heap.

use core::fmt::{self, Write as _};

/// How many characters it prints as.
pub(super) fn length(text: &dyn fmt::Display) -> usize {
    struct Counting(usize);

    impl fmt::Write for Counting {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }

    let mut counting = Counting(0);
    // It takes everything.
    let _ = write!(counting, "{text}");
    counting.0
}

/// Pads as the formatter wants it; at the right unless told otherwise.
pub(super) fn padded(f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>) -> fmt::Result {
    let missing = f.width().unwrap_or(0).saturating_sub(length(&text));
    let left = match f.align() {
        Some(fmt::Alignment::Left) => 0,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Right) | None => missing,
    };
    let fill = f.fill();
    (0..left).try_for_each(|_| f.write_char(fill))?;
    f.write_fmt(text)?;
    (left..missing).try_for_each(|_| f.write_char(fill))
}

/// So many of one character.
pub(super) fn repeat(out: &mut dyn fmt::Write, character: char, times: usize) -> fmt::Result {
    (0..times).try_for_each(|_| out.write_char(character))
}
