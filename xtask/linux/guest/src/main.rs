//! Counts with `arm-pmu-linux` on a kernel for which plain memory replaces the registers of PMUs,
//! and checks every count.
//!
//! `linux-guest every PMU SELECT,VALUE..` counts every selection of a PMU, in groups as large as
//! the number of counters. Each argument is the address of a counter's event register, and the
//! address of its value. The program `device` simulates the device: it prints the event register and adds to the value.
//!
//! `linux-guest nobody PROGRAM ARGUMENTS..` runs the program as the user `nobody`.
//!
//! `linux-guest CHECK SELECT,VALUE..` makes one of the other checks of this program.

mod core;
mod device;
mod every;
mod mem;
mod reads;
mod refused;
mod runs;

use anyhow::{Result, bail};

use device::Counters;

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [check, rest @ ..] = arguments.as_slice() else { bail!("no check is named") };
    match (check.as_str(), rest) {
        ("every", [pmu, counters @ ..]) => every::every(pmu, &Counters::parse(counters)?),
        ("runs", counters) => runs::runs(&Counters::parse(counters)?),
        ("refused", counters) => refused::refused(&Counters::parse(counters)?),
        ("core", [name]) => core::core(name),
        ("group-reads", []) => reads::group(),
        ("user-reads", []) => reads::user_mode(),
        ("mem", [address]) => mem::mem(address),
        ("one", [pmu]) => refused::one(pmu),
        ("nobody", [program, arguments @ ..]) => refused::as_nobody(program, arguments),
        _ => bail!("there is no check {check}"),
    }
}
