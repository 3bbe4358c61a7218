//! Parts of the board other than the core. Edit this file.

/// Address of a CCI-400 through which the core reaches memory; `None` if its requests are not counted.
///
/// On a ZynqMP it is `Some(0xFD6E_0000)`.
pub const INTERCONNECT: Option<usize> = None;

/// Lets the CCI-400 count, if this program has to do that: on a ZynqMP, Secure software writes 0x3 to 0xFD5E_0040.
pub fn prepare() {}

/// Events of the read and write passes at the slave interface of the core: S3 on a ZynqMP.
pub const REQUESTS: [&str; 2] = ["S3:READ_REQUEST_ANY", "S3:WRITE_REQUEST_ANY"];

/// Lines that are read and written: 16 MiB. They have to fit in RAM: see `link.ld`.
pub const LINES: usize = 16 * 1024 * 1024 / crate::LINE;

/// Lines that all caches of the core hold together. The largest of a Cortex-A53 have 64 KiB and 2 MiB.
pub const HELD: usize = (64 + 2 * 1024) * 1024 / crate::LINE;
