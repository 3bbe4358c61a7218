//! Maps registers into this process.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;

use super::error::Error;
use super::place::Place;
use crate::map::{Map, page_size};

/// Maps `length` bytes of registers after all checks.
pub(crate) fn map(place: &Place, length: usize) -> Result<Map, Error> {
    let address = place.address;
    let page = page_size() as u64;
    if address % page != 0 {
        return Err(Error::NotAtPage { address, page });
    }
    place.check(length as u64)?;
    let (file, offset) = match place.uio(length as u64)? {
        // On a UIO device, the offset of `mmap` selects the map, so a mapping always begins at the start of the map.
        Some(map) if map.offset != 0 => return Err(Error::NotMapped { address, code: None }),
        Some(map) => {
            let file = open(&map.device).map_err(|error| Error::file(&map.device, error))?;
            (file, u64::from(map.number) * page)
        }
        None => {
            let file = open(&place.root.join("dev/mem"))
                .map_err(|error| Error::NoDevMem { why: error.to_string() })?;
            (file, address)
        }
    };
    let map = Map::new(Some(&file), offset, length, libc::PROT_READ | libc::PROT_WRITE)
        .map_err(|error| Error::NotMapped { address, code: error.raw_os_error() })?;
    try_first(&map, place)?;
    Ok(map)
}

/// Makes the first read in a child process, because a bus error is a signal that would end this process.
fn try_first(map: &Map, place: &Place) -> Result<(), Error> {
    let first = place.first & !3;
    if first >= map.length() {
        return Err(Error::NotMapped { address: place.address, code: None });
    }
    let address = place.address + first as u64;
    // SAFETY: the child process has one thread. The child only reads mapped registers and calls `_exit`.
    let child = unsafe {
        let child = libc::fork();
        if child == 0 {
            let register = map.base().add(first).cast::<u32>();
            let _value = register.read_volatile();
            libc::_exit(0);
        }
        child
    };
    let failed = |code| Error::NotMapped { address, code };
    if child < 0 {
        return Err(failed(io::Error::last_os_error().raw_os_error()));
    }
    let mut status = 0;
    loop {
        // SAFETY: `status` is a valid place for the status.
        let ended = unsafe { libc::waitpid(child, &mut status, 0) };
        let error = io::Error::last_os_error();
        match ended {
            -1 if error.kind() == io::ErrorKind::Interrupted => {}
            -1 => return Err(failed(error.raw_os_error())),
            _ => break,
        }
    }
    if libc::WIFEXITED(status) { Ok(()) } else { Err(Error::NoAnswer { address }) }
}

/// Opens a file for uncached access: `O_SYNC` selects this for `/dev/mem`.
fn open(path: &std::path::Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).custom_flags(libc::O_SYNC).open(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::made_up::memory;
    use super::*;

    #[test]
    fn unusable_addresses_are_errors() {
        let root = memory(&[0; 0x8000]);
        let refused = |place: Place, length| {
            let place = place.i_may_crash().root(root.path());
            map(&place, length).expect_err("a refusal")
        };
        // A mapping past the end of a file causes SIGBUS, like a bus error.
        let no_answer = refused(Place::new(0x10000), 0x1000);
        assert_eq!(no_answer, Error::NoAnswer { address: 0x10000 });
        let second_page = refused(Place::new(0x7000).first_access(0x1004), 0x2000);
        assert_eq!(second_page, Error::NoAnswer { address: 0x8004 });
        let memory = refused(Place::new(0x4000_0000), 0x1000);
        assert_eq!(memory, Error::Memory { address: 0x4000_0000 });
        let between = refused(Place::new(0x4100), 0x1000);
        assert!(matches!(between, Error::NotAtPage { address: 0x4100, .. }));
        fs::remove_file(root.path().join("dev/mem")).expect("a file");
        let none = refused(Place::new(0x4000), 0x1000).to_string();
        assert!(none.contains("CONFIG_DEVMEM"), "{none}");
    }
}
