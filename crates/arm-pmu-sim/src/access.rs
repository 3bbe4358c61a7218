//! Register accesses: rights of the software, and responses of the interconnect.

/// Whether an access or a transaction is Secure (AxPROT\[1\] LOW) or Non-secure (HIGH).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Security {
    /// From Secure software.
    Secure,
    /// From Non-secure software.
    NonSecure,
}

/// Mode of the software: privileged (AArch64: EL1 and above) or User (AArch64: EL0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Privileged,
    User,
}

/// Access rights of User mode (AArch64: EL0) to a register of a core.
///
/// Privileged software always has access. A refused access is an Undefined Instruction exception (AArch64: a trap).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UserAccess {
    /// Reads and writes while user access is enabled.
    Enabled,
    /// Always readable, never writable.
    Read,
    /// No access, even if user access is enabled.
    Never,
}

/// Response of a device to accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Response {
    /// Accesses reach the registers.
    #[default]
    Registers,
    /// Loads return zero and stores are ignored, without an error, because a firewall blocks the
    /// device, or its register interface is not clocked.
    Zero,
    /// Loads return all bits set and stores are ignored, without an error, because no device is at
    /// this address, and nothing drives the bus.
    Ones,
    /// Accesses fail, because no device is at this address, the device has no power, or a firewall
    /// reports errors. An access to a CP15 register is then an Undefined Instruction exception.
    /// After an error, the bus returns 0 and no longer accesses the device.
    Error,
}

/// Order in which unsynchronized stores to the two pages of a device arrive.
///
/// Stores to one page always arrive in the order of issue. Stores to different pages arrive in
/// order only if the interconnect and the memory type treat both pages as one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PageOrder {
    /// Order of issue, because both pages share one write buffer. A load from either page waits for
    /// all stores.
    #[default]
    Issued,
    /// Each page has its own write buffer, and page 0 is faster. A load waits only for the buffer
    /// of its own page.
    Page0First,
    /// Each page has its own write buffer, and page 1 is faster. A load waits only for the buffer
    /// of its own page.
    Page1First,
}
