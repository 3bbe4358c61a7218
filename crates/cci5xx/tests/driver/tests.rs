// Included for each product: `product` is its crate, `Device` its simulated device.

use std::cell::Cell;
use std::num::NonZeroU32;

use arm_pmu_core::bus::{BusError, RegisterSpec};
use arm_pmu_core::measure::Rearm;
use arm_pmu_sim::{
    Access, Attempt, Effect, Intercepted, MemoryBus, Noise, Response, Security, Strict,
    ignoring_stores,
};
use product::{
    AssignError, Bus, Count, CountError, Global, GlobalEvent, MI0, MasterEvent, Monitor, Pmu, SI0,
    SI2, SI3, SI5, Selection, SlaveEvent, Space,
};

const READS: Selection = SI3.event(SlaveEvent::ReadRequestAny);
const BEATS: Selection = SI3.event(SlaveEvent::ReadDataBeat);

type DevicePmu<'d> = Pmu<MemoryBus<'d, Space>>;

fn signal(device: &Device, what: Selection, times: u32) {
    signal_as(device, what, Security::NonSecure, times);
}

fn signal_as(device: &Device, what: Selection, security: Security, times: u32) {
    device.signal(what, security, times);
}

fn select(counter: usize) -> usize {
    0x10000 * (counter + 1)
}

fn count(counter: usize) -> usize {
    select(counter) + 4
}

/// Calls `test` with devices in several states, whose drivers count reads on counter 0 and beats on
/// counter 5.
fn on_every_device(test: impl Fn(&Device, DevicePmu<'_>)) {
    for noise in [Noise::Zeros, Noise::Ones, Noise::Seeded(1), Noise::Seeded(2), Noise::Seeded(3)] {
        for reset_reaches_gated in [false, true] {
            for posted in [false, true] {
                let device = Strict::new(Device::new());
                device.set_reset_reaches_gated(reset_reaches_gated);
                device.set_posted_stores(posted);
                device.power_up_with(noise);
                let mut pmu = Pmu::new(device.bus());
                let [reads, .., beats, _, _] = pmu.counters();
                reads.count(READS);
                beats.count(BEATS);
                test(&device, pmu);
            }
        }
    }
}

#[test]
fn the_select_registers_hold_the_values_of_the_manual() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let [a, b, c, d, e, ..] = pmu.counters();
    a.count(SI3.event(SlaveEvent::ReadShareableNonAllocating));
    b.count(SI3.event(SlaveEvent::ReadShareableAllocating));
    c.count(SI3.event(SlaveEvent::ReadDataSnoopHit));
    d.count(SI2.event(SlaveEvent::ReadShareableNonAllocating));
    e.count(SI2.event(SlaveEvent::ReadDataSnoopHit));
    let _running = pmu.start();
    // Bits 8:5 and 4:0 as the procedure lists them.
    let expected = [(0x3, 0x03), (0x3, 0x04), (0x3, 0x09), (0x2, 0x03), (0x2, 0x09)];
    for (counter, (source, code)) in expected.into_iter().enumerate() {
        assert_eq!(device.peek(select(counter)), source << 5 | code);
        assert_eq!(device.peek(select(counter) + 8), 1, "enabled");
    }
    for counter in 5..8 {
        assert_eq!(device.peek(select(counter) + 8), 0, "not enabled");
    }
    assert_eq!(device.peek(0x100) & 1, 1, "CEN");
}

#[test]
fn events_between_start_and_stop_are_counted_and_no_others() {
    on_every_device(|device, pmu| {
        signal(device, READS, 100);
        let running = pmu.start();
        signal(device, READS, 7);
        signal(device, BEATS, 28);
        signal(device, SI2.event(SlaveEvent::ReadRequestAny), 1);
        let pmu = running.stop();
        signal(device, READS, 100);
        let [reads, _, _, _, _, beats, _, unused] = pmu.counts();
        assert_eq!(reads.exact(), Ok(7));
        assert_eq!(beats.exact(), Ok(28));
        assert_eq!(unused, Count::NOT_COUNTED);
        assert_eq!(pmu.interference(), None);
    });
}

#[test]
fn start_counts_from_zero_and_resume_continues() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        signal(device, READS, 5);
        let running = running.stop().resume();
        signal(device, READS, 6);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(11));
        let running = pmu.start();
        signal(device, READS, 2);
        assert_eq!(running.stop().counts()[0].exact(), Ok(2));
    });
}

#[test]
fn a_running_pmu_can_be_read_without_stopping_it() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        signal(device, READS, 5);
        let before = running.counts();
        signal(device, READS, 4);
        let after = running.counts();
        assert_eq!((before[0].exact(), after[0].exact()), (Ok(5), Ok(9)));
        assert_eq!(after[0].since(before[0]).exact(), Ok(4));
        assert_eq!(running.stop().counts()[0].exact(), Ok(9));
    });
}

#[test]
fn a_wrap_is_an_overflow_and_never_a_small_number() {
    on_every_device(|device, pmu| {
        let running = pmu.start();
        device.poke(count(0), u32::MAX - 1);
        let before = running.counts()[0];
        signal(device, READS, 5);
        let after = running.counts()[0];
        assert_eq!(before.exact(), Ok(u32::MAX - 1));
        assert_eq!(after.exact(), Err(CountError::Overflowed));
        assert_eq!(after.since(before).exact(), Ok(5), "the difference is right across the wrap");
        assert_eq!(running.counts()[5].exact(), Ok(0), "the other counter is none the worse");
        device.poke(count(5), u32::MAX);
        signal(device, BEATS, 1);
        assert_eq!(running.counts()[5].exact(), Err(CountError::Overflowed), "until it wraps too");
        let [reads, .., beats, _, _] = running.stop().counts();
        assert_eq!(reads.exact(), Err(CountError::Overflowed));
        assert_eq!((reads.wrapping_value(), reads.lower_bound()), (3, (1 << 32) + 3));
        assert_eq!((beats.wrapping_value(), beats.lower_bound()), (0, 1 << 32));
    });
}

#[test]
fn an_acknowledged_overflow_is_remembered_until_the_next_start() {
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        assert_eq!(running.acknowledge(), [false; 8]);
        device.poke(count(0), u32::MAX);
        signal(device, READS, 1);
        assert_eq!(device.overflow_lines() & 1, 1);
        let mut expected = [false; 8];
        expected[0] = true;
        assert_eq!(running.acknowledge(), expected);
        assert_eq!(device.overflow_lines() & 1, 0, "the interrupt is gone");
        assert_eq!(running.acknowledge(), [false; 8]);
        assert!(running.counts()[0].overflowed());
        // Another counter overflows while the first is history.
        device.poke(count(5), u32::MAX);
        signal(device, BEATS, 2);
        expected = [false; 8];
        expected[5] = true;
        assert_eq!(running.acknowledge(), expected);
        let pmu = running.stop();
        assert!(pmu.counts()[0].overflowed() && pmu.counts()[5].overflowed());
        let pmu = pmu.resume().stop();
        assert!(pmu.counts()[0].overflowed(), "resuming does not forget");
        let pmu = pmu.start().stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(0), "starting does");
    });
}

/// A bus behind which two reads happen right after one of the loads.
struct ReadsAfter<'d> {
    inner: MemoryBus<'d, Space>,
    device: &'d Device,
    /// Number of loads until then.
    fuse: &'d Cell<usize>,
}

impl Bus for ReadsAfter<'_> {
    type Space = product::registers::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        let value = self.inner.load::<S>(index);
        self.fuse.set(self.fuse.get().saturating_sub(1));
        if self.fuse.get() == 1 {
            signal(self.device, READS, 2);
        }
        value
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        self.inner.store::<S>(index, value);
    }

    fn synchronize(&self) {
        self.inner.synchronize();
    }
}

#[test]
fn a_wrap_between_two_reads_of_one_counter_is_seen() {
    let (before, after) = (u64::from(u32::MAX), u64::from(u32::MAX) + 2);
    let mut torn_between = 0;
    for fuse_length in 2..12 {
        let device = Strict::new(Device::new());
        let fuse = Cell::new(0);
        let mut pmu = Pmu::new(ReadsAfter { inner: device.bus(), device: &device, fuse: &fuse });
        let [reads, ..] = pmu.counters();
        reads.count(READS);
        let running = pmu.start();
        device.poke(count(0), u32::MAX);
        fuse.set(fuse_length);
        let (first, second) =
            (running.counts()[0].lower_bound(), running.counts()[0].lower_bound());
        assert!([before, after].contains(&first), "wrap after load {}: {first}", fuse_length - 1);
        assert!([before, after].contains(&second), "wrap after load {}: {second}", fuse_length - 1);
        assert!(first <= second);
        torn_between += usize::from(fuse.get() < 2);
    }
    assert!(torn_between >= 6, "the wrap happened after each load of both readings");
}

#[test]
fn a_counter_can_start_below_the_overflow() {
    on_every_device(|device, mut pmu| {
        let [reads, _, _, beats, ..] = pmu.counters();
        assert_eq!(reads.selection(), Some(READS));
        reads.count_from(READS, 1_000);
        beats.overflow_after(BEATS, NonZeroU32::new(10).unwrap());
        let mut running = pmu.start();
        signal(device, READS, 1);
        signal(device, BEATS, 9);
        assert_eq!(running.acknowledge(), [false; 8], "not before the tenth");
        let [reads, _, _, budget, _, beats, ..] = running.counts();
        assert_eq!(reads.exact(), Ok(1), "the start value is not counted");
        assert_eq!(budget.exact(), Ok(9));
        assert_eq!(beats.exact(), Ok(9), "a counter without a start value starts at 0");
        signal(device, BEATS, 1);
        assert!(running.acknowledge()[3], "at the tenth");
        signal(device, BEATS, 2);
        let spent = running.counts()[3];
        assert_eq!((spent.overflowed(), spent.lower_bound()), (true, 12));
        // Starting again starts there again.
        let pmu = running.stop();
        assert_eq!(pmu.counts()[3].lower_bound(), 12);
        let running = pmu.start();
        assert_eq!(running.counts()[3].exact(), Ok(0));
        assert_eq!(device.peek(count(3)), u32::MAX - 9);
    });
}

#[test]
fn rearmed_counter_counts_from_its_new_value() {
    on_every_device(|device, pmu| {
        let ten = NonZeroU32::new(10).unwrap();
        let mut running = pmu.start();
        signal(device, READS, 5);
        signal(device, BEATS, 5);
        let unused = device.peek(count(1));
        running.rearm(0, ten);
        running.rearm(1, ten);
        assert_eq!((device.peek(count(0)), device.peek(count(1))), (u32::MAX - 9, unused));
        signal(device, READS, 9);
        assert_eq!(running.acknowledge(), [false; 8]);
        assert_eq!((running.counts()[0].exact(), running.counts()[5].exact()), (Ok(9), Ok(5)));
        signal(device, READS, 1);
        assert!(running.acknowledge()[0], "at the tenth");
    });
}

/// A bus with traffic around each access, until it synchronizes.
struct Busy<'d> {
    inner: MemoryBus<'d, Space>,
    device: &'d Device,
    busy: &'d Cell<bool>,
}

impl Busy<'_> {
    fn traffic(&self) {
        if self.busy.get() {
            signal(self.device, READS, 3);
        }
    }
}

impl Bus for Busy<'_> {
    type Space = product::registers::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        self.traffic();
        self.inner.load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        self.inner.store::<S>(index, value);
        self.traffic();
    }

    fn synchronize(&self) {
        self.inner.synchronize();
        self.busy.set(false);
    }
}

#[test]
fn all_counters_start_together_despite_traffic_during_setup() {
    // What happens after CEN was set belongs to the measurement: around the write itself, and before
    // it is read back.
    let around_the_start = 2 * 3;
    for from in [0, 500] {
        let device = Strict::new(Device::new());
        device.set_posted_stores(false);
        device.power_up_with(Noise::Ones);
        let busy = Cell::new(false);
        let mut pmu = Pmu::new(Busy { inner: device.bus(), device: &device, busy: &busy });
        let [reads, silent, ..] = pmu.counters();
        reads.count_from(READS, from);
        silent.count_from(MI0.event(MasterEvent::ReadDataBeat), from);
        // The second time the counters select the events already.
        for _ in 0..2 {
            busy.set(true);
            let running = pmu.start();
            signal(&device, READS, 10);
            let [reads, silent, ..] = running.counts();
            assert_eq!(reads.exact(), Ok(around_the_start + 10));
            assert_eq!(silent.exact(), Ok(0));
            pmu = running.stop();
        }
    }
}

#[test]
fn interference_is_detected() {
    /// The interference, whether it disables the PMU, and the counters that it changes.
    type Case = (fn(&Device), bool, u32);
    let interfere: [Case; 4] = [
        (|device| device.other_owner_disables(0), false, 0b1),
        (|device| device.other_owner_selects(5, 0x1E0), false, 0b10_0000),
        (|device| device.other_owner_disables_all(), true, 0),
        (|device| device.power_up(), true, 0b10_0001),
    ];
    for (interfere, disabled, counters) in interfere {
        on_every_device(|device, pmu| {
            let running = pmu.start();
            signal(device, READS, 5);
            interfere(device);
            signal(device, READS, 5);
            let pmu = running.stop();
            let lost = pmu.interference().expect("it was noticed");
            assert_eq!((lost.disabled, lost.counters), (disabled, counters));
            let counts = pmu.counts();
            for counter in [0, 5] {
                let expected = if lost.counter(counter as u32) {
                    Err(CountError::Disturbed)
                } else {
                    counts[counter].exact()
                };
                assert_eq!(counts[counter].exact(), expected);
                assert_eq!(
                    counts[counter].exact().is_err(),
                    disabled || counters >> counter & 1 == 1
                );
            }
            // A resumption does not repair the count.
            let pmu = pmu.resume().stop();
            assert_eq!(pmu.counts()[0].exact().is_err(), disabled || counters & 1 == 1);
            // The next measurement is valid.
            let running = pmu.start();
            signal(device, READS, 2);
            assert_eq!(running.counts()[0].exact(), Ok(2));
            let pmu = running.stop();
            assert_eq!((pmu.interference(), pmu.counts()[0].exact()), (None, Ok(2)));
        });
    }
}

#[test]
fn resuming_before_the_first_start_is_a_start() {
    on_every_device(|device, pmu| {
        let running = pmu.resume();
        signal(device, READS, 7);
        assert_eq!(running.stop().counts()[0].exact(), Ok(7));
    });
}

#[test]
fn no_interrupt_is_left_behind() {
    on_every_device(|device, pmu| {
        for counter in 0..8 {
            device.poke(select(counter) + 0xC, 1);
        }
        let mut running = pmu.start();
        assert_eq!(device.overflow_lines(), 0, "start clears what an earlier owner left");
        device.poke(count(0), u32::MAX);
        signal(device, READS, 1);
        running.acknowledge();
        assert_eq!(device.overflow_lines(), 0, "it is gone when `acknowledge` returns");
        device.poke(count(5), u32::MAX);
        signal(device, BEATS, 1);
        let pmu = running.stop();
        assert_eq!(device.overflow_lines(), 0, "it is gone when `stop` returns");
        assert!(pmu.counts()[0].overflowed() && pmu.counts()[5].overflowed());
    });
}

#[test]
fn a_stopped_pmu_can_clear_flags_of_an_earlier_owner() {
    for posted in [false, true] {
        let device = Strict::new(Device::new());
        device.power_up_with(Noise::Ones);
        device.set_posted_stores(posted);
        assert_eq!(device.overflow_lines(), 0xFF);
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
        assert_eq!(running.counts()[1], Count::NOT_COUNTED, "not in use");
        drop(running);
    });
    let device = Strict::new(Device::new());
    device.set_response(Response::Zero);
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed), "no access at all");
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

/// Selections change only while nothing counts, also if an earlier owner left the device counting.
#[test]
fn no_selection_is_written_while_counters_are_enabled() {
    on_every_device(|device, pmu| {
        device.poke(0x100, device.peek(0x100) | 1);
        device.clear_journal();
        let _running = pmu.start();
        let mut enabled = true;
        for access in device.journal() {
            match access {
                Access::Store { offset: 0x100, value } => enabled = value & 1 == 1,
                Access::Store { offset, .. } => assert!(!enabled || offset % 0x10000 != 0),
                _ => {}
            }
        }
        assert!(enabled);
    });
}

#[test]
fn ignored_start_value_is_disturbed() {
    for (from, to, expected) in
        [(500, count(2), Err(CountError::Disturbed)), (500, count(1), Ok(0)), (0, count(2), Ok(0))]
    {
        let device = Strict::new(Device::new());
        let mut pmu = Pmu::new(ignoring_stores(device.bus(), [to]));
        let [_, _, reads, ..] = pmu.counters();
        reads.count_from(READS, from);
        let running = pmu.start();
        assert_eq!(running.counts()[2].exact(), expected);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[2].exact(), expected);
        let lost = pmu.interference().map_or(0, |lost| lost.counters);
        assert_eq!(lost, if expected.is_err() { 1 << 2 } else { 0 });
    }
}

#[test]
fn secure_events_need_permission_unless_they_are_exempt() {
    let device = Strict::new(Device::new());
    let run = |device: &Device| {
        let mut pmu = Pmu::new(device.bus());
        let [reads, beats, ..] = pmu.counters();
        reads.count(READS);
        beats.count(BEATS);
        let running = pmu.start();
        signal_as(device, READS, Security::Secure, 3);
        signal_as(device, BEATS, Security::Secure, 4);
        let [reads, beats, ..] = running.stop().counts();
        (reads.exact(), beats.exact())
    };
    assert_eq!(run(&device), (Ok(0), Ok(4)));
    device.set_spniden(true);
    assert_eq!(run(&device), (Ok(3), Ok(4)));
    device.set_spniden(false);
    device.set_secure_debug(true);
    assert_eq!(run(&device), (Ok(3), Ok(4)));
}

#[test]
fn without_niden_and_without_the_interface_nothing_is_counted() {
    let device = Strict::new(Device::new());
    let event = SI5.event(SlaveEvent::WriteRequestAny);
    let run = || {
        let mut pmu = Pmu::new(device.bus());
        let [counter, ..] = pmu.counters();
        counter.count(event);
        let running = pmu.start();
        signal(&device, event, 3);
        let pmu = running.stop();
        assert_eq!(pmu.interference(), None);
        pmu.counts()[0].exact()
    };
    assert_eq!(run(), Ok(3));
    device.set_built(5, false);
    assert_eq!(run(), Ok(0));
    device.set_built(5, true);
    device.set_niden(false);
    assert_eq!(run(), Ok(0));
}

#[test]
fn non_secure_software_can_measure() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.non_secure_bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    signal(&device, READS, 3);
    assert_eq!(running.stop().counts()[0].exact(), Ok(3));
}

#[test]
fn the_export_bit_is_left_alone() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.registers().pmcr().modify(|_, w| w.ex().set_bit());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    assert_eq!(device.peek(0x100), 0x4011);
    let mut pmu = running.stop();
    assert!(pmu.registers().pmcr().read().ex().bit());
    assert_eq!(device.peek(0x100), 0x4010);
}

#[test]
fn the_measured_code_is_fenced_in() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    assert_eq!(device.journal().last(), Some(&Access::Synchronize), "start ends with a barrier");
    device.clear_journal();
    let pmu = running.stop();
    assert_eq!(device.journal().first(), Some(&Access::Synchronize), "stop begins with one");
    assert_eq!(device.journal().last(), Some(&Access::Synchronize), "and ends with one");
    device.clear_journal();
    let _running = pmu.resume();
    assert_eq!(device.journal().last(), Some(&Access::Synchronize), "resume ends with one");
}

#[test]
fn a_counter_can_be_turned_off_again() {
    on_every_device(|device, mut pmu| {
        let [reads, ..] = pmu.counters();
        reads.off();
        let [reads, ..] = pmu.counters();
        assert_eq!(reads.selection(), None);
        let running = pmu.start();
        signal(device, READS, 5);
        signal(device, BEATS, 5);
        let [reads, _, _, _, _, beats, ..] = running.stop().counts();
        assert_eq!((reads, beats.exact()), (Count::NOT_COUNTED, Ok(5)));
    });
}

#[test]
fn driver_shows_its_selections() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    assert!(format!("{pmu:?}").contains("SI3:READ_REQUEST_ANY"));
    assert!(format!("{:?}", pmu.start()).contains("SI3:READ_REQUEST_ANY"));
}

#[test]
fn unlisted_events_can_be_counted_on_purpose() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    let [raw, global, ..] = pmu.counters();
    raw.count(Selection::raw(0xF2).unwrap());
    global.count(Global.event(GlobalEvent::SnoopFilterBackInvalidation));
    let _running = pmu.start();
    assert_eq!(device.peek(select(0)), 0xF2);
    assert_eq!(device.peek(select(1)), 0xF << 5 | 0x08);
}

#[test]
fn the_driver_is_a_monitor() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[READS, BEATS]).unwrap();
    let value = pmu.run(|| {
        signal(&device, READS, 2);
        signal(&device, BEATS, 8);
        "done"
    });
    assert_eq!(value, "done");
    assert_eq!((pmu.count(0), pmu.count(1)), (Count::new(2), Count::new(8)));
    assert_eq!(<DevicePmu<'_> as Monitor>::COUNTERS, 8);
    assert_eq!(pmu.assign(&[READS; 8]), Ok(()), "as many as there are");
    pmu.assign(&[READS]).unwrap();
    let too_many = [READS; 9];
    assert_eq!(pmu.assign(&too_many), Err(AssignError::TooMany { asked: 9, counters: 8 }));
    pmu.run(|| signal(&device, READS, 1));
    assert_eq!(pmu.count(0), Count::new(1), "nothing changed");
    pmu.assign(&[SI0.event(SlaveEvent::Evict)]).unwrap();
    pmu.run(|| signal(&device, READS, 1));
    assert_eq!(pmu.count(0), Count::new(0));
}

#[test]
fn unassigned_counters_have_no_count() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[READS]).unwrap();
    assert_eq!(pmu.count(0), Count::NOT_COUNTED, "it did not run yet");
    pmu.run(|| ());
    assert_eq!(pmu.count(0), Count::new(0));
    assert_eq!((pmu.count(1), pmu.count(8)), (Count::NOT_COUNTED, Count::NOT_COUNTED));
}

#[test]
fn failed_bus_takes_no_assignment() {
    let device = Strict::new(Device::new());
    device.set_response(Response::Error);
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[READS]).unwrap();
    pmu.run(|| ());
    assert_eq!(pmu.count(0).exact(), Err(CountError::BusError));
    assert_eq!(pmu.assign(&[BEATS]), Err(AssignError::BusError(BusError::new())));
}

#[test]
fn panicking_work_leaves_the_pmu_stopped() {
    let device = Strict::new(Device::new());
    let mut pmu = Pmu::new(device.bus());
    pmu.assign(&[READS]).unwrap();
    let work = std::panic::AssertUnwindSafe(|| {
        pmu.run(|| {
            signal(&device, READS, 3);
            std::panic::resume_unwind(Box::new(()));
        })
    });
    assert!(std::panic::catch_unwind(work).is_err());
    assert_eq!(device.peek(0x100) & 1, 0, "CEN");
    assert_eq!(pmu.count(0).exact(), Ok(3));
}

/// No manual says whether a flag needs a clock, or a disabled PMU, to be cleared.
#[test]
fn flags_are_cleared_by_any_rule() {
    for (while_counting, need_clock) in [(true, false), (false, false), (true, true)] {
        on_every_device(|device, pmu| {
            device.set_flags_clear_while_counting(while_counting);
            device.set_flags_need_clock(need_clock);
            for counter in 0..8 {
                device.poke(select(counter) + 0xC, 1);
            }
            let mut running = pmu.start();
            assert_eq!(device.overflow_lines() & 0b10_0001, 0, "start");
            device.poke(count(0), u32::MAX);
            signal(device, READS, 1);
            let taken = running.acknowledge();
            assert_eq!((taken[0], taken[5]), (true, false));
            assert_eq!(device.overflow_lines() & 0b10_0001, 0, "acknowledge");
            assert_eq!(device.peek(0x100) & 1, 1, "CEN");
            signal(device, READS, 1);
            let pmu = running.stop();
            // Counters that were stopped meanwhile may have missed events.
            let expected = if while_counting {
                (Err(CountError::Overflowed), Ok(0))
            } else {
                (Err(CountError::Disturbed), Err(CountError::Disturbed))
            };
            let [reads, .., beats, _, _] = pmu.counts();
            assert_eq!((reads.exact(), beats.exact()), expected);
            assert_eq!(pmu.start().stop().interference(), None);
        });
    }
}

#[test]
fn stuck_flag_is_no_overflow() {
    on_every_device(|device, pmu| {
        device.set_flags_clear_while_counting(false);
        device.set_flags_need_clock(true);
        device.poke(select(0) + 0xC, 1);
        device.poke(select(5) + 0xC, 0);
        let running = pmu.start();
        let [reads, .., beats, _, _] = running.counts();
        assert_eq!((reads.exact(), beats.exact()), (Err(CountError::Disturbed), Ok(0)));
        assert_eq!(running.stop().counts()[0].lower_bound(), 0);
    });
}

#[test]
fn a_start_does_not_need_the_reset() {
    let device = Strict::new(Device::new());
    device.power_up_with(Noise::Ones);
    let mut pmu = Pmu::new(Intercepted::new(device.bus(), |attempt| match attempt {
        Attempt::Store(0x100, value) => Effect::Replace(value & !2),
        _ => Effect::Proceed,
    }));
    let [reads, ..] = pmu.counters();
    reads.count(READS);
    let running = pmu.start();
    signal(&device, READS, 3);
    assert_eq!(running.stop().counts()[0].exact(), Ok(3));
}

#[test]
fn failed_rearm_is_disturbed() {
    let ten = NonZeroU32::new(10).unwrap();
    on_every_device(|device, pmu| {
        let mut running = pmu.start();
        device.set_stores_ignored(true);
        running.rearm(0, ten);
        device.set_stores_ignored(false);
        assert_eq!(running.counts()[0].exact(), Err(CountError::Disturbed));
        // Rearming a counter that other software switched off does not repair its count.
        let mut running = running.stop().start();
        device.other_owner_disables(0);
        running.rearm(0, ten);
        let [reads, .., beats, _, _] = running.stop().counts();
        assert_eq!((reads.exact(), beats.exact()), (Err(CountError::Disturbed), Ok(0)));
    });
}

#[test]
fn rearming_clears_flags_clearable_only_while_stopped() {
    on_every_device(|device, pmu| {
        device.set_flags_clear_while_counting(false);
        let mut running = pmu.start();
        device.poke(count(0), u32::MAX);
        signal(device, READS, 1);
        running.rearm(0, NonZeroU32::new(10).unwrap());
        assert_eq!(device.overflow_lines(), 0);
        signal(device, READS, 9);
        let [reads, .., beats, _, _] = running.counts();
        assert_eq!((reads.exact(), beats.exact()), (Ok(9), Err(CountError::Disturbed)));
    });
}
