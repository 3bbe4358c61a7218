//! Access to a register.

use crate::bus::RegisterSpec;

/// A register that software can read.
#[diagnostic::on_unimplemented(message = "the register of `{Self}` cannot be read")]
pub trait Readable: RegisterSpec {}

/// A register that software can write.
#[diagnostic::on_unimplemented(message = "the register of `{Self}` cannot be written")]
pub trait Writable: RegisterSpec {}
