//! Counting, reading, and starting again.

use super::product::{CountError, tbu};
use arm_pmu_sim::Strict;

use super::{Device, LOOKUP, pmu, signal};

#[test]
fn a_truncated_event_number_is_disturbed() {
    let device = Strict::new(Device::tbu());
    device.set_event_bits(8);
    let mut pmu = pmu(&device);
    let [first, ..] = pmu.counters();
    first.count(tbu::Selection::raw(0x180).unwrap());
    let running = pmu.start();
    signal(&device, LOOKUP, 3);
    assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed), "from the start on");
    assert_eq!(running.stop().counts()[0].exact(), Err(CountError::Disturbed));
}
