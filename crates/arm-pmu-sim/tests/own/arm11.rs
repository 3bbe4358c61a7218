//! Tests of events, user access and settings of ARM11 cores.

use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::{Arm11, FlagsClear, Noise, Violation};

const fn c15(crm: u8, opc2: u8) -> Operands {
    Operands { opc1: 0, crn: 15, crm, opc2 }
}

const CONTROL: Operands = c15(12, 0);
const CYCLES: Operands = c15(12, 1);
const COUNT: [Operands; 2] = [c15(12, 2), c15(12, 3)];
const VALIDATION: Operands = c15(9, 0);

const E: u32 = 1;
/// Interrupt enable of counter 0.
const INTERRUPT: u32 = 1 << 4;
/// Flags of counter 0, counter 1 and the cycle counter.
const FLAG: [u32; 3] = [1 << 8, 1 << 9, 1 << 10];
const FLAGS: u32 = 0x700;

/// Returns the control register value with these events.
const fn selecting(first: u8, second: u8) -> u32 {
    (first as u32) << 20 | (second as u32) << 12
}

/// One of two events that all cores have.
const INSTRUCTION: u8 = 0x07;
const BRANCH: u8 = 0x05;

/// Runs a test on all cores.
fn each(test: impl Fn(&Arm11)) {
    for device in [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()] {
        test(&device);
    }
}

/// Zeroes all counters and sets these bits in the control register.
fn set_up(device: &Arm11, control: u32) {
    for operands in [CYCLES, COUNT[0], COUNT[1]] {
        device.poke(operands, 0);
    }
    device.poke(CONTROL, control);
}

/// Zeroes and starts all counters, with two events that all cores have.
fn run(device: &Arm11) {
    set_up(device, selecting(INSTRUCTION, BRANCH) | E);
}

/// Returns counter 0, counter 1 and the cycle counter.
fn counts(device: &Arm11) -> [u32; 3] {
    [COUNT[0], COUNT[1], CYCLES].map(|operands| device.peek(operands))
}

#[test]
fn reserved_codes_count_noise_and_are_recorded() {
    for (core, device) in [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()].iter().enumerate()
    {
        device.set_posted_stores(false);
        device.set_noise(Noise::Ones);
        let bus = device.bus();
        for code in 0..=0xFF {
            set_up(device, 0);
            device.clear_violations();
            let unused = core == 1 && matches!(code, 0x03 | 0x04 | 0x0F);
            let reserved = !device.events().contains(&code) && !unused;
            bus.mcr(CONTROL, selecting(INSTRUCTION, code) | E);
            let violation = Violation::ReservedEvent { counter: 1, event: code };
            let expected: &[Violation] = if reserved { &[violation] } else { &[] };
            assert_eq!(device.violations(), expected, "{core} {code:#x}");
            device.signal_raw(BRANCH, 1);
            let count = if reserved { u32::MAX } else { u32::from(code == BRANCH) };
            assert_eq!(counts(device), [0, count, 0], "{core} {code:#x}");
            device.clock(1);
            let wrapping_value = device.peek(CONTROL) & FLAGS == FLAG[1];
            assert_eq!(wrapping_value, reserved, "the counter holds noise, {core} {code:#x}");
        }
        device.clear_violations();
        bus.mcr(CONTROL, selecting(0x08, 0x0E));
        let of = |counter, event| Violation::ReservedEvent { counter, event };
        assert_eq!(device.violations(), [of(0, 0x08), of(1, 0x0E)]);
    }
}

#[test]
fn both_external_lines_count_twice() {
    each(|device| {
        for (lines, expected) in [
            ([false, false], [0, 0, 0]),
            ([true, false], [5, 0, 5]),
            ([false, true], [0, 5, 5]),
            ([true, true], [5, 5, 10]),
        ] {
            for (code, count) in [0x20, 0x21, 0x22].into_iter().zip(expected) {
                set_up(device, selecting(code, BRANCH) | E);
                device.etmextout(lines, 5);
                assert_eq!(counts(device), [count, 0, 0], "{code:#x} {lines:?}");
            }
        }
    });
}

#[test]
fn the_cycle_event_ignores_the_divider() {
    each(|device| {
        set_up(device, selecting(0xFF, BRANCH) | 1 << 3 | E);
        device.clock(640);
        assert_eq!(counts(device)[0], 640);
    });
}

/// Returns how much each counter increases after one instruction, one branch and one cycle.
fn one_each(device: &Arm11) -> [u32; 3] {
    let before = counts(device);
    device.signal_raw(INSTRUCTION, 1);
    device.signal_raw(BRANCH, 1);
    device.clock(1);
    let after = counts(device);
    [0, 1, 2].map(|counter| after[counter] - before[counter])
}

#[test]
fn power_loss_cancels_a_delayed_start() {
    each(|device| {
        device.set_start_delay(3);
        let bus = device.bus();
        bus.mcr(CONTROL, E);
        bus.synchronize();
        device.power_up();
        run(device);
        assert_eq!(one_each(device), [1; 3]);
        bus.mcr(CONTROL, device.peek(CONTROL) & !FLAGS);
        bus.synchronize();
        assert_eq!(one_each(device), [1; 3], "already enabled");
    });
}

/// Linux writes back the value that it read, with one bit changed.
#[test]
fn reset_bits_read_zero_when_configured() {
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

#[test]
fn each_mode_reaches_the_registers_of_the_manual() {
    each(|device| {
        device.set_posted_stores(false);
        for open in [false, true] {
            for row in device.registers() {
                for user in [false, true] {
                    for store in [false, true] {
                        device.set_user_access(open);
                        device.poke(CONTROL, 0);
                        let bus = if user { device.user_bus() } else { device.bus() };
                        if store {
                            bus.mcr(row.operands, E);
                        } else {
                            let _ = bus.mrc(row.operands);
                        }
                        let admitted = !user || open && row.operands != VALIDATION;
                        assert_eq!(bus.error().is_none(), admitted, "{} {user} {open}", row.name);
                        if store && row.operands == CONTROL {
                            assert_eq!(device.peek(CONTROL), u32::from(admitted));
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn v_permits_access_after_the_write() {
    let device = Arm11::arm1176();
    let (bus, early, late) = (device.bus(), device.user_bus(), device.user_bus());
    bus.mcr(VALIDATION, 1);
    early.mcr(CYCLES, 1);
    assert!(early.error().is_some());
    bus.synchronize();
    assert_eq!(late.mrc(CYCLES), 0, "the refused write is dropped");
    assert!(late.error().is_none());
    bus.mcr(VALIDATION, 0);
    bus.synchronize();
    assert_eq!((late.mrc(CYCLES), late.error().is_some()), (0, true));
    device.set_user_access(true);
    assert_eq!(device.peek(VALIDATION), 1);
    device.set_user_access(false);
    assert_eq!(device.peek(VALIDATION), 0);
}

#[test]
fn noise_in_control_differs_from_read_to_read() {
    each(|device| {
        let bus = device.bus();
        let row = device.registers()[0];
        let reads: Vec<u32> = (0..64).map(|_| bus.mrc(CONTROL)).collect();
        let (all, any) =
            reads.iter().fold((u32::MAX, 0), |(all, any), read| (all & read, any | read));
        assert_eq!(
            !all & any,
            row.unpredictable,
            "only these bits read sometimes as 0 and sometimes as 1"
        );
    });
}

#[test]
fn ones_in_sbz_bits_are_violations() {
    each(|device| {
        let bus = device.bus();
        let sbz = device.registers()[0].should_be_zero;
        bus.mcr(CONTROL, !sbz & !selecting(0xFF, 0xFF));
        bus.synchronize();
        assert_eq!(device.violations(), []);
        // Writing back a value that was read earlier is a violation too.
        device.set_noise(Noise::Ones);
        let read = bus.mrc(CONTROL);
        bus.mcr(CONTROL, read & sbz);
        assert_eq!(device.violations(), [], "not before it takes effect");
        bus.synchronize();
        let reserved = Violation::ReservedBits { operands: CONTROL, bits: sbz };
        assert_eq!(device.violations(), [reserved]);
        device.clear_violations();
        bus.mcr(CONTROL, 1 << 7);
        bus.synchronize();
        let reserved = Violation::ReservedBits { operands: CONTROL, bits: 1 << 7 };
        assert_eq!(device.violations(), [reserved]);
    });
}

#[test]
fn flags_clear_only_while_enabled() {
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
                    device.poke(CONTROL, FLAGS | INTERRUPT | before);
                    bus.mcr(CONTROL, flag | INTERRUPT | after);
                    bus.synchronize();
                    let left = if clears { FLAGS & !flag } else { FLAGS };
                    assert_eq!(
                        device.peek(CONTROL),
                        left | INTERRUPT | after,
                        "{when:?} {before} {after}"
                    );
                    assert_eq!(device.interrupt(), left & FLAG[0] != 0);
                }
            }
        }
    });
}
