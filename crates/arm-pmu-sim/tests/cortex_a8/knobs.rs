//! Fault knobs of a Cortex-A8's performance monitor, each both ways.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{CortexA8, Cp15Access, Noise, Response};

#[test]
fn niden_low_stops_events_but_not_accesses() {
    let device = running([EXCEPTION, 0x11, EXCEPTION, 0x11]);
    device.signal_raw(EXCEPTION, 1);
    assert_eq!(counts(&device), [1, 0, 1, 0], "HIGH at first");
    device.set_niden(false);
    device.signal_raw(EXCEPTION, 1);
    device.clock(5);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    assert_eq!(device.peek(PMCCNTR), 5);
    device.poke(PMCR, RESET | DP | E);
    device.clock(5);
    assert_eq!(device.peek(PMCCNTR), 5, "DP");
    assert_eq!(device.bus().mrc(PMCCNTR), 5);
    device.set_niden(true);
    device.clock(5);
    device.signal_raw(EXCEPTION, 1);
    assert_eq!((counts(&device), device.peek(PMCCNTR)), ([2, 5, 2, 5], 10));
}

#[test]
fn a_reset_reaches_the_divider_or_not() {
    let device = CortexA8::new();
    for (reaches, count) in [(None, 1), (Some(true), 0), (Some(false), 1)] {
        // So does the loss of power, always.
        device.power_up();
        make_quiet(&device);
        device.poke(PMCNTENSET, CYCLES);
        device.poke(PMCR, RESET | D | E);
        if let Some(reaches) = reaches {
            device.set_reset_reaches_divider(reaches);
        }
        device.clock(63);
        write(&device.bus(), PMCR, D | E | C);
        device.clock(1);
        assert_eq!(device.peek(PMCCNTR), count);
        device.clock(31);
    }
}

#[test]
fn cycles_pass_with_accesses() {
    let device = running([0x11; 4]);
    device.set_cycles_per_access(7);
    let bus = device.bus();
    assert_eq!(bus.mrc(PMCCNTR), 7);
    assert_eq!(bus.mrc(PMCCNTR), 14);
    write(&bus, PMSWINC, 0);
    assert_eq!((device.peek(PMCCNTR), counts(&device)), (21, [21; 4]));
    device.set_cycles_per_access(0);
    assert_eq!(bus.mrc(PMCCNTR), 21);
}

#[test]
fn another_number_of_counters() {
    let device = CortexA8::new();
    let bus = device.bus();
    device.poke(PMCR, u32::MAX);
    device.set_number_of_counters(2);
    assert_eq!(bus.mrc(PMCR), 0xFFFF_1039, "nothing else changes");
    for _ in 0..2 {
        device.power_up();
        assert_eq!(bus.mrc(PMCR), 0x4100_1000);
    }
    device.set_number_of_counters(31);
    assert_eq!(bus.mrc(PMCR), 0x4100_F800);
}

#[test]
#[should_panic(expected = "PMCR.N 0x20 has more than five bits")]
fn the_number_of_counters_has_five_bits() {
    CortexA8::new().set_number_of_counters(0x20);
}

#[test]
fn stores_are_posted_or_not() {
    let device = quiet();
    let bus = device.bus();
    bus.mcr(PMCCNTR, 1);
    assert_eq!(device.peek(PMCCNTR), 0, "posted at first");
    device.set_posted_stores(false);
    assert_eq!(device.peek(PMCCNTR), 1, "nothing waits any more");
    bus.mcr(PMCCNTR, 2);
    assert_eq!(device.peek(PMCCNTR), 2);
    device.set_posted_stores(true);
    bus.mcr(PMCCNTR, 3);
    assert_eq!(device.peek(PMCCNTR), 2);
    drop(bus);
    assert_eq!(device.peek(PMCCNTR), 3, "what was issued takes effect in the end");
}

#[test]
fn no_access_reads_zero_or_is_undefined() {
    let device = quiet();
    let bus = device.bus();
    device.poke(PMCCNTR, 5);
    device.set_response(Response::Zero);
    write(&bus, PMCCNTR, 6);
    assert_eq!((bus.mrc(PMCCNTR), bus.mrc(PMCR), bus.error()), (0, 0, None));
    device.set_response(Response::Registers);
    assert_eq!(bus.mrc(PMCCNTR), 5);
    device.respond_after(1, Response::Error);
    bus.mcr(PMCCNTR, 6);
    assert!(bus.error().is_none());
    bus.mcr(PMCCNTR, 7);
    assert!(bus.error().is_some());
    device.set_response(Response::Registers);
    assert_eq!(device.bus().mrc(PMCCNTR), 6, "the store before it took effect");
}

/// Everything that can change, but for the selected registers.
fn contents(device: &CortexA8) -> [u32; 15] {
    let events = [0, 1, 2, 3].map(|counter| u32::from(device.peek_event(counter)));
    let [a, b, c, d] = counts(device);
    let others = [PMCR, PMCNTENSET, PMOVSR, PMSELR, PMCCNTR, PMUSERENR, PMINTENSET];
    let others = others.map(|operands| device.peek(operands));
    let mut all = [0; 15];
    let joined = others.into_iter().chain(events).chain([a, b, c, d]);
    all.iter_mut().zip(joined).for_each(|(to, from)| *to = from);
    all
}

#[test]
fn unknown_reset_values_are_noise() {
    let device = CortexA8::new();
    device.poke(PMCR, u32::MAX);
    device.set_user_access(true);
    for (noise, bits) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
        device.set_noise(noise);
        device.power_up();
        let [pmcr, pmcntenset, flag, pmselr, pmccntr, pmuserenr, pmintenset, rest @ ..] =
            contents(&device);
        assert_eq!((pmcr, pmuserenr), (RESET, 0), "known");
        assert_eq!([pmcntenset, flag, pmintenset], [EACH & bits; 3]);
        assert_eq!((pmselr, pmccntr), (0x1F & bits, bits));
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
    bus.mcr(PMCNTENSET, EACH);
    device.set_noise(Noise::Zeros);
    device.power_up();
    bus.synchronize();
    assert_eq!(device.peek(PMCNTENSET), 0);
    device.poke(PMCNTENSET, 1);
    device.poke_event(0, EXCEPTION);
    device.poke(PMCR, RESET | E);
    device.signal_raw(EXCEPTION, 1);
    assert_eq!(counts(&device)[0], 0, "NIDEN is an input");
}

#[test]
fn a_previous_owner_leaves_anything() {
    let device = CortexA8::new();
    device.power_up_with(Noise::Ones);
    let [pmcr, pmcntenset, flag, pmselr, pmccntr, pmuserenr, pmintenset, rest @ ..] =
        contents(&device);
    assert_eq!((pmcr, pmuserenr), (RESET | 0x39, 1));
    assert_eq!([pmcntenset, flag, pmintenset], [EACH; 3]);
    assert_eq!((pmselr, pmccntr), (0x1F, u32::MAX));
    assert_eq!(rest[..4], [0xFF; 4]);
    assert_eq!(rest[4..], [u32::MAX; 4]);
    assert!(device.interrupt());
    device.clock(1);
    assert_eq!(device.peek(PMCCNTR), 0, "all is enabled, and the divider at its end");
    let bus = device.bus();
    bus.mcr(PMCCNTR, 5);
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
    assert_eq!(device.peek(PMCNTENSET), 0x8000_000B);
    device.other_owner_disables_cycles();
    assert_eq!(device.peek(PMCNTENSET), 0xB);
    device.other_owner_selects(3, 0x40);
    let events = [0, 1, 2, 3].map(|counter| device.peek_event(counter));
    assert_eq!(events, [EXCEPTION, EXCEPTION, EXCEPTION, 0x40]);
    device.other_owner_disables_all();
    assert_eq!(device.peek(PMCR), RESET);
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
fn the_journal_is_in_the_order_of_issue() {
    let device = quiet();
    let bus = device.bus();
    let refused = device.user_bus();
    bus.mcr(PMCCNTR, 9);
    let _ = bus.mrc(PMCCNTR);
    bus.synchronize();
    refused.mcr(PMCCNTR, 1);
    assert_eq!(
        device.journal(),
        [
            Cp15Access::Store { operands: PMCCNTR, value: 9 },
            Cp15Access::Load { operands: PMCCNTR, value: 9 },
            Cp15Access::Synchronize,
            Cp15Access::Store { operands: PMCCNTR, value: 1 },
        ]
    );
    device.clear_journal();
    assert_eq!(device.journal(), []);
}

#[test]
fn pokes_have_no_side_effects() {
    let device = running([EXCEPTION; 4]);
    device.signal_raw(EXCEPTION, 5);
    device.poke(PMCR, C | P | E);
    device.poke(PMSWINC, 0xF);
    device.poke(PMCCNTR, 9);
    assert_eq!((counts(&device), device.peek(PMCCNTR)), ([5; 4], 9));
    assert_eq!(device.peek(PMCR), E, "even read-only bits change");
    assert_eq!(device.violations(), []);
}

/// As the overflow handlers of Linux and FreeBSD do.
#[test]
fn pmccntr_may_be_written_while_it_is_enabled() {
    for spoils in [true, false] {
        let device = running([EXCEPTION; 4]);
        device.set_running_cycles_spoil(spoils);
        device.set_noise(Noise::Ones);
        let bus = device.bus();
        bus.mcr(PMCCNTR, 500);
        bus.synchronize();
        assert_eq!(device.peek(PMCCNTR), if spoils { u32::MAX } else { 500 });
        assert_eq!(device.violations().len(), usize::from(spoils));
    }
}
