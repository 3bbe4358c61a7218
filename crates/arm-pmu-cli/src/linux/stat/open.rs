//! Opens the wanted PMUs.

use std::thread;
use std::time::Duration;

use arm_pmu::measure::Monitor;
use arm_pmu_linux::perf::{self, AnyCore, Error, KindVisitor, Options, Sysfs, Target};
use arm_pmu_tables::Pmu;

use super::counting::{Counting, Processors, Started, System};
use super::wanted::{Column, Wanted};
use crate::base::failure::Failure;

/// Programs that core PMUs count. Other PMUs always count the whole system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The started program.
    Program,
    /// All programs on all processors of the PMU.
    Everything,
    /// This thread, in user mode if the PMU can exclude the kernel.
    ThisThread,
}

/// A PMU that was opened but not started, and whether it also counts the kernel.
type Opened = (Box<dyn Counting>, bool);

/// The functions for a kind of PMU.
struct Functions;

type Open = fn(&Sysfs, &Wanted, Whom) -> Result<Opened, Error>;
type TryAll = fn(&Sysfs, &str) -> Result<usize, Error>;

impl KindVisitor for Functions {
    type Output = (Open, TryAll);

    fn visit<S: perf::Kind>(self) -> Self::Output {
        (typed::<S>, try_all::<S>)
    }
}

pub fn open(sysfs: &Sysfs, wanted: &Wanted, whom: Whom) -> Result<Opened, Failure> {
    let pmu = wanted.place.pmu;
    let open = match (pmu.and_then(|pmu| perf::visit_kind(&pmu.to_string(), Functions)), pmu) {
        (Some((open, _)), _) => open,
        (None, Some(pmu)) if wanted.place.device.is_none() => {
            return Err(Failure::not_found(format!("`stat` does not count on {pmu}")));
        }
        _ => typed::<AnyCore>,
    };
    open(sysfs, wanted, whom).map_err(|error| Failure::wrong_use(error.to_string()))
}

/// Number of free event counters, found by a trial. During the trial, the kernel takes counters from programs that
/// allow sharing.
pub fn free_counters(sysfs: &Sysfs, pmu: Pmu, name: &str) -> Result<usize, Error> {
    let (_, try_all) = perf::visit_kind(&pmu.to_string(), Functions).ok_or(Error::NoPerf)?;
    try_all(sysfs, name)
}

/// Number of event counters that the kernel can assign on a core's PMUv3, found without counting.
pub fn counters_of_core(sysfs: &Sysfs, name: &str) -> Result<usize, Error> {
    let options = Options::new().sysfs(sysfs.clone()).device(name).user_only();
    // Any event is suitable except cycles, which have a counter of their own.
    let all = [AnyCore(0x09); <AnyCore as perf::Kind>::EVENT_COUNTERS];
    match perf::Pmu::<AnyCore>::with(options)?.try_assign(&all) {
        Ok(()) => Ok(all.len()),
        Err(Error::DoNotFit { accepted, .. }) => Ok(accepted),
        Err(error) => Err(error),
    }
}

/// Duration of a trial of counters.
const TRIAL: Duration = Duration::from_millis(2);

fn try_all<S: perf::Kind>(sysfs: &Sysfs, name: &str) -> Result<usize, Error> {
    let mut pmu = perf::Pmu::<S>::with(Options::new().sysfs(sysfs.clone()).device(name))?;
    // Searches for an event that the hardware implements.
    let mut event = None;
    for selection in (0..=0x1FF).filter_map(S::of_id) {
        match pmu.try_assign(&[selection]) {
            Ok(()) => {
                event = Some(selection);
                break;
            }
            Err(Error::NotListed { .. } | Error::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let event = event.ok_or(Error::CountersTaken { device: name.to_owned() })?;
    for number in (1..=S::EVENT_COUNTERS).rev() {
        match pmu.try_assign(&vec![event; number]) {
            Ok(()) => {}
            // The product has fewer counters than the maximum.
            Err(Error::DoNotFit { .. } | Error::Refused { .. }) => continue,
            Err(error) => return Err(error),
        }
        pmu.run(|| thread::sleep(TRIAL));
        if pmu.error().is_none() {
            return Ok(number);
        }
    }
    Ok(0)
}

/// Selections for the kernel driver.
fn selections<S: perf::Kind>(
    pmu: &perf::Pmu<S>,
    columns: &[Column],
) -> Result<Vec<S::Selection>, Error> {
    let selections = columns.iter().map(Column::number).map(|number| {
        let selection = match number {
            Some(number) => u16::try_from(number).ok().and_then(S::of_id),
            None => S::CLOCK.or_else(|| S::of_id(pmu.device().event_number("cpu_cycles")?)),
        };
        let (device, value) = (pmu.device().name().to_owned(), number.unwrap_or(0).into());
        selection.ok_or(Error::TooWide { device, argument: "event", value })
    });
    selections.collect()
}

fn typed<S: perf::Kind>(sysfs: &Sysfs, wanted: &Wanted, whom: Whom) -> Result<Opened, Error> {
    let mut options = Options::new().sysfs(sysfs.clone());
    if let Some(device) = &wanted.place.device {
        options = options.device(device);
    }
    if let Some(filter) = wanted.stream {
        options = options.stream(filter);
    }
    let pmu = perf::Pmu::<S>::with(options.clone())?;
    let selections = selections(&pmu, &wanted.columns)?;
    let system = |options| -> Result<Box<dyn Counting>, Error> {
        Ok(Box::new(System::<S>::open(options, &selections, &wanted.groups)?))
    };
    if whom == Whom::ThisThread {
        if !S::WHOLE_SYSTEM {
            match system(options.clone().user_only()) {
                Err(Error::NoUserMode { .. }) => {}
                opened => return Ok((opened?, false)),
            }
        }
        return Ok((system(options)?, true));
    }
    if S::WHOLE_SYSTEM || pmu.device().cpu_mask()?.is_some() {
        return Ok((system(options)?, true));
    }
    if whom == Whom::Program {
        let started = Started::open::<S>(options, selections, &wanted.groups)?;
        return Ok((Box::new(started), true));
    }
    let listed = pmu.device().processors()?;
    let processors = listed.or_else(|| sysfs.online()).unwrap_or_else(|| vec![0]);
    let of_processor = |cpu: u32| system(options.clone().target(Target::Processor(cpu)));
    let all = processors.into_iter().map(of_processor).collect::<Result<_, _>>()?;
    Ok((Box::new(Processors(all)), true))
}
