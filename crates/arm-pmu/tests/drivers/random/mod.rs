//! Random programs over the public API of every driver, checked against the events that happened.
//!
//! A [program](Step) is a list of calls, with traffic before the accesses of each call: events, writes by a second
//! owner, and registers that stop answering. The [`oracle`] derives the possible values of each count from the history.
//! Programs call methods of the drivers directly, and use totals. In a fifth of the programs, tasks with banks take
//! turns. Other tests check intervals, passes, time slices and metrics, which are computed from counts and totals.
//!
//! `cargo xtask fuzz counts --cases 100000` runs more programs. The programs of a driver are the same in each run.
//!
//! # A new failure
//!
//! The message contains a reduced program.
//!
//! 1. Decide from the documentation whether the driver or the oracle is wrong.
//! 2. Fix the driver, or state the limit in the documentation and in the oracle.
//! 3. Add the program to `found.rs`, and check that the test fails without the fix. Before each access of a call, the
//!    tests in this file let a second owner act, or let registers stop answering.

pub(crate) mod banks;
mod found;
mod oracle;
mod program;
mod run;

use proptest::prelude::ProptestConfig;

use crate::devices;
use crate::registers::further_pmus;
use oracle::Failure;
use program::{Op, Shape, Step, generate};

/// A driver, and its device.
struct Driver {
    name: &'static str,
    /// Drivers with equal values have the same procedures.
    kind: (&'static str, Shape),
    /// Runs a program on a new device, and returns how many exact numbers were checked.
    run: fn(&[Step]) -> Result<u64, Failure>,
}

macro_rules! list {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident, $($rest:tt)*
    })*) => {
        [$( Driver {
            name: $name,
            kind: (concat!(stringify!($kind), " ", stringify!($place)), Shape::of::<devices::$pmu::Simulated>()),
            run: run::run::<devices::$pmu::Simulated>,
        } ),*]
    };
}

fn drivers() -> Vec<Driver> {
    arm_pmu::for_each_pmu!(list).into_iter().chain(further_pmus!(list)).collect()
}

/// Runs the programs of a driver. Drivers of the same kind divide the programs among themselves.
fn run_programs_of(name: &str) {
    let drivers = drivers();
    let nth = drivers.iter().position(|driver| driver.name == name).expect("a driver");
    let driver = &drivers[nth];
    let alike = |drivers: &[Driver]| drivers.iter().filter(|one| one.kind == driver.kind).count();
    let programs = ProptestConfig::default().cases as usize;
    let share = |part| programs * part / alike(&drivers);
    let seeds = share(alike(&drivers[..nth]))..share(alike(&drivers[..=nth]));
    let mut checked = 0;
    for seed in seeds.clone() {
        let program = generate(seed as u64, driver.kind.1);
        checked += (driver.run)(&program).unwrap_or_else(|failure| {
            let (program, Failure { kind, step, what }) = reduce(driver, program, failure);
            panic!("{name}: {kind}, step {step}: {what}, seed {seed}, in {program:#?}")
        });
    }
    assert!(2 * checked >= seeds.len() as u64, "too few exact numbers: {checked}");
}

/// Removes calls and traffic while the same kind of failure remains.
fn reduce(driver: &Driver, program: Vec<Step>, failure: Failure) -> (Vec<Step>, Failure) {
    let kind = failure.kind;
    let fails = |candidate: Vec<Step>| {
        let failure = (driver.run)(&candidate).err()?;
        (failure.kind == kind).then_some((candidate, failure))
    };
    let mut best = (program, failure);
    while let Some(smaller) = smaller_programs(&best.0).into_iter().find_map(fails) {
        best = smaller;
    }
    best
}

/// Returns smaller programs: in each, another part of this program is left out. A call can also be
/// left out while the traffic of its step remains, because the failure may need only the traffic.
fn smaller_programs(program: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    let mut without = |change: &dyn Fn(&mut Vec<Step>)| {
        let mut smaller = program.to_vec();
        change(&mut smaller);
        all.push(smaller);
    };
    for (nth, step) in program.iter().enumerate() {
        without(&|steps| drop(steps.remove(nth)));
        if step.op != Op::Idle {
            without(&|steps| steps[nth].op = Op::Idle);
        }
        for item in 0..step.traffic.len() {
            without(&|steps| _ = steps[nth].traffic.remove(item));
        }
    }
    all
}

macro_rules! tests {
    ($($pmu:ident { name: $name:literal, $($rest:tt)* })*) => { $(
        #[test]
        fn $pmu() {
            run_programs_of($name);
        }
    )* };
}

arm_pmu::for_each_pmu!(tests);
further_pmus!(tests);
