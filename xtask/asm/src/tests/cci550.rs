//! The CCI-550's.

use std::vec::Vec;

use cci550::{Pmu, Selection};

use super::recorder::{Access, MemoryBus, Recorder, assert_same};
use crate::cci550_by_hand as by_hand;

const PMCR: usize = 0x100;
/// The number of counters.
const NUMBER: (u64, u64) = (0x1F << 11, 8 << 11);

#[test]
fn both_do_the_same() {
    let (mut stops, mut overflows) = (0, 0);
    for seed in 0..2000 {
        let (ours, hand) = ([(); 2]).map(|()| Recorder::new(seed, PMCR, NUMBER)).into();
        let mut pmu = Pmu::new(MemoryBus(&ours));
        let mut other = by_hand::Pmu::new(&hand);
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let id = (seed as u16 ^ 0x55) & 0x1FF;
                let from = if seed % 3 == 0 { seed << 20 } else { 0 };
                counter.count_from(Selection::raw(id).unwrap(), from);
                (other.events[n], other.from[n]) = (Some(id), from);
            }
        }
        let mut running = pmu.start();
        other.start();
        assert_eq!(ours.accesses(), hand.accesses());

        for (count, reading) in running.counts().into_iter().zip(other.running()) {
            assert_same(count, reading);
        }
        assert_eq!(ours.accesses(), hand.accesses());

        let up = running.acknowledge();
        assert_eq!(up, other.acknowledge());
        overflows += usize::from(up.contains(&true));
        assert_eq!(ours.accesses(), hand.accesses());

        let pmu = running.stop();
        other.stop();
        let accesses: Vec<Access> = ours.accesses();
        assert_eq!(accesses, hand.accesses());
        for (count, reading) in pmu.counts().into_iter().zip(other.readings) {
            assert_same(count, reading);
            stops += usize::from(count.exact().is_ok());
        }
    }
    assert!(stops > 0 && overflows > 0, "{stops}, {overflows}");
}
