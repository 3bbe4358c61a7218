//! Counting and resets of an ARM11's counters.

use crate::words::*;
use arm_pmu_core::bus::Bus;

#[test]
fn both_counters_count_their_selected_events() {
    each(|device| {
        run(device);
        device.signal_raw(INSTRUCTION, 10);
        device.signal_raw(BRANCH, 4);
        device.signal_raw(INSTRUCTION, 1);
        assert_eq!(counts(device), [11, 4, 0]);
        device.clock(100);
        assert_eq!(counts(device), [11, 4, 100]);
    });
}

#[test]
fn nothing_counts_without_e() {
    each(|device| {
        set_up(device, selecting(INSTRUCTION, 0xFF));
        device.signal_raw(INSTRUCTION, 1);
        device.clock(1);
        assert_eq!(counts(device), [0; 3]);
        device.poke(CONTROL, selecting(INSTRUCTION, 0xFF) | E);
        device.signal_raw(INSTRUCTION, 1);
        device.clock(1);
        assert_eq!(counts(device), [1, 1, 1]);
    });
}

#[test]
fn event_0xff_ignores_the_divider() {
    each(|device| {
        set_up(device, selecting(0xFF, BRANCH) | D | E);
        device.clock(130);
        assert_eq!(counts(device), [130, 0, 2]);
        device.signal_raw(0xFF, 62);
        assert_eq!(counts(device), [192, 0, 3]);
    });
}

#[test]
fn the_divider_counts_every_64th_cycle() {
    each(|device| {
        set_up(device, selecting(0, 0) | D | E);
        for _ in 0..63 {
            device.clock(1);
        }
        assert_eq!(counts(device)[2], 0);
        device.clock(1);
        assert_eq!(counts(device)[2], 1);
        device.clock(640 + 32);
        assert_eq!(counts(device)[2], 11);
        // Without D it stands still.
        device.poke(CONTROL, E);
        device.clock(32);
        assert_eq!(counts(device)[2], 43);
        device.poke(CONTROL, D | E);
        device.clock(32);
        assert_eq!(counts(device)[2], 44);
        // A wrap takes 2^38 cycles.
        device.poke(CYCLES, 0);
        device.clock((1 << 38) - 64);
        assert_eq!((counts(device)[2], device.peek(CONTROL) & FLAGS), (u32::MAX, 0));
        device.clock(64);
        assert_eq!((counts(device)[2], device.peek(CONTROL) & FLAGS), (0, FLAG[2]));
    });
}

#[test]
fn c_zeroes_the_cycle_counter_and_p_the_others() {
    each(|device| {
        let bus = device.bus();
        for enabled in [0, E] {
            for (act, left) in [(0, [5, 6, 7]), (C, [5, 6, 0]), (P, [0, 0, 7]), (C | P, [0; 3])] {
                device.poke(CONTROL, FLAGS);
                for (operands, count) in [COUNT[0], COUNT[1], CYCLES].into_iter().zip([5, 6, 7]) {
                    device.poke(operands, count);
                }
                bus.mcr(CONTROL, act | enabled);
                assert_eq!(counts(device), [5, 6, 7], "not in effect yet");
                bus.synchronize();
                assert_eq!(counts(device), left);
                assert_eq!(device.peek(CONTROL), FLAGS | enabled, "flags stay");
            }
        }
    });
}

#[test]
fn writing_back_c_and_p_resets_the_counters() {
    each(|device| {
        run(device);
        device.signal_raw(INSTRUCTION, 5);
        device.clock(5);
        device.set_noise(arm_pmu_sim::Noise::Ones);
        let bus = device.bus();
        let read = bus.mrc(CONTROL);
        assert_eq!(read & (C | P), C | P);
        bus.mcr(CONTROL, read);
        bus.synchronize();
        assert_eq!(counts(device), [0; 3]);
    });
}

#[test]
fn counts_can_be_written_at_any_time() {
    each(|device| {
        let bus = device.bus();
        for control in [0, E] {
            device.poke(CONTROL, control);
            for (nth, operands) in [COUNT[0], COUNT[1], CYCLES].into_iter().enumerate() {
                bus.mcr(operands, 0xFFFF_FF00 + nth as u32);
                assert_eq!(bus.mrc(operands), 0xFFFF_FF00 + nth as u32);
            }
        }
        assert_eq!(device.violations(), []);
    });
}
