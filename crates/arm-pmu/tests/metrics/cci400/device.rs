// One revision, `REVISION`, with its module `ip`. Included for each revision.

use arm_pmu::event::EventOrCycles;
use arm_pmu_sim::{Cci400, Security};
use ip::{Pmu, Selection};

use crate::support::{Figure, hold, on};

/// Codes at a source, as an event id has them: bits 7 to 5 are the source.
pub fn counted(
    source: u16,
    events: &[(u16, u64)],
    cycles: Option<u64>,
) -> Vec<(EventOrCycles<Selection>, u64)> {
    let event = |code: u16| Selection::from_id(source << 5 | code).expect("a listed event");
    let events = events.iter().map(|(code, n)| (EventOrCycles::Event(event(*code)), *n));
    events.chain(cycles.map(|n| (EventOrCycles::Cycles, n))).collect()
}

pub fn happen(device: &Cci400, counted: &[(EventOrCycles<Selection>, u64)]) {
    for (what, times) in counted {
        match what {
            EventOrCycles::Event(event) => device.signal(
                *event,
                Security::NonSecure,
                *times as u32,
            ),
            EventOrCycles::Cycles => device.clock(*times),
        }
    }
}

pub fn check(
    metric: &dyn Figure<EventOrCycles<Selection>>,
    source: u16,
    events: &[(u16, u64)],
    cycles: Option<u64>,
    expected: &str,
) -> &'static str {
    hold(metric, &counted(source, events, cycles), expected, |events, counted| {
        let device = Cci400::new();
        device.set_revision(REVISION);
        on(&mut Pmu::new(device.bus()), events, || happen(&device, counted))
    })
}
