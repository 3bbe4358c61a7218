//! Events that a CCI-500 or CCI-550 counts or loses.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Security;
use arm_pmu_sim::Security::{NonSecure, Secure};

use crate::{Device, MASTERS, OBSERVATION};

/// How often counter 0 counts one event that happens once.
fn counted(device: &Device, source: u8, code: u8, security: Security) -> u32 {
    let bus = device.bus();
    bus.write(select(0), u32::from(source) << 5 | u32::from(code));
    bus.synchronize();
    device.poke(count(0), 0);
    device.signal_raw(source, code, security, 1);
    device.peek(count(0))
}

/// A device whose counter 0 runs.
fn running() -> Device {
    let device = Device::new();
    run(&device.bus(), 0, 0);
    device
}

#[test]
fn an_enabled_counter_counts_its_selected_event() {
    let device = Device::new();
    let bus = device.bus();
    run(&bus, 2, ID);
    run(&bus, 5, ID);
    run(&bus, 6, ID + 1);
    device.signal_raw(SOURCE, CODE, NonSecure, 3);
    device.signal_raw(SOURCE, CODE, NonSecure, 4);
    let counts = [0, 1, 2, 3, 4, 5, 6, 7].map(|counter| bus.read(count(counter)));
    assert_eq!(counts, [0, 0, 7, 0, 0, 7, 0, 0]);

    device.poke(control(2), 0);
    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(2)), bus.read(count(5))), (7, 8), "one enable");
    bus.write(PMCR, 0);
    bus.synchronize();
    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(2)), bus.read(count(5))), (7, 8), "CEN");
}

/// The events of one kind of source: `.` happens, `Y` happens and is Secure exempt, blank never
/// happens. One character for each code, as in the tables of 100282_0100_00_en 2.4.4.
fn table(source: u8) -> &'static [u8; 32] {
    match source {
        0x7 => b"                                ",
        0xE if MASTERS == 6 => b"                                ",
        0xF => b".........Y..Y.YY                ",
        0x0..=0x6 => b"........YY....... Y...Y.Y.YY.Y..",
        _ => b"YY.Y.YY                         ",
    }
}

#[test]
fn only_the_events_of_the_tables_happen() {
    let device = running();
    for source in 0..16 {
        for code in 0..32 {
            let happens = table(source)[usize::from(code)] != b' ';
            let count = counted(&device, source, code, NonSecure);
            assert_eq!(count, u32::from(happens), "{source:#x} {code:#x}");
        }
    }
}

#[test]
fn secure_transactions_count_only_where_exempt_or_observed() {
    let device = running();
    assert_eq!(counted(&device, SOURCE, CODE, Secure), 0, "not observed at first");
    let observe = |how: u32| {
        device.set_spniden(how == 1);
        device.set_secure_debug(how == 2);
        device.poke(SECURE_ACCESS, if how == 3 { 0b100 } else { 0b011 });
    };
    for how in 0..4 {
        observe(how);
        for source in 0..16 {
            for code in 0..32 {
                let happens = match table(source)[usize::from(code)] {
                    b' ' => false,
                    b'Y' => true,
                    // Only the CCI-550 has the third way.
                    _ => how == 1 || how == 2 || how == 3 && OBSERVATION != 0,
                };
                let count = counted(&device, source, code, Secure);
                assert_eq!(count, u32::from(happens), "{source:#x} {code:#x} {how}");
            }
        }
    }
    observe(0);
    assert_eq!(counted(&device, SOURCE, CODE, Secure), 0, "and back");
}

#[test]
#[should_panic(expected = "event source 0x10")]
fn there_is_no_seventeenth_source() {
    Device::new().signal_raw(0x10, 0, NonSecure, 1);
}

#[test]
#[should_panic(expected = "event code 0x20")]
fn there_is_no_sixth_bit_of_code() {
    Device::new().signal_raw(0, 0x20, NonSecure, 1);
}

#[test]
fn a_wrap_sets_a_sticky_w1c_flag() {
    let device = Device::new();
    let bus = device.bus();
    run(&bus, 1, ID);
    run(&bus, 7, ID);
    device.poke(count(7), 10);
    device.signal_raw(SOURCE, CODE, NonSecure, u32::MAX - 10);
    assert_eq!((bus.read(count(7)), bus.read(overflow(7))), (u32::MAX, 0), "full, not over");
    assert_eq!(device.overflow_lines(), 0);

    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((bus.read(count(7)), bus.read(overflow(7))), (0, 1));
    assert_eq!((bus.read(count(1)), bus.read(overflow(1))), (u32::MAX - 9, 0));
    assert_eq!(device.overflow_lines(), 0b1000_0000);

    device.signal_raw(SOURCE, CODE, NonSecure, 10);
    bus.write(PMCR, RST | CEN);
    bus.write(overflow(7), 0);
    assert_eq!(bus.read(overflow(7)), 1, "neither more events, nor a reset, nor a zero clear it");
    assert_eq!(device.overflow_lines(), 0b1000_0010);

    bus.write(control(7), 0);
    bus.write(overflow(7), 1);
    assert_eq!(bus.read(overflow(7)), 0, "the flag needs no clock");
    assert_eq!(device.overflow_lines(), 0b0000_0010, "of counter 1 only");
}

#[test]
fn a_count_is_written_only_while_its_clock_runs() {
    for (enable, cen) in [(0, 0), (0, CEN), (1, 0), (1, CEN)] {
        let device = Device::new();
        let bus = device.bus();
        // Another counter's clock is no help.
        bus.write(control(3), 1);
        bus.write(control(4), enable);
        bus.write(PMCR, cen);
        bus.write(count(4), 0x1234_5678);
        let expected = if (enable, cen) == (1, CEN) { 0x1234_5678 } else { 0 };
        assert_eq!(bus.read(count(4)), expected, "enable {enable}, CEN {cen}");
    }
}

#[test]
fn the_other_registers_of_a_block_need_no_clock() {
    let device = Device::new();
    let bus = device.bus();
    bus.write(select(4), ID);
    device.poke(overflow(4), 1);
    bus.write(overflow(4), 1);
    assert_eq!((bus.read(select(4)), bus.read(overflow(4))), (ID, 0));
}

/// Counts of counter 0 (enabled) and 1 (not) after PMCR was `before` and `written` is stored.
fn after_reset(device: &Device, before: u32, written: u32) -> [u32; 2] {
    let bus = device.bus();
    device.poke(PMCR, before);
    device.poke(control(0), 1);
    device.poke(count(0), 100);
    device.poke(count(1), 101);
    bus.write(PMCR, written);
    bus.synchronize();
    [device.peek(count(0)), device.peek(count(1))]
}

#[test]
fn a_reset_zeroes_only_clocked_counters() {
    let device = Device::new();
    assert_eq!(after_reset(&device, CEN, RST | CEN), [0, 101]);
    assert_eq!(after_reset(&device, CEN, RST), [0, 101], "though it also stops them");
    assert_eq!(after_reset(&device, 0, RST), [100, 101]);
    assert_eq!(after_reset(&device, 0, RST | CEN), [100, 101], "though it also starts them");
    assert_eq!(after_reset(&device, CEN, CEN), [100, 101], "no reset");

    device.set_reset_reaches_gated(true);
    assert_eq!(after_reset(&device, CEN, RST | CEN), [0, 0]);
    assert_eq!(after_reset(&device, 0, RST), [0, 0]);
    assert_eq!(after_reset(&device, 0, RST | CEN), [0, 0]);
    assert_eq!(after_reset(&device, CEN, CEN), [100, 101], "no reset");
    device.set_reset_reaches_gated(false);
    assert_eq!(after_reset(&device, 0, RST), [100, 101]);
}

#[test]
fn a_reset_reads_zero_and_does_not_repeat_itself() {
    let device = running();
    let bus = device.bus();
    bus.write(PMCR, RST | CEN);
    assert_eq!(bus.read(PMCR), 0x4000 | CEN);
    device.signal_raw(0, 0, NonSecure, 2);
    bus.write(PMCR, bus.read(PMCR));
    assert_eq!(bus.read(count(0)), 2);
}

#[test]
fn events_before_a_store_arrives_meet_the_old_state() {
    let device = running();
    let bus = device.bus();
    bus.write(select(0), ID);
    device.signal_raw(0, 0, NonSecure, 1);
    device.signal_raw(SOURCE, CODE, NonSecure, 1);
    assert_eq!((device.peek(select(0)), device.peek(count(0))), (0, 1), "the old selection");
    bus.synchronize();
    device.signal_raw(0, 0, NonSecure, 1);
    device.signal_raw(SOURCE, CODE, NonSecure, 10);
    assert_eq!(bus.read(count(0)), 11, "the new selection");

    bus.write(PMCR, 0);
    device.signal_raw(SOURCE, CODE, NonSecure, 100);
    assert_eq!(bus.read(count(0)), 111, "not stopped yet, but by the load");
    device.signal_raw(SOURCE, CODE, NonSecure, 1000);
    assert_eq!(bus.read(count(0)), 111);
}
