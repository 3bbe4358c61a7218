//! Lines of text by semihosting.

use core::fmt::{self, Write};

use crate::semihosting;

/// Prints one line.
pub fn print_line(text: fmt::Arguments<'_>) {
    // The console accepts all text. An error is one of formatting; the rest of the text is then missing.
    let _ = writeln!(Console::new(), "{text}");
}

/// Takes text, and hands it on at the end of a line: each call of the semihosting interface stops the
/// machine.
#[derive(Debug)]
pub struct Console {
    /// Zeros after the text, so that it ends in one.
    buffer: [u8; 128],
    used: usize,
}

impl Console {
    /// No text so far.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "nobody needs one by default")]
    pub const fn new() -> Self {
        Self { buffer: [0; 128], used: 0 }
    }

    fn flush(&mut self) {
        if let Ok(text) = core::ffi::CStr::from_bytes_until_nul(&self.buffer) {
            semihosting::write(text);
        }
        self.buffer.fill(0);
        self.used = 0;
    }
}

impl Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if self.used + 1 == self.buffer.len() {
                self.flush();
            }
            // A zero would end the text.
            self.buffer[self.used] = if byte == 0 { b'?' } else { byte };
            self.used += 1;
            if byte == b'\n' {
                self.flush();
            }
        }
        Ok(())
    }
}
