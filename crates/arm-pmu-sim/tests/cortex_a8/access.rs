//! Who may access the registers of a Cortex-A8's performance monitor: all of it.

use crate::words::*;
use arm_pmu_core::bus::{Bus, Operands};
use arm_pmu_sim::CortexA8;

/// The registers that user software reaches while USEREN.EN is 1.
const OPEN: [Operands; 9] = [PMNC, CNTENS, CNTENC, FLAG, SWINCR, PMNXSEL, CCNT, EVTSEL, PMCNT];
const ALL: [Operands; 12] =
    [PMNC, CNTENS, CNTENC, FLAG, SWINCR, PMNXSEL, CCNT, EVTSEL, PMCNT, USEREN, INTENS, INTENC];

#[test]
fn the_table_holds_for_each_register_access_mode_and_en() {
    let mut refused = 0;
    for operands in ALL {
        for enabled in [false, true] {
            for user in [false, true] {
                for store in [false, true] {
                    let device = quiet();
                    device.set_posted_stores(false);
                    device.poke(USEREN, u32::from(enabled));
                    let admitted = match operands {
                        _ if !user => true,
                        USEREN => !store,
                        _ => enabled && OPEN.contains(&operands),
                    };
                    let bus = if user { device.user_bus() } else { device.bus() };
                    if store {
                        // A value that each register but SWINCR shows when it arrived.
                        let value = match operands {
                            USEREN => u32::from(!enabled),
                            PMNC | CNTENS | INTENS => 0x8,
                            _ => 0x1,
                        };
                        if operands != USEREN {
                            device.poke(operands, 0x3);
                        }
                        let before = device.peek(operands);
                        bus.mcr(operands, value);
                        let changed = before != device.peek(operands);
                        assert_eq!(changed, admitted && operands != SWINCR, "{operands:?}");
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
    device.poke(CCNT, 5);
    let user = device.user_bus();
    assert_eq!((user.mrc(USEREN), user.error()), (0, None));
    assert_eq!(user.mrc(CCNT), 0);
    assert!(user.error().is_some());
    device.set_user_access(true);
    assert_eq!(user.mrc(USEREN), 0, "it does not go on");
    let user = device.user_bus();
    assert_eq!((user.mrc(USEREN), user.mrc(CCNT)), (1, 5));
    device.set_user_access(false);
    let user = device.user_bus();
    user.mcr(CCNT, 6);
    assert!(user.error().is_some(), "at once, though stores are posted");
    assert_eq!(device.bus().mrc(CCNT), 5);
}

#[test]
fn useren_opens_once_its_write_took_effect() {
    let device = quiet();
    let bus = device.bus();
    bus.mcr(USEREN, 1);
    let early = device.user_bus();
    early.mcr(CCNT, 1);
    assert!(early.error().is_some());
    bus.synchronize();
    let late = device.user_bus();
    late.mcr(CCNT, 2);
    assert_eq!((late.mrc(CCNT), late.error()), (2, None));
}

#[test]
fn reset_shuts_user_mode_out() {
    let device = CortexA8::new();
    assert_eq!(device.peek(USEREN), 0);
    device.set_user_access(true);
    device.power_up();
    assert_eq!(device.peek(USEREN), 0);
}
