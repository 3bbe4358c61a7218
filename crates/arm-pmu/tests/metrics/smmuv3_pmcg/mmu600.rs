//! By 100310: event ids of Tables 2-5 to 2-8.

use arm_pmu::mmu600::{tbu, tcu};
use arm_pmu_sim::{Mmu600, Stream};

use crate::support::{Figure, are_all, gives_the_reason, hold, on};

/// A function that holds a metric of one unit, on a simulated one.
macro_rules! on_unit {
    ($check:ident, $unit:ident) => {
        fn $check(
            metric: &dyn Figure<$unit::Selection>,
            events: &[(u16, u64)],
            expected: &str,
        ) -> &'static str {
            let event = |code| $unit::Selection::from_id(code).expect("a listed event");
            let counted: Vec<_> = events.iter().map(|(code, n)| (event(*code), *n)).collect();
            hold(metric, &counted, expected, |events, counted| {
                let device = Mmu600::$unit();
                let happen = || {
                    for (what, n) in counted {
                        device.signal(*what, Stream::non_secure(7), *n as u32);
                    }
                };
                on(&mut $unit::Pmu::new(device.page0(), device.page1()), events, happen)
            })
        }
    };
}

on_unit!(on_tcu, tcu);
on_unit!(on_tbu, tbu);

#[test]
fn of_a_tcu() {
    use tcu::metrics::*;
    let held = vec![
        // 60 of 3,000 requests walked; the walks made 150 accesses.
        on_tcu(&WalksPerRequest, &[(0x1, 3_000), (0x2, 60)], "0.020  (60 / 3000)"),
        on_tcu(&WalkAccessesPerRequest, &[(0x1, 3_000), (0x4, 150)], "0.050  (150 / 3000)"),
        on_tcu(&ConfigurationCacheMissRatio, &[(0x92, 400), (0x3, 3)], "0.75 %  (3 / 400)"),
        on_tcu(&ConfigurationAccessesPerRequest, &[(0x1, 200), (0x5, 25)], "0.125  (25 / 200)"),
        on_tcu(&SpeculationShare, &[(0x1, 200), (0xA0, 30)], "15.00 %  (30 / 200)"),
        // Lookups have the even ids from 0x80 on, misses the odd ones.
        on_tcu(&Stage1Level0WalkCacheMissRatio, &[(0x80, 100), (0x81, 1)], "1.00 %  (1 / 100)"),
        on_tcu(&Stage1Level1WalkCacheMissRatio, &[(0x82, 100), (0x83, 2)], "2.00 %  (2 / 100)"),
        on_tcu(&Stage1Level2WalkCacheMissRatio, &[(0x84, 100), (0x85, 3)], "3.00 %  (3 / 100)"),
        on_tcu(&Stage1Level3WalkCacheMissRatio, &[(0x86, 100), (0x87, 4)], "4.00 %  (4 / 100)"),
        on_tcu(&Stage2Level0WalkCacheMissRatio, &[(0x88, 100), (0x89, 5)], "5.00 %  (5 / 100)"),
        on_tcu(&Stage2Level1WalkCacheMissRatio, &[(0x8A, 100), (0x8B, 6)], "6.00 %  (6 / 100)"),
        on_tcu(&Stage2Level2WalkCacheMissRatio, &[(0x8C, 100), (0x8D, 7)], "7.00 %  (7 / 100)"),
        on_tcu(&Stage2Level3WalkCacheMissRatio, &[(0x8E, 100), (0x8F, 8)], "8.00 %  (8 / 100)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn of_a_tbu() {
    use tbu::metrics::*;
    let held = vec![
        on_tbu(&MainTlbMissRatio, &[(0x80, 200), (0x81, 70)], "35.00 %  (70 / 200)"),
        on_tbu(&MicroTlbMissRatio, &[(0x83, 1_000), (0x84, 200)], "20.00 %  (200 / 1000)"),
        // 80 requests, 72 not speculative: 1 - 72 / 80.
        on_tbu(&SpeculationShare, &[(0x88, 80), (0x2, 72)], "10.00 %  (8 / 80)"),
    ];
    are_all(held, METRICS);
}

#[test]
fn bytes_are_not_counted() {
    gives_the_reason(tbu::metrics::TranslatedBytes, "nothing counts their sizes");
    assert_eq!(tbu::metrics::NOT_COMPUTABLE.len(), 1);
}
