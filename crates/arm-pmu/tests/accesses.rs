//! Compares every register access of every driver, in order, with stored text.
//!
//! `tests/accesses` has one file for each PMU. If two PMUs make the same accesses with other values, the file of the
//! second has only the lines that differ.
//!
//! `ACCESSES=overwrite cargo test -p arm-pmu --test accesses` stores the current accesses.
#![cfg(feature = "default")]

#[path = "support/device_sequences.rs"]
mod device_sequences;
#[path = "support/devices.rs"]
mod devices;

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::{env, fs};

use arm_pmu::bus::SystemRegister;
use arm_pmu::count::Count;
use arm_pmu::diagnose::Diagnose;
use arm_pmu::measure::{Monitor, Rearm, RunningMonitor, StartStop};
use arm_pmu_sim::{
    Access, Arm11, ArmPmuv3, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53,
    CortexA55, CortexA72, Cp15Access, Cp15Register, L2c310, Mmu600, Mmu700, Register, SysregAccess,
    SysregRegister,
};
use devices::Device;

/// A device that returns the accesses since the last call.
trait Journal {
    fn take(&self) -> Vec<String>;
}

/// Devices with memory-mapped registers, and their maps.
macro_rules! memory_mapped {
    ($($device:ident: $map:expr),* $(,)?) => { $(
        impl Journal for $device {
            fn take(&self) -> Vec<String> {
                let journal = self.journal();
                self.clear_journal();
                journal.into_iter().map(|access| memory($map, access)).collect()
            }
        }
    )* };
}
memory_mapped!(
    Cci400: Self::REGISTERS,
    Cci500: Self::REGISTERS,
    Cci550: Self::REGISTERS,
    L2c310: Self::REGISTERS,
    Mmu600: Self::TCU_REGISTERS,
    Mmu700: Self::TCU_REGISTERS,
);

/// Devices with CP15 registers, and their maps.
macro_rules! cp15 {
    ($($device:ident: $map:expr),* $(,)?) => { $(
        impl Journal for $device {
            fn take(&self) -> Vec<String> {
                let journal = self.journal();
                self.clear_journal();
                journal.into_iter().map(|access| coprocessor($map, access)).collect()
            }
        }
    )* };
}
cp15!(Arm11: Self::ARM1176_REGISTERS, CortexA7: Self::REGISTERS, CortexA8: Self::REGISTERS, CortexA9: Self::REGISTERS);

/// Devices with system registers, and their maps.
macro_rules! sysreg {
    ($($device:ident),* $(,)?) => { $(
        impl Journal for $device {
            fn take(&self) -> Vec<String> {
                let journal = self.journal();
                self.clear_journal();
                let map = [Self::REGISTERS, Self::CONTROLS].concat();
                journal.into_iter().map(|access| system(&map, access)).collect()
            }
        }
    )* };
}
sysreg!(ArmPmuv3, CortexA53, CortexA55, CortexA72);

fn system(map: &[SysregRegister], access: SysregAccess) -> String {
    let name = |register: SystemRegister| {
        let element = |count: usize, first: SystemRegister| {
            (0..count).find(|element| first.plus(*element) == register)
        };
        let mut rows = map.iter();
        let (row, index) = rows
            .find_map(|row| Some((row, element(row.count, row.register)?)))
            .unwrap_or_else(|| panic!("no register at {register:?}"));
        if row.count == 1 { row.name.to_owned() } else { format!("{}[{index}]", row.name) }
    };
    match access {
        SysregAccess::Load { register, value } => format!("read  {} = {value:#x}", name(register)),
        SysregAccess::Store { register, value } => format!("write {} = {value:#x}", name(register)),
        SysregAccess::Synchronize => "barrier".to_owned(),
    }
}

fn memory(map: &[Register], access: Access) -> String {
    let name = |offset: usize| {
        let here = |row: &&Register| (0..row.count).any(|index| row.element(index) == offset);
        let row = map.iter().find(here).unwrap_or_else(|| panic!("no register at {offset:#x}"));
        let index = (0..row.count).find(|index| row.element(*index) == offset).unwrap_or(0);
        if row.count == 1 { row.name.to_owned() } else { format!("{}[{index}]", row.name) }
    };
    match access {
        Access::Load { offset, value } => format!("read  {} = {value:#x}", name(offset)),
        Access::Store { offset, value } => format!("write {} = {value:#x}", name(offset)),
        Access::Synchronize => "barrier".to_owned(),
    }
}

fn coprocessor(map: &[Cp15Register], access: Cp15Access) -> String {
    let name = |operands| {
        let row = map.iter().find(|row| row.operands == operands);
        row.unwrap_or_else(|| panic!("no register at {operands:?}")).name
    };
    match access {
        Cp15Access::Load { operands, value } => format!("read  {} = {value:#x}", name(operands)),
        Cp15Access::Store { operands, value } => format!("write {} = {value:#x}", name(operands)),
        Cp15Access::Synchronize => "barrier".to_owned(),
    }
}

/// Calls every method of a driver, and writes down the accesses of each step.
fn all_steps<'d, D: Device + Journal>(device: &'d D) -> String
where
    D::Pmu<'d>: Diagnose,
    <D::Pmu<'d> as StartStop>::Running: Rearm,
{
    let mut text = String::new();
    let mut step = |title: &str| {
        writeln!(text, "# {title}").unwrap();
        for line in device.take() {
            writeln!(text, "{line}").unwrap();
        }
        text.push('\n');
    };
    let all = D::selections();
    let mut pmu = device.pmu();
    step("take over");
    pmu.assign(&all[..1]).unwrap();
    let running = pmu.start();
    step("start: one event");
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    step("stop");
    let mut what = vec![all[0], all[1]];
    what.extend(<D::Pmu<'_> as Monitor>::CLOCK);
    pmu.assign(&what).unwrap();
    let mut running = pmu.start();
    step("start: two events, and the cycles where there is a counter for them");
    device.signal(0, 5);
    device.signal(1, 7);
    device.cycles(640);
    let mut counts = [Count::NOT_COUNTED; 5];
    running.read(&mut counts);
    step("read");
    running.read_at_once(&mut counts);
    step("read at once");
    running.take_overflows();
    step("acknowledge: no overflow");
    running.rearm(0, NonZeroU32::new(1_000).unwrap());
    step("rearm counter 0");
    device.signal(0, 1_001);
    running.take_overflows();
    step("acknowledge: counter 0 overflowed");
    device.signal(1, u32::MAX);
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    step("stop: counter 1 overflowed");
    let _ = [0, 1, 2].map(|nth| pmu.count(nth));
    step("counts");
    pmu.run(|| ());
    step("run: nothing happens");
    let happens = || {
        device.signal(0, 5);
        device.cycles(640);
    };
    let found_nothing = pmu.diagnose_with(Some(all[0]), happens).found_nothing();
    step(&format!("diagnose with an expected event: nothing is wrong: {found_nothing}"));
    let found_nothing = pmu.diagnose_with(None, || ()).found_nothing();
    step(&format!("diagnose: nothing happens: nothing is wrong: {found_nothing}"));
    text
}

/// The path of a stored file.
fn path(name: &str) -> String {
    format!("{}/tests/accesses/{name}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// The stored accesses of a PMU.
fn stored(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}.txt: {error}"))
}

fn accesses<'d, D: Device + Journal>(name: &str, device: &'d D)
where
    D::Pmu<'d>: Diagnose,
    <D::Pmu<'d> as StartStop>::Running: Rearm,
{
    let now = all_steps(device);
    if is_overwritten() {
        return fs::write(path(name), now).unwrap();
    }
    compare(name, &now, &stored(name));
}

/// As [`accesses`], of a PMU whose accesses are in the order of those of another one: its file has the lines with other
/// values, each with its number.
fn other_values<'d, D: Device + Journal>(name: &str, base: &str, device: &'d D)
where
    D::Pmu<'d>: Diagnose,
    <D::Pmu<'d> as StartStop>::Running: Rearm,
{
    let (now, base) = (all_steps(device), stored(base));
    if is_overwritten() {
        let pairs = now.lines().zip(base.lines()).enumerate();
        let other = pairs.filter(|(_, (now, base))| now != base);
        let lines = other.map(|(at, (now, _))| format!("{}: {now}\n", at + 1));
        return fs::write(path(name), lines.collect::<String>()).unwrap();
    }
    let mut expected: Vec<_> = base.lines().map(str::to_owned).collect();
    for line in stored(name).lines() {
        let (number, line) = line.split_once(": ").expect("a number");
        line.clone_into(&mut expected[number.parse::<usize>().unwrap() - 1]);
    }
    compare(name, &now, &(expected.join("\n") + "\n"));
}

fn is_overwritten() -> bool {
    env::var_os("ACCESSES").is_some_and(|value| value == "overwrite")
}

fn compare(name: &str, now: &str, stored: &str) {
    for (number, (now, stored)) in now.lines().zip(stored.lines()).enumerate() {
        assert_eq!(now, stored, "{name}: access in line {}", number + 1);
    }
    assert_eq!(now.lines().count(), stored.lines().count(), "{name}: number of lines");
}

#[test]
fn accesses_are_as_stored() {
    accesses("arm-pmuv3", &<ArmPmuv3 as Device>::new());
    accesses("arm11", &<Arm11 as Device>::new());
    accesses("cci400", &<Cci400 as Device>::new());
    accesses("cci500", &<Cci500 as Device>::new());
    other_values("cci550", "cci500", &<Cci550 as Device>::new());
    accesses("cortex-a53", &<CortexA53 as Device>::new());
    other_values("cortex-a55", "cortex-a53", &<CortexA55 as Device>::new());
    other_values("cortex-a72", "cortex-a53", &<CortexA72 as Device>::new());
    accesses("cortex-a7", &<CortexA7 as Device>::new());
    accesses("cortex-a8", &<CortexA8 as Device>::new());
    accesses("cortex-a9", &<CortexA9 as Device>::new());
    accesses("l2c-310", &<L2c310 as Device>::new());
    accesses("mmu600-tcu", &<Mmu600 as Device>::new());
    accesses("mmu700-tcu", &<Mmu700 as Device>::new());
}
