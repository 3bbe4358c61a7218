//! The Cortex-A8's.

use cortex_a8::{Counters, Divider, Pmu, Selection};

use super::recorder::{Cp15Bus, Recorder, assert_same};
use crate::cortex_a8_by_hand as by_hand;

const PMCR: usize = 12 << 8;

fn bits(set: Counters) -> u32 {
    set.bits() | u32::from(set.cycles) << 31
}

#[test]
fn both_do_the_same() {
    let (mut stops, mut overflows) = (0, 0);
    for seed in 0..2000 {
        let (ours, hand) = ([(); 2]).map(|()| Recorder::new(seed, PMCR, (0, 0))).into();
        let mut pmu: Pmu<_> = Pmu::new(Cp15Bus(&ours));
        let mut other = by_hand::Pmu::new(&hand);
        let from = if seed % 3 == 0 { seed << 20 } else { 0 };
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let id = (seed >> 3) as u8;
                counter.count_from(Selection::raw(id.into()).unwrap(), from);
                (other.wanted.events[n], other.wanted.from[n]) = (Some(id), from);
            }
        }
        if seed & 1 << 4 != 0 {
            pmu.cycle_counter().count_from(Divider::By64, from);
            (other.wanted.cycles, other.wanted.by_64) = (Some(from), true);
        }
        pmu.cycles_need_debug(seed & 1 << 5 != 0);
        other.wanted.needs_debug = seed & 1 << 5 != 0;
        if seed & 1 << 6 != 0 {
            pmu.interrupts(Counters::ALL);
            other.wanted.interrupts = u32::MAX;
        }
        let mut running = pmu.start();
        other.start();
        assert_eq!(ours.accesses(), hand.accesses());

        for (count, reading) in running.counts().into_iter().zip(other.running()) {
            assert_same(count, reading);
        }
        assert_eq!(ours.accesses(), hand.accesses());

        let up = running.acknowledge();
        assert_eq!(bits(up), other.acknowledge());
        overflows += usize::from(!up.is_empty());
        assert_eq!(ours.accesses(), hand.accesses());

        let pmu = running.stop();
        other.stop();
        assert_eq!(ours.accesses(), hand.accesses());
        for (count, reading) in pmu.counts().into_iter().zip(other.readings) {
            assert_same(count, reading);
            stops += usize::from(count.exact().is_ok());
        }
        assert_same(pmu.cycles(), other.cycles);
    }
    assert!(stops > 0 && overflows > 0, "{stops}, {overflows}");
}
