//! Tests that events, sources, findings and metrics are equal in the tables and the typed crates.

use std::fmt::{Debug, Display};

use arm_pmu::event::Event;
use arm_pmu::metric::{About, UnavailableMetric};
use arm_pmu_core::diagnose::Finding;
use arm_pmu_tables::{Group, Pmu};

/// Generates the tests of each PMU.
macro_rules! pmus {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, $(finding: $finding:path,)?
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, events: $ids:tt,
        groups: [$($Event:ident $($Source:ident)?),*], figures: [$($figures:ident),*], $($rest:tt)*
    })*) => { $( compared!($product $pmu $name $driver, $($finding)?, $($Event $($Source)?),*; $($figures)*); )* };
}

macro_rules! compared {
    // The driver for every core has no separate tables.
    (false $($row:tt)*) => {};
    (true $pmu:ident $name:literal $driver:path, $($finding:path)?, $($Event:ident $($Source:ident)?),*; $($figures:ident)*) => {
        mod $pmu {
            use $driver as typed;

            use super::*;

            #[test]
            fn selections_match_the_typed_crate() {
                selections::<typed::Selection>(pmu($name));
            }

            #[test]
            fn events_match_the_typed_crate() {
                let groups = [$( events::<typed::$Event>(pmu($name), stringify!($Event)) ),*];
                assert_eq!(pmu($name).groups().count(), groups.len());
            }

            #[test]
            fn sources_match_the_typed_crate() {
                $($({
                    let group = pmu($name).groups().find(|g| g.rust_source == stringify!($Source));
                    let group = group.expect(stringify!($Source));
                    let typed = typed::events::$Source::ALL.iter();
                    let typed = typed.map(|source| (u32::from(source.id()), source.name()));
                    let tables = group.sources.iter().map(|source| (source.id, source.name));
                    assert_eq!(typed.collect::<Vec<_>>(), tables.collect::<Vec<_>>());
                })?)*
            }

            $(
                #[test]
                fn findings_match_the_typed_crate() {
                    use $finding as Typed;
                    findings::<Typed>(pmu($name), Typed::ALL.as_ref());
                }
            )?

            #[test]
            fn metrics_match_the_typed_crate() {
                let figures: Vec<Vec<Vec<String>>> = vec![$( texts(typed::metrics::$figures) ),*];
                assert_eq!(metrics(pmu($name)), figures.concat());
            }
        }
    };
}

arm_pmu::for_each_pmu!(pmus);
arm_pmu::for_each_pmu!(undiagnosed => pmus);

/// An entry in a list of metrics.
trait Figure {
    /// All texts of the entry.
    fn texts(&self) -> Vec<String>;
}

impl Figure for About {
    fn texts(&self) -> Vec<String> {
        let unit = self.unit.to_string();
        [self.name, &unit, self.formula, self.doc, self.caveat].map(str::to_owned).to_vec()
    }
}

impl Figure for UnavailableMetric {
    fn texts(&self) -> Vec<String> {
        [self.name, self.reason].map(str::to_owned).to_vec()
    }
}

fn texts<F: Figure>(all: &[F]) -> Vec<Vec<String>> {
    all.iter().map(F::texts).collect()
}

fn pmu(name: &str) -> Pmu {
    Pmu::find(name).expect(name)
}

/// Compares all event ids.
fn selections<S: TryFrom<u16> + Display>(pmu: Pmu) {
    let tables = pmu.selections().map(|one| (one.id(), one.to_string()));
    let typed =
        (0..=u16::MAX).filter_map(|id| Some((id.into(), S::try_from(id).ok()?.to_string())));
    let (mut tables, typed): (Vec<_>, Vec<_>) = (tables.collect(), typed.collect());
    tables.sort();
    assert_eq!(tables, typed, "{pmu}");
    let width = pmu.ip.counters.id.width();
    assert!(tables.iter().all(|(id, _)| id >> width == 0));
}

#[test]
fn evntbus_bits_match_the_typed_crates() {
    for selection in pmu("cci400:r1").selections() {
        let id = u16::try_from(selection.id()).expect("an id");
        let typed = arm_pmu::cci400::Selection::from_id(id).expect("an event");
        assert_eq!(selection.evntbus(), typed.evntbus().map(u32::from), "{selection}");
        assert!(selection.evntbus().is_some(), "{selection}");
    }
    for selection in pmu("cci400:r0").selections().chain(pmu("cci500").selections()) {
        assert_eq!(selection.evntbus(), None, "{selection}");
    }
}

fn group_of(pmu: Pmu, rust: &str) -> &'static Group {
    let own = pmu.unit.and_then(|unit| unit.rust_events);
    let is = |group: &&Group| own.filter(|_| group.rust.is_empty()).unwrap_or(group.rust) == rust;
    pmu.groups().find(is).expect(rust)
}

fn events<E: Event>(pmu: Pmu, rust: &str) {
    let group = group_of(pmu, rust);
    let events: Vec<_> = group.events.iter().filter(|event| pmu.has(event.only)).collect();
    assert_eq!(events.len(), E::ALL.len());
    for (of_tables, typed) in events.iter().zip(E::ALL) {
        let name = of_tables.name;
        assert_eq!(of_tables.code, u32::from(typed.code()), "{name}");
        assert_eq!(name, typed.name());
        assert_eq!(of_tables.doc, typed.summary());
        assert_eq!(of_tables.counted.word(), typed.unit().to_string(), "{name}");
        assert_eq!(of_tables.evntbus, typed.evntbus().map(u32::from), "{name}");
        // The derived `Debug` prints the name of the variant.
        assert_eq!(of_tables.rust, format!("{typed:?}"));
        let flags = [
            (of_tables.secure_exempt, typed.secure_exempt()),
            (of_tables.ace_only, typed.ace_only()),
            (of_tables.never_fires, typed.never_fires()),
            (of_tables.filterable, typed.filterable()),
            (of_tables.secure_only, typed.secure_only()),
            (of_tables.architectural, typed.architectural()),
        ];
        assert!(flags.iter().all(|(table, typed)| table == typed), "{name}: {flags:?}");
    }
}

fn findings<F: Finding + Debug>(pmu: Pmu, typed: &[F]) {
    let of_tables: Vec<_> = pmu.findings().collect();
    assert_eq!(of_tables.len(), typed.len(), "{pmu}");
    for (of_tables, typed) in of_tables.iter().zip(typed) {
        assert_eq!(of_tables.rust, format!("{typed:?}"));
        assert_eq!(of_tables.name, typed.name());
        assert_eq!(of_tables.cause, typed.to_string());
        assert_eq!((of_tables.read, of_tables.expected), (typed.read(), typed.expected()));
        assert_eq!(of_tables.fix, typed.fix());
        assert_eq!(of_tables.ambiguous, typed.is_ambiguous());
        let party = format!("{:?}", typed.fixable_by());
        assert_eq!(format!("{:?}", of_tables.fixable_by), party, "{}", of_tables.name);
    }
}

fn metrics(pmu: Pmu) -> Vec<Vec<String>> {
    let metrics = pmu.metrics().map(|of| of.metric).map(|of| {
        vec![of.name, of.measure.word(), of.formula, of.doc, of.caveat.unwrap_or_default()]
    });
    let unavailable = pmu.unavailable().map(|of| vec![of.figure.name, of.figure.reason]);
    let all = metrics.chain(unavailable);
    all.map(|texts| texts.into_iter().map(str::to_owned).collect()).collect()
}
