//! Tests the driver on a simulated CCI-400: measurements and failures.

use std::num::NonZeroU32;

use arm_pmu_core::measure::{Rearm, RunningMonitor as _};
use arm_pmu_sim::{Cci400, CountsWritable, MemoryBus, Noise, Security, Strict, ignoring_stores};
use cci400::{CountError, Divider, M0, MasterEvent, Pmu, S3, Selection, SlaveEvent, Space};

const READS: Selection = S3.event(SlaveEvent::ReadRequestAny);
const STALLS: Selection = M0.event(MasterEvent::ReadIdHazardStall);

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

fn signal(device: &Cci400, what: Selection, times: u32) {
    device.signal(what, Security::NonSecure, times);
}

fn select(counter: usize) -> usize {
    0xA000 + 0x1000 * counter
}

const CYCLES: usize = 0x9004;

/// Calls `test` with devices in several states, whose drivers count reads on counter 0, stalls on
/// counter 3, and cycles.
fn on_every_device(test: impl Fn(&Cci400, DevicePmu<'_>)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)] {
        for posted in [false, true] {
            let device = Strict::new(Cci400::new());
            device.set_posted_stores(posted);
            device.power_up_with(noise);
            let mut pmu = Pmu::new(device.bus());
            let [reads, _, _, stalls] = pmu.counters();
            reads.count(READS);
            stalls.count(STALLS);
            pmu.cycle_counter().count(Divider::By1);
            test(&device, pmu);
        }
    }
}

#[test]
fn ignored_start_value_is_disturbed() {
    for (to, events, cycles, lost) in [
        (select(2) + 4, Err(CountError::Disturbed), Ok(0), 1 << 2),
        (CYCLES, Ok(0), Err(CountError::Disturbed), 1 << 31),
        (select(1) + 4, Ok(0), Ok(0), 0),
    ] {
        let device = Strict::new(Cci400::new());
        let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
        let [_, _, reads, _] = pmu.counters();
        reads.count_from(READS, 500);
        pmu.cycle_counter().count_from(Divider::By1, 600);
        let running = pmu.start();
        assert_eq!((running.counts()[2].exact(), running.cycles().exact()), (events, cycles));
        let pmu = running.stop();
        assert_eq!((pmu.counts()[2].exact(), pmu.cycles().exact()), (events, cycles));
        assert_eq!(pmu.interference().map_or(0, |lost| lost.counters), lost);
    }
}

#[test]
fn niden_stops_events_and_cycles_only_if_set() {
    on_every_device(|device, mut pmu| {
        device.set_niden(false);
        let run = |pmu: DevicePmu<'_>| {
            let running = pmu.start();
            signal(device, READS, 5);
            device.clock(50);
            let pmu = running.stop();
            assert_eq!(pmu.interference(), None);
            (pmu.counts()[0].exact(), pmu.cycles().exact())
        };
        pmu.cycles_need_niden(true);
        assert_eq!(run(pmu), (Ok(0), Ok(0)));
        let mut pmu = Pmu::new(device.bus());
        let [reads, ..] = pmu.counters();
        reads.count(READS);
        pmu.cycle_counter().count(Divider::By1);
        assert_eq!(run(pmu), (Ok(0), Ok(50)), "only cycles are counted while NIDEN is LOW");
    });
}

#[test]
fn changed_divider_is_detected() {
    on_every_device(|device, pmu| {
        for bit in [1 << 3, 1 << 5] {
            let mut pmu = Pmu::new(device.bus());
            pmu.cycle_counter().count(Divider::By1);
            let running = pmu.start();
            device.poke(0x100, device.peek(0x100) ^ bit);
            let pmu = running.stop();
            assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
        }
        drop(pmu);
    });
    // A setting for the next start is not interference.
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.cycle_counter().count(Divider::By1);
    let mut pmu = pmu.start().stop();
    pmu.cycle_counter().count(Divider::By64);
    let running = pmu.resume();
    device.clock(640);
    let pmu = running.stop();
    assert_eq!((pmu.interference(), pmu.cycles().exact()), (None, Ok(640)));
    let running = pmu.start();
    device.clock(640);
    assert_eq!([0, 4].map(|counter| running.divider(counter)), [1, 64]);
    let pmu = running.stop();
    assert_eq!((pmu.interference(), pmu.cycles().exact()), (None, Ok(10)));
}

/// After a start, the error is less than one count. Each resume can add up to one count to the
/// error.
#[test]
fn divided_cycles_have_the_documented_error() {
    for (phase, reaches) in (0..64).flat_map(|phase| [(phase, false), (phase, true)]) {
        let device = Strict::new(Cci400::new());
        device.set_reset_reaches_divider(reaches);
        let mut pmu = Pmu::new(device.bus());
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        device.clock(phase);
        let running = running.stop().start();
        device.clock(641);
        let pmu = running.stop();
        let started = pmu.cycles().exact().unwrap();
        let running = pmu.resume();
        device.clock(640);
        let resumed = running.stop().cycles().exact().unwrap();
        let is_near = (10..=11).contains(&started) && (19..=22).contains(&resumed);
        assert!(is_near, "{phase}, {reaches}: {started}, {resumed}");
    }
}

#[test]
fn flags_clearable_only_while_stopped_are_cleared() {
    on_every_device(|device, pmu| {
        device.set_flags_clear_while_counting(false);
        let mut running = pmu.start();
        assert_eq!(device.overflow_lines(), 0, "start");
        device.poke(select(0) + 4, u32::MAX);
        signal(device, READS, 1);
        device.poke(CYCLES, u32::MAX);
        device.clock(1);
        let taken = running.acknowledge();
        assert_eq!((taken.counters, taken.cycles), ([true, false, false, false], true));
        assert_eq!((device.overflow_lines(), device.peek(0x100) & 1), (0, 1), "acknowledge");
        let pmu = running.stop();
        // Counters that were stopped during the call may have missed events.
        assert_eq!(pmu.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.counts()[3].exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.start().stop().interference(), None);
    });
}

#[test]
fn rearming_sets_counters_whenever_they_can_be_written() {
    let ten = NonZeroU32::new(10).unwrap();
    for (when, others) in [
        (CountsWritable::Always, Ok(2)),
        (CountsWritable::CounterOff, Ok(2)),
        // All counters are stopped during the call.
        (CountsWritable::Stopped, Err(CountError::Disturbed)),
    ] {
        on_every_device(|device, pmu| {
            device.set_counts_writable(when);
            let mut running = pmu.start();
            signal(device, READS, 5);
            signal(device, STALLS, 2);
            running.rearm(0, ten);
            signal(device, READS, 9);
            let counts = running.counts();
            assert_eq!((counts[0].exact(), counts[3].exact()), (Ok(9), others), "{when:?}");
            let mut running = running.stop().start();
            device.clock(5);
            signal(device, STALLS, 2);
            running.rearm(4, ten);
            device.clock(9);
            assert_eq!(running.cycles().exact(), Ok(9), "{when:?}");
            assert_eq!(running.stop().counts()[3].exact(), others, "{when:?}");
        });
    }
}
