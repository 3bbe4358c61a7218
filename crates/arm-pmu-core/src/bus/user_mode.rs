//! Access of unprivileged software to PMU registers.

use super::space::Operands;

/// Access of User mode to a PMU register of a core.
///
/// Privileged modes have the access that the register allows, in both security states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserMode {
    /// Once privileged software has enabled user access, User mode has the same access as
    /// privileged modes.
    Enabled,
    /// No access.
    Never,
    /// Read access only, whether or not user access is enabled.
    Read,
}

impl UserMode {
    /// Returns whether an access from User mode is permitted.
    ///
    /// `enabled` is true if user access is enabled. `write` is true for a write, and false for a read. An access that
    /// is not permitted causes an Undefined Instruction exception.
    #[must_use]
    pub const fn permits(self, enabled: bool, write: bool) -> bool {
        match self {
            Self::Enabled => enabled,
            Self::Never => false,
            Self::Read => !write,
        }
    }
}

/// A row of a table that shows which PMU registers User mode can access.
///
/// `K` is the type that identifies a register: [`Operands`], or
/// [`SystemRegister`](crate::bus::SystemRegister), for which User mode means EL0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RegisterAccess<K = Operands> {
    /// Register name in the manual.
    pub name: &'static str,
    /// Operands of the register.
    pub operands: K,
    /// Access of User mode.
    pub user: UserMode,
}

impl<K: Copy> RegisterAccess<K> {
    /// Creates a row, for generated code.
    #[must_use]
    pub const fn new(name: &'static str, operands: K, user: UserMode) -> Self {
        Self { name, operands, user }
    }
}
