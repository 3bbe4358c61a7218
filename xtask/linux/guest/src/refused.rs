//! Calls that the kernel refuses or handles wrongly. Prints each error message.

use std::fmt::Display;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use arm_pmu_core::count::CountError;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_linux::perf::{AnyCore, Error, Options, Pmu, Program, Target};
use cci400::{Monitor, S3, Selection, SlaveEvent};
use mmu600::{StreamFilter, tbu};

use crate::device::Counters;

const READS: EventOrCycles<Selection> = EventOrCycles::Event(S3.event(SlaveEvent::ReadRequestAny));

/// A user without rights.
const NOBODY: u32 = 65534;

pub fn refused(counters: &Counters) -> Result<()> {
    let mut first = Pmu::<Selection>::with(Options::new())?;

    show("five events", first.assign(&[READS; 5]).err());
    let raw = Selection::raw(0x1F).map(EventOrCycles::Event).context("too wide")?;
    show("an event that no CCI-400 has", first.try_assign(&[raw]).err());

    // Another program has all counters.
    let mut second = Pmu::<Selection>::with(Options::new())?;
    first.assign(&[READS; 4])?;
    second.assign(&[READS])?;
    let holding = first.start();
    second.run(|| counters.add(0, 5))?;
    ensure!(second.count(0).exact() == Err(CountError::NotCounted), "{}", second.count(0));
    show("counters of another program", second.error().cloned());
    drop(holding);
    // Later the counters are free again.
    second.assign(&[READS])?;
    second.run(|| counters.add(0, 5))?;
    ensure!(second.count(0).exact() == Ok(5), "{}: {:?}", second.count(0), second.error());

    let core =
        |target| Pmu::<AnyCore>::with(Options::new().device("armv8_cortex_a53").target(target));
    let mut thread = core(Target::ThisThread)?;
    // Six counters for events.
    let instructions = AnyCore(0x08);
    let other_modes =
        Pmu::<Selection>::with(Options::new().user_only())?.try_assign(&[READS]).err();
    show("an interconnect without the kernel", other_modes);
    let mine = Pmu::<Selection>::with(Options::new().target(Target::ThisThread));
    show("an interconnect for one thread", mine?.try_assign(&[READS]).err());
    let mine = Program::next::<Selection>(&Options::new(), &[READS]).err();
    show("an interconnect for one program", mine);
    show("seven events of a core", thread.assign(&[instructions; 7]).err());
    thread.assign(&[instructions, AnyCore(0x11)])?;
    let counted = thread.run(|| (0..1_000_u32).fold(0, |sum, n| std::hint::black_box(sum ^ n)));
    let instructions = thread.count(0).exact()?;
    ensure!((3_000..200_000).contains(&instructions), "{instructions} instructions, {counted}");
    show("no such process", core(Target::Process(99_999))?.try_assign(&[AnyCore(8)]).err());
    show("no such processor", core(Target::Processor(7))?.try_assign(&[AnyCore(8)]).err());

    let tbu = |filter| Pmu::<tbu::Selection>::with(Options::new().stream(filter));
    let mut one = tbu(StreamFilter::exactly(1)?)?;
    let mut two = tbu(StreamFilter::exactly(2)?)?;
    let event: tbu::Selection = tbu::TbuEvent::Transaction.into();
    one.assign(&[event])?;
    two.assign(&[event])?;
    let holding = one.start();
    two.run(|| ());
    show("another filter", two.error().cloned());
    drop(holding);
    // The bench's TBU reports that it does not have event 3.
    let absent = tbu::Selection::raw(3).context("too wide")?;
    show("an event that the hardware does not have", two.try_assign(&[absent]).err());
    show(
        "a part of another unit",
        Pmu::<tbu::Selection>::with(Options::new().smmu_at(0x5F30_0000)).err(),
    );
    Ok(())
}

/// Runs a program as an ordinary user, and passes its exit status on.
pub fn as_nobody(program: &str, arguments: &[String]) -> Result<()> {
    let status = Command::new(program).args(arguments).uid(NOBODY).gid(NOBODY).status()?;
    std::process::exit(status.code().unwrap_or(1));
}

/// Tries to count one event of one PMU on a system that does not permit it.
pub fn one(pmu: &str) -> Result<()> {
    let error: Option<Error> = match pmu {
        "cci400" => Pmu::<Selection>::open().and_then(|mut pmu| pmu.try_assign(&[READS])).err(),
        "core" => Pmu::<AnyCore>::with(Options::new().device("armv8_cortex_a53").user_only())
            .and_then(|mut pmu| pmu.try_assign(&[AnyCore(8)]))
            .err(),
        _ => bail!("there is no PMU {pmu}"),
    };
    show("one event", error);
    Ok(())
}

fn show<E: Display>(what: &str, error: Option<E>) {
    println!("{what}: {}", error.map_or("nothing was refused".to_owned(), |one| one.to_string()));
}
