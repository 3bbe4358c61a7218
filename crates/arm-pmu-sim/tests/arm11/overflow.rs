//! Effects and acknowledgement of an overflow of an ARM11's counter.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Arm11, FlagsClear};

/// The bits that enable everything and select an event per counter.
const RUN: u32 = selecting(INSTRUCTION, BRANCH) | E;

/// Lets one counter count once.
fn step(device: &Arm11, counter: usize) {
    match counter {
        0 => device.signal_raw(INSTRUCTION, 1),
        1 => device.signal_raw(BRANCH, 1),
        _ => device.clock(1),
    }
}

#[test]
fn a_wrap_sets_the_flag_of_its_counter() {
    each(|device| {
        for (counter, operands) in [COUNT[0], COUNT[1], CYCLES].into_iter().enumerate() {
            set_up(device, RUN);
            device.poke(operands, u32::MAX - 1);
            step(device, counter);
            assert_eq!(device.peek(CONTROL), RUN);
            step(device, counter);
            assert_eq!(device.peek(CONTROL), RUN | FLAG[counter]);
            assert_eq!(device.peek(operands), 0);
            step(device, counter);
            assert_eq!(device.peek(operands), 1, "it goes on");
            assert_eq!(device.peek(CONTROL), RUN | FLAG[counter], "the flag stays");
        }
    });
}

#[test]
fn many_events_at_once_wrap_too() {
    each(|device| {
        set_up(device, RUN);
        device.poke(COUNT[0], 10);
        device.signal_raw(INSTRUCTION, u32::MAX);
        assert_eq!(device.peek(COUNT[0]), 9);
        device.clock(1 << 32);
        assert_eq!((device.peek(CYCLES), device.peek(CONTROL)), (0, RUN | FLAG[0] | FLAG[2]));
    });
}

#[test]
fn a_flag_and_its_enable_make_an_interrupt() {
    each(|device| {
        let fast_there = device.registers() == Arm11::ARM1156_REGISTERS;
        for flag in 0..3 {
            for enable in 0..3 {
                for e in [0, E] {
                    device.poke(CONTROL, FLAG[flag] | e);
                    assert!(!device.interrupt() && !device.fast_interrupt());
                    device.poke(CONTROL, FLAG[flag] | INTERRUPT[enable] | e);
                    assert_eq!(device.interrupt(), flag == enable);
                    assert!(!device.fast_interrupt());
                    device.poke(CONTROL, FLAG[flag] | FAST[enable] | e);
                    assert_eq!(device.fast_interrupt(), flag == enable && fast_there);
                    assert!(!device.interrupt());
                }
            }
            device.poke(CONTROL, FLAG[flag] | INTERRUPT[flag] | FAST[flag]);
            assert_eq!((device.interrupt(), device.fast_interrupt()), (true, fast_there));
        }
        device.poke(CONTROL, INTERRUPT[0] | INTERRUPT[1] | INTERRUPT[2]);
        assert!(!device.interrupt());
    });
}

#[test]
fn flags_clear_while_enabled_only() {
    each(|device| {
        let bus = device.bus();
        for (when, clears) in [
            (FlagsClear::default(), [false, false, false, true]),
            (FlagsClear::IfEnabledThroughout, [false, false, false, true]),
            (FlagsClear::IfEnabledBefore, [false, false, true, true]),
            (FlagsClear::IfEnabledByWrite, [false, true, false, true]),
        ] {
            device.set_flags_clear(when);
            let combinations = [(0, 0), (0, E), (E, 0), (E, E)];
            for ((before, after), clears) in combinations.into_iter().zip(clears) {
                for flag in FLAG {
                    device.poke(CONTROL, FLAGS | INTERRUPT[0] | before);
                    bus.mcr(CONTROL, flag | INTERRUPT[0] | after);
                    bus.synchronize();
                    let left = if clears { FLAGS & !flag } else { FLAGS };
                    assert_eq!(
                        device.peek(CONTROL),
                        left | INTERRUPT[0] | after,
                        "{when:?} {before} {after}"
                    );
                    assert_eq!(device.interrupt(), left & FLAG[0] != 0);
                }
            }
        }
    });
}

#[test]
fn flags_are_strict_by_default() {
    each(|device| {
        let bus = device.bus();
        device.poke(CONTROL, FLAGS);
        bus.mcr(CONTROL, FLAGS | E);
        bus.synchronize();
        assert_eq!(device.peek(CONTROL), FLAGS | E);
        bus.mcr(CONTROL, FLAGS);
        bus.synchronize();
        assert_eq!(device.peek(CONTROL), FLAGS);
    });
}

#[test]
fn writing_zero_or_disabling_leaves_flags() {
    each(|device| {
        let bus = device.bus();
        device.poke(CONTROL, FLAGS | E);
        bus.mcr(CONTROL, E);
        bus.mcr(CONTROL, 0);
        bus.synchronize();
        assert_eq!(device.peek(CONTROL), FLAGS);
    });
}
