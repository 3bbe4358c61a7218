//! Memory that is mapped into this process.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

/// A mapping, unmapped on drop.
#[derive(Debug)]
pub(crate) struct Map {
    base: NonNull<u8>,
    length: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread.
unsafe impl Send for Map {}
// SAFETY: the methods of `&Map` only return the address and the length.
unsafe impl Sync for Map {}

impl Map {
    /// Maps a file from this offset, or new memory of this process. `access` has bits of `PROT_READ` and `PROT_WRITE`.
    pub(crate) fn new(
        file: Option<&File>,
        offset: u64,
        length: usize,
        access: libc::c_int,
    ) -> io::Result<Self> {
        let (kind, file) = match file {
            Some(file) => (libc::MAP_SHARED, file.as_raw_fd()),
            None => (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1),
        };
        let offset = libc::off64_t::try_from(offset).map_err(|_| ErrorKind::InvalidInput)?;
        // SAFETY: this creates a mapping at an address that the kernel chooses; memory of this process does not change.
        let base =
            unsafe { libc::mmap64(std::ptr::null_mut(), length, access, kind, file, offset) };
        match NonNull::new(base.cast()) {
            Some(start) if base != libc::MAP_FAILED => Ok(Self { base: start, length }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub(crate) fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }

    pub(crate) fn length(&self) -> usize {
        self.length
    }
}

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: `new` mapped this address with this length, and the owner no longer uses the mapping.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.length) };
    }
}

pub(crate) fn page_size() -> usize {
    // SAFETY: `sysconf` returns a number and accesses no memory.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}
