//! Fault knobs of an ARM11's performance monitor, each both ways.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Arm11, Cp15Access, Noise, Response};

/// Returns the increments of the counters after one event each and one cycle.
fn one_each(device: &Arm11) -> [u32; 3] {
    let before = counts(device);
    device.signal_raw(INSTRUCTION, 1);
    device.signal_raw(BRANCH, 1);
    device.clock(1);
    let after = counts(device);
    [0, 1, 2].map(|counter| after[counter] - before[counter])
}

#[test]
fn in_debug_state_counters_stand_still() {
    each(|device| {
        run(device);
        device.set_debug_state(true);
        assert_eq!(one_each(device), [0; 3]);
        device.etmextout([true; 2], 1);
        assert_eq!(device.bus().mrc(COUNT[0]), 0, "registers can be read");
        device.set_debug_state(false);
        assert_eq!(one_each(device), [1; 3]);
    });
}

#[test]
fn secure_events_count_where_permitted() {
    let device = Arm11::arm1176();
    run(&device);
    assert_eq!(one_each(&device), [1; 3], "Non-secure at first");
    device.set_secure(true);
    assert_eq!(one_each(&device), [0, 0, 1], "not permitted at first");
    device.set_secure_stops_cycles(true);
    assert_eq!(one_each(&device), [0; 3]);
    device.set_secure_stops_cycles(false);
    assert_eq!(one_each(&device), [0, 0, 1]);
    device.poke(CONTROL, selecting(0xFF, 0x20) | E);
    device.clock(1);
    device.etmextout([true; 2], 1);
    assert_eq!(counts(&device), [1, 1, 4], "every cycle is an event there");
    run(&device);
    device.set_secure_observed(true);
    assert_eq!(one_each(&device), [1; 3]);
    device.set_secure_observed(false);
    device.set_secure(false);
    assert_eq!(one_each(&device), [1; 3]);
}

#[test]
#[should_panic(expected = "only an ARM1176")]
fn an_arm1136_has_no_secure_state() {
    Arm11::arm1136().set_secure(true);
}

#[test]
#[should_panic(expected = "only an ARM1176")]
fn an_arm1156_has_nothing_to_observe() {
    Arm11::arm1156().set_secure_observed(true);
}

#[test]
#[should_panic(expected = "only an ARM1176")]
fn an_arm1136_has_no_secure_cycles() {
    Arm11::arm1136().set_secure_stops_cycles(true);
}

#[test]
fn counting_starts_late() {
    each(|device| {
        let control = selecting(INSTRUCTION, 0xFF);
        set_up(device, control);
        device.set_start_delay(3);
        let bus = device.bus();
        bus.mcr(CONTROL, control | E);
        bus.synchronize();
        device.signal_raw(INSTRUCTION, 1);
        device.clock(2);
        device.signal_raw(INSTRUCTION, 1);
        assert_eq!(counts(device), [0; 3]);
        device.clock(1);
        device.signal_raw(INSTRUCTION, 1);
        assert_eq!(counts(device), [1, 0, 0]);
        device.clock(5);
        assert_eq!(counts(device), [1, 5, 5]);
        bus.mcr(CONTROL, control | E);
        bus.synchronize();
        device.clock(1);
        assert_eq!(counts(device), [1, 6, 6], "it was enabled already");
        bus.mcr(CONTROL, control);
        bus.mcr(CONTROL, control | E);
        bus.synchronize();
        device.clock(5);
        assert_eq!(counts(device), [1, 8, 8]);
        device.set_start_delay(0);
        bus.mcr(CONTROL, control);
        bus.mcr(CONTROL, control | E);
        bus.synchronize();
        device.clock(1);
        assert_eq!(counts(device), [1, 9, 9]);
    });
}

#[test]
fn power_loss_ends_a_late_start() {
    each(|device| {
        device.set_start_delay(3);
        let bus = device.bus();
        bus.mcr(CONTROL, E);
        bus.synchronize();
        device.power_up();
        run(device);
        assert_eq!(one_each(device), [1; 3]);
    });
}

#[test]
fn a_reset_reaches_the_divider_or_not() {
    each(|device| {
        for (reaches, count) in [(None, 1), (Some(true), 0), (Some(false), 1)] {
            // So does the loss of power, always.
            device.power_up();
            if let Some(reaches) = reaches {
                device.set_reset_reaches_divider(reaches);
            }
            set_up(device, D | E);
            device.clock(63);
            let bus = device.bus();
            bus.mcr(CONTROL, D | E | C);
            bus.synchronize();
            device.clock(1);
            assert_eq!(counts(device)[2], count);
            device.clock(31);
        }
    });
}

#[test]
fn cycles_pass_with_accesses() {
    each(|device| {
        set_up(device, E);
        device.set_cycles_per_access(7);
        let bus = device.bus();
        assert_eq!(bus.mrc(CYCLES), 7);
        assert_eq!(bus.mrc(CYCLES), 14);
        bus.mcr(COUNT[0], 0);
        bus.synchronize();
        assert_eq!(device.peek(CYCLES), 21);
        device.set_cycles_per_access(0);
        assert_eq!(bus.mrc(CYCLES), 21);
    });
}

#[test]
fn stores_are_posted_or_not() {
    each(|device| {
        device.poke(COUNT[0], 0);
        let (bus, other) = (device.bus(), device.bus());
        bus.mcr(COUNT[0], 1);
        assert_eq!(device.peek(COUNT[0]), 0, "posted at first");
        device.set_posted_stores(false);
        assert_eq!(device.peek(COUNT[0]), 1, "nothing waits any more");
        bus.mcr(COUNT[0], 2);
        assert_eq!(device.peek(COUNT[0]), 2);
        device.set_posted_stores(true);
        bus.mcr(COUNT[0], 3);
        assert_eq!(other.mrc(COUNT[0]), 3, "both buses are of one core");
        other.mcr(COUNT[0], 4);
        bus.mcr(COUNT[0], 5);
        drop(bus);
        assert_eq!(device.peek(COUNT[0]), 5, "in the order in which they were issued");
        drop(other);
        assert_eq!(device.peek(COUNT[0]), 5);
    });
}

#[test]
fn no_access_reads_zero_or_is_undefined() {
    each(|device| {
        run(device);
        device.clock(5);
        let bus = device.bus();
        device.set_response(Response::Zero);
        bus.mcr(CYCLES, 0);
        assert_eq!(bus.mrc(CYCLES), 0);
        assert!(bus.error().is_none());
        device.set_response(Response::Registers);
        assert_eq!(bus.mrc(CYCLES), 5, "the write was ignored");
        device.set_response(Response::Error);
        bus.mcr(CYCLES, 0);
        assert!(bus.error().is_some(), "at once");
        device.set_response(Response::Registers);
        assert_eq!(bus.mrc(CYCLES), 0, "and for ever");
        assert_eq!(device.bus().mrc(CYCLES), 5);
    });
}

#[test]
fn a_store_before_the_fault_takes_effect() {
    each(|device| {
        device.respond_after(2, Response::Error);
        let bus = device.bus();
        bus.mcr(COUNT[0], 1);
        bus.mcr(COUNT[1], 2);
        bus.mcr(CYCLES, 3);
        assert!(bus.error().is_some());
        bus.synchronize();
        assert_eq!(counts(device)[..2], [1, 2]);
        assert_ne!(counts(device)[2], 3);
    });
}

/// All registers.
fn contents(device: &Arm11) -> Vec<u32> {
    device.registers().iter().map(|row| device.peek(row.operands)).collect()
}

#[test]
fn power_loss_takes_everything_but_the_signals() {
    each(|device| {
        run(device);
        device.set_debug_state(true);
        device.poke(CONTROL, u32::MAX);
        let bus = device.bus();
        bus.mcr(COUNT[0], 1);
        device.set_noise(Noise::Zeros);
        device.power_up();
        bus.synchronize();
        assert!(contents(device).iter().all(|held| *held == 0));
        run(device);
        assert_eq!(one_each(device), [0; 3], "Debug state is not a register");
        device.set_debug_state(false);
        assert_eq!(one_each(device), [1; 3]);
    });
}

#[test]
fn unknown_reset_values_are_noise() {
    each(|device| {
        device.set_noise(Noise::Ones);
        device.power_up();
        let unknown: Vec<u32> = device.registers().iter().map(|row| row.unknown).collect();
        assert_eq!(contents(device), unknown);
    });
    // Events of both counters, and bits that the core's manual leaves open.
    let noise = |device: Arm11| contents(&device)[..4].iter().map(|held| *held != 0).collect();
    let [first, second, third]: [Vec<bool>; 3] =
        [noise(Arm11::arm1136()), noise(Arm11::arm1156()), noise(Arm11::arm1176())];
    assert_eq!(first, [true, true, false, false]);
    assert_eq!(second, [true; 4]);
    assert_eq!(third, [true, false, false, false]);
}

#[test]
fn a_previous_owner_leaves_anything() {
    each(|device| {
        let readable: Vec<u32> = device.registers().iter().map(|row| row.readable()).collect();
        device.power_up_with(Noise::Ones);
        assert_eq!(contents(device), readable);
        assert!(device.interrupt());
        assert_eq!(device.user_bus().mrc(CYCLES) != 0, device.registers().len() == 5, "V");
        device.power_up_with(Noise::Zeros);
        assert!(contents(device).iter().all(|held| *held == 0));
        device.power_up_with(Noise::Seeded(1));
        let some = contents(device);
        device.power_up_with(Noise::Seeded(1));
        assert_eq!(contents(device), some, "the same seed, the same noise");
        device.power_up_with(Noise::Seeded(2));
        assert_ne!(contents(device), some);
    });
}

#[test]
fn power_loss_always_drops_stores() {
    each(|device| {
        let bus = device.bus();
        bus.mcr(COUNT[0], 5);
        device.power_up_with(Noise::Ones);
        bus.synchronize();
        assert_eq!(device.peek(COUNT[0]), u32::MAX);
    });
}

#[test]
fn the_divider_is_left_anywhere() {
    each(|device| {
        let firsts: Vec<u64> = [Noise::Zeros, Noise::Ones]
            .into_iter()
            .map(|noise| {
                device.power_up_with(noise);
                set_up(device, D | E);
                (1..).find(|_| {
                    device.clock(1);
                    counts(device)[2] == 1
                })
            })
            .map(|cycles| cycles.unwrap())
            .collect();
        assert_eq!(firsts, [64, 1]);
    });
}

#[test]
fn another_owner_interferes() {
    each(|device| {
        run(device);
        device.clear_journal();
        device.other_owner_selects(0, 0xFF);
        assert_eq!(device.peek(CONTROL), selecting(0xFF, BRANCH) | E);
        device.other_owner_selects(1, 0x00);
        assert_eq!(device.peek(CONTROL), selecting(0xFF, 0x00) | E);
        device.other_owner_disables_all();
        assert_eq!(device.peek(CONTROL), selecting(0xFF, 0x00));
        assert_eq!(device.journal(), [], "nobody saw it coming");
        assert_eq!(device.violations(), []);
    });
}

#[test]
#[should_panic(expected = "there is no counter 2")]
fn there_are_two_counters() {
    Arm11::arm1136().other_owner_selects(2, 0);
}

#[test]
#[should_panic(expected = "no register at p15, 0, c15, c9, 0")]
fn an_arm1136_has_no_v_bit() {
    let _ = Arm11::arm1136().peek(VALIDATION);
}

#[test]
fn the_journal_is_in_the_order_of_issue() {
    each(|device| {
        let bus = device.bus();
        let refused = device.user_bus();
        bus.mcr(COUNT[1], 9);
        let _ = bus.mrc(COUNT[1]);
        bus.synchronize();
        let _ = refused.mrc(COUNT[1]);
        device.poke(CONTROL, 0);
        assert_eq!(
            device.journal(),
            [
                Cp15Access::Store { operands: COUNT[1], value: 9 },
                Cp15Access::Load { operands: COUNT[1], value: 9 },
                Cp15Access::Synchronize,
                Cp15Access::Load { operands: COUNT[1], value: 0 },
            ]
        );
        device.clear_journal();
        assert_eq!(device.journal(), []);
    });
}

#[test]
fn pokes_have_no_side_effects() {
    each(|device| {
        run(device);
        device.signal_raw(INSTRUCTION, 5);
        device.poke(CONTROL, u32::MAX);
        assert_eq!(counts(device), [5, 0, 0]);
        assert_eq!(device.peek(CONTROL) & (C | P | 1 << 7 | 1 << 31), 0, "they hold nothing");
        assert_eq!(device.violations(), []);
    });
}

/// Linux writes back the value read, with one bit changed.
#[test]
fn the_reset_bits_read_as_zero_if_set_so() {
    each(|device| {
        run(device);
        one_each(device);
        device.set_noise(Noise::Ones);
        let control = |device: &Arm11| device.bus().mrc(CONTROL);
        assert_eq!(control(device) & 0b110, 0b110, "noise at first");
        device.set_resets_read_zero(true);
        assert_eq!(control(device) & 0b111, 0b001, "E as before");
        device.set_noise(Noise::Zeros);
        let bus = device.bus();
        bus.mcr(CONTROL, bus.mrc(CONTROL) & !1);
        bus.synchronize();
        assert_ne!(counts(device), [0; 3], "nothing was reset");
    });
}
