// Included for each core with an ARMv7 PMU or PMUv3: `ip` is its crate, `Device` its simulated device.

use arm_pmu::event::EventOrCycles;
use ip::{Pmu, Selection};

use crate::support::{Figure, hold, on};

fn check(
    metric: &dyn Figure<EventOrCycles<Selection>>,
    events: &[(u16, u64)],
    cycles: Option<u64>,
    expected: &str,
) -> &'static str {
    let event = |code| EventOrCycles::Event(Selection::from_id(code).expect("a listed event"));
    let events = events.iter().map(|(code, n)| (event(*code), *n));
    let counted: Vec<_> = events.chain(cycles.map(|n| (EventOrCycles::Cycles, n))).collect();
    hold(metric, &counted, expected, |events, counted| {
        let core = Device::new();
        let happen = || {
            for (what, n) in counted {
                match what {
                    EventOrCycles::Event(event) => core.signal(*event, *n as u32),
                    EventOrCycles::Cycles => core.clock(*n),
                }
            }
        };
        on(&mut <Pmu<_>>::new(core.bus()), events, happen)
    })
}
