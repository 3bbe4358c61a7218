//! Tests of counting, resets and overflows on every simulated device with wrapping counters.

use arm_pmu_sim::Noise;

use crate::counters::{BY_64, FREEZES, RESET_CYCLES, RESET_EVENTS, each};
use crate::device::Place;

#[test]
fn enabled_counters_count_their_selected_event() {
    each(|device, name| {
        device.run();
        let [first, second] = device.events();
        device.signal(first, 3);
        device.signal(second, 4);
        device.signal(first, 4);
        let expected: Vec<u32> = (0..device.counters())
            .map(|counter| if counter == device.event_counters() { 0 } else { [7, 4][counter % 2] })
            .collect();
        assert_eq!(device.counts(), expected, "{name}");
        for counter in 0..device.counters() {
            device.run();
            device.step(counter, 5);
            assert_eq!(device.count(counter), 5, "{name}: {counter}");
            if device.enable(counter, false) {
                device.step(counter, 1);
                assert_eq!(device.count(counter), 5, "{name}: {counter}");
                device.enable(counter, true);
            }
            device.change_control(1, 0);
            device.step(counter, 1);
            assert_eq!(device.count(counter), 5, "{name}: {counter}");
        }
    });
}

#[test]
fn events_match_all_bits_of_their_code() {
    each(|device, name| {
        device.run();
        let event = device.events()[1];
        for bit in 0..8 {
            device.signal(event ^ 1 << bit, 1);
        }
        assert_eq!(device.count(1), 0, "{name}");
        device.signal(event, 0);
        assert_eq!(device.count(1), 0, "{name}");
    });
}

#[test]
fn stores_take_effect_when_they_arrive() {
    each(|device, name| {
        device.run();
        let bus = device.software();
        bus.write(device.control(), device.get(device.control()) & !1);
        device.step(0, 1);
        bus.settle();
        device.step(0, 10);
        assert_eq!(device.count(0), 1, "{name}");
    });
}

#[test]
fn the_cycle_event_ignores_the_divider() {
    each(|device, name| {
        let Some(cycle_event) = device.cycle_event() else { return };
        device.run();
        device.select(0, cycle_event);
        if device.has_cycle_counter() {
            device.change_control(0, BY_64);
        }
        device.clock(130);
        device.signal(cycle_event, 62);
        assert_eq!((device.count(0), device.count(1)), (192, 0), "{name}");
        if device.has_cycle_counter() {
            assert_eq!(device.count(device.event_counters()), 3, "{name}");
        }
    });
}

#[test]
fn the_divider_counts_every_64th_cycle() {
    each(|device, name| {
        if !device.has_cycle_counter() {
            return;
        }
        let cycles = device.event_counters();
        let after = |number| {
            device.clock(number);
            device.count(cycles)
        };
        device.run();
        device.change_control(0, BY_64);
        assert_eq!([after(63), after(1), after(64 * 10 + 32)], [0, 1, 11], "{name}");
        device.change_control(BY_64, 0);
        assert_eq!(after(32), 43, "{name}: without the divider, which stands still");
        device.change_control(0, BY_64);
        if device.enable(cycles, false) {
            assert_eq!(after(100), 43, "{name}: it does too without its counter");
            device.enable(cycles, true);
        }
        assert_eq!([after(31), after(1)], [43, 44], "{name}: the remainder is kept");
        device.set_count(cycles, 0);
        assert_eq!((after((1 << 38) - 64), device.flags()), (u32::MAX, 0), "{name}");
        assert_eq!((after(64), device.flags()), (0, 1 << cycles), "{name}");
    });
}

#[test]
fn the_divider_can_be_disabled_at_any_count() {
    each(|device, name| {
        if !device.has_cycle_counter() {
            return;
        }
        for (noise, first) in [(Noise::Zeros, 64), (Noise::Ones, 1)] {
            device.run();
            device.power_up_with(noise);
            let cycles = device.event_counters();
            device.enable(cycles, true);
            device.set_count(cycles, 0);
            device.change_control(FREEZES, BY_64 | 1);
            device.clock(first - 1);
            assert_eq!(device.count(cycles), 0, "{name}");
            device.clock(1);
            assert_eq!(device.count(cycles), 1, "{name}");
        }
    });
}

#[test]
fn an_option_resets_the_divider_too() {
    each(|device, name| {
        for (reaches, counted) in [(None, 1), (Some(true), 0), (Some(false), 1)] {
            device.run();
            let is_open = reaches.is_none_or(|reaches| device.let_reset_reach_divider(reaches));
            if !is_open || !device.has_cycle_counter() {
                return;
            }
            device.change_control(0, BY_64);
            device.clock(63);
            device.write_control(0, RESET_EVENTS);
            device.write_control(0, RESET_CYCLES);
            device.clock(1);
            assert_eq!(device.count(device.event_counters()), counted, "{name}: {reaches:?}");
        }
        device.run();
        device.let_reset_reach_divider(true);
        device.change_control(0, BY_64);
        device.clock(63);
        device.write_control(0, RESET_EVENTS);
        device.clock(1);
        assert_eq!(device.count(device.event_counters()), 1, "{name}: the reset of event counters");
    });
}

#[test]
fn each_reset_zeroes_its_counters_once() {
    each(|device, name| {
        if !device.has_resets() {
            return;
        }
        for act in [0, RESET_EVENTS, RESET_CYCLES, RESET_EVENTS | RESET_CYCLES] {
            // A CCI without a cycle counter has no reset of the cycle counter.
            if act & RESET_CYCLES != 0 && !device.has_cycle_counter() {
                continue;
            }
            device.run();
            for counter in 0..device.counters() {
                device.set_count(counter, u32::MAX);
                device.step(counter, 1);
            }
            (0..device.counters()).for_each(|counter| device.set_count(counter, 7));
            let flags = device.flags();
            let bus = device.software();
            bus.write(device.control(), device.control_value() | act);
            assert_eq!(device.count(0), 7, "{name}: not in effect yet");
            bus.settle();
            for counter in 0..device.counters() {
                let is_cycles = counter == device.event_counters();
                let reset = act & if is_cycles { RESET_CYCLES } else { RESET_EVENTS } != 0;
                assert_eq!(
                    device.count(counter),
                    if reset { 0 } else { 7 },
                    "{name}: {counter} {act:#x}"
                );
            }
            (0..device.counters()).for_each(|counter| device.set_count(counter, 8));
            assert_eq!(device.flags(), flags, "{name}: flags stay");
            device.write_control(0, 0);
            assert!(device.counts().iter().all(|count| *count == 8), "{name}: once");
        }
    });
}

#[test]
fn a_wrap_sets_a_sticky_w1c_flag() {
    each(|device, name| {
        for counter in 0..device.counters() {
            device.run();
            device.set_count(counter, 10);
            device.step(counter, u32::MAX - 10);
            assert_eq!(
                (device.count(counter), device.flags()),
                (u32::MAX, 0),
                "{name}: full, not over"
            );
            device.set_count(counter, u32::MAX - 1);
            device.step(counter, 1);
            assert_eq!((device.count(counter), device.flags()), (u32::MAX, 0), "{name}");
            for other in 0..device.counters() {
                device.set_count(other, 0);
            }
            device.set_count(counter, u32::MAX);
            device.step(counter, 1);
            let flag = 1 << counter;
            assert_eq!((device.count(counter), device.flags()), (0, flag), "{name}: {counter}");
            device.step(counter, 1);
            assert_eq!((device.count(counter), device.flags()), (1, flag), "{name}: it goes on");
            let bus = device.software();
            let (at, value) = device.clearing(0b11 & !flag);
            bus.write(at, value);
            bus.settle();
            assert_eq!(device.flags(), flag, "{name}: not the flags of others");
            let (at, value) = device.clearing(flag);
            bus.write(at, value);
            assert_eq!(device.flags(), flag, "{name}: not in effect yet");
            bus.settle();
            assert_eq!(device.flags(), 0, "{name}: {counter}");
        }
    });
}

#[test]
fn many_events_at_once_wrap_too() {
    each(|device, name| {
        device.run();
        device.set_count(0, 10);
        device.step(0, u32::MAX);
        assert_eq!((device.count(0), device.flags() & 1), (9, 1), "{name}");
        device.run();
        let Some(cycles) = device.counts_cycles() else { return };
        device.clock(5 << 32 | 3);
        assert_eq!((device.count(cycles), device.flags() >> cycles & 1), (3, 1), "{name}");
    });
}

#[test]
fn a_flag_and_its_enable_make_an_interrupt() {
    each(|device, name| {
        device.run();
        if device.interrupt(0).is_none() {
            return;
        }
        for counter in 0..device.counters() {
            device.run();
            let all = (1 << device.counters()) - 1;
            assert_eq!(device.interrupt(all), Some(false), "{name}: no flag");
            device.set_count(counter, u32::MAX);
            device.step(counter, 1);
            let flags = device.flags();
            for enable in 0..device.counters() {
                let expected = flags >> enable & 1 == 1;
                assert_eq!(
                    device.interrupt(1 << enable),
                    Some(expected),
                    "{name}: {counter} {enable}"
                );
            }
            assert_eq!(device.interrupt(0), Some(false), "{name}: not enabled");
            device.change_control(1, 0);
            // On PMUv3, the interrupt needs the common enable.
            let needs_enable = matches!(device.control(), Place::System(_));
            assert_eq!(device.interrupt(all), Some(!needs_enable), "{name}: disabled");
        }
    });
}

#[test]
fn cycles_pass_with_accesses() {
    each(|device, name| {
        device.run();
        let bus = device.software();
        if !device.pass_cycles_per_access(7) {
            return;
        }
        let cycles = device.counts_cycles().expect("a clock");
        let control = device.control();
        let value = bus.read(control);
        assert_eq!(device.count(cycles), 7, "{name}");
        bus.write(control, value & !0b111);
        bus.settle();
        assert_eq!(device.count(cycles), 14, "{name}: the access that stops takes time too");
        bus.write(control, value & !0b110);
        bus.settle();
        device.pass_cycles_per_access(0);
        let _ = bus.read(control);
        assert_eq!(device.count(cycles), 14, "{name}");
    });
}

#[test]
fn changes_by_another_owner_are_not_recorded() {
    each(|device, name| {
        device.run();
        device.clear_journal();
        let [first, second] = device.events();
        device.other_owner_selects(0, second);
        device.signal(first, 1);
        device.signal(second, 1);
        assert_eq!((device.count(0), device.count(1)), (1, 1), "{name}");
        for counter in 0..device.counters() {
            device.run();
            if !device.enable(counter, true) {
                continue;
            }
            device.other_owner_disables(counter);
            for each in 0..device.event_counters() {
                device.signal(device.events()[each % 2], 1);
            }
            device.clock(1);
            let counts = device.counts();
            let still: Vec<usize> = (0..counts.len()).filter(|each| counts[*each] == 0).collect();
            assert_eq!(still, [counter], "{name}");
        }
        device.run();
        device.other_owner_disables_all();
        device.step(0, 1);
        assert_eq!((device.count(0), device.get(device.control()) & 1), (0, 0), "{name}");
        assert_eq!((device.journal(), device.complaints()), (vec![], vec![]), "{name}");
    });
}

#[test]
fn changes_from_inside_have_no_side_effects() {
    each(|device, name| {
        device.run();
        device.step(0, 5);
        device.change_control(0, RESET_EVENTS | RESET_CYCLES);
        assert_eq!(device.count(0), 5, "{name}: no reset");
        assert_eq!((device.journal(), device.complaints()), (vec![], vec![]), "{name}");
    });
}
