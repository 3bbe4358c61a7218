// Counting, reading, and starting again.

use super::product::{CountError, tbu};
use arm_pmu_sim::Strict;

use super::{Device, LOOKUP, on_every_device, pmu, signal};

#[test]
fn a_flag_of_an_unused_counter_is_ignored() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.poke(0x12CC0, 0b0110);
        assert_eq!(running.acknowledge(), [false; 4]);
        assert_eq!(device.peek(0x12CC0), 0b0110);
        let mut pmu = running.stop();
        pmu.acknowledge_all();
        assert_eq!(device.peek(0x12CC0), 0);
    });
}

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
