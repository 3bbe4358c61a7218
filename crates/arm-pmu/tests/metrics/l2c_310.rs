//! By gator and Linux: their codes.

use arm_pmu::l2c_310::metrics::*;
use arm_pmu::l2c_310::{Pmu, Selection};
use arm_pmu_sim::L2c310;

use crate::support::{Figure, are_all, gives_the_reason, hold, on};

fn check(metric: &dyn Figure<Selection>, events: &[(u16, u64)], expected: &str) -> &'static str {
    let event = |code| Selection::from_id(code).expect("a listed event");
    let counted: Vec<_> = events.iter().map(|(code, n)| (event(*code), *n)).collect();
    hold(metric, &counted, expected, |events, counted| {
        let device = L2c310::new();
        let happen = || {
            for (what, n) in counted {
                device.signal(*what, *n as u32);
            }
        };
        on(&mut Pmu::new(device.bus()), events, happen)
    })
}

#[test]
fn all() {
    let held = vec![
        check(&DataReadHitRatio, &[(0x3, 400), (0x2, 370)], "92.50 %  (370 / 400)"),
        check(&DataWriteHitRatio, &[(0x5, 200), (0x4, 9)], "4.50 %  (9 / 200)"),
        check(&InstructionReadHitRatio, &[(0x8, 800), (0x7, 8)], "1.00 %  (8 / 800)"),
        check(&PrefetchHintHitRatio, &[(0xF, 38), (0xB, 19)], "50.00 %  (19 / 38)"),
        check(&SpeculativeReadConfirmationRatio, &[(0xD, 20), (0xE, 5)], "25.00 %  (5 / 20)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn unavailable_metrics_give_the_reason() {
    gives_the_reason(HitRatio, "more than two counters");
    gives_the_reason(Bytes, "how many bytes");
    assert_eq!(NOT_COMPUTABLE.len(), 2);
}
