//! Compares the events of every core with codes, names and units that were typed from documents; the codes are in the
//! simulated core.

mod names;

use arm_pmu_core::event::Event;
use arm_pmuv3::CommonEvent;
use names::{NAMES, UNITS};

fn common_name(code: u16) -> Option<&'static str> {
    NAMES.iter().find(|row| row.0 == code).map(|row| row.1)
}

/// Checks the events of a spec.
fn check<E: Event>(pmu: &str, codes: &[u16], own: &[(u16, &'static str)]) {
    let common = codes.iter().filter_map(|code| Some((*code, common_name(*code)?)));
    let mut expected: Vec<_> = common.chain(own.iter().copied()).collect();
    expected.sort_unstable();
    assert!(expected.iter().map(|row| &row.0).eq(codes), "each code has a name");
    let found = E::ALL.iter().map(|event| (event.code(), event.name()));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    for (_, unit, expected) in UNITS.iter().filter(|row| row.0 == pmu) {
        let found = E::ALL.iter().filter(|event| event.unit() == *unit);
        assert_eq!(found.map(|event| event.code()).collect::<Vec<_>>(), *expected, "{unit}");
    }
}

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, events: $ids:tt,
        groups: [$Event:ident], $($rest:tt)*
    })*) => { $( core!($product $pmu, $krate, $Device, $Event); )* };
}

macro_rules! core {
    // The generic driver has only common events.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident, $krate:path, $Device:ident, $Event:ident) => {
        #[test]
        fn $pmu() {
            use arm_pmu_sim::$Device;
            use $krate as product;
            check::<product::$Event>(stringify!($pmu), $Device::EVENTS, $Device::OWN_EVENTS);
        }
    };
}

arm_pmu::for_each_pmu!(arm_pmuv3 => cores);

#[test]
fn common_events_have_their_names() {
    for code in 0..=u16::MAX {
        let name = CommonEvent::from_code(code).map(CommonEvent::name);
        match code {
            0..0x40 => {
                assert!(name.is_some() && common_name(code).is_none_or(|of| Some(of) == name))
            }
            0x4000..0x4040 => assert_eq!(name, common_name(code), "{code:#x}"),
            _ => assert_eq!(name, None, "{code:#x}"),
        }
    }
}
