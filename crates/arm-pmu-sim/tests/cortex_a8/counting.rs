//! Counting and resets of a Cortex-A8's counters.

use crate::words::*;
use arm_pmu_sim::CortexA8;

#[test]
fn the_list_has_as_many_events_as_the_document() {
    assert_eq!(CortexA8::EVENTS.len(), 49);
    let listed = (0x00..=0x12).chain(0x40..=0x5A).chain(0x70..=0x72);
    assert_eq!(CortexA8::EVENTS, listed.collect::<Vec<u8>>());
}

#[test]
fn each_code_counts_its_own_event() {
    let device = running([0; 4]);
    device.poke(PMCNTENSET, 0xF);
    for selected in 0..=0xFF {
        for signalled in 0..=0xFF {
            device.poke_event(1, selected);
            device.poke_counter(1, 0);
            device.signal_raw(signalled, 3);
            let listed = CortexA8::EVENTS.contains(&selected) && selected != 0;
            let expected = if selected == signalled && listed { 3 } else { 0 };
            assert_eq!(counts(&device), [0, expected, 0, 0], "{selected:#x} {signalled:#x}");
        }
    }
    assert_eq!(device.peek(PMCCNTR), 0, "not enabled");
}

#[test]
fn all_counters_can_count_one_event() {
    let device = running([EXCEPTION, 0x40, EXCEPTION, 0x11]);
    device.signal_raw(EXCEPTION, 5);
    device.signal_raw(0x40, 2);
    assert_eq!(counts(&device), [5, 2, 5, 0]);
}

#[test]
fn both_enables_are_needed() {
    for counter in 0..4 {
        for (enables, pmcr) in [(EACH, RESET), (EACH & !(1 << counter), RESET | E), (0, RESET)] {
            let device = running([EXCEPTION; 4]);
            device.poke(PMCNTENSET, enables);
            device.poke(PMCR, pmcr);
            device.signal_raw(EXCEPTION, 1);
            assert_eq!(counts(&device)[counter], 0);
            let others = if pmcr == RESET { 0 } else { 3 };
            assert_eq!(counts(&device).iter().sum::<u32>(), others);
        }
    }
    for (enables, pmcr, cycles) in [(CYCLES, RESET | E, 5), (CYCLES, RESET, 0), (0xF, RESET | E, 0)]
    {
        let device = quiet();
        device.poke(PMCNTENSET, enables);
        device.poke(PMCR, pmcr);
        device.clock(5);
        assert_eq!(device.peek(PMCCNTR), cycles);
    }
}

#[test]
fn event_0x11_ignores_the_divider() {
    let device = running([0x11, EXCEPTION, 0x11, EXCEPTION]);
    device.poke(PMCR, RESET | D | E);
    device.clock(130);
    device.signal_raw(0x11, 62);
    assert_eq!(counts(&device), [192, 0, 192, 0]);
    assert_eq!(device.peek(PMCCNTR), 3);
}

#[test]
fn event_0x00_does_not_happen_by_itself() {
    let device = running([0x00; 4]);
    device.signal_raw(0x00, 5);
    device.clock(5);
    assert_eq!(counts(&device), [0; 4]);
}

#[test]
fn the_divider_counts_every_64th_cycle() {
    let device = running([0; 4]);
    device.poke(PMCR, RESET | D | E);
    for _ in 0..63 {
        device.clock(1);
    }
    assert_eq!(device.peek(PMCCNTR), 0);
    device.clock(1);
    assert_eq!(device.peek(PMCCNTR), 1);
    device.clock(640 + 32);
    assert_eq!(device.peek(PMCCNTR), 11);
    device.poke(PMCR, RESET | E);
    device.clock(32);
    assert_eq!(device.peek(PMCCNTR), 43, "without D it stands still");
    device.poke(PMCR, RESET | D | E);
    device.clock(32);
    assert_eq!(device.peek(PMCCNTR), 44);
    device.poke(PMCCNTR, 0);
    device.clock((1 << 38) - 64);
    assert_eq!((device.peek(PMCCNTR), device.peek(PMOVSR)), (u32::MAX, 0));
    device.clock(64);
    assert_eq!((device.peek(PMCCNTR), device.peek(PMOVSR)), (0, CYCLES));
}

#[test]
fn c_zeroes_the_cycle_counter_and_p_the_others() {
    let device = quiet();
    let bus = device.bus();
    for enabled in [0, E] {
        for (act, events, cycles) in [(0, 5, 7), (C, 5, 0), (P, 0, 7), (C | P, 0, 0)] {
            device.poke(PMOVSR, EACH);
            device.poke(PMCCNTR, 7);
            for counter in 0..4 {
                device.poke_counter(counter, 5);
            }
            write(&bus, PMCR, act | enabled);
            assert_eq!((counts(&device), device.peek(PMCCNTR)), ([events; 4], cycles));
            assert_eq!(bus.mrc(PMCR), RESET | enabled, "they read as zero");
            assert_eq!(device.peek(PMOVSR), EACH, "flags stay");
        }
    }
    assert_eq!(device.violations(), []);
}
