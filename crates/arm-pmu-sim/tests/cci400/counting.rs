//! Which events a CCI-400 counts.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Security::{NonSecure, Secure};
use arm_pmu_sim::{Cci400, Security};

/// How often counter 0 counts one event that happens once.
fn counted(device: &Cci400, source: u8, code: u8, security: Security) -> u32 {
    let bus = device.bus();
    bus.write(select(0), u32::from(source) << 5 | u32::from(code));
    bus.synchronize();
    device.poke(count(0), 0);
    device.signal_raw(source, code, security, 1);
    device.peek(count(0))
}

/// A device whose counter 0 runs.
fn running() -> Cci400 {
    let device = Cci400::new();
    run(&device.bus(), 0, 0);
    device
}

#[test]
fn an_enabled_counter_counts_its_selected_event() {
    let device = Cci400::new();
    let bus = device.bus();
    run(&bus, 1, ID);
    run(&bus, 2, ID + 1);
    run(&bus, 3, ID);
    device.signal_raw(SOURCE, CODE, NonSecure, 3);
    device.signal_raw(SOURCE, CODE, NonSecure, 4);
    let counts = [0, 1, 2, 3].map(|counter| bus.read(count(counter)));
    assert_eq!(counts, [0, 7, 0, 7]);
    assert_eq!(bus.read(CYCLES), 0);

    device.poke(control(1), 0);
    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(1)), bus.read(count(3))), (7, 8), "one enable");
    bus.write(PMCR, 0);
    bus.synchronize();
    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(1)), bus.read(count(3))), (7, 8), "CEN");
}

/// The events of one kind of source: `.` happens, `Y` happens and is counted whatever SPNIDEN is,
/// blank never happens. One character for each code: DDI 0470I tables 2.2 and 2.3 for r1, the names of
/// the Linux driver and of DDI 0470D for r0.
fn table(source: u8, r1: bool) -> &'static [u8; 32] {
    match (source, r1) {
        (0..=4, true) => b".....................           ",
        (_, true) => b"..Y......YYYYYYYY.              ",
        (0..=4, false) => b".........Y.Y.......Y            ",
        (_, false) => b"                    .YYYYYY     ",
    }
}

fn events() -> impl Iterator<Item = (u8, u8)> {
    (0..8).flat_map(|source| (0..32).map(move |code| (source, code)))
}

#[test]
fn only_the_events_of_the_tables_happen() {
    let device = running();
    for revision in 0..16 {
        device.set_revision(revision);
        for (source, code) in events() {
            let happens = table(source, revision >= 5)[usize::from(code)] != b' ';
            let count = counted(&device, source, code, NonSecure);
            assert_eq!(count, u32::from(happens), "{revision} {source:#x} {code:#x}");
        }
    }
}

#[test]
fn secure_transactions_count_only_where_exempt_or_observed() {
    let device = running();
    assert_eq!(counted(&device, SOURCE, CODE, Secure), 0, "not observed at first");
    for revision in [4, 5] {
        device.set_revision(revision);
        for observed in [false, true, false] {
            device.set_spniden(observed);
            for (source, code) in events() {
                let happens = match table(source, revision == 5)[usize::from(code)] {
                    b' ' => false,
                    b'Y' => true,
                    _ => observed,
                };
                let count = counted(&device, source, code, Secure);
                assert_eq!(count, u32::from(happens), "{revision} {source:#x} {code:#x}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "event source 0x8")]
fn there_is_no_ninth_source() {
    Cci400::new().signal_raw(0x8, 0, NonSecure, 1);
}

#[test]
#[should_panic(expected = "event code 0x20")]
fn there_is_no_sixth_bit_of_code() {
    Cci400::new().signal_raw(0, 0x20, NonSecure, 1);
}

#[test]
fn a_wrap_sets_a_sticky_w1c_flag() {
    let device = Cci400::new();
    let bus = device.bus();
    run(&bus, 1, ID);
    run(&bus, 3, ID);
    bus.write(count(3), 10);
    bus.synchronize();
    device.signal_raw(SOURCE, CODE, NonSecure, u32::MAX - 10);
    assert_eq!((bus.read(count(3)), bus.read(overflow(3))), (u32::MAX, 0), "full, not over");
    assert_eq!(device.overflow_lines(), 0);

    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(3)), bus.read(overflow(3))), (0, 1));
    assert_eq!((bus.read(count(1)), bus.read(overflow(1))), (u32::MAX - 9, 0));
    assert_eq!(device.overflow_lines(), 0b1000);

    device.signal_raw(SOURCE, CODE, NonSecure, 10);
    bus.write(PMCR, RST | CCR | CEN);
    bus.write(overflow(3), 0);
    assert_eq!(bus.read(overflow(3)), 1, "neither more events, nor a reset, nor a zero clear it");
    assert_eq!(device.overflow_lines(), 0b1010);

    bus.write(PMCR, 0);
    bus.write(overflow(3), 1);
    assert_eq!(bus.read(overflow(3)), 0, "at any time");
    assert_eq!(device.overflow_lines(), 0b0010, "of counter 1 only");
}

#[test]
fn a_count_can_be_written_at_any_time() {
    for (enable, cen) in [(0, 0), (0, CEN), (1, 0), (1, CEN)] {
        let device = Cci400::new();
        let bus = device.bus();
        bus.write(control(2), enable);
        bus.write(CYCLES_CONTROL, enable);
        bus.write(PMCR, cen);
        bus.write(count(2), 0x1234_5678);
        bus.write(CYCLES, 0x9ABC_DEF0);
        let counts = (bus.read(count(2)), bus.read(CYCLES));
        assert_eq!(counts, (0x1234_5678, 0x9ABC_DEF0), "enable {enable}, CEN {cen}");
    }
}

#[test]
fn each_reset_has_its_counters() {
    for running in [0, CEN] {
        for (written, expected) in [
            (0, [100, 101, 102, 103, 104]),
            (RST, [0, 0, 0, 0, 104]),
            (CCR, [100, 101, 102, 103, 0]),
            (RST | CCR, [0; 5]),
        ] {
            let device = Cci400::new();
            let bus = device.bus();
            let counts = [count(0), count(1), count(2), count(3), CYCLES];
            device.poke(PMCR, 0x2000 | running);
            device.poke(control(0), 1);
            for (offset, value) in counts.iter().zip(100..) {
                device.poke(*offset, value);
            }
            bus.write(PMCR, running | written);
            assert_eq!(counts.map(|offset| bus.read(offset)), expected, "{written:#x}");
            assert_eq!(bus.read(PMCR), 0x2000 | running, "they read zero");
        }
    }
}

#[test]
fn a_reset_does_not_repeat_itself() {
    let device = running();
    let bus = device.bus();
    bus.write(CYCLES_CONTROL, 1);
    bus.write(PMCR, RST | CCR | CEN);
    bus.synchronize();
    device.signal_raw(0, 0, NonSecure, 2);
    device.clock(3);
    bus.write(PMCR, bus.read(PMCR));
    assert_eq!((bus.read(count(0)), bus.read(CYCLES)), (2, 3));
}

#[test]
fn events_before_a_store_arrives_meet_the_old_state() {
    let device = running();
    let bus = device.bus();
    bus.write(select(0), ID);
    device.signal_raw(0, 0, NonSecure, 1);
    device.signal_raw(SOURCE, CODE, NonSecure, 10);
    bus.synchronize();
    device.signal_raw(0, 0, NonSecure, 100);
    device.signal_raw(SOURCE, CODE, NonSecure, 1000);
    assert_eq!(bus.read(count(0)), 1001);

    bus.write(CYCLES_CONTROL, 1);
    device.clock(1);
    bus.synchronize();
    device.clock(10);
    bus.write(CYCLES_CONTROL, 0);
    device.clock(100);
    bus.synchronize();
    device.clock(1000);
    assert_eq!(bus.read(CYCLES), 110);
}
