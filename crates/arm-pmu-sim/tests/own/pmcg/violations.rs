//! Violations by software, and IRQ_CTRLACK after a delay.

use arm_pmu_sim::MemoryViolation;

use super::*;

const IRQ_CTRL: usize = 0x02E50;
const IRQ_CTRLACK: usize = 0x02E54;

#[test]
fn forbidden_accesses_are_recorded() {
    use MemoryViolation::*;
    let device = Mmu600::tbu();
    let bus = device.region();
    // Linux accesses a 64-bit register behind a 32-bit port like this.
    bus.store_at(0x02C00, 8, 0b1111);
    let _ = bus.load_at(0x02C00, 2);
    bus.store_at(0x02E04, 4, 0b11);
    bus.store_at(0x02E00, 4, 0);
    let _ = bus.load_at(0x02E08, 4);
    assert_eq!(bus.load_at(0x02C00, 4), 0b1111);
    let expected = [
        Width { offset: 0x02C00, bytes: 8 },
        Width { offset: 0x02C00, bytes: 2 },
        NoRegister { offset: 0x02C04 },
        ReservedBits { offset: 0x02E04, bits: 0b10 },
        ReadOnly { offset: 0x02E00 },
        NoRegister { offset: 0x02E08 },
    ];
    let mut violations = device.violations();
    violations.sort_by_key(|violation| expected.iter().position(|e| e == violation));
    assert_eq!(violations, expected);
    device.clear_violations();
    assert_eq!(device.violations(), []);
}

/// Linux enables the interrupt and does not wait for the acknowledgement.
#[test]
fn the_interrupt_is_acknowledged_after_some_time() {
    for (within, gated, after, follows) in [
        (Some(100), false, Some(2), true),
        (Some(101), false, Some(2), false),
        (None, false, Some(2), false),
        (Some(100), true, Some(2), false),
        (Some(100), false, None, false),
    ] {
        let device = Mmu600::tbu();
        device.set_acknowledge_after(after);
        device.set_acknowledge_within(within);
        device.set_clock_gated(gated);
        device.set_posted_stores(false);
        device.region().store_at(IRQ_CTRL, 4, 1);
        device.clock(60);
        assert_eq!(device.peek(IRQ_CTRLACK), 0);
        device.clock(40);
        assert_eq!(device.peek(IRQ_CTRLACK), u32::from(follows), "{within:?} {gated} {after:?}");
    }
}
