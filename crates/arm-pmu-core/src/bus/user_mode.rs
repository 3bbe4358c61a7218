//! What unprivileged software can do with a register of a core.

use super::space::Operands;

/// What User mode may do with a register of a core's PMU. Privileged modes may do what the register
/// allows, in both security states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserMode {
    /// What privileged modes may do, as long as privileged software enabled that.
    Enabled,
    /// Nothing.
    Never,
    /// Read it, whether that was enabled or not.
    Read,
}

impl UserMode {
    /// Whether an access from User mode is carried out. If not, it is an Undefined Instruction
    /// exception.
    #[must_use]
    pub const fn permits(self, enabled: bool, write: bool) -> bool {
        match self {
            Self::Enabled => enabled,
            Self::Never => false,
            Self::Read => !write,
        }
    }
}

/// One row of the table that says what User mode can do with the registers of a core's PMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RegisterAccess {
    /// The register, as the manual names it.
    pub name: &'static str,
    /// Where it is.
    pub operands: Operands,
    /// What User mode may do with it.
    pub user: UserMode,
}

impl RegisterAccess {
    /// For generated code.
    #[must_use]
    pub const fn new(name: &'static str, operands: Operands, user: UserMode) -> Self {
        Self { name, operands, user }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_permitted() {
        let permitted = |rule: UserMode| {
            [(false, false), (false, true), (true, false), (true, true)]
                .map(|(enabled, write)| rule.permits(enabled, write))
        };
        assert_eq!(permitted(UserMode::Enabled), [false, false, true, true]);
        assert_eq!(permitted(UserMode::Never), [false; 4]);
        assert_eq!(permitted(UserMode::Read), [true, false, true, false]);
    }
}
