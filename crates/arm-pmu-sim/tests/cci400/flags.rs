//! When flags are cleared and counts are taken.

use arm_pmu_sim::{Cci400, CountsWritable, MemoryViolation};

const PMCR: usize = 0x100;
const COUNT: usize = 0xA004;
const CONTROL: usize = 0xA008;
const FLAG: usize = 0xA00C;
const CYCLES: usize = 0x9004;
const CYCLE_CONTROL: usize = 0x9008;
const CYCLE_FLAG: usize = 0x900C;

#[test]
fn flags_may_clear_only_while_the_pmu_is_off() {
    for flag in [FLAG, CYCLE_FLAG] {
        let device = Cci400::new();
        device.set_posted_stores(false);
        let bus = device.bus();
        device.poke(PMCR, 1);
        device.poke(flag, 1);
        device.set_flags_clear_while_counting(false);
        bus.store_at(flag, 4, 1);
        assert_eq!(device.peek(flag), 1);
        device.poke(PMCR, 0);
        bus.store_at(flag, 4, 1);
        assert_eq!(device.peek(flag), 0);
        device.poke(flag, 1);
        device.poke(PMCR, 1);
        device.set_flags_clear_while_counting(true);
        bus.store_at(flag, 4, 1);
        assert_eq!(device.peek(flag), 0);
    }
}

#[test]
fn a_count_is_writable_only_in_the_chosen_state() {
    use CountsWritable::*;
    for (count, control) in [(COUNT, CONTROL), (CYCLES, CYCLE_CONTROL)] {
        for (cen, on, taken) in [(1, 1, [true, false, false]), (1, 0, [true, true, false])]
            .into_iter()
            .chain([(0, 1, [true; 3]), (0, 0, [true; 3])])
        {
            for (when, taken) in [Always, CounterOff, Stopped].into_iter().zip(taken) {
                let device = Cci400::new();
                device.set_posted_stores(false);
                device.set_counts_writable(when);
                device.poke(PMCR, cen);
                device.poke(control, on);
                device.bus().store_at(count, 4, 7);
                assert_eq!(device.peek(count) == 7, taken, "{when:?} {cen} {on}");
            }
        }
    }
}

#[test]
fn forbidden_accesses_are_recorded() {
    let device = Cci400::new();
    device.set_posted_stores(false);
    let bus = device.bus();
    bus.store_at(PMCR, 4, 1 << 6);
    assert_eq!(bus.load_at(0x9000, 4), 0);
    let expected = [
        MemoryViolation::ReservedBits { offset: PMCR, bits: 1 << 6 },
        MemoryViolation::NoRegister { offset: 0x9000 },
    ];
    assert_eq!(device.violations(), expected);
}
