//! Events of every core, extracted from the manual, Arm's machine-readable events or other programs, independently of
//! the specs. Each core has a file.

mod names;

use arm_pmu_core::event::{Event, Unit};
use arm_pmuv3::{CommonEvent, CommonEvents, Pmu};
use names::NAMES;

/// Events of a core, in the order of their codes.
pub struct Core {
    /// Codes that the architecture defines. Their names are in [`NAMES`].
    common: &'static [u16],
    /// Codes that the core itself defines, with the names of the events.
    own: &'static [(u16, &'static str)],
    /// Codes of all events with a unit, if the source states the unit.
    units: &'static [(Unit, &'static [u16])],
}

fn common_name(code: u16) -> Option<&'static str> {
    NAMES.iter().find(|row| row.0 == code).map(|row| row.1)
}

/// Checks the events of a spec, and the events that PMCEID0_EL0 and PMCEID1_EL0 of the simulated core list.
fn check<E: Event>(pmu: &str, core: &Core, listed: CommonEvents) {
    let has_bit = |code: &u16| matches!(code, 0..0x40 | 0x4000..0x4040);
    // Sources differ about event 0x0E of the Cortex-A53: see specs/cortex-a53/events.yaml.
    let is_set = |code: &u16| (pmu, *code) != ("cortex_a53", 0x0E);
    let expected = core.common.iter().copied().filter(has_bit).filter(is_set);
    assert!(listed.into_iter().map(|event| event.code()).eq(expected), "{listed:?}");
    let common = core.common.iter().map(|code| (*code, common_name(*code).expect("a name")));
    let mut expected: Vec<_> = common.chain(core.own.iter().copied()).collect();
    expected.sort_unstable();
    let found = E::ALL.iter().map(|event| (event.code(), event.name()));
    assert_eq!(found.collect::<Vec<_>>(), expected);
    for (unit, expected) in core.units {
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
        mod $pmu;

        #[test]
        fn $pmu() {
            use $krate as product;
            let device = arm_pmu_sim::$Device::new();
            let listed = Pmu::new(device.bus()).common_events();
            check::<product::$Event>(stringify!($pmu), &$pmu::CORE, listed);
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
