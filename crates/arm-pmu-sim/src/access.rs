//! Register accesses: who makes them, what they were, and how the interconnect answers.

/// Whether an access or a transaction is Secure (AxPROT\[1\] LOW) or Non-secure (HIGH).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Security {
    /// From Secure software.
    Secure,
    /// From Non-secure software.
    NonSecure,
}

/// One entry of a device's journal: what software did, in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A register was read.
    Load {
        /// Offset in bytes.
        offset: usize,
        /// The answer; 0 if the access failed.
        value: u32,
    },
    /// A register was written; entered when issued, which may be before it takes effect.
    Store {
        /// Offset in bytes.
        offset: usize,
        /// What was written, whatever became of it.
        value: u32,
    },
    /// Software waited until its earlier accesses had reached the device.
    Synchronize,
}

/// What becomes of the accesses that arrive at a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Response {
    /// They reach the registers.
    #[default]
    Registers,
    /// Loads give zero, and stores are ignored, without an error: a firewall in front of the device
    /// lets nothing through, or its register interface is not clocked.
    Zero,
    /// Loads give ones, and stores are ignored, without an error: nothing is at this address, and nobody
    /// drives the bus.
    Ones,
    /// They fail: nothing is at this address, the device has no power, or a firewall reports
    /// errors; with CP15 registers, each access is an undefined instruction. A bus that met an error
    /// answers 0 from then on and never reaches the device again.
    Error,
}

/// In which order stores to the two pages of one device arrive, as long as nobody synchronizes.
///
/// Stores to one page always arrive in the order in which they were issued. To different pages that
/// holds only if the interconnect and the memory type take both for one peripheral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PageOrder {
    /// As they were issued: both pages have one write buffer, and a load of either page waits for
    /// both.
    #[default]
    Issued,
    /// Each page has its own write buffer, for which only loads of the same page wait; page 0 is
    /// faster.
    Page0First,
    /// As before, but page 1 is faster.
    Page1First,
}
