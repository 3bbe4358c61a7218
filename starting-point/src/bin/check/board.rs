//! Settings for the board; the core is set elsewhere. Edit this file.

/// Address of a CCI-400 between the core and memory; `None` to skip the interconnect.
///
/// On a ZynqMP, the value is `Some(0xFD6E_0000)`.
pub const INTERCONNECT: Option<usize> = None;

/// Prepares the CCI-400 for counting, if necessary: on a ZynqMP, Secure software writes 0x3 to 0xFD5E_0040.
pub fn prepare() {}

/// Events of the read and write passes at the core's slave interface, which is S3 on a ZynqMP.
pub const REQUESTS: [&str; 2] = ["S3:READ_REQUEST_ANY", "S3:WRITE_REQUEST_ANY"];

/// Number of lines to read and write: 16 MiB, which must fit in the RAM of `link.ld`.
pub const LINES: usize = 16 * 1024 * 1024 / crate::LINE;

/// Number of lines that fit in all caches of the core. A Cortex-A53 has an L1 data cache of at most
/// 64 KiB, and an L2 cache of at most 2 MiB.
pub const HELD: usize = (64 + 2 * 1024) * 1024 / crate::LINE;
