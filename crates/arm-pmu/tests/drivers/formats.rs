//! Tests of serialization: by name in human-readable formats, by number in others.
//!
//! Run `cargo test -p arm-pmu --features serde`; tests of the whole workspace enable this feature.

use std::fmt::Debug;

use arm_pmu::bus::BusError;
use arm_pmu::cci550::{self, SI3, SlaveEvent};
use arm_pmu::cortex_a8::{self, CortexA8Event};
use arm_pmu::count::{Amount, Count, CountError, Scaling};
use arm_pmu::diagnose::{Diagnose, Diagnosis, Finding, FixableBy, Found, Outcome};
use arm_pmu::driver::{CounterSet, Divider, ProbeErrorKind};
use arm_pmu::event::{EventOrCycles, InvalidSelection, Unit, UnknownCode, UnknownId};
use arm_pmu::measure::{AssignError, Interference, Intervals, Measurement, measure};
use arm_pmu::metric::{Figure, Metric, MetricError, MetricUnit, Ratio, Value};
use arm_pmu::report::{Percent, Row, RowValue};
use arm_pmu::schedule::{EventSetError, Spread, SpreadError};
use arm_pmu::{cci400, cci500, mmu600, mmu700};
use arm_pmu_sim::{Cci400, CortexA8};
use serde_json::json;

/// A user's event type has the same formats, even if the user's module has items named like
/// variables in the derived code.
mod own {
    #![allow(dead_code, non_upper_case_globals)]

    const serializer: u8 = 0;
    const deserializer: u8 = 0;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, arm_pmu::event::Event)]
    #[event(crate = arm_pmu, bits = 4)]
    pub(super) enum OwnEvent {
        /// A door was opened.
        #[event(name = "DOOR_OPENED")]
        DoorOpened = 0x3,
    }
}
use own::OwnEvent;

/// Code generated for a deprecated enum causes no warnings.
mod deprecated {
    #![deny(deprecated)]
    #![allow(dead_code)]

    #[deprecated = "this part was never built"]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, arm_pmu::event::Event)]
    #[event(crate = arm_pmu, bits = 4)]
    pub enum OldEvent {
        /// A door was opened.
        #[event(name = "DOOR_OPENED")]
        DoorOpened = 0x3,
    }
}

/// Checks that a value is equal after serialization in JSON and in postcard.
#[track_caller]
fn comes_back<T>(value: T)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
{
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let bytes = postcard::to_stdvec(&value).unwrap();
    assert_eq!(postcard::from_bytes::<T>(&bytes).unwrap(), value, "{bytes:?}");
}

#[test]
fn human_readable_formats_have_event_names() {
    assert_eq!(serde_json::to_value(SlaveEvent::ReadDataSnoopHit).unwrap(), "READ_DATA_SNOOP_HIT");
    assert_eq!(serde_json::to_value(OwnEvent::DoorOpened).unwrap(), "DOOR_OPENED");
    assert_eq!(postcard::to_stdvec(&SlaveEvent::ReadDataSnoopHit).unwrap(), [0x09]);
    for event in SlaveEvent::ALL {
        comes_back(*event);
    }
    comes_back(OwnEvent::DoorOpened);
    let unknown = serde_json::from_str::<SlaveEvent>("\"NOTHING\"").unwrap_err().to_string();
    assert!(unknown.contains("no event of this group has that name"), "{unknown}");
    let unknown = postcard::from_bytes::<SlaveEvent>(&[0x20]);
    assert!(unknown.is_err(), "a slave interface has 32 events, from 0: {unknown:?}");
}

#[test]
fn listed_and_raw_selections_round_trip() {
    let hits = SI3.event(SlaveEvent::ReadDataSnoopHit);
    assert_eq!(serde_json::to_value(hits).unwrap(), "SI3:READ_DATA_SNOOP_HIT");
    comes_back(hits);
    let raw = cci550::Selection::raw(0x11F).unwrap();
    assert_eq!(serde_json::to_value(raw).unwrap(), "raw:0x11f");
    comes_back(raw);
    let misses = cci500::Selection::from(cci500::GlobalEvent::SnoopFilterMissBank0Or1);
    assert_eq!(
        serde_json::to_value(misses).unwrap(),
        "Global:SNOOP_FILTER_MISS_BANK_0_OR_1",
        "as its twin's"
    );
    comes_back((misses, cci500::SI3.event(cci500::SlaveEvent::ReadDataSnoopHit)));
    assert!(postcard::from_bytes::<cci550::Selection>(&[0xFF, 0x7F]).is_err(), "too wide");
    let condition = neoverse_n3::Thresholds::of_width(12).unwrap().less_than(4095).unwrap();
    comes_back(neoverse_n3::NeoverseN3Event::StallSlot.when(condition.count_cycles()));
    assert!(
        postcard::from_bytes::<neoverse_n3::Selection>(&[0x80, 0x80, 0x80, 0x80, 1]).is_err(),
        "TC alone"
    );
    comes_back(mmu600::tcu::Selection::event(mmu600::TcuEvent::TlbMiss));
    let instructions: EventOrCycles<cortex_a8::Selection> =
        CortexA8Event::InstructionExecuted.into();
    let expected = json!({ "event": "INSTRUCTION_EXECUTED" });
    assert_eq!(serde_json::to_value(instructions).unwrap(), expected);
    comes_back(instructions);
    comes_back(EventOrCycles::<cortex_a8::Selection>::Cycles);
}

#[test]
fn a_measurement_round_trips() {
    let core = CortexA8::new();
    let mut pmu = cortex_a8::Pmu::new(core.bus());
    let measured = measure(&mut pmu, [CortexA8Event::L2CacheMiss], || {
        core.signal_raw(0x44, 7);
        3_u8
    });
    let measured = measured.unwrap();
    comes_back(measured);
    let value = serde_json::to_value(measured).unwrap();
    assert_eq!(value["selections"], json!([{ "event": "L2_CACHE_MISS" }]));
    assert_eq!((&value["output"], &value["counts"][0]["value"]), (&json!(3), &json!(7)));
    // Serde supports arrays up to 32 items; this array has 40.
    let many = Measurement { output: (), selections: [1_u8; 40], counts: [Count::new(9); 40] };
    comes_back(many);
    let short = serde_json::to_string(&json!({ "output": null, "selections": [1], "counts": [] }));
    assert!(serde_json::from_str::<Measurement<u8, (), 1>>(&short.unwrap()).is_err());
    let none = Measurement::<u8, (), 0> { output: (), selections: [], counts: [] };
    comes_back(none);
}

#[test]
fn readings_of_a_running_pmu_round_trip() {
    let device = CortexA8::new();
    let mut pmu = cortex_a8::Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    first.count(CortexA8Event::L2CacheMiss);
    let mut running = pmu.start();
    let mut intervals = Intervals::<_, 2>::of(&mut running, 1);
    device.signal(CortexA8Event::L2CacheMiss, 7);
    let interval = intervals.next(&mut running, 2);
    comes_back(interval);
    let value = serde_json::to_value(interval).unwrap();
    assert_eq!(value["selections"], json!([{ "event": "L2_CACHE_MISS" }, null]));
    comes_back(running.snapshot());
}

#[test]
fn values_and_errors_round_trip() {
    let share = Scaling { time_running: 1, time_enabled: 4 };
    for amount in [
        Amount::new(1 << 40),
        Amount::scaled(3, share).in_pass(2),
        Amount::invalid(5, CountError::Disturbed),
        Amount::NOT_COUNTED,
    ] {
        comes_back(amount);
        comes_back(Percent { part: amount, whole: Amount::new(5) });
    }
    for count in [Count::new(7), Count::overflowed_from(9, 3), Count::NOT_COUNTED] {
        comes_back(count);
    }
    comes_back((CountError::Estimated, CountError::Overflowed, share));
    comes_back(Interference::new(5, false).unwrap());
    comes_back(CounterSet::<4>::from_bits(0b1010, true));
    comes_back((Divider::By64, Unit::Beats, Spread { least: 1, most: 2 }));
    comes_back(SpreadError::Unknown(CountError::Overflowed));
    comes_back(EventSetError::from(AssignError::TooMany { asked: 9, counters: 8 }));
    comes_back([AssignError::CyclesTwice, AssignError::BusError(BusError::new())]);
    comes_back((UnknownId(7), UnknownCode(9), InvalidSelection::Source));
    comes_back([ProbeErrorKind::ReadsAsZero, ProbeErrorKind::Part { found: 1, expected: 2 }]);
    comes_back(mmu600::StreamFilter::span(3..6).unwrap_err());
    comes_back(mmu700::StreamFilter::span(3..6).unwrap_err());
    comes_back(mmu600::NotAcknowledged::Silent);
    assert_eq!(serde_json::to_value(CountError::NotCounted).unwrap(), "not_counted");
}

#[test]
fn figures_round_trip() {
    let rate = cci550::metrics::SnoopHitRate(SI3);
    let of = |numbers: [u64; 3]| rate.compute(&numbers.map(Amount::new));
    let value = of([15, 8, 12]);
    let expected = json!({
        "result": { "Ok": { "numerator": 15, "denominator": 20 } },
        "estimate": false,
        "unit": "percent"
    });
    assert_eq!(serde_json::to_value(value).unwrap(), expected);
    let lost = Amount::invalid(0, CountError::Disturbed);
    let estimate = Amount::scaled(3, Scaling { time_running: 1, time_enabled: 4 });
    for value in [
        value,
        of([15, 0, 0]),
        rate.compute(&[lost; 3]),
        rate.compute(&[estimate; 3]),
        rate.compute(&[estimate, estimate.in_pass(1)]),
        rate.compute(&[estimate, estimate.in_pass(1), estimate]),
    ] {
        comes_back::<Value>(value);
        comes_back::<Figure>(value.figure());
        comes_back::<Result<Ratio, MetricError>>(value.exact());
    }
    comes_back([MetricError::TooLarge, MetricError::Estimate, MetricError::Undefined]);
    use MetricUnit::{Bytes, Occurrences, PerThousand, Percent, Ratio as PerOther};
    comes_back([Percent, PerThousand, PerOther, Occurrences, Bytes]);
    // With these denominators, a fraction would be a division by zero, or negative.
    for denominator in [0, -4] {
        let text = json!({ "numerator": 1, "denominator": denominator }).to_string();
        let refused = serde_json::from_str::<Ratio>(&text).unwrap_err().to_string();
        assert!(refused.contains("the denominator has to be greater than 0"), "{refused}");
    }
    // Deserialization cannot restore the text of a reason.
    let unavailable = MetricError::UnavailableMetric("No event counts this.");
    let text = serde_json::to_string(&unavailable).unwrap();
    assert_eq!(text, "{\"unavailable_metric\":\"No event counts this.\"}");
    let read = serde_json::from_str::<MetricError>(&text).unwrap();
    assert!(matches!(read, MetricError::UnavailableMetric(_)));
    let bytes = postcard::to_stdvec(&(unavailable, 7_u8)).unwrap();
    assert_eq!(postcard::from_bytes::<(MetricError, u8)>(&bytes).unwrap(), (read, 7));
}

#[test]
fn findings_round_trip() {
    fn all<F: Finding + serde::Serialize + serde::de::DeserializeOwned>() {
        for finding in F::ALL {
            assert_eq!(serde_json::to_value(finding).unwrap(), finding.name());
            comes_back(*finding);
        }
    }
    macro_rules! of_each {
        ($($pmu:ident {
            name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
            cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
            $($rest:tt)*
        })*) => {
            $( all::<$finding>(); )*
        };
    }
    arm_pmu::for_each_pmu!(of_each);
    let unknown = serde_json::from_str::<cci400::Finding>("\"NOTHING\"").unwrap_err().to_string();
    assert!(unknown.contains("no finding of this PMU has that name"), "{unknown}");

    let device = Cci400::new();
    device.set_niden(false);
    let mut pmu = cci400::Pmu::new(device.bus());
    let diagnosis: Diagnosis<cci400::Finding> = pmu.diagnose_with(None, || device.clock(1_000));
    let found: Found<cci400::Finding> = diagnosis.findings().next().unwrap();
    let expected = json!({ "finding": found.finding.name(), "value": found.value });
    assert_eq!(serde_json::to_value(found).unwrap(), expected);
    comes_back(found);
    comes_back(diagnosis);
    comes_back([Outcome::Wrong, Outcome::Counts, Outcome::Unproven]);
    comes_back((found.finding.fixable_by(), FixableBy::Nobody));
    assert_eq!(serde_json::to_value(FixableBy::SecureSoftware).unwrap(), "secure_software");
}

#[test]
fn errors_name_the_expected_text() {
    #[track_caller]
    fn wants<T: serde::de::DeserializeOwned + Debug>(text: &str, wanted: &str) {
        let refused = serde_json::from_str::<T>(text).unwrap_err().to_string();
        assert!(refused.contains(&format!("expected {wanted}")), "{refused}");
    }
    wants::<SlaveEvent>("7", "the name of an event");
    wants::<cci550::Selection>("7", "the name of an event");
    wants::<cci550::Finding>("7", "the name of a finding");
    wants::<MetricError>("{\"unavailable_metric\":7}", "a text");
    wants::<CounterSet<4>>("{\"counters\":7}", "an array of 4");
    wants::<CounterSet<4>>("{\"counters\":[true]}", "an array of 4");
}

#[test]
fn report_rows_serialize() {
    let amount = Amount::scaled(3, Scaling { time_running: 1, time_enabled: 4 });
    let value = RowValue::MultiplexedCount { amount, slices: 2, least: amount, most: amount };
    let rows = [
        Row { name: &"misses", value },
        Row::percent(&"rate", Percent { part: Amount::new(1), whole: Amount::new(8) }),
        Row::text(&"filter", &"all"),
        Row::metric(&"hits", cci550::metrics::SnoopHitRate(SI3).compute(&[Amount::new(4); 3])),
    ];
    let expected = json!([
        {
            "name": "misses", "value": 12, "unit": "events", "known": "estimated", "pass": 0,
            "time_running": 1, "time_enabled": 4, "slices": 2, "least": 12, "most": 12
        },
        {
            "name": "rate", "value": "12.5", "unit": "percent", "known": "exactly", "part": 1,
            "whole": 8
        },
        { "name": "filter", "value": "all", "unit": "text" },
        {
            "name": "hits", "value": "50.00", "unit": "percent", "known": "exactly", "part": 4,
            "whole": 8
        },
    ]);
    assert_eq!(serde_json::to_value(rows).unwrap(), expected);
    for (row, expected) in rows.iter().zip(expected.as_array().unwrap()) {
        let members = postcard::to_stdvec(row).unwrap()[0];
        assert_eq!(
            usize::from(members),
            expected.as_object().unwrap().len(),
            "the serialized length is the number of members"
        );
    }
}
