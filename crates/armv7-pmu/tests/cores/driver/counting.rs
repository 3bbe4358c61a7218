//! Tests counting, reading, and starting again.

use super::*;

#[test]
fn software_increments_reach_only_their_counters() {
    on_every_pmu(|device, mut pmu| {
        let [_, by_event, by_number, ..] = pmu.counters();
        by_event.count(SOFTWARE);
        by_number.count(Selection::raw(0x00).unwrap());
        let mut running = pmu.start();
        device.clear_journal();
        for _ in 0..3 {
            running.increment();
        }
        assert_eq!(stores(device), [("PMSWINC", 0b0110); 3]);
        assert_eq!(running.counts().map(Count::wrapping_value)[..4], [0, 3, 3, 0]);
        running.increment();
        let mut pmu = running.stop();
        assert_eq!(pmu.counts().map(Count::exact)[..4], [Ok(0), Ok(4), Ok(4), Ok(0)]);
        let [_, by_event, by_number, ..] = pmu.counters();
        by_event.off();
        by_number.count(MISSES);
        let mut running = pmu.resume();
        running.increment();
        let mut running = running.stop().start();
        device.clear_journal();
        running.increment();
        assert_eq!(stores(device), [], "no counter counts that");
        let pmu = running.stop();
        let expected = [Ok(0), Err(CountError::NotCounted), Ok(0), Ok(0)];
        assert_eq!(pmu.counts().map(Count::exact)[..4], expected);
    });
}
