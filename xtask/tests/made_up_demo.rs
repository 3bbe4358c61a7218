//! The generated code of an IP that uses every feature of the language, compiled and used.

#[rustfmt::skip]
#[allow(dead_code, unused_imports)]
#[path = "good/demo/generated/mod.rs"]
mod generated;

use arm_pmu_core::bus::RegisterSpec;
use arm_pmu_core::count::Amount;
use arm_pmu_core::metric::{Metric, MetricError};
use generated::events::{SlaveEvent, SlaveSource};
use generated::metrics;
use generated::registers::{control, event_select, lock, monitor};

#[test]
fn modify_keeps_read_write_bits() {
    // 31 `one`, 30:16 `sbz`, 15:8 read only, 7:4 `sbzp`, 2 sets itself, 1 acts, 0 an enable.
    assert_eq!(control::ControlSpec::KEEP, 0x0000_00F1);
    assert_eq!(control::ControlSpec::INITIAL, 0x8000_0001);
    assert_eq!(event_select::EventSelectSpec::KEEP, 0x1F);
}

#[test]
fn values_are_put_together_and_taken_apart() {
    let value = control::W::encode(|w| w.enable().clear_bit().reset().set_bit());
    assert_eq!(value, 0x8000_0002);
    let read = control::R::from_bits(0x8000_0205);
    assert_eq!(
        (read.counters().bits(), read.trigger().bit(), read.enable().bit()),
        (2, true, true)
    );
    assert_eq!(lock::W::encode(|w| w.key().set(0xC5AC_CE55)), 0xC5AC_CE55);
    assert_eq!(monitor::R::from_bits(0xFF12).pending().bits(), 0x12);
    let shown = format!("{read:?}");
    assert!(shown.contains("counters: 2") && shown.contains("enable: true"), "{shown}");
}

/// Computes a metric from these counts; the text ends with the inputs.
fn computed<M: Metric>(metric: &M, counts: &[u64]) -> String {
    let amounts: Vec<_> = counts.iter().copied().map(Amount::new).collect();
    assert_eq!(metric.events().as_ref().len(), counts.len());
    metric.compute(&amounts).to_string()
}

#[test]
fn metrics_are_computed_as_the_spec_says() {
    let stalls = metrics::ReadStallShare(SlaveSource::S1);
    let [stall, request] = stalls.events();
    assert_eq!(
        (stall.to_string(), request.to_string()),
        ("S1:READ_STALL".into(), "S1:READ_REQUEST".into())
    );
    assert_eq!(computed(&stalls, &[5, 15]), "25.00 %  (5 / 20)");
    let bytes = metrics::ReadBytes { source: SlaveSource::S0, beat_bytes: 16 };
    assert_eq!(computed(&bytes, &[7]), "112 bytes");
    assert_eq!(bytes.events(), [SlaveSource::S0.event(SlaveEvent::ReadBeat)]);
    assert_eq!(computed(&metrics::MissRatio, &[1, 4]), "0.250  (1 / 4)");
    assert_eq!(metrics::MissRatio.events()[0].to_string(), "Global:MISS");
    // (1 * 10 - 0 - 3) * 64 / 2 - 24, of lookups and misses in the order of the formula.
    let half = metrics::HitBytes { line_bytes: 64, share: 24 };
    assert_eq!(computed(&half, &[10, 3]), "200  (400 / 2)");
}

#[test]
fn an_uncomputable_metric_gives_the_reason() {
    let reason = "No event counts write data [yet].";
    let value = metrics::WriteBytes.compute(&[]);
    assert_eq!(value.exact(), Err(MetricError::UnavailableMetric(reason)));
    assert_eq!(value.to_string(), format!("not computable: {reason}"));
    let [none] = metrics::NOT_COMPUTABLE else { panic!("one") };
    assert_eq!((none.name, none.reason), ("WRITE_BYTES", reason));
}

#[test]
fn metrics_have_descriptions() {
    let names: Vec<_> = metrics::METRICS.iter().map(|about| about.name).collect();
    assert_eq!(names, ["READ_STALL_SHARE", "READ_BYTES", "MISS_RATIO", "HIT_BYTES"]);
    assert_eq!(
        metrics::METRICS[0].to_string(),
        "READ_STALL_SHARE (percent) = READ_STALL / (READ_STALL + READ_REQUEST)\n\
         The share of the cycles with a read request in which that waited.\n\
         Nothing is said of how long one request waited.\n\
         Source: DDI 0001A 5.1."
    );
    assert_eq!(metrics::METRICS[3].caveat, "");
}
