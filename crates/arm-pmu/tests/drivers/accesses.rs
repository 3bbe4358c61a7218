//! Compares all register accesses of every driver, in order, with stored text.
//!
//! The folder `accesses` contains one file for each kind of PMU, and one for each further PMU with different accesses.
//! To add a PMU to this test, create an empty file for it in the folder, then store the accesses. A file that begins
//! with `as` and the name of another PMU contains only the differences.
//!
//! `cargo xtask store arm-pmu` stores the current accesses.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::devices::{self, Device};
use crate::registers::Entry;
use arm_pmu::count::Count;
use arm_pmu::diagnose::Diagnose as _;
use arm_pmu::measure::{Monitor, Rearm as _, RunningMonitor, StartStop};
use arm_pmu_sim::Noise;
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Takes the accesses since the last call, with the names of the registers.
fn take<D: Device>(device: &D) -> Vec<String> {
    let journal = device.journal();
    device.clear_journal();
    let text = |access| match access {
        Entry::Load(at, value) => format!("read  {} = {value:#x}", device.label(at)),
        Entry::Store(at, value) => format!("write {} = {value:#x}", device.label(at)),
        Entry::Synchronize => "barrier".to_owned(),
    };
    journal.into_iter().map(text).collect()
}

/// Name of a step, and its accesses.
type Step = (String, Vec<String>);

/// Calls every method of a driver, and records the accesses of each step.
fn all_steps<D: Device>(device: &D) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut step = |title: &str| {
        let accesses = take(device);
        // Measured code runs between the last barrier of a start and the first barrier of a stop.
        let is_barrier = |access: Option<&String>| access.is_some_and(|access| access == "barrier");
        let starts = title.starts_with("start") || title == "resume";
        assert!(!starts || is_barrier(accesses.last()), "{title}");
        assert!(!title.starts_with("stop") || is_barrier(accesses.first()), "{title}");
        steps.push((title.to_owned(), accesses));
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
    step("start: two events, and the cycles if the PMU has a cycle counter");
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
    let running = D::resume(pmu);
    step("resume");
    let mut pmu = <D::Pmu<'_> as StartStop>::stop(running);
    drop(take(device));
    pmu.run(|| ());
    step("run: nothing happens");
    let happens = || {
        device.signal(0, 5);
        device.cycles(640);
    };
    let found_nothing = pmu.diagnose_with(Some(all[0]), happens).found_nothing();
    step(&format!("diagnose with an expected event: no finding: {found_nothing}"));
    let found_nothing = pmu.diagnose_with(None, || ()).found_nothing();
    step(&format!("diagnose while nothing happens: no finding: {found_nothing}"));
    steps
}

/// Formats the steps. A later diagnosis lists only the differences from the previous diagnosis.
fn text(steps: &[Step]) -> Vec<String> {
    let mut text = Vec::new();
    let mut diagnosis = None;
    for (title, accesses) in steps {
        text.push(format!("# {title}"));
        match diagnosis {
            Some(first) => {
                text.push(
                    "the same accesses as in the previous diagnosis, with these differences"
                        .to_owned(),
                );
                text.extend(changes(first, accesses));
            }
            None => text.extend_from_slice(accesses),
        }
        if title.starts_with("diagnose") {
            diagnosis = Some(accesses);
        }
        text.push(String::new());
    }
    text
}

/// Differences from `old` to `new`, with numbers of the old lines.
fn changes(old: &[String], new: &[String]) -> Vec<String> {
    let mut text = Vec::new();
    for change in capture_diff_slices(Algorithm::Myers, old, new) {
        let (tag, before, after) = change.as_tag_tuple();
        let place = match before.len() {
            0 => format!("before {}:", before.start + 1),
            1 => format!("{}:", before.end),
            _ => format!("{} to {}:", before.start + 1, before.end),
        };
        match &new[after] {
            _ if tag == DiffTag::Equal => {}
            [] => text.push(format!("{place} none")),
            [one] => text.push(format!("{place} {one}")),
            lines => {
                text.push(place);
                text.extend_from_slice(lines);
            }
        }
    }
    text
}

/// A PMU and its accesses.
struct Driver {
    name: &'static str,
    /// Kind of the driver, and number of counters. PMUs with equal values share their driver's
    /// code.
    kind: (&'static str, usize),
    /// Accesses of the driver, step by step, on a new device.
    steps: fn() -> Vec<Step>,
    /// Accesses as in `steps`, but on a device whose unknown bits are zero.
    quiet_steps: fn() -> Vec<Step>,
}

/// All PMUs.
fn drivers() -> Vec<Driver> {
    fn one<D: Device>() -> Driver {
        Driver {
            name: D::NAME,
            kind: (D::KIND, <D::Pmu<'_> as Monitor>::COUNTERS),
            steps: || all_steps(&D::new()),
            quiet_steps: || {
                let device = D::new();
                device.set_unknown(Noise::Zeros);
                all_steps(&device)
            },
        }
    }
    macro_rules! each {
        ($($pmu:ident { $($row:tt)* })*) => { vec![$( one::<devices::$pmu::Simulated>() ),*] };
    }
    arm_pmu::for_each_pmu!(each)
}

fn file(pmu: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drivers/accesses");
    folder.join(pmu.replace(':', "-")).with_extension("txt")
}

/// Returns the lines that a PMU's file should contain. `stored` is the present content of the file.
fn lines(drivers: &[Driver], driver: &Driver, stored: &str) -> Vec<String> {
    let now = text(&(driver.steps)());
    let base = |driver: &&Driver| stored.starts_with(&format!("as {}\n", driver.name));
    let Some(base) = drivers.iter().find(base) else { return now };
    let head = [format!("as {}", base.name), String::new()];
    head.into_iter().chain(changes(&text(&(base.steps)()), &now)).collect()
}

/// First difference: number of the line, and both lines.
fn difference<'l>(
    now: impl IntoIterator<Item = &'l str>,
    other: impl IntoIterator<Item = &'l str>,
) -> Option<(usize, &'l str, &'l str)> {
    let (mut now, mut other) = (now.into_iter(), other.into_iter());
    for number in 1.. {
        match (now.next(), other.next()) {
            (None, None) => break,
            (now, other) if now == other => {}
            (now, other) => {
                return Some((number, now.unwrap_or("<end>"), other.unwrap_or("<end>")));
            }
        }
    }
    None
}

/// Accesses of all steps, without the values of reads.
fn without_values(steps: &[Step]) -> impl Iterator<Item = &str> {
    steps.iter().flat_map(|(_, accesses)| accesses).map(|line| match line.split_once(" = ") {
        Some((access, _)) if access.starts_with("read ") => access,
        _ => line,
    })
}

#[test]
fn accesses_are_as_stored() {
    let drivers = drivers();
    let overwrites = env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite");
    let (stored, others): (Vec<_>, Vec<_>) =
        drivers.iter().partition(|driver| file(driver.name).exists());
    for driver in &stored {
        let path = file(driver.name);
        let text = fs::read_to_string(&path).unwrap();
        let now = lines(&drivers, driver, &text);
        if overwrites {
            fs::write(&path, now.join("\n") + "\n").unwrap();
            continue;
        }
        let difference = difference(now.iter().map(String::as_str), text.lines());
        let path = path.display();
        assert_eq!(difference, None, "{path}; `cargo xtask store arm-pmu` stores the accesses");
    }
    // A PMU without a file must make the same accesses as a stored PMU with the same driver; read values may differ.
    for driver in others {
        let now = (driver.quiet_steps)();
        let alike = stored.iter().filter(|other| other.kind == driver.kind);
        let alike: Vec<_> = alike.map(|other| (other.name, (other.quiet_steps)())).collect();
        let differences: Vec<_> = alike
            .iter()
            .map(|(name, other)| (name, difference(without_values(&now), without_values(other))))
            .collect();
        assert!(
            differences.iter().any(|(_, difference)| difference.is_none()),
            "the accesses of {} differ from every other PMU's: {differences:#?} To store them: make an empty file {}, and run `cargo xtask store arm-pmu`",
            driver.name,
            file(driver.name).display()
        );
    }
}
