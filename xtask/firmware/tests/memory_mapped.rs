//! The stores that the memory-mapped drivers make on a host, which those on AArch64 are compared with.
#![cfg(not(target_os = "none"))]

use std::fmt::Write as _;
use std::path::Path;

use firmware::Checks;
use firmware::memory_mapped::{self, DRIVERS};
use firmware::ram::Block;

static BLOCK: Block = Block::new();

#[test]
fn the_stores_are_those_on_file() {
    for driver in DRIVERS {
        #[allow(unsafe_code)]
        // SAFETY: this is the only test of this program.
        let log = unsafe { driver.stores(&BLOCK) };
        let mut text = String::new();
        for store in (0..).map_while(|number| log.get(number)) {
            writeln!(text, "{store}").expect("memory");
        }
        if std::env::var_os("UPDATE_STORES").is_some() {
            let file = format!("stores/{}.txt", driver.name);
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            std::fs::write(path, &text).expect("to write the file");
            continue;
        }
        assert_eq!(text, driver.stored, "{}: `UPDATE_STORES=1` takes it over", driver.name);
    }
    if std::env::var_os("UPDATE_STORES").is_none() {
        let mut checks = Checks::new();
        #[allow(unsafe_code)]
        // SAFETY: as above.
        unsafe {
            memory_mapped::all(&BLOCK, &mut checks);
        }
        assert_eq!(checks.end(), 0);
    }
}
