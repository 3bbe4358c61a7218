//! The Cortex-A53's.

use cortex_a53::{Counters, Filter, Pmu, Selection};

use super::recorder::{Recorder, SysregBus, assert_same, encoding};
use crate::cortex_a53_by_hand as by_hand;

const PMCR: usize = encoding(3, 9, 12, 0);
/// The number of counters.
const NUMBER: (u64, u64) = (0x1F << 11, 6 << 11);

fn bits(set: Counters) -> u32 {
    set.bits() | u32::from(set.cycles) << 31
}

#[test]
fn both_do_the_same() {
    let (mut stops, mut overflows) = (0, 0);
    for seed in 0..4000 {
        let (ours, hand) = ([(); 2]).map(|()| Recorder::new(seed, PMCR, NUMBER)).into();
        let mut pmu: Pmu<_> = Pmu::new(SysregBus(&ours));
        let mut other = by_hand::Pmu::new(&hand);
        let from = if seed % 3 == 0 { seed << 20 } else { 0 };
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let id = (seed >> 3) as u16 & 0x3FF;
                counter.count_from(Selection::raw(id).unwrap(), from);
                (other.wanted.events[n], other.wanted.from[n]) = (Some(id), from);
            }
        }
        if seed & 1 << 6 != 0 {
            pmu.cycle_counter().count_from(from);
            other.wanted.cycles = Some(from);
        }
        pmu.cycles_need_debug(seed & 1 << 7 != 0);
        other.wanted.needs_debug = seed & 1 << 7 != 0;
        if seed & 1 << 8 != 0 {
            pmu.interrupts(Counters::ALL);
            other.wanted.interrupts = u32::MAX;
        }
        if seed & 1 << 9 != 0 {
            pmu.count_in(Filter::EL0);
            other.wanted.filter = Filter::EL0.bits();
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
