//! The generated code of an IP that uses every feature of the language, compiled and used.

#[rustfmt::skip]
#[allow(dead_code)]
#[path = "good/demo/generated/mod.rs"]
mod generated;

use arm_pmu_core::Located;
use generated::registers::{control, event_select, lock, monitor};

#[test]
fn modify_keeps_what_can_be_written_and_read() {
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

#[test]
fn registers_are_where_the_spec_says() {
    assert_eq!(event_select::EventSelectSpec::KEY, 0x1000);
    assert_eq!(event_select::EventSelectSpec::COUNT, 2);
    assert_eq!(event_select::EventSelectSpec::STRIDE, 0x1000);
    assert_eq!(monitor::MonitorSpec::COUNT, 4);
}

#[test]
fn findings_say_what_is_wrong_and_who_mends_it() {
    use arm_pmu_core::MendedBy;
    use generated::findings::Finding::{self, DebugLow, NeverFires, ReadsAsZero};
    assert_eq!(Finding::ALL, [ReadsAsZero, DebugLow, NeverFires], "the common ones first");
    assert_eq!(DebugLow.name(), "DEBUG_LOW");
    assert_eq!(DebugLow.to_string(), "The input DEBUG is LOW, and no event is counted.");
    assert_eq!((DebugLow.read(), DebugLow.expected()), ("beats that were counted", "more than 0"));
    assert_eq!(DebugLow.source(), "DDI 0001A 4.1; The reference model.");
    assert_eq!(DebugLow.mended_by(), MendedBy::PrivilegedSoftware);
    assert_eq!(ReadsAsZero.source(), "Nobody tried (inferred, not confirmed).");
    assert_eq!(ReadsAsZero.remedy(), "Let Secure software open the device.");
    assert!(ReadsAsZero.is_ambiguous() && !NeverFires.is_ambiguous());
}
