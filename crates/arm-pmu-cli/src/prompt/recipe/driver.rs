//! Runs the real driver of each PMU on a [`Tape`], which records the driver's accesses.

use std::fmt::Display;
use std::str::FromStr;

use arm_pmu::count::Count;
use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::{RunningMonitor, StartStop};
use arm_pmu_tables::Pmu;

use super::program::{CYCLES, Phase};
use super::tape::Tape;

/// Counts read while the counters run, then after they stop. Both groups of counts are in the order of the selections.
/// A count that is not exact is `None`.
pub type Outcome = Result<Vec<Option<u32>>, String>;

/// Maximum number of counters of a PMU, including a cycle counter.
const MOST: usize = 33;

/// Identifies the device if `identifies` is set, then starts, reads and stops the counters. Returns `None` for a PMU
/// without a driver.
pub fn run(pmu: Pmu, identifies: bool, what: &[String], tape: &Tape) -> Option<Outcome> {
    tape.begin(Phase::Identify);
    macro_rules! driver {
        (memory $parse:ident) => {{
            let bus = tape.memory();
            let pmu = if identifies { driver::Pmu::probe(bus) } else { Ok(driver::Pmu::new(bus)) };
            Some(measure(pmu, what, $parse, tape))
        }};
        (pages $parse:ident) => {{
            let (page0, page1) = (tape.memory(), tape.memory());
            let pmu = if identifies {
                driver::Pmu::probe(page0, page1)
            } else {
                Ok(driver::Pmu::new(page0, page1))
            };
            Some(measure(pmu, what, $parse, tape))
        }};
        // A debugger is connected to a known core, so identification is skipped.
        (cp15 $parse:ident) => {
            Some(measure(Ok::<_, String>(driver::Pmu::new(tape.cp15())), what, $parse, tape))
        };
        // Debuggers have no commands for system registers, so there is no recipe.
        (system $parse:ident) => {
            None
        };
    }
    macro_rules! parse {
        ($place:ident true) => { driver!($place event_or_cycles) };
        ($place:ident false) => { driver!($place event) };
    }
    macro_rules! drivers {
        ($($id:ident {
            name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
            cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, $($rest:tt)*
        })*) => {
            match pmu.to_string().as_str() {
                $( $name => {
                    #[allow(unused_imports)]
                    use $driver as driver;
                    return parse!($place $cycles);
                } )*
                _ => {}
            }
        };
    }
    arm_pmu::for_each_pmu!(drivers);
    arm_pmu::for_each_pmu!(undiagnosed => drivers);
    None
}

fn event<S: FromStr>(text: &str) -> Option<S> {
    text.parse().ok()
}

fn event_or_cycles<S: FromStr>(text: &str) -> Option<EventOrCycles<S>> {
    if text == CYCLES { Some(EventOrCycles::Cycles) } else { event(text).map(EventOrCycles::Event) }
}

fn measure<M: StartStop, E: Display>(
    pmu: Result<M, E>,
    what: &[String],
    parse: impl Fn(&str) -> Option<M::Selection>,
    tape: &Tape,
) -> Outcome {
    let mut pmu = pmu.map_err(|error| error.to_string())?;
    let selection =
        |text: &String| parse(text).ok_or_else(|| format!("the driver has no event `{text}`"));
    let selections = what.iter().map(selection).collect::<Result<Vec<_>, _>>()?;
    pmu.assign(&selections).map_err(|error| error.to_string())?;
    tape.begin(Phase::Start);
    let running = pmu.start();
    tape.begin(Phase::Read);
    let mut counts = [Count::NOT_COUNTED; MOST];
    running.read(&mut counts);
    let exact = |count: Count| count.exact().ok();
    let mut read: Vec<_> =
        (0..what.len()).map(|nth| exact(counts[running.counter_of(nth)])).collect();
    tape.begin(Phase::Stop);
    let mut pmu = M::stop(running);
    read.extend((0..what.len()).map(|nth| exact(pmu.count(nth))));
    Ok(read)
}
