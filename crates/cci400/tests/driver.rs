//! The driver on a simulated CCI-400: measurements and failures.

use std::num::NonZeroU32;

use arm_pmu_core::measure::{CycleCounter, Rearm, measure};
use arm_pmu_sim::{
    Access, Cci400, CountsWritable, MemoryBus, Noise, Response, Security, Strict, ignoring_stores,
};
use cci400::{
    AssignError, Count, CountError, Divider, EventOrCycles, M0, MasterEvent, Monitor, Pmu, S3,
    Selection, SlaveEvent, Space,
};

const READS: Selection = S3.event(SlaveEvent::ReadRequestAny);
const STALLS: Selection = M0.event(MasterEvent::ReadIdHazardStall);

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

fn signal(device: &Cci400, what: Selection, times: u32) {
    signal_as(device, what, Security::NonSecure, times);
}

fn signal_as(device: &Cci400, what: Selection, security: Security, times: u32) {
    device.signal(what, security, times);
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
fn only_events_and_cycles_of_the_run_count() {
    on_every_device(|device, pmu| {
        signal(device, READS, 100);
        device.clock(1_000);
        let running = pmu.start();
        signal(device, READS, 7);
        signal(device, STALLS, 28);
        signal(device, S3.event(SlaveEvent::Evict), 1);
        device.clock(640);
        let pmu = running.stop();
        signal(device, READS, 100);
        device.clock(1_000);
        let [reads, unused, _, stalls] = pmu.counts();
        assert_eq!((reads.exact(), unused, stalls.exact()), (Ok(7), Count::NOT_COUNTED, Ok(28)));
        assert_eq!(pmu.cycles().exact(), Ok(640));
        assert_eq!(pmu.interference(), None);
    });
}

#[test]
fn start_counts_from_zero_and_resume_continues() {
    on_every_device(|device, pmu| {
        let running = pmu.resume();
        signal(device, READS, 5);
        device.clock(50);
        let pmu = running.stop();
        signal(device, READS, 100);
        device.clock(1_000);
        let running = pmu.resume();
        signal(device, READS, 6);
        device.clock(60);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(11), Ok(110)));
        let running = pmu.start();
        signal(device, READS, 2);
        device.clock(20);
        let pmu = running.stop();
        assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(2), Ok(20)));
    });
}

#[test]
fn a_running_pmu_can_be_read_without_stopping_it() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        signal(device, READS, 5);
        device.clock(50);
        let (before, cycles) = (running.counts()[0], running.cycles());
        signal(device, READS, 4);
        device.clock(40);
        assert_eq!(running.counts()[0].since(before).exact(), Ok(4));
        assert_eq!(running.cycles().since(cycles).exact(), Ok(40));
        assert_eq!(running.stop().counts()[0].exact(), Ok(9));
    });
}

#[test]
fn a_wrap_is_an_overflow_and_never_a_small_number() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        device.poke(select(0) + 4, u32::MAX - 1);
        device.poke(CYCLES, u32::MAX);
        let (before, cycles) = (running.counts()[0], running.cycles());
        signal(device, READS, 5);
        device.clock(3);
        let (after, later) = (running.counts()[0], running.cycles());
        assert_eq!((before.exact(), cycles.exact()), (Ok(u32::MAX - 1), Ok(u32::MAX)));
        assert!(after.overflowed() && later.overflowed());
        assert_eq!((after.since(before).exact(), later.since(cycles).exact()), (Ok(5), Ok(3)));
        assert_eq!(running.counts()[3].exact(), Ok(0), "the other counter is none the worse");
        device.poke(select(3) + 4, u32::MAX);
        signal(device, STALLS, 1);
        assert_eq!(running.counts()[3].exact(), Err(CountError::Overflowed), "until it wraps too");
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].lower_bound(), (1 << 32) + 3);
        assert_eq!(pmu.cycles().exact(), Err(CountError::Overflowed));
        assert_eq!(pmu.counts()[3].lower_bound(), 1 << 32);
    });
}

#[test]
fn an_acknowledged_overflow_is_remembered_until_the_next_start() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        assert_eq!(device.overflow_lines(), 0, "start clears what an earlier owner left");
        assert_eq!(running.acknowledge(), Default::default());
        device.poke(select(0) + 4, u32::MAX);
        signal(device, READS, 1);
        let first = running.acknowledge();
        assert_eq!((first.counters, first.cycles), ([true, false, false, false], false));
        assert_eq!(device.overflow_lines(), 0);
        device.poke(CYCLES, u32::MAX);
        device.clock(1);
        let second = running.acknowledge();
        assert_eq!((second.counters, second.cycles), ([false; 4], true));
        assert_eq!(device.overflow_lines(), 0, "when it returns");
        assert!(running.counts()[0].overflowed() && running.cycles().overflowed());
        device.poke(select(3) + 4, u32::MAX);
        signal(device, STALLS, 1);
        let pmu = running.stop();
        assert_eq!(device.overflow_lines(), 0, "the interrupts are gone when `stop` returns");
        let bits = |pmu: &DevicePmu<'_>| {
            let [a, _, _, d] = pmu.counts();
            (a.overflowed(), d.overflowed(), pmu.cycles().overflowed())
        };
        assert_eq!(bits(&pmu), (true, true, true));
        let pmu = pmu.resume().stop();
        assert_eq!(bits(&pmu), (true, true, true), "resuming does not forget");
        let pmu = pmu.start().stop();
        assert_eq!(bits(&pmu), (false, false, false), "starting does");
    });
}

#[test]
fn counters_start_from_their_start_values() {
    on_every_device(|device, mut pmu| {
        let [reads, _, budget, _] = pmu.counters();
        reads.count_from(READS, 1_000);
        budget.overflow_after(READS, NonZeroU32::new(10).unwrap());
        pmu.cycle_counter().overflow_after(Divider::By1, NonZeroU32::new(100).unwrap());
        let mut running = pmu.start();
        signal(device, READS, 9);
        device.clock(99);
        assert_eq!(running.acknowledge(), Default::default());
        assert_eq!(running.counts()[0].exact(), Ok(9), "the start value is not counted");
        signal(device, READS, 1);
        device.clock(1);
        let overflows = running.acknowledge();
        assert_eq!((overflows.counters[2], overflows.cycles), (true, true));
    });
}

#[test]
fn the_divider_counts_every_64th_cycle() {
    for noise in [Noise::Zeros, Noise::Ones] {
        let device = Strict::new(Cci400::new());
        device.power_up_with(noise);
        let mut pmu = Pmu::new(device.bus());
        pmu.cycle_counter().count(Divider::By64);
        let running = pmu.start();
        device.clock(6_400);
        let mut pmu = running.stop();
        let counted = pmu.cycles().exact().unwrap();
        assert!((99..=101).contains(&counted), "{counted}: the phase of the divider is not known");
        pmu.cycle_counter().count(Divider::By1);
        let running = pmu.start();
        device.clock(6_400);
        assert_eq!(running.stop().cycles().exact(), Ok(6_400));
    }
}

#[test]
fn disabled_cycle_counter_is_left_out() {
    on_every_device(|device, mut pmu| {
        pmu.cycle_counter().off();
        let mut running = pmu.start();
        device.clock(50);
        device.poke(CYCLES + 8, 1);
        assert_eq!(running.cycles(), Count::NOT_COUNTED);
        assert!(!running.acknowledge().cycles, "the flag of an unused counter is ignored");
        let pmu = running.stop();
        assert_eq!((pmu.interference(), pmu.cycles()), (None, Count::NOT_COUNTED));
    });
}

#[test]
fn a_stopped_pmu_can_clear_flags_of_an_earlier_owner() {
    for posted in [false, true] {
        let device = Strict::new(Cci400::new());
        device.power_up_with(Noise::Ones);
        device.set_posted_stores(posted);
        assert_eq!(device.overflow_lines(), 0b1_1111);
        let mut pmu = Pmu::new(device.bus());
        pmu.acknowledge_all();
        assert_eq!(device.overflow_lines(), 0, "when it returns");
    }
}

#[test]
fn disabled_pmu_is_not_read_as_idle() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        signal(device, READS, 7);
        device.other_owner_disables_all();
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.cycles().exact(), Err(CountError::Disturbed));
        assert_eq!(running.counts()[1], Count::NOT_COUNTED, "not in use");
    });
}

/// An earlier owner left the same setting counting, and accesses work again before the stop. Only
/// the start, or a resumption after a stop, can detect that.
#[test]
fn ignored_start_is_lost() {
    on_every_device(|device, pmu| {
        for resumes in [true, false] {
            let mut pmu = Pmu::new(device.bus());
            let [reads, ..] = pmu.counters();
            reads.count(READS);
            let pmu = pmu.start().stop();
            device.set_response(Response::Zero);
            let running = if resumes { pmu.resume() } else { pmu.start() };
            device.set_response(Response::Registers);
            device.poke(0x100, device.peek(0x100) | 1);
            let pmu = running.stop();
            assert!(pmu.interference().is_some_and(|lost| lost.disabled));
            assert_eq!(pmu.counts()[0].exact(), Err(CountError::Disturbed));
        }
        drop(pmu);
    });
}

/// Selections and start values change only while nothing counts, also if an earlier owner left the
/// device counting.
#[test]
fn counters_are_set_while_none_is_enabled() {
    on_every_device(|device, pmu| {
        device.poke(0x100, device.peek(0x100) | 1);
        device.clear_journal();
        let _running = pmu.start();
        let mut enabled = true;
        for access in device.journal() {
            match access {
                Access::Store { offset: 0x100, value } => enabled = value & 1 == 1,
                Access::Store { .. } => assert!(!enabled, "{access:?}"),
                _ => {}
            }
        }
        assert!(enabled);
    });
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
fn driver_shows_its_selections() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let shown = format!("{pmu:?} {:?}", pmu.counts());
    assert!(shown.contains("S3:READ_REQUEST_ANY"), "{shown}");
    assert!(format!("{:?}", pmu.start()).contains("S3:READ_REQUEST_ANY"));
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
        assert_eq!(run(pmu), (Ok(0), Ok(50)), "the sign of NIDEN being LOW");
    });
}

#[test]
fn event_counter_reset_keeps_the_cycle_counter() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    pmu.cycle_counter().count(Divider::By1);
    let running = pmu.start();
    signal(&device, READS, 5);
    device.clock(50);
    let mut pmu = running.stop();
    pmu.registers().pmcr().modify(|_, w| w.rst().set_bit());
    let pmu = pmu.resume().stop();
    assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(0), Ok(50)));
    let mut pmu = pmu;
    pmu.registers().pmcr().modify(|_, w| w.ccr().set_bit());
    assert_eq!(pmu.resume().stop().cycles().exact(), Ok(0));
}

#[test]
fn secure_events_need_permission_unless_they_are_exempt() {
    let device = Strict::new(Cci400::new());
    let run = || {
        let mut pmu = Pmu::new(device.bus());
        let [reads, stalls, ..] = pmu.counters();
        reads.count(READS);
        stalls.count(STALLS);
        let running = pmu.start();
        signal_as(&device, READS, Security::Secure, 3);
        signal_as(&device, STALLS, Security::Secure, 4);
        let [reads, stalls, ..] = running.stop().counts();
        (reads.exact(), stalls.exact())
    };
    assert_eq!(run(), (Ok(0), Ok(4)));
    device.set_spniden(true);
    assert_eq!(run(), (Ok(3), Ok(4)));
}

#[test]
fn interference_is_detected() {
    /// The interference, whether it disables the PMU, and the counters that it changes.
    type Case = (fn(&Cci400), bool, u32);
    let interfere: [Case; 5] = [
        (|device| device.other_owner_disables(0), false, 0b1),
        (|device| device.other_owner_selects(3, 0x60), false, 0b1000),
        (|device| device.other_owner_disables_cycles(), false, 1 << 31),
        (|device| device.other_owner_disables_all(), true, 0),
        (|device| device.power_up(), true, 1 << 31 | 0b1001),
    ];
    for (interfere, disabled, counters) in interfere {
        on_every_device(|device, pmu| {
            let running = pmu.start();
            signal(device, READS, 5);
            interfere(device);
            let pmu = running.stop();
            let lost = pmu.interference().expect("it was noticed");
            assert_eq!((lost.disabled, lost.counters), (disabled, counters));
            let [reads, _, _, stalls] = pmu.counts();
            assert_eq!(reads.exact().is_err(), lost.counter(0));
            assert_eq!(stalls.exact().is_err(), lost.counter(3));
            assert_eq!(pmu.cycles().exact().is_err(), lost.counter(31));
            // The next measurement is valid.
            let running = pmu.start();
            signal(device, READS, 2);
            let pmu = running.stop();
            assert_eq!((pmu.interference(), pmu.counts()[0].exact()), (None, Ok(2)));
        });
    }
}

#[test]
fn a_changed_unit_of_cycles_is_detected() {
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
}

#[test]
fn non_secure_software_can_measure() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.non_secure_bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    pmu.cycle_counter().count(Divider::By1);
    let running = pmu.start();
    signal(&device, READS, 3);
    device.clock(30);
    let pmu = running.stop();
    assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(3), Ok(30)));
}

#[test]
fn the_measured_code_is_fenced_in() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        assert_eq!(
            device.journal().last(),
            Some(&Access::Synchronize),
            "start ends with a barrier"
        );
        device.clear_journal();
        let pmu = running.stop();
        assert_eq!(device.journal().first(), Some(&Access::Synchronize), "stop begins with one");
        device.clear_journal();
        let _running = pmu.resume();
        assert_eq!(device.journal().last(), Some(&Access::Synchronize), "resume ends with one");
    });
}

#[test]
fn cycles_may_stand_anywhere_in_an_assignment() {
    let device = Strict::new(Cci400::new());
    let mut pmu = Pmu::new(device.bus());
    let reads = EventOrCycles::Event(READS);
    let cycles = <DevicePmu<'_> as CycleCounter>::CYCLES;
    let writes = EventOrCycles::Event(S3.event(SlaveEvent::WriteRequestAny));
    let lists = [[cycles, reads, writes], [reads, cycles, writes], [reads, writes, cycles]];
    for what in lists {
        let m = measure(&mut pmu, what, || {
            signal(&device, READS, 5);
            signal(&device, S3.event(SlaveEvent::WriteRequestAny), 6);
            device.clock(70);
            "done"
        });
        let m = m.unwrap();
        assert_eq!(m.output, "done");
        for (selection, count) in m.selections.iter().zip(m.counts) {
            let expected = match selection {
                EventOrCycles::Cycles => 70,
                EventOrCycles::Event(event) if *event == READS => 5,
                EventOrCycles::Event(_) => 6,
            };
            assert_eq!(count, Count::new(expected));
        }
    }
    // Without cycles, and events alone.
    let m = measure(&mut pmu, [READS], || signal(&device, READS, 3)).unwrap();
    assert_eq!(m.counts, [Count::new(3)]);
    assert_eq!(device.peek(0x9008), 0, "the cycle counter is off");
    assert_eq!(<DevicePmu<'_> as Monitor>::COUNTERS, 5);
    assert_eq!(pmu.assign(&[reads, writes, reads, writes, cycles]), Ok(()), "as many as there are");
    pmu.assign(&[reads]).unwrap();
    let too_many = [reads; 5];
    assert_eq!(pmu.assign(&too_many), Err(AssignError::TooMany { asked: 5, counters: 4 }));
    assert_eq!(pmu.assign(&[cycles, reads, cycles]), Err(AssignError::CyclesTwice));
    pmu.run(|| signal(&device, READS, 4));
    assert_eq!(pmu.count(0), Count::new(4), "nothing changed");
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
        // Counters that were stopped meanwhile may have missed events.
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
        // All counters are stopped meanwhile.
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

#[test]
fn failed_rearm_is_disturbed() {
    let ten = NonZeroU32::new(10).unwrap();
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.set_stores_ignored(true);
        running.rearm(0, ten);
        running.rearm(4, ten);
        device.set_stores_ignored(false);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(running.cycles().exact(), Err(CountError::Disturbed));
        // Rearming a counter that other software switched off does not repair its count.
        let mut running = running.stop().start();
        device.other_owner_disables(0);
        device.other_owner_disables_cycles();
        running.rearm(0, ten);
        running.rearm(4, ten);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Err(CountError::Disturbed));
        assert_eq!(
            (pmu.cycles().exact(), pmu.counts()[3].exact()),
            (Err(CountError::Disturbed), Ok(0))
        );
    });
}

#[test]
fn failed_bus_gives_errors_and_takes_no_assignment() {
    let device = Strict::new(Cci400::new());
    device.set_response(Response::Error);
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[EventOrCycles::Event(READS)]).unwrap();
    pmu.run(|| ());
    assert_eq!(pmu.count(0).exact(), Err(CountError::BusError));
    assert!(matches!(pmu.assign(&[EventOrCycles::Cycles]), Err(AssignError::BusError(_))));
}
