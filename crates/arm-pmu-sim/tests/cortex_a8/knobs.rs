//! What can be made to go wrong with a Cortex-A8's performance monitor: each knob, both ways.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{CortexA8, Cp15Access, Noise, Response};

#[test]
fn niden_low_stops_events_but_not_accesses() {
    let device = running([EXCEPTION, 0x11, EXCEPTION, 0x11]);
    device.signal(EXCEPTION, 1);
    assert_eq!(counts(&device), [1, 0, 1, 0], "HIGH at first");
    device.set_niden(false);
    device.signal(EXCEPTION, 1);
    device.clock(5);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    assert_eq!(device.peek(CCNT), 5);
    device.poke(PMNC, RESET | DP | E);
    device.clock(5);
    assert_eq!(device.peek(CCNT), 5, "DP");
    assert_eq!(device.bus().mrc(CCNT), 5);
    device.set_niden(true);
    device.clock(5);
    device.signal(EXCEPTION, 1);
    assert_eq!((counts(&device), device.peek(CCNT)), ([2, 5, 2, 5], 10));
}

#[test]
fn a_reset_reaches_the_divider_or_not() {
    let device = CortexA8::new();
    for (reaches, count) in [(None, 1), (Some(true), 0), (Some(false), 1)] {
        // So does the loss of power, always.
        device.power_up();
        make_quiet(&device);
        device.poke(CNTENS, CYCLES);
        device.poke(PMNC, RESET | D | E);
        if let Some(reaches) = reaches {
            device.set_reset_reaches_divider(reaches);
        }
        device.clock(63);
        write(&device.bus(), PMNC, D | E | C);
        device.clock(1);
        assert_eq!(device.peek(CCNT), count);
        device.clock(31);
    }
}

#[test]
fn cycles_pass_with_accesses() {
    let device = running([0x11; 4]);
    device.set_cycles_per_access(7);
    let bus = device.bus();
    assert_eq!(bus.mrc(CCNT), 7);
    assert_eq!(bus.mrc(CCNT), 14);
    write(&bus, SWINCR, 0);
    assert_eq!((device.peek(CCNT), counts(&device)), (21, [21; 4]));
    device.set_cycles_per_access(0);
    assert_eq!(bus.mrc(CCNT), 21);
}

#[test]
fn another_number_of_counters() {
    let device = CortexA8::new();
    let bus = device.bus();
    device.poke(PMNC, u32::MAX);
    device.set_number_of_counters(2);
    assert_eq!(bus.mrc(PMNC), 0xFFFF_1039, "nothing else changes");
    for _ in 0..2 {
        device.power_up();
        assert_eq!(bus.mrc(PMNC), 0x4100_1000);
    }
    device.set_number_of_counters(31);
    assert_eq!(bus.mrc(PMNC), 0x4100_F800);
}

#[test]
#[should_panic(expected = "PMNC.N 0x20 has more than five bits")]
fn the_number_of_counters_has_five_bits() {
    CortexA8::new().set_number_of_counters(0x20);
}

#[test]
fn stores_are_posted_or_not() {
    let device = quiet();
    let bus = device.bus();
    bus.mcr(CCNT, 1);
    assert_eq!(device.peek(CCNT), 0, "posted at first");
    device.set_posted_stores(false);
    assert_eq!(device.peek(CCNT), 1, "nothing waits any more");
    bus.mcr(CCNT, 2);
    assert_eq!(device.peek(CCNT), 2);
    device.set_posted_stores(true);
    bus.mcr(CCNT, 3);
    assert_eq!(device.peek(CCNT), 2);
    drop(bus);
    assert_eq!(device.peek(CCNT), 3, "what was issued takes effect in the end");
}

#[test]
fn no_access_reads_zero_or_is_undefined() {
    let device = quiet();
    let bus = device.bus();
    device.poke(CCNT, 5);
    device.set_response(Response::Zero);
    write(&bus, CCNT, 6);
    assert_eq!((bus.mrc(CCNT), bus.mrc(PMNC), bus.error()), (0, 0, None));
    device.set_response(Response::Registers);
    assert_eq!(bus.mrc(CCNT), 5);
    device.respond_after(1, Response::Error);
    bus.mcr(CCNT, 6);
    assert!(bus.error().is_none());
    bus.mcr(CCNT, 7);
    assert!(bus.error().is_some());
    device.set_response(Response::Registers);
    assert_eq!(device.bus().mrc(CCNT), 6, "the store before it took effect");
}

/// Everything that can change, but for the selected registers.
fn contents(device: &CortexA8) -> [u32; 15] {
    let events = [0, 1, 2, 3].map(|counter| u32::from(device.peek_event(counter)));
    let [a, b, c, d] = counts(device);
    let others = [PMNC, CNTENS, FLAG, PMNXSEL, CCNT, USEREN, INTENS];
    let others = others.map(|operands| device.peek(operands));
    let mut all = [0; 15];
    let joined = others.into_iter().chain(events).chain([a, b, c, d]);
    all.iter_mut().zip(joined).for_each(|(to, from)| *to = from);
    all
}

#[test]
fn what_is_unknown_after_reset_is_noise() {
    let device = CortexA8::new();
    device.poke(PMNC, u32::MAX);
    device.set_user_access(true);
    for (noise, bits) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
        device.set_noise(noise);
        device.power_up();
        let [pmnc, cntens, flag, pmnxsel, ccnt, useren, intens, rest @ ..] = contents(&device);
        assert_eq!((pmnc, useren), (RESET, 0), "known");
        assert_eq!([cntens, flag, intens], [EACH & bits; 3]);
        assert_eq!((pmnxsel, ccnt), (0x1F & bits, bits));
        assert_eq!(rest[..4], [0xFF & bits; 4]);
        assert_eq!(rest[4..], [bits; 4]);
    }
    device.set_noise(Noise::Seeded(1));
    device.power_up();
    let first = contents(&device);
    device.power_up();
    assert_ne!(contents(&device), first, "another reset, other noise");
    assert_ne!(counts(&CortexA8::new()), [0; 4]);
}

#[test]
fn power_loss_takes_stores_but_not_the_pins() {
    let device = running([EXCEPTION; 4]);
    device.set_niden(false);
    let bus = device.bus();
    bus.mcr(CNTENS, EACH);
    device.set_noise(Noise::Zeros);
    device.power_up();
    bus.synchronize();
    assert_eq!(device.peek(CNTENS), 0);
    device.poke(CNTENS, 1);
    device.poke_event(0, EXCEPTION);
    device.poke(PMNC, RESET | E);
    device.signal(EXCEPTION, 1);
    assert_eq!(counts(&device)[0], 0, "NIDEN is an input");
}

#[test]
fn a_previous_owner_leaves_anything() {
    let device = CortexA8::new();
    device.power_up_with(Noise::Ones);
    let [pmnc, cntens, flag, pmnxsel, ccnt, useren, intens, rest @ ..] = contents(&device);
    assert_eq!((pmnc, useren), (RESET | 0x39, 1));
    assert_eq!([cntens, flag, intens], [EACH; 3]);
    assert_eq!((pmnxsel, ccnt), (0x1F, u32::MAX));
    assert_eq!(rest[..4], [0xFF; 4]);
    assert_eq!(rest[4..], [u32::MAX; 4]);
    assert!(device.interrupt());
    device.clock(1);
    assert_eq!(device.peek(CCNT), 0, "all is enabled, and the divider at its end");
    let bus = device.bus();
    bus.mcr(CCNT, 5);
    device.power_up_with(Noise::Zeros);
    bus.synchronize();
    assert_eq!(contents(&device)[0], RESET);
    assert_eq!(contents(&device)[1..], [0; 14]);
    device.power_up_with(Noise::Seeded(1));
    let some = contents(&device);
    device.power_up_with(Noise::Seeded(1));
    assert_eq!(contents(&device), some, "the same seed, the same noise");
    device.power_up_with(Noise::Seeded(2));
    assert_ne!(contents(&device), some);
}

#[test]
fn another_owner_interferes() {
    let device = running([EXCEPTION; 4]);
    device.clear_journal();
    device.other_owner_disables(2);
    assert_eq!(device.peek(CNTENS), 0x8000_000B);
    device.other_owner_disables_cycles();
    assert_eq!(device.peek(CNTENS), 0xB);
    device.other_owner_selects(3, 0x40);
    let events = [0, 1, 2, 3].map(|counter| device.peek_event(counter));
    assert_eq!(events, [EXCEPTION, EXCEPTION, EXCEPTION, 0x40]);
    device.other_owner_disables_all();
    assert_eq!(device.peek(PMNC), RESET);
    assert_eq!(device.journal(), [], "nobody saw it coming");
    assert_eq!(device.violations(), []);
}

#[test]
#[should_panic(expected = "there is no counter 4")]
fn another_owner_has_four_counters() {
    CortexA8::new().other_owner_disables(4);
}

#[test]
#[should_panic(expected = "there is no counter 4")]
fn there_are_four_counts() {
    let _ = CortexA8::new().peek_counter(4);
}

#[test]
#[should_panic(expected = "there is no counter 4")]
fn there_are_four_events() {
    CortexA8::new().poke_event(4, 0);
}

#[test]
fn the_journal_has_every_access_when_it_was_issued() {
    let device = quiet();
    let bus = device.bus();
    let refused = device.user_bus();
    bus.mcr(CCNT, 9);
    let _ = bus.mrc(CCNT);
    bus.synchronize();
    refused.mcr(CCNT, 1);
    assert_eq!(
        device.journal(),
        [
            Cp15Access::Store { operands: CCNT, value: 9 },
            Cp15Access::Load { operands: CCNT, value: 9 },
            Cp15Access::Synchronize,
            Cp15Access::Store { operands: CCNT, value: 1 },
        ]
    );
    device.clear_journal();
    assert_eq!(device.journal(), []);
}

#[test]
fn pokes_have_no_side_effects() {
    let device = running([EXCEPTION; 4]);
    device.signal(EXCEPTION, 5);
    device.poke(PMNC, C | P | E);
    device.poke(SWINCR, 0xF);
    device.poke(CCNT, 9);
    assert_eq!((counts(&device), device.peek(CCNT)), ([5; 4], 9));
    assert_eq!(device.peek(PMNC), E, "even read-only bits change");
    assert_eq!(device.violations(), []);
}

/// As the overflow handlers of Linux and FreeBSD do.
#[test]
fn ccnt_may_be_written_while_it_is_enabled() {
    for spoils in [true, false] {
        let device = running([EXCEPTION; 4]);
        device.set_running_cycles_spoil(spoils);
        device.set_noise(Noise::Ones);
        let bus = device.bus();
        bus.mcr(CCNT, 500);
        bus.synchronize();
        assert_eq!(device.peek(CCNT), if spoils { u32::MAX } else { 500 });
        assert_eq!(device.violations().len(), usize::from(spoils));
    }
}
