//! Accesses registers through `/dev/mem`. No kernel driver uses these registers.
#![allow(unsafe_code)]

use anyhow::Result;
use arm_pmu_linux::mem::{Place, Registers};
use cci400::{Pmu, Space};

/// Tries each kind of address, and identifies the device at the given address.
pub fn mem(address: &str) -> Result<()> {
    let address = u64::from_str_radix(address, 16)?;
    for (what, place) in [
        ("memory", Place::new(0x4000_0000).i_may_crash()),
        ("registers with a driver", Place::new(0x5F09_9000).i_may_crash()),
        ("its control page", Place::new(0x5F09_0000).i_may_crash()),
        ("not accepted", Place::new(address)),
        ("no CCI-400", Place::new(0x5F80_0000).i_may_crash()),
        ("a CCI-400", Place::new(address).i_may_crash()),
    ] {
        println!("{what}: {}", identify(&place));
    }
    Ok(())
}

fn identify(place: &Place) -> String {
    // SAFETY: memory of the bench, which only this program and `device` use.
    let registers = match unsafe { Registers::<Space>::open(place) } {
        Ok(registers) => registers,
        Err(error) => return error.to_string(),
    };
    match Pmu::probe(registers) {
        Ok(_) => "found".to_owned(),
        Err(error) => error.to_string(),
    }
}
