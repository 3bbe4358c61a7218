//! Which events each core has.

use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{Arm11, Noise, Violation};

const ALL_CORES: &[u8] =
    &[0x0, 0x1, 0x2, 0x5, 0x6, 0x7, 0x9, 0xA, 0xB, 0xC, 0xD, 0x10, 0x11, 0x12, 0x20, 0x21, 0x22];
const TLB: &[u8] = &[0x3, 0x4, 0xF];

/// Event codes of a core, except the cycle event.
fn has(core: usize, code: u8) -> bool {
    let own = match core {
        0 => TLB.contains(&code),
        1 => matches!(code, 0x13 | 0x14 | 0x30..=0x38),
        _ => TLB.contains(&code) || matches!(code, 0x23..=0x26),
    };
    own || ALL_CORES.contains(&code)
}

fn cores() -> [Arm11; 3] {
    [Arm11::arm1136(), Arm11::arm1156(), Arm11::arm1176()]
}

#[test]
fn the_lists_have_as_many_events_as_the_document() {
    assert_eq!(cores().map(|device| device.events().len()), [21, 29, 25]);
    for (core, device) in cores().iter().enumerate() {
        let expected: Vec<u8> =
            (0..=0xFF).filter(|code| *code == 0xFF || has(core, *code)).collect();
        assert_eq!(device.events(), expected);
    }
}

#[test]
fn each_code_counts_its_own_event() {
    for (core, device) in cores().iter().enumerate() {
        device.set_noise(Noise::Zeros);
        for selected in 0..=0xFF {
            for signalled in 0..=0xFF {
                set_up(device, selecting(selected, selected) | E);
                device.signal_raw(signalled, 3);
                let same = selected == signalled && (has(core, selected) || selected == 0xFF);
                let times = if same { 3 } else { 0 };
                let cycles = if signalled == 0xFF { 3 } else { 0 };
                assert_eq!(
                    counts(device),
                    [times, times, cycles],
                    "{core} {selected:#x} {signalled:#x}"
                );
            }
        }
    }
}

#[test]
fn reserved_codes_count_noise_and_are_recorded() {
    for (core, device) in cores().iter().enumerate() {
        device.set_posted_stores(false);
        device.set_noise(Noise::Ones);
        let bus = device.bus();
        for code in 0..=0xFF {
            set_up(device, 0);
            device.clear_violations();
            let unused = core == 1 && TLB.contains(&code);
            let reserved = code != 0xFF && !has(core, code) && !unused;
            bus.mcr(CONTROL, selecting(INSTRUCTION, code) | E);
            let violation = Violation::ReservedEvent { counter: 1, event: code };
            let expected: &[Violation] = if reserved { &[violation] } else { &[] };
            assert_eq!(device.violations(), expected, "{core} {code:#x}");
            device.signal_raw(BRANCH, 1);
            let count = if reserved { u32::MAX } else { u32::from(code == BRANCH) };
            assert_eq!(counts(device), [0, count, 0], "{core} {code:#x}");
            device.clock(1);
            let wrapping_value = device.peek(CONTROL) & FLAGS == FLAG[1];
            assert_eq!(wrapping_value, reserved, "noise upon noise, {core} {code:#x}");
        }
        device.clear_violations();
        bus.mcr(CONTROL, selecting(0x08, 0x0E));
        let of = |counter, event| Violation::ReservedEvent { counter, event };
        assert_eq!(device.violations(), [of(0, 0x08), of(1, 0x0E)]);
    }
}

#[test]
fn zero_events_and_cycles_change_no_counter() {
    each(|device| {
        device.set_noise(Noise::Ones);
        set_up(device, selecting(0x08, 0x08) | E);
        device.signal_raw(BRANCH, 0);
        device.clock(0);
        device.etmextout([true, true], 0);
        assert_eq!(counts(device), [0; 3]);
    });
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
fn identification_is_known() {
    let known = cores().map(|device| device.midr() & 0xFF00_FFF0);
    assert_eq!(known, [0x4100_B360, 0x4100_B560, 0x4100_B760]);
}

#[test]
fn unsynchronized_selection_is_not_in_effect() {
    each(|device| {
        run(device);
        let bus = device.bus();
        bus.mcr(CONTROL, selecting(BRANCH, BRANCH) | E);
        device.signal_raw(BRANCH, 1);
        assert_eq!(counts(device), [0, 1, 0]);
        bus.synchronize();
        device.signal_raw(BRANCH, 1);
        assert_eq!(counts(device), [1, 2, 0]);
    });
}
