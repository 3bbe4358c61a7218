//! Software increments, reserved bits and settings of a Cortex-A8.

mod selector;

use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::{AnyOperands, CortexA8, Cp15Bus, Noise, Violation};

const fn c9(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 9, crm, opc2 }
}

const PMCR: Operands = c9(12, 0);
const PMCNTENSET: Operands = c9(12, 1);
const PMCNTENCLR: Operands = c9(12, 2);
const PMOVSR: Operands = c9(12, 3);
const PMSWINC: Operands = c9(12, 4);
const PMSELR: Operands = c9(12, 5);
const PMCCNTR: Operands = c9(13, 0);
const PMXEVTYPER: Operands = c9(13, 1);
const PMXEVCNTR: Operands = c9(13, 2);
const PMUSERENR: Operands = c9(14, 0);
const PMINTENSET: Operands = c9(14, 1);
const PMINTENCLR: Operands = c9(14, 2);

const E: u32 = 1;
/// PMCR after a reset.
const RESET: u32 = 0x4100_2000;
/// The bits of all counters.
const EACH: u32 = 0x8000_000F;

/// An event.
const EXCEPTION: u8 = 0x09;

/// Returns a device with nothing enabled, all counters at zero, and the software increment
/// selected.
fn quiet() -> CortexA8 {
    let device = CortexA8::new();
    make_quiet(&device);
    device
}

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

/// The event counters.
fn counts(device: &CortexA8) -> [u32; 4] {
    [0, 1, 2, 3].map(|counter| device.peek_counter(counter))
}

/// Selects a counter by the procedure of the manual.
fn select(bus: &Cp15Bus<'_, AnyOperands>, counter: u32) {
    bus.mcr(PMSELR, counter);
    bus.synchronize();
}

/// Writes a register and lets the write take effect.
fn write(bus: &Cp15Bus<'_, AnyOperands>, operands: Operands, value: u32) {
    bus.mcr(operands, value);
    bus.synchronize();
}

#[test]
fn a_refused_access_ends_the_software() {
    let device = quiet();
    device.poke(PMCCNTR, 5);
    let user = device.user_bus();
    assert_eq!((user.mrc(PMUSERENR), user.error()), (0, None));
    assert_eq!(user.mrc(PMCCNTR), 0);
    assert!(user.error().is_some());
    device.set_user_access(true);
    assert_eq!(user.mrc(PMUSERENR), 0, "it does not go on");
    let user = device.user_bus();
    assert_eq!((user.mrc(PMUSERENR), user.mrc(PMCCNTR)), (1, 5));
    device.set_user_access(false);
    let user = device.user_bus();
    user.mcr(PMCCNTR, 6);
    assert!(user.error().is_some(), "at once, though stores are posted");
    assert_eq!(device.bus().mrc(PMCCNTR), 5);
}

#[test]
fn pmuserenr_opens_once_its_write_took_effect() {
    let device = quiet();
    let bus = device.bus();
    bus.mcr(PMUSERENR, 1);
    let early = device.user_bus();
    early.mcr(PMCCNTR, 1);
    assert!(early.error().is_some());
    bus.synchronize();
    let late = device.user_bus();
    late.mcr(PMCCNTR, 2);
    assert_eq!((late.mrc(PMCCNTR), late.error()), (2, None));
}

#[test]
fn reset_shuts_user_mode_out() {
    let device = CortexA8::new();
    assert_eq!(device.peek(PMUSERENR), 0);
    device.set_user_access(true);
    device.power_up();
    assert_eq!(device.peek(PMUSERENR), 0);
}

#[test]
fn one_register_sets_and_another_clears() {
    let device = quiet();
    device.set_noise(Noise::Zeros);
    let bus = device.bus();
    for (set, clear) in [(PMCNTENSET, PMCNTENCLR), (PMINTENSET, PMINTENCLR)] {
        bus.mcr(set, 0x8000_0005);
        bus.mcr(set, 0x2);
        bus.mcr(set, 0);
        assert_eq!((bus.mrc(set), bus.mrc(clear)), (0x8000_0007, 0x8000_0007));
        bus.mcr(clear, 0x8000_0003);
        bus.mcr(clear, 0);
        assert_eq!((bus.mrc(set), bus.mrc(clear)), (0x4, 0x4));
    }
}

#[test]
fn each_counter_has_its_own_event_and_count() {
    let device = quiet();
    let bus = device.bus();
    for counter in 0..4 {
        select(&bus, counter);
        bus.mcr(PMXEVTYPER, 0x40 + counter);
        bus.mcr(PMXEVCNTR, 100 + counter);
    }
    bus.synchronize();
    for counter in 0..4_usize {
        assert_eq!(device.peek_event(counter), 0x40 + counter as u8);
        assert_eq!(device.peek_counter(counter), 100 + counter as u32);
        select(&bus, counter as u32);
        assert_eq!(bus.mrc(PMXEVTYPER), 0x40 + counter as u32);
        assert_eq!(bus.mrc(PMXEVCNTR), 100 + counter as u32);
        assert_eq!(device.peek(PMXEVCNTR), 100 + counter as u32, "that is selected");
        device.poke(PMXEVTYPER, 0x50);
        assert_eq!(device.peek_event(counter), 0x50);
        device.poke_counter(counter, 7);
        device.poke_event(counter, 0x51);
        assert_eq!((bus.mrc(PMXEVCNTR), bus.mrc(PMXEVTYPER)), (7, 0x51));
    }
    assert_eq!(device.violations(), []);
}

#[test]
fn a_value_read_before_a_reset_is_not_preserved() {
    let device = CortexA8::new();
    device.set_noise(Noise::Ones);
    let bus = device.bus();
    write(&bus, PMINTENSET, 1 << 4);
    let reserved = Violation::ReservedBits { operands: PMINTENSET, bits: 1 << 4 };
    assert_eq!(device.violations(), [reserved], "nothing was read yet");
    device.clear_violations();
    let read = bus.mrc(PMINTENSET);
    write(&bus, PMINTENSET, read);
    assert_eq!(device.violations(), []);
    device.power_up();
    write(&bus, PMINTENSET, 1 << 4);
    assert_eq!(device.violations(), [reserved]);
}

#[test]
fn reserved_bits_are_zero_or_preserved() {
    let device = quiet();
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
}

#[test]
fn software_increments_the_named_counters() {
    let device = running([0x00; 4]);
    device.signal_raw(0x00, 5);
    assert_eq!(counts(&device), [0; 4], "nothing else does");
    let bus = device.bus();
    for counters in 0..16 {
        let before = counts(&device);
        write(&bus, PMSWINC, counters);
        let after = counts(&device);
        for counter in 0..4 {
            let added = counters >> counter & 1;
            assert_eq!(after[counter] - before[counter], added, "{counters:#x}");
        }
    }
    assert_eq!(bus.mrc(PMSWINC), 0);
    assert_eq!(device.violations(), []);
}

#[test]
fn software_increments_only_enabled_counters() {
    let device = running([0x00; 4]);
    let bus = device.bus();
    device.poke(PMCNTENSET, 0x5);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    device.poke(PMCR, RESET);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    device.poke(PMCR, RESET | E);
    device.set_niden(false);
    write(&bus, PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, 0, 1, 0]);
    assert_eq!(device.violations(), []);
}

#[test]
fn software_can_overflow_a_counter() {
    let device = running([0x00; 4]);
    device.poke_counter(3, u32::MAX);
    write(&device.bus(), PMSWINC, 0x8);
    assert_eq!((counts(&device)[3], device.peek(PMOVSR)), (0, 0x8));
}

#[test]
fn other_counters_get_noise_from_software() {
    let device = running([0x00, EXCEPTION, 0x00, 0x11]);
    device.set_noise(Noise::Ones);
    write(&device.bus(), PMSWINC, 0xF);
    assert_eq!(counts(&device), [1, u32::MAX, 1, u32::MAX]);
    let of = |counter| Violation::NotForSoftware { counter };
    assert_eq!(device.violations(), [of(1), of(3)]);
    // Counters that are not incremented do not get noise.
    write(&device.bus(), PMSWINC, 0x5);
    assert_eq!(counts(&device), [2, u32::MAX, 2, u32::MAX]);
    assert_eq!(device.violations().len(), 2);
}

#[test]
fn the_cycle_counter_is_not_written_while_enabled() {
    let device = running([EXCEPTION; 4]);
    let bus = device.bus();
    let violation = Violation::WrittenWhileEnabled { operands: PMCCNTR };
    for (noise, left) in [(Noise::Zeros, 0), (Noise::Ones, u32::MAX)] {
        device.clear_violations();
        device.set_noise(noise);
        write(&bus, PMCCNTR, 5);
        assert_eq!(device.peek(PMCCNTR), left);
        assert_eq!(device.violations(), [violation]);
    }
    device.clear_violations();
    for (enables, pmcr) in [(0xF, RESET | E), (EACH, RESET), (0, RESET)] {
        device.poke(PMCCNTR, 0);
        device.poke(PMCNTENSET, enables);
        device.poke(PMCR, pmcr);
        write(&bus, PMCCNTR, 5);
        assert_eq!(device.peek(PMCCNTR), 5, "it is not enabled");
    }
    assert_eq!(device.violations(), []);
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
        let expected: &[Violation] = if listed { &[] } else { &[violation] };
        assert_eq!(device.violations(), expected);
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
    for _ in 0..2 {
        device.power_up();
        assert_eq!(bus.mrc(PMCR), 0x4100_1000);
    }
    device.set_number_of_counters(31);
    assert_eq!(bus.mrc(PMCR), 0x4100_F800);
}

/// The overflow handlers of Linux and FreeBSD write PMCCNTR like this.
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
