//! Compares every register access of every driver, in order, with stored text.
//!
//! `tests/accesses` has a file for a PMU of each kind, and for each PMU that is accessed in another way. An empty
//! file adds a PMU.
//!
//! `cargo xtask store arm-pmu` stores the current accesses.
#![cfg(feature = "default")]

#[path = "support/device_sequences.rs"]
mod device_sequences;
#[path = "support/devices.rs"]
mod devices;

use std::fmt::Write as _;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::{env, fs};

use arm_pmu::bus::SystemRegister;
use arm_pmu::count::Count;
use arm_pmu::diagnose::Diagnose as _;
use arm_pmu::measure::{Monitor, Rearm as _, RunningMonitor, StartStop};
use arm_pmu_sim::{Access, Cp15Access, Cp15Register, Register, SysregAccess, SysregRegister};
use devices::Device;

/// A device that returns the accesses since the last call.
trait Journal: Device {
    fn take(&self) -> Vec<String>;
}

/// An access as text, with the register of the map that it reaches.
macro_rules! text {
    (system $Device:ident $registers:ident) => {{
        let map = [arm_pmu_sim::$Device::$registers, arm_pmu_sim::$Device::CONTROLS].concat();
        move |access| system(&map, access)
    }};
    (cp15 $Device:ident $registers:ident) => {
        |access| coprocessor(arm_pmu_sim::$Device::$registers, access)
    };
    ($memory:ident $Device:ident $registers:ident) => {
        |access| memory(arm_pmu_sim::$Device::$registers, access)
    };
}

macro_rules! journals {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, $($rest:tt)*
    })*) => { $(
        impl Journal for devices::$pmu::Simulated {
            fn take(&self) -> Vec<String> {
                let device = self.simulated();
                let journal = device.journal();
                device.clear_journal();
                journal.into_iter().map(text!($place $Device $registers)).collect()
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(journals);

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
fn all_steps<D: Journal>(device: &D) -> String {
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

/// A line without the value of a read.
fn without_value(line: &str) -> &str {
    match line.split_once(" = ") {
        Some((access, _)) if line.starts_with("read ") => access,
        _ => line,
    }
}

/// A PMU whose accesses are stored.
struct Stored {
    name: &'static str,
    /// Drivers of one kind and number of counters are the same code.
    kind: (&'static str, usize),
    steps: fn() -> String,
}

fn kind<D: Device>() -> (&'static str, usize) {
    (D::KIND, <D::Pmu<'_> as Monitor>::COUNTERS)
}

fn file(pmu: &str) -> PathBuf {
    Path::new(STORED).join(pmu.replace(':', "-")).with_extension("txt")
}

/// The steps on a device whose unknown bits are 0.
fn quiet_steps<D: Journal>() -> String {
    let device = D::new();
    device.quiet();
    all_steps(&device)
}

/// All PMUs whose accesses are stored.
fn stored() -> Vec<Stored> {
    fn one<D: Journal>() -> Option<Stored> {
        let stored = Stored { name: D::NAME, kind: kind::<D>(), steps: quiet_steps::<D> };
        file(D::NAME).exists().then_some(stored)
    }
    macro_rules! each {
        ($($pmu:ident { $($row:tt)* })*) => { [$( one::<devices::$pmu::Simulated>() ),*] };
    }
    arm_pmu::for_each_pmu!(each).into_iter().flatten().collect()
}

/// The accesses in a file. It begins with the name of another PMU if only some lines differ: these follow, each with its
/// number.
fn read(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let Some((base, changed)) = base(&text) else { return text };
    let mut lines: Vec<_> = base.lines().map(str::to_owned).collect();
    for line in changed {
        let (number, line) = line.split_once(": ").expect("a number");
        line.clone_into(&mut lines[number.parse::<usize>().unwrap() - 1]);
    }
    lines.join("\n") + "\n"
}

/// The accesses of the other PMU, and the lines that differ.
fn base(text: &str) -> Option<(String, std::str::Lines<'_>)> {
    let mut lines = text.lines();
    let name = lines.next()?.strip_prefix("as ")?;
    Some((read(&file(name)), lines))
}

/// Text to store in a file: for a PMU similar to another, only the lines that differ.
fn written(path: &Path, now: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let Some((base, _)) = base(&text) else { return now.to_owned() };
    let changed = now.lines().zip(base.lines()).enumerate().filter(|(_, (now, base))| now != base);
    let lines = changed.map(|(at, (now, _))| format!("{}: {now}\n", at + 1));
    format!("{}\n", text.lines().next().unwrap()) + &lines.collect::<String>()
}

fn check<D: Journal>() {
    let path = file(D::NAME);
    if path.exists() {
        let now = all_steps(&D::new());
        if env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
            return fs::write(&path, written(&path, &now)).unwrap();
        }
        assert_eq!(difference(&now, &read(&path), |line| line), None, "{}", path.display());
        return;
    }
    // It makes the accesses of another PMU with the same driver, but reads other values.
    let now = quiet_steps::<D>();
    let others = stored().into_iter().filter(|other| other.kind == kind::<D>());
    let differences: Vec<_> = others
        .map(|other| (other.name, difference(&now, &(other.steps)(), without_value)))
        .collect();
    assert!(
        differences.iter().any(|(_, difference)| difference.is_none()),
        "the accesses of {} are those of no other PMU: {differences:#?}",
        D::NAME
    );
}

/// The first line that differs: its number, the line now, and the stored one.
fn difference(now: &str, stored: &str, seen: fn(&str) -> &str) -> Option<(usize, String, String)> {
    let (mut now, mut stored) = (now.lines().map(seen), stored.lines().map(seen));
    for number in 1.. {
        match (now.next(), stored.next()) {
            (None, None) => break,
            (now, stored) if now == stored => {}
            (now, stored) => {
                let text = |line: Option<&str>| line.unwrap_or("<end>").to_owned();
                return Some((number, text(now), text(stored)));
            }
        }
    }
    None
}

const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/accesses");

macro_rules! check_each {
    ($($pmu:ident { $($row:tt)* })*) => {
        $( check::<devices::$pmu::Simulated>(); )*
    };
}

/// One test: a stored file may be a difference from a file written just before.
#[test]
fn accesses_are_as_stored() {
    arm_pmu::for_each_pmu!(check_each);
}
