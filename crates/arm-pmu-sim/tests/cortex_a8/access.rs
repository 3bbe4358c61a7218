//! Who may access the registers of a Cortex-A8's performance monitor: all of it.

use crate::words::*;
use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::CortexA8;

/// The registers that user software reaches while PMUSERENR.EN is 1.
const OPEN: [Operands; 9] =
    [PMCR, PMCNTENSET, PMCNTENCLR, PMOVSR, PMSWINC, PMSELR, PMCCNTR, PMXEVTYPER, PMXEVCNTR];
const ALL: [Operands; 12] = [
    PMCR, PMCNTENSET, PMCNTENCLR, PMOVSR, PMSWINC, PMSELR, PMCCNTR, PMXEVTYPER, PMXEVCNTR,
    PMUSERENR, PMINTENSET, PMINTENCLR,
];

#[test]
fn the_table_holds_for_each_register_access_mode_and_en() {
    let mut refused = 0;
    for operands in ALL {
        for enabled in [false, true] {
            for user in [false, true] {
                for store in [false, true] {
                    let device = quiet();
                    device.set_posted_stores(false);
                    device.poke(PMUSERENR, u32::from(enabled));
                    let admitted = match operands {
                        _ if !user => true,
                        PMUSERENR => !store,
                        _ => enabled && OPEN.contains(&operands),
                    };
                    let bus = if user { device.user_bus() } else { device.bus() };
                    if store {
                        // A value that each register but PMSWINC shows when it arrived.
                        let value = match operands {
                            PMUSERENR => u32::from(!enabled),
                            PMCR | PMCNTENSET | PMINTENSET => 0x8,
                            _ => 0x1,
                        };
                        if operands != PMUSERENR {
                            device.poke(operands, 0x3);
                        }
                        let before = device.peek(operands);
                        bus.mcr(operands, value);
                        let changed = before != device.peek(operands);
                        assert_eq!(changed, admitted && operands != PMSWINC, "{operands:?}");
                    } else {
                        let _ = bus.mrc(operands);
                    }
                    let context = format!("{operands:?} EN {enabled} user {user} store {store}");
                    assert_eq!(bus.error().is_none(), admitted, "{context}");
                    refused += usize::from(!admitted);
                }
            }
        }
    }
    assert_eq!(refused, 9 * 2 + 2 * 4 + 2);
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
