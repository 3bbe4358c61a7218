//! Tests every event id of every PMU: its conversion to a selection, a number and a text, and the counting of its
//! event.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::str::FromStr;

use crate::devices::{self, Device};
use arm_pmu::count::Count;
use arm_pmu::event::{Event, InvalidSelection, UnknownEvent, UnknownId};
use arm_pmu::measure::{Monitor, StartStop as _};

/// Listed events by id, with their selection, text, and whether a device can signal them.
type Listed<S> = BTreeMap<u16, (S, String, bool)>;

/// Methods that all `Selection` types have.
struct Methods<S> {
    raw: fn(u16) -> Option<S>,
    from_id: fn(u16) -> Option<S>,
    /// Whether a selection is a listed event.
    is_listed: fn(S) -> bool,
}

/// Tests all 2^16 event ids.
fn every_id<S>(methods: &Methods<S>, listed: &Listed<S>)
where
    S: Copy + PartialEq + Debug + Display + Into<u16> + TryFrom<u16, Error = UnknownId>,
    S: FromStr<Err = InvalidSelection>,
{
    for id in 0..=u16::MAX {
        let expected = listed.get(&id).map(|(selection, ..)| *selection);
        assert_eq!((methods.from_id)(id), expected, "{id:#x}");
        assert_eq!(S::try_from(id).ok(), expected, "{id:#x}");
        assert_eq!(S::try_from(id).err(), expected.is_none().then_some(UnknownId(id)), "{id:#x}");
        let number = format!("raw:{id:#x}");
        let Some(selection) = (methods.raw)(id) else {
            assert_eq!(expected, None, "{id:#x} is too wide");
            assert_eq!(number.parse::<S>(), Err(InvalidSelection::Number), "{number}");
            continue;
        };
        assert_eq!(selection.into(), id);
        let text = selection.to_string();
        for text in [&text, &text.to_lowercase(), &text.to_uppercase(), &number] {
            assert_eq!(text.parse(), Ok(selection), "{text}");
        }
        assert_eq!(format!("{selection:?}"), format!("Selection({text})"));
        assert_eq!((methods.is_listed)(selection), expected.is_some(), "{text}");
        match listed.get(&id) {
            Some((listed, name, _)) => assert_eq!((selection, &text), (*listed, name)),
            None => assert!(text.starts_with("raw:0x"), "{text}"),
        }
    }
    for text in ["raw:", "raw:0x", "raw:80", "raw:0x+1", "raw:0x10000"] {
        assert_eq!(text.parse::<S>(), Err(InvalidSelection::Number), "{text}");
    }
}

fn refuses<S: FromStr<Err = InvalidSelection> + PartialEq + Debug>(
    texts: &[(&str, InvalidSelection)],
) {
    for (text, why) in texts {
        assert_eq!(text.parse::<S>().as_ref(), Err(why), "{text:?}");
    }
}

/// Tests every pair of a source number and a code. The error must contain the wrong number.
fn every_pair<S: Copy + PartialEq + Debug>(
    from: fn(u16, u16) -> Result<S, UnknownEvent>,
    listed: &Listed<S>,
) {
    let sources: BTreeSet<_> = listed.keys().map(|id| id >> 5).collect();
    for (source, code) in (0..0x120).flat_map(|source| (0..0x120).map(move |code| (source, code))) {
        let expected = match listed.get(&(source << 5 | code)) {
            Some((selection, ..)) if code < 32 => Ok(*selection),
            _ if sources.contains(&source) => Err(UnknownEvent::Code { source, code }),
            _ => Err(UnknownEvent::Source(source)),
        };
        assert_eq!(from(source, code), expected);
    }
}

/// Checks that names are unique, and that each event has a sentence.
fn every_name<E: Event + FromStr<Err: Debug> + PartialEq + Debug>() {
    for event in E::ALL {
        assert_eq!(event.name().parse::<E>().unwrap(), *event);
        assert!(event.summary().ends_with('.'), "{}", event.name());
    }
}

/// Checks that every counter counts each listed event, but not events with ids that differ in one bit.
fn every_event_is_counted<D: Device>(ids: impl Iterator<Item = u16>) {
    let device = D::new();
    device.observe_secure();
    let counters = <D::Pmu<'_> as Monitor>::COUNTERS - usize::from(D::HAS_CYCLE_COUNTER);
    let mut pmu = device.pmu();
    // Hardware does not signal software increments and chained overflows.
    let no_events: &[u16] =
        if ["armv7_pmu", "arm_pmuv3"].contains(&D::KIND) { &[0x00, 0x1E] } else { &[] };
    let ids = ids.filter(|id| !no_events.contains(id));
    let all: Vec<_> = ids.map(|id| (id, D::event(id))).collect();
    for (id, event) in &all {
        pmu.assign(&vec![*event; counters]).unwrap();
        let running = pmu.start();
        let similar = all.iter().filter(|(other, _)| (id ^ other).is_power_of_two());
        similar.for_each(|(_, other)| device.happens(*other, 1_000));
        device.happens(*event, 3);
        pmu = <D::Pmu<'_> as arm_pmu::measure::StartStop>::stop(running);
        for counter in 0..counters {
            assert_eq!(pmu.count(counter), Count::new(3), "{event:?}");
        }
    }
    assert!(device.complaints().is_empty(), "{:?}", device.complaints());
}

/// Selections of a PMU, with or without sources.
macro_rules! listed {
    ($($Event:ident),*) => {{
        $( every_name::<driver::$Event>(); )*
        let mut listed = Listed::new();
        $( for event in driver::$Event::ALL.iter().copied() {
            let selection = driver::Selection::from(event);
            assert_eq!((selection.listed(), u16::from(selection.code())), (Some(event), event.code()));
            let name = event.name().to_owned();
            listed.insert(event.code(), (selection, name, !event.never_fires()));
        } )*
        let (_, name, _) = listed.values().nth(3).unwrap();
        refuses::<driver::Selection>(&[
            (&format!("{name}ES"), InvalidSelection::Event),
            (&format!(" {name}"), InvalidSelection::Event),
            ("", InvalidSelection::Event),
            ("0x44", InvalidSelection::Event),
            ("cycles", InvalidSelection::Event),
            (&format!("CPU:{name}"), InvalidSelection::Source),
        ]);
        listed
    }};
    ($($Event:ident $Source:ident),*) => {{
        $( every_name::<driver::$Event>(); )*
        let mut listed = Listed::new();
        $( for source in driver::events::$Source::ALL {
            for event in driver::$Event::ALL.iter().copied() {
                let (id, selection) = (source.id() << 5 | event.code(), source.event(event));
                let parts = (selection.source_id().into(), selection.code().into());
                assert_eq!((selection.id(), parts), (id, (source.id(), event.code())));
                let group = stringify!($Source).trim_end_matches("Source");
                let expected = format!("Some({group}({source:?}, {event:?}))");
                assert_eq!(format!("{:?}", selection.listed()), expected);
                let text = format!("{source}:{}", event.name());
                listed.insert(id, (selection, text, !event.never_fires()));
            }
        } )*
        let (_, text, _) = listed.values().next().unwrap();
        let (source, event) = text.split_once(':').unwrap();
        refuses::<driver::Selection>(&[
            ("", InvalidSelection::Form),
            (source, InvalidSelection::Form),
            (&format!(" {text}"), InvalidSelection::Source),
            (&format!("{source}9:{event}"), InvalidSelection::Source),
            (&format!("{source}:"), InvalidSelection::Event),
            (&format!("{text} "), InvalidSelection::Event),
        ]);
        every_pair(driver::Selection::from_source_and_code, &listed);
        listed
    }};
}

/// Checks that `counter(n)` returns the same counters as the array `counters()`, and none beyond
/// its end.
macro_rules! counters_by_number {
    (devices::$pmu:ident) => {
        let device = devices::$pmu::Simulated::new();
        let mut pmu = device.pmu();
        let number = pmu.counters().len();
        for (n, selection) in (0..number).zip(devices::$pmu::events().into_iter().cycle()) {
            assert!(pmu.counter(n).unwrap().selection().is_none(), "off at first");
            pmu.counter(n).unwrap().count(selection);
            let selections = pmu.counters().map(|counter| counter.selection());
            assert_eq!(selections[n], Some(selection));
            let on = selections.iter().filter(|selection| selection.is_some()).count();
            assert_eq!(on, n + 1, "no other counter changed");
        }
        assert!(pmu.counter(number).is_none() && pmu.counter(usize::MAX).is_none());
    };
}

macro_rules! each {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, events: $events:tt,
        groups: [$($groups:tt)*], $($rest:tt)*
    })*) => { $(
        #[test]
        fn $pmu() {
            use $driver as driver;
            let listed = listed!($($groups)*);
            let methods = Methods {
                raw: driver::Selection::raw,
                from_id: driver::Selection::from_id,
                is_listed: |selection| selection.listed().is_some(),
            };
            every_id(&methods, &listed);
            let happens = listed.into_iter().filter(|(_, (.., happens))| *happens);
            every_event_is_counted::<devices::$pmu::Simulated>(happens.map(|(id, _)| id));
            counters_by_number!(devices::$pmu);
        }
    )* };
}

arm_pmu::for_each_pmu!(each);
