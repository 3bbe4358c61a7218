//! Register accesses: security state, journal entries, and responses of the interconnect.

/// Whether an access or a transaction is Secure (AxPROT\[1\] LOW) or Non-secure (HIGH).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Security {
    /// From Secure software.
    Secure,
    /// From Non-secure software.
    NonSecure,
}

/// One entry of a device's journal, which lists the accesses in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A register was read.
    Load {
        /// Offset in bytes.
        offset: usize,
        /// The value read; 0 if the access failed.
        value: u32,
    },
    /// A register was written. The entry is added when the store is issued, possibly before it
    /// takes effect.
    Store {
        /// Offset in bytes.
        offset: usize,
        /// Value written, whether or not it took effect.
        value: u32,
    },
    /// Software waited until its earlier accesses had reached the device.
    Synchronize,
}

/// Response to the accesses to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Response {
    /// Accesses reach the registers.
    #[default]
    Registers,
    /// Loads return zero and stores are ignored, without an error: a firewall blocks the device, or
    /// its register interface is not clocked.
    Zero,
    /// Loads return ones and stores are ignored, without an error: no device is at this address,
    /// and the bus is not driven.
    Ones,
    /// Accesses fail: no device is at this address, the device has no power, or a firewall reports
    /// errors. An access to a CP15 register is then an Undefined Instruction exception. After an
    /// error, the bus returns 0 and no longer accesses the device.
    Error,
}

/// Order of arrival of unsynchronized stores to the two pages of a device.
///
/// Stores to one page always arrive in the order of issue. Stores to different pages arrive in
/// order only if the interconnect and the memory type treat both pages as one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PageOrder {
    /// Order of issue: both pages share one write buffer, and a load from either page waits for all
    /// stores.
    #[default]
    Issued,
    /// Each page has its own write buffer, and page 0 is faster. A load waits only for the buffer
    /// of its own page.
    Page0First,
    /// Each page has its own write buffer, and page 1 is faster. A load waits only for the buffer
    /// of its own page.
    Page1First,
}
