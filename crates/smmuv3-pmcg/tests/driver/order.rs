// Tests of the completion of writes when a method returns, and of events between two accesses.

use arm_pmu_sim::{Access, Strict};

use super::{Device, LOOKUP, evcntr, pmu, signal};

/// Returns the page of a TBU that contains the offset.
fn page(offset: usize) -> usize {
    usize::from(offset >= 0x12000)
}

/// Checks that all writes since the journal was cleared have arrived: a later read from the same page
/// completed, and software waited for it.
fn assert_all_arrived(device: &Device, what: &str) {
    let journal = device.journal();
    for (nth, access) in journal.iter().enumerate() {
        let Access::Store { offset, .. } = *access else { continue };
        let later = &journal[nth..];
        let read = later.iter().position(
            |access| matches!(access, Access::Load { offset: from, .. } if page(*from) == page(offset)),
        );
        let waited = read.is_some_and(|read| later[read..].contains(&Access::Synchronize));
        assert!(waited, "{what}: {offset:#x} may still be on its way");
    }
    device.clear_journal();
}

#[test]
fn writes_arrive_before_methods_return() {
    let device = Strict::new(Device::tbu());
    let mut pmu = pmu(&device);
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    let mut running = pmu.start();
    assert_all_arrived(&device, "start");
    device.poke(evcntr(0), u32::MAX);
    signal(&device, LOOKUP, 1);
    assert_eq!(running.acknowledge(), [true, false, false, false]);
    assert_all_arrived(&device, "acknowledge");
    let pmu = running.stop();
    assert_all_arrived(&device, "stop");
    let running = pmu.resume();
    assert_all_arrived(&device, "resume");
    let mut pmu = running.stop();
    device.clear_journal();
    pmu.acknowledge_all();
    assert_all_arrived(&device, "acknowledge_all");
}
