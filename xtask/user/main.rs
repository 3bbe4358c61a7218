//! A program of a user: events of its own, and a function for every PMU. See `xtask/src/verify/msrv.rs`.

use arm_pmu::cci550::{Pmu, SI3, SlaveEvent};
use arm_pmu::measure::{AssignError, Monitor, measure};
use arm_pmu_derive::Event;
use arm_pmu_sim::{Cci550, Security};

/// Events of a PMU without a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(bits = 5)]
#[non_exhaustive]
pub enum ReadEvent {
    /// A read request was accepted.
    #[event(name = "READ_REQUEST")]
    Request = 0x00,
    /// A beat of read data was accepted.
    #[event(name = "READ_DATA_BEAT", evntbus = 8, unit = beats)]
    DataBeat = 0x08,
}

/// The event that occurred more often.
fn busiest<M: Monitor>(
    pmu: &mut M,
    candidates: [M::Selection; 2],
    work: impl FnOnce(),
) -> Result<Option<M::Selection>, AssignError> {
    let measured = measure(pmu, candidates, work)?;
    let counts = measured.counts.map(|count| count.exact().ok());
    Ok((0..2).max_by_key(|nth| counts[*nth]).map(|nth| measured.selections[nth]))
}

fn main() -> Result<(), AssignError> {
    assert_eq!("READ_DATA_BEAT".parse(), Ok(ReadEvent::DataBeat));
    assert_eq!(ReadEvent::Request.summary(), "A read request was accepted.");

    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let reads = SI3.event(SlaveEvent::ReadRequestAny);
    let writes = SI3.event(SlaveEvent::WriteRequestAny);
    let work = || device.signal_raw(3, writes.code() as u8, Security::NonSecure, 5);
    assert_eq!(busiest(&mut pmu, [reads, writes], work)?, Some(writes));
    println!("{writes} is the busier one");
    Ok(())
}
