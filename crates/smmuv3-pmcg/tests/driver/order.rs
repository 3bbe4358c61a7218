// Completion of writes when a method returns, and events between two accesses.

use super::product::{Count, CountError, TbuEvent, tbu};
use arm_pmu_sim::{Access, Strict};

use super::{Device, LOOKUP, evcntr, pmu, signal};

/// On which page of a TBU.
fn page(offset: usize) -> usize {
    usize::from(offset >= 0x12000)
}

/// Everything that was written since the journal was cleared has arrived: something was read from the
/// same page after it, and software waited for that.
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

#[test]
fn the_measured_code_lies_between_two_barriers() {
    let device = Strict::new(Device::tbu());
    let running = pmu(&device).start();
    assert_eq!(device.journal().last(), Some(&Access::Synchronize), "start ends with one");
    device.clear_journal();
    let pmu = running.stop();
    assert_eq!(device.journal().first(), Some(&Access::Synchronize), "stop begins with one");
    let running = pmu.resume();
    assert_eq!(device.journal().last(), Some(&Access::Synchronize), "resume ends with one");
    drop(running);
}

/// A flag is set at every possible moment during the acknowledgement of another.
#[test]
fn overflow_during_acknowledgement_is_kept() {
    for left in 1..40 {
        let device = Strict::new(Device::tbu());
        let mut pmu = pmu(&device);
        for counter in pmu.counters() {
            counter.count(TbuEvent::ClockCycle);
        }
        let mut running = pmu.start();
        device.poke(evcntr(0), u32::MAX);
        device.poke(evcntr(3), 0_u32.wrapping_sub(left));
        device.clock(1);
        device.set_cycles_per_access(1);
        let mut times = [0; 4];
        for _ in 0..40 {
            for (times, up) in times.iter_mut().zip(running.acknowledge()) {
                *times += u32::from(up);
            }
        }
        assert_eq!(times, [1, 0, 0, 1], "{left}");
        let overflowed = running.stop().counts().map(Count::overflowed);
        assert_eq!(overflowed, [true, false, false, true], "{left}");
    }
}

/// Also if the PMU is on again when it is looked at next.
#[test]
fn ignored_resume_is_lost() {
    let device = Strict::new(Device::tbu());
    let mut pmu = tbu::Pmu::new(device.non_secure_page0(), device.non_secure_page1());
    let [lookups, ..] = pmu.counters();
    lookups.count(LOOKUP);
    let pmu = pmu.start().stop();
    assert_eq!(pmu.counts()[0].exact(), Ok(0));
    device.set_non_secure_access(false);
    let running = pmu.resume();
    signal(&device, LOOKUP, 3);
    device.set_non_secure_access(true);
    device.poke(0x02E04, 1);
    assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
    assert_eq!(running.stop().counts()[0].exact(), Err(CountError::Disturbed));
}
