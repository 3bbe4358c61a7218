//! Tests of a Cortex-A8: access rights, selector, increments, reserved bits and settings.

use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::{AnyOperands, CortexA8, Cp15Bus, Noise, StaleSelector, Violation};

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

const PMCR: Operands = c9(12, 0);
const PMCNTENSET: Operands = c9(12, 1);
const PMOVSR: Operands = c9(12, 3);
const PMSWINC: Operands = c9(12, 4);
const PMSELR: Operands = c9(12, 5);
const PMCCNTR: Operands = c9(13, 0);
const PMXEVTYPER: Operands = c9(13, 1);
const PMXEVCNTR: Operands = c9(13, 2);
const PMUSERENR: Operands = c9(14, 0);
const PMINTENSET: Operands = c9(14, 1);

const E: u32 = 1;
/// PMCR after a reset.
const RESET: u32 = 0x4100_2000;
/// The bits of all counters.
const EACH: u32 = 0x8000_000F;

/// An event.
const EXCEPTION: u8 = 0x09;

/// Disables everything, zeroes all counters, and selects the software increment.
fn make_quiet(device: &CortexA8) {
    for operands in [PMCNTENSET, PMOVSR, PMINTENSET, PMSELR, PMCCNTR, PMCR, PMUSERENR] {
        device.poke(operands, 0);
    }
    device.poke(PMCR, RESET);
    for counter in 0..4 {
        device.poke_counter(counter, 0);
        device.poke_event(counter, 0);
    }
}

fn quiet() -> CortexA8 {
    let device = CortexA8::new();
    make_quiet(&device);
    device
}

/// Enables all counters, with these events in the event counters.
fn running(events: [u8; 4]) -> CortexA8 {
    let device = quiet();
    for (counter, event) in events.into_iter().enumerate() {
        device.poke_event(counter, event);
    }
    device.poke(PMCNTENSET, EACH);
    device.poke(PMCR, RESET | E);
    device
}

/// Returns a device where counter 1 is selected; counts are 10 to 13, events are 0x40 to 0x43.
fn selecting_counter_1() -> CortexA8 {
    let device = quiet();
    for counter in 0..4 {
        device.poke_counter(counter, 10 + counter as u32);
        device.poke_event(counter, 0x40 + counter as u8);
    }
    device.poke(PMSELR, 1);
    device
}

/// The event counters.
fn counts(device: &CortexA8) -> [u32; 4] {
    [0, 1, 2, 3].map(|counter| device.peek_counter(counter))
}

/// Writes a register and lets the write take effect.
fn write(bus: &Cp15Bus<'_, AnyOperands>, operands: Operands, value: u32) {
    bus.mcr(operands, value);
    bus.synchronize();
}

const EARLY_COUNT: Violation = Violation::SelectorNotSynchronized { operands: PMXEVCNTR };
const EARLY_EVENT: Violation = Violation::SelectorNotSynchronized { operands: PMXEVTYPER };

#[test]
fn pmuserenr_permits_access_after_its_write_takes_effect() {
    let device = quiet();
    device.poke(PMCCNTR, 5);
    let (bus, user) = (device.bus(), device.user_bus());
    assert_eq!((user.mrc(PMUSERENR), user.error()), (0, None));
    bus.mcr(PMUSERENR, 1);
    user.mcr(PMCCNTR, 1);
    assert!(user.error().is_some(), "the error comes at once, although stores are posted");
    bus.synchronize();
    assert_eq!(user.mrc(PMUSERENR), 0, "the refused write stops the program");
    let late = device.user_bus();
    assert_eq!(late.mrc(PMCCNTR), 5, "the refused write is dropped");
    write(&late, PMCCNTR, 2);
    assert_eq!((late.mrc(PMCCNTR), late.mrc(PMUSERENR), late.error()), (2, 1, None));
    late.mcr(PMUSERENR, 0);
    let early = device.user_bus();
    let _ = early.mrc(PMINTENSET);
    assert!(late.error().is_some() && early.error().is_some());
    device.set_user_access(false);
    let user = device.user_bus();
    assert_eq!((user.mrc(PMCCNTR), user.error().is_some()), (0, true));
}

#[test]
fn reserved_bits_are_zero_or_preserved() {
    let device = CortexA8::new();
    device.set_posted_stores(false);
    let bus = device.bus();
    let of = |operands, bits| Violation::ReservedBits { operands, bits };
    for row in CortexA8::REGISTERS {
        let reserved = row.should_be_zero_or_preserved;
        device.set_noise(Noise::Ones);
        make_quiet(&device);
        device.clear_violations();
        let read = bus.mrc(row.operands);
        bus.mcr(row.operands, read & row.unpredictable);
        assert_eq!(device.violations(), [], "{} written back", row.name);
        device.set_noise(Noise::Zeros);
        let _ = bus.mrc(row.operands);
        bus.mcr(row.operands, reserved);
        let is_ignored = reserved == 0 || row.write_one_to_clear != 0;
        let expected = if is_ignored { vec![] } else { vec![of(row.operands, reserved)] };
        assert_eq!(device.violations(), expected, "{} was zero", row.name);
    }
    device.set_noise(Noise::Ones);
    let _ = bus.mrc(PMINTENSET);
    device.power_up();
    device.clear_violations();
    bus.mcr(PMINTENSET, 1 << 4);
    assert_eq!(device.violations(), [of(PMINTENSET, 1 << 4)], "the value read before a reset");
}

#[test]
fn software_increments_its_enabled_counters() {
    let device = running([0x00; 4]);
    device.signal_raw(0x00, 5);
    assert_eq!(counts(&device), [0; 4], "nothing else does");
    let bus = device.bus();
    for (pmcr, enables, niden, added) in [
        (E, EACH, true, 0b1010),
        (E, 0b0111, true, 0b0010),
        (E, EACH, false, 0),
        (0, EACH, true, 0),
    ] {
        (0..4).for_each(|counter| device.poke_counter(counter, 0));
        device.poke(PMCR, RESET | pmcr);
        device.poke(PMCNTENSET, enables);
        device.set_niden(niden);
        write(&bus, PMSWINC, 0b1010);
        let expected = [0, 1, 2, 3].map(|counter| added >> counter & 1);
        assert_eq!(counts(&device), expected, "{pmcr} {enables:#x} {niden}");
    }
    assert_eq!((bus.mrc(PMSWINC), device.violations()), (0, vec![]));
    let device = running([0x00, EXCEPTION, 0x00, 0x11]);
    device.set_noise(Noise::Ones);
    write(&device.bus(), PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, u32::MAX, 1, u32::MAX], "noise in the others");
    let of = |counter| Violation::NotForSoftware { counter };
    assert_eq!(device.violations(), [of(1), of(3)]);
}

/// The overflow handlers of Linux and FreeBSD write PMCCNTR while it is enabled.
#[test]
fn writing_the_enabled_cycle_counter_leaves_noise() {
    let violation = Violation::WrittenWhileEnabled { operands: PMCCNTR };
    for (spoils, enables, pmcr, is_wrong) in [
        (true, EACH, E, true),
        (false, EACH, E, false),
        (true, 0xF, E, false),
        (true, EACH, 0, false),
    ] {
        let device = running([EXCEPTION; 4]);
        device.set_running_cycles_spoil(spoils);
        device.poke(PMCNTENSET, enables);
        device.poke(PMCR, RESET | pmcr);
        device.set_noise(Noise::Ones);
        write(&device.bus(), PMCCNTR, 500);
        assert_eq!(device.peek(PMCCNTR), if is_wrong { u32::MAX } else { 500 });
        assert_eq!(device.violations(), [violation].repeat(is_wrong.into()));
    }
}

#[test]
fn the_cycle_event_ignores_the_divider() {
    let device = running([0x11, EXCEPTION, 0x11, EXCEPTION]);
    device.poke(PMCR, RESET | 1 << 3 | E);
    device.clock(640);
    assert_eq!(counts(&device), [640, 0, 640, 0]);
}

#[test]
fn reserved_events_are_recorded() {
    let device = running([EXCEPTION; 4]);
    let bus = device.bus();
    device.poke(PMSELR, 2);
    for event in 0..=0xFF_u8 {
        device.clear_violations();
        write(&bus, PMXEVTYPER, event.into());
        let listed = matches!(event, 0x00..=0x12 | 0x40..=0x5A | 0x70..=0x72);
        let violation = Violation::ReservedEvent { counter: 2, event };
        assert_eq!(device.violations(), [violation].repeat((!listed).into()));
        assert_eq!(device.peek_event(2), event);
    }
}

#[test]
fn another_number_of_counters_changes_only_pmcr_n() {
    let device = CortexA8::new();
    let bus = device.bus();
    device.poke(PMCR, u32::MAX);
    device.set_number_of_counters(2);
    assert_eq!(bus.mrc(PMCR), 0xFFFF_1039, "nothing else changes");
    device.power_up();
    assert_eq!(bus.mrc(PMCR), 0x4100_1000);
}

#[test]
fn early_access_reaches_the_configured_counter() {
    let device = selecting_counter_1();
    let bus = device.bus();
    for (reached, early) in [(StaleSelector::Old, 1), (StaleSelector::New, 2)] {
        device.set_stale_selector(reached);
        device.other_owner_moves_selector(1);
        device.clear_violations();
        bus.mcr(PMSELR, 2);
        bus.mcr(PMXEVCNTR, 10 + early);
        bus.mcr(PMXEVTYPER, 0x40 + early);
        assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (10 + early, 0x40 + early));
        assert_eq!(device.violations(), [EARLY_COUNT, EARLY_EVENT].repeat(2));
        assert_eq!(counts(&device), [10, 11, 12, 13]);
        assert_eq!(bus.mrc(PMSELR), 2, "the selector reads back at once");
    }
    device.set_stale_selector(StaleSelector::Random);
    let mut seen: Vec<u32> = (0..64).map(|_| bus.mrc(PMXEVCNTR)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [10, 11, 12, 13]);
    bus.synchronize();
    assert!((0..64).all(|_| bus.mrc(PMXEVCNTR) == 12));
    device.clear_violations();
    bus.mcr(PMSELR, 2);
    let _ = bus.mrc(PMXEVCNTR);
    assert_eq!(device.violations(), [EARLY_COUNT], "the same counter once more");
}

#[test]
fn selectors_above_3_select_no_counter() {
    let device = selecting_counter_1();
    let bus = device.bus();
    for selector in 4..32_u8 {
        device.clear_violations();
        write(&bus, PMSELR, selector.into());
        let reserved = Violation::ReservedSelector { selector };
        assert_eq!(device.violations(), [reserved]);
        for (noise, read) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
            device.set_noise(noise);
            assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (read, read));
        }
        bus.mcr(PMXEVCNTR, 99);
        bus.mcr(PMXEVTYPER, 0x50);
        bus.synchronize();
        assert_eq!(device.violations(), [reserved; 7]);
        assert_eq!((counts(&device), device.peek_event(0)), ([10, 11, 12, 13], 0x40));
    }
}

#[test]
fn an_interrupt_moves_the_selector_between_two_accesses() {
    // The test selects counter 2, then writes and reads both registers of the counter.
    for after in 0..6 {
        let device = selecting_counter_1();
        let bus = device.bus();
        device.interrupt_moves_selector_after(after, 3);
        write(&bus, PMSELR, 2);
        bus.mcr(PMXEVTYPER, 0x50);
        bus.mcr(PMXEVCNTR, 99);
        let read = (bus.mrc(PMXEVTYPER), bus.mrc(PMXEVCNTR));
        // The interrupt occurs before access number `after`; all earlier stores have arrived by then.
        let reached = |access| if after == 0 || access < after { 2 } else { 3 };
        assert_eq!(device.peek_event(reached(1)), 0x50, "{after}");
        assert_eq!(device.peek_counter(reached(2)), 99, "{after}");
        let expected = (u32::from(device.peek_event(reached(3))), device.peek_counter(reached(4)));
        assert_eq!(read, expected, "{after}");
        assert_eq!(device.peek(PMSELR), reached(4) as u32);
        assert_eq!(device.violations(), []);
        assert_eq!(device.journal().len(), 6, "the driver had no further access");
    }
}

#[test]
fn another_owner_moves_the_selector() {
    let device = selecting_counter_1();
    let bus = device.bus();
    bus.mcr(PMSELR, 2);
    let _ = bus.mrc(PMCR);
    device.other_owner_moves_selector(0);
    assert_eq!((bus.mrc(PMXEVCNTR), device.violations()), (10, vec![]));
}

#[test]
fn the_first_selector_write_is_stale_too() {
    let (reset, left, unsettled) = (CortexA8::new(), CortexA8::new(), CortexA8::new());
    left.power_up_with(Noise::Ones);
    unsettled.bus().mcr(PMSELR, 1);
    unsettled.set_noise(Noise::Ones);
    unsettled.power_up();
    for device in [reset, left, unsettled] {
        let selector = device.peek(PMSELR) as u8;
        assert!(selector > 3, "the selector names no counter");
        let (bus, nowhere) = (device.bus(), Violation::ReservedSelector { selector });
        let _ = bus.mrc(PMXEVCNTR);
        assert_eq!(device.violations(), [nowhere], "before the first write");
        bus.mcr(PMSELR, 0);
        let _ = bus.mrc(PMXEVCNTR);
        assert_eq!(device.violations(), [nowhere, EARLY_COUNT, nowhere]);
    }
}
