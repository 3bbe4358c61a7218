//! Errors that occur when registers are mapped.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::errors::errors;

errors! {
    /// Reason why registers cannot be mapped.
    Error {
        /// The address is not a multiple of the page size.
        NotAtPage {
            /// The address.
            address: u64,
            /// Page size of the processor.
            page: u64,
        } => format!("{address:#x} is not a multiple of {page:#x}, the size of a page"),
        /// The address is in system memory.
        Memory {
            /// The address.
            address: u64,
        } => format!("{address:#x} is memory of the system, not registers; check the address"),
        /// A kernel driver uses the registers.
        Driver {
            /// Address in the registers.
            address: u64,
            /// Name of the device, or its name in `/proc/iomem`.
            device: String,
        } => format!(
            "the kernel's driver of {device} has the registers at {address:#x}; count with the kernel (`perf`, \
             `arm-pmu stat`), or unbind the driver"
        ),
        /// A kernel file cannot be read, or hides its contents.
        File {
            /// Path of the file.
            path: PathBuf,
            /// Reason for the failure.
            why: String,
        } => format!("{}: {why}", path.display()),
        /// An access can stop the machine, and the caller has not accepted this risk.
        MayCrash {
            /// The address.
            address: u64,
        } => format!(
            "an access to {address:#x} can stop the whole machine if no device answers there; the caller has to \
             accept this risk (i_may_crash)"
        ),
        /// The kernel has no `/dev/mem`, or denies access to the file.
        NoDevMem {
            /// Reason for the failure.
            why: String,
        } => format!(
            "/dev/mem cannot be opened: {why}; it needs root with CAP_SYS_RAWIO, CONFIG_DEVMEM in the kernel, and \
             no lockdown"
        ),
        /// The kernel does not map the address.
        NotMapped {
            /// The address.
            address: u64,
            /// Error number that the system returned.
            code: Option<i32>,
        } => match code {
            // EPERM.
            Some(1) => format!(
                "the kernel does not map {address:#x}: CONFIG_STRICT_DEVMEM forbids memory, and \
                 CONFIG_IO_STRICT_DEVMEM forbids registers of drivers (unless the kernel was \
                 started with iomem=relaxed)"
            ),
            Some(code) => {
                format!("the kernel does not map {address:#x}: {}", io::Error::from_raw_os_error(*code))
            }
            None => format!("the kernel does not map {address:#x}"),
        },
        /// The first access failed: no device responds, or a firewall rejects the access.
        NoAnswer {
            /// The address.
            address: u64,
        } => format!(
            "the first read at {address:#x} was a bus error: nothing answers there, its clock or power is off, or \
             a firewall refuses this processor"
        ),
    }
}

impl Error {
    pub(crate) fn file(path: &std::path::Path, why: impl fmt::Display) -> Self {
        Self::File { path: path.to_owned(), why: why.to_string() }
    }
}
