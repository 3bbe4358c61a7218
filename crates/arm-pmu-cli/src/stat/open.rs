//! Opens the PMUs that are wanted.

use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, l2c_310, mmu600};
use arm_pmu_linux::perf::{self, AnyCore, Error, Options, Sysfs, Target};

use super::counting::{Counting, Processors, Started, System};
use super::wanted::{Column, Kind, Known, Wanted};
use crate::command::perf::Counted;
use crate::failure::Failure;

/// For whom the PMUs of cores count. Others count for the whole system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// The program that is started.
    Program,
    /// Everything on all of their processors.
    Everything,
}

/// Opens one PMU. Nothing counts yet.
pub fn open(sysfs: &Sysfs, wanted: &Wanted, whom: Whom) -> Result<Box<dyn Counting>, Failure> {
    let opened = match wanted.place.kind {
        Kind::Core => typed::<AnyCore>(sysfs, wanted, whom),
        Kind::Known(Known(pmu)) => match (pmu.ip.name, pmu.unit.map_or("", |unit| unit.name)) {
            ("cci400", "r0") => typed::<cci400::r0::Selection>(sysfs, wanted, whom),
            ("cci400", _) => typed::<cci400::Selection>(sysfs, wanted, whom),
            ("cci500", _) => typed::<cci500::Selection>(sysfs, wanted, whom),
            ("cci550", _) => typed::<cci550::Selection>(sysfs, wanted, whom),
            ("mmu600", "tcu") => typed::<mmu600::tcu::Selection>(sysfs, wanted, whom),
            ("mmu600", "tbu") => typed::<mmu600::tbu::Selection>(sysfs, wanted, whom),
            ("cortex-a7", _) => typed::<cortex_a7::Selection>(sysfs, wanted, whom),
            ("cortex-a8", _) => typed::<cortex_a8::Selection>(sysfs, wanted, whom),
            ("cortex-a9", _) => typed::<cortex_a9::Selection>(sysfs, wanted, whom),
            ("l2c-310", _) => typed::<l2c_310::Selection>(sysfs, wanted, whom),
            ("arm11", "arm1136") => typed::<arm11::arm1136::Selection>(sysfs, wanted, whom),
            ("arm11", "arm1176") => typed::<arm11::arm1176::Selection>(sysfs, wanted, whom),
            _ => return Err(Failure::not_found(format!("Linux has no PMU for {pmu}"))),
        },
    };
    opened.map_err(|error| Failure::wrong_use(error.to_string()))
}

fn typed<S: perf::Kind>(
    sysfs: &Sysfs,
    wanted: &Wanted,
    whom: Whom,
) -> Result<Box<dyn Counting>, Error> {
    let mut options = Options::new().sysfs(sysfs.clone());
    if let Some(device) = &wanted.place.device {
        options = options.device(device);
    }
    let pmu = perf::Pmu::<S>::with(options.clone())?;
    let selections = wanted.columns.iter().map(|column| {
        let (selection, id) = match column {
            Column::Known(Counted::Cycles(_)) => (S::CLOCK, 0),
            Column::Known(Counted::Event(selection)) => {
                (u16::try_from(selection.id()).ok().and_then(S::of_id), selection.id())
            }
            Column::Number(number, _) => (S::of_id(*number), u32::from(*number)),
        };
        let device = pmu.device().name().to_owned();
        let too_wide = Error::TooWide { device, argument: "event", value: id.into() };
        selection.ok_or(too_wide)
    });
    let selections = selections.collect::<Result<Vec<_>, _>>()?;
    if S::WHOLE_SYSTEM || pmu.device().cpu_mask()?.is_some() {
        return Ok(Box::new(System::<S>::open(options, &selections, &wanted.groups)?));
    }
    if whom == Whom::Program {
        return Ok(Box::new(Started::<S>::open(options, &selections)?));
    }
    let listed = pmu.device().processors()?;
    let processors = listed.or_else(|| sysfs.online()).unwrap_or_else(|| vec![0]);
    let of_processor = |cpu: u32| -> Result<Box<dyn Counting>, Error> {
        let options = options.clone().target(Target::Processor(cpu));
        Ok(Box::new(System::<S>::open(options, &selections, &wanted.groups)?))
    };
    let all = processors.into_iter().map(of_processor).collect::<Result<_, _>>()?;
    Ok(Box::new(Processors(all)))
}
