//! Register accesses: their origin, their record, and the answers of the interconnect.

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
    /// A register was written. The entry is made when the store is issued, possibly before it takes
    /// effect.
    Store {
        /// Offset in bytes.
        offset: usize,
        /// The value written, whether or not it took effect.
        value: u32,
    },
    /// Software waited until its earlier accesses had reached the device.
    Synchronize,
}

/// Response to the accesses that arrive at a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Response {
    /// They reach the registers.
    #[default]
    Registers,
    /// Loads give zero, and stores are ignored, without an error: a firewall in front of the device
    /// lets nothing through, or its register interface is not clocked.
    Zero,
    /// Loads give ones, and stores are ignored, without an error: nothing is at this address, and
    /// the bus is not driven.
    Ones,
    /// They fail: nothing is at this address, the device has no power, or a firewall reports
    /// errors. With CP15 registers, each access is an Undefined Instruction exception. After an
    /// error, a bus answers 0 and no longer reaches the device.
    Error,
}

/// Order of arrival of unsynchronized stores to the two pages of a device.
///
/// Stores to one page always arrive in the order of issue. Stores to different pages do so only if
/// the interconnect and the memory type treat both pages as one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PageOrder {
    /// The order of issue: both pages share one write buffer, and a load of either page waits for
    /// both.
    #[default]
    Issued,
    /// Each page has its own write buffer, and page 0 is faster. A load waits only for the buffer
    /// of its page.
    Page0First,
    /// Each page has its own write buffer, and page 1 is faster. A load waits only for the buffer
    /// of its page.
    Page1First,
}
