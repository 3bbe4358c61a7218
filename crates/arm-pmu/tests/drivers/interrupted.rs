//! Reads running PMUs while events occur between any two register accesses of the driver.
//!
//! The tests try every such position in every driver.

use std::cell::Cell;

use crate::devices::{self, Device, on_every_driver};
use crate::registers::Entry;
use crate::traffic::{CYCLES, Item, MOST_COUNTERS, Traffic};
use arm_pmu::count::{Amount, CountError};
use arm_pmu::measure::{Intervals, Monitor, RunningMonitor, StartStop, Totals};

type Running<'d, D> = <<D as Device>::Pmu<'d> as StartStop>::Running;

/// Highest number of counters of a device.
const MOST: usize = MOST_COUNTERS + 1;

/// Sizes of bursts: one event, two or three (which wrap to 0 or beyond), and very many.
const BURSTS: [u32; 4] = [1, 2, 3, 1 << 31];

/// A device whose events increment all counters equally, including the cycle counter.
struct Busy<'d, D> {
    device: &'d D,
    /// Moment of the start.
    started: Cell<usize>,
}

impl<'d, D: Device> Busy<'d, D> {
    fn new(device: &'d D) -> Self {
        Self { device, started: Cell::new(0) }
    }

    /// Returns a driver with all counters in use.
    fn pmu(&self) -> D::Pmu<'d> {
        let mut pmu = self.device.pmu();
        let mut what = vec![D::selections()[0]; counters::<D>()];
        // The cycles are in the middle, because some drivers assign a separate counter to them.
        if let Some(clock) = <D::Pmu<'_> as Monitor>::CLOCK {
            what[counters::<D>() / 2] = clock;
        }
        pmu.assign(&what).unwrap();
        pmu
    }

    fn start(&self, pmu: D::Pmu<'d>) -> Running<'d, D> {
        let running = pmu.start();
        self.started.set(self.device.world().now());
        running
    }

    /// Returns the events since the start.
    fn sum(&self) -> u64 {
        let world = self.device.world();
        world.between(0, self.started.get(), world.now())
    }

    fn happens(&self, times: u32) {
        for event in [0, CYCLES] {
            self.device.world().happen(self.device, Item::Event { event, times });
        }
    }

    /// Causes events until the counters need only half a burst more to wrap.
    fn comes_near_the_end(&self, burst: u32) {
        let missing = (self.sum() as u32).wrapping_neg();
        self.happens(missing.wrapping_sub(burst.div_ceil(2)));
    }

    /// Makes a call. Just before access number `position` of the call, many events happen at once. Returns the call's
    /// result, and whether the call made an access with this number.
    fn during<R>(&self, position: u16, times: u32, call: impl FnOnce() -> R) -> (R, bool) {
        let item = |event| Traffic { at: position, item: Item::Event { event, times } };
        self.device.world().begin(&[0, CYCLES].map(item));
        let result = call();
        (result, self.device.world().drop_pending() == 0)
    }
}

/// Number of counters of a device.
fn counters<D: Device>() -> usize {
    <D::Pmu<'_> as Monitor>::COUNTERS
}

/// Totals of all counters.
fn amounts<D: Device>(totals: &Totals<MOST>) -> Vec<Amount> {
    totals.amounts()[..counters::<D>()].to_vec()
}

/// Tests devices with each of the behaviours that the documents permit. The counters of an L2C-310 saturate: its test is
/// below.
fn on_every_device<D: Device>(test: impl Fn(&Busy<'_, D>)) {
    for variant in (0..3).filter(|_| !D::SATURATES) {
        let device = D::new();
        device.vary(variant);
        test(&Busy::new(&device));
    }
}

/// Totals include either none or all of a burst, and the next totals are exact.
fn totals_include_whole_bursts<D: Device>() {
    on_every_device::<D>(|busy| {
        let mut pmu = busy.pmu();
        for burst in BURSTS {
            let mut running = busy.start(pmu);
            let mut totals = Totals::<MOST>::of(&mut running);
            for position in 0.. {
                busy.comes_near_the_end(burst);
                totals.update(&mut running);
                let before = busy.sum();
                let ((), came) = busy.during(position, burst, || totals.update(&mut running));
                let possible = [before, busy.sum()].map(Amount::new);
                let all = amounts::<D>(&totals);
                let is_possible = all.iter().all(|amount| possible.contains(amount));
                assert!(is_possible, "{burst} at {position}: {all:?}, {possible:?}");
                totals.update(&mut running);
                let all = amounts::<D>(&totals);
                assert_eq!(
                    all,
                    [Amount::new(busy.sum())].repeat(all.len()),
                    "{burst} at {position}"
                );
                if !came {
                    assert!(usize::from(position) > all.len(), "each counter was read");
                    break;
                }
            }
            pmu = <D::Pmu<'_> as StartStop>::stop(running);
        }
    });
}

/// Tests the first reading after the start. If a counter wraps before the first read of its flag, the wrap may be older
/// than the call, so the total is a lower bound.
fn first_totals_include_whole_bursts<D: Device>() {
    on_every_device::<D>(|busy| {
        let mut pmu = busy.pmu();
        let looks_at_flags = 2 * counters::<D>();
        for burst in BURSTS {
            for position in 0.. {
                let context = format!("{burst} at {position}");
                let mut running = busy.start(pmu);
                busy.comes_near_the_end(burst);
                let before = busy.sum();
                let (mut totals, came) =
                    busy.during(position, burst, || Totals::<MOST>::of(&mut running));
                let possible = [before, busy.sum()];
                let may_be_inexact = came && usize::from(position) < looks_at_flags;
                for amount in amounts::<D>(&totals) {
                    assert!(possible.contains(&amount.lower_bound()), "{context}: {amount:?}");
                    assert!(amount.exact().is_ok() || may_be_inexact, "{context}");
                }
                for more in [1, 1 << 31, 1 << 31] {
                    busy.happens(more);
                    totals.update(&mut running);
                    for amount in amounts::<D>(&totals) {
                        assert_eq!(amount.lower_bound(), busy.sum(), "{context}");
                    }
                }
                pmu = <D::Pmu<'_> as StartStop>::stop(running);
                if !came {
                    assert!(usize::from(position) > looks_at_flags, "each counter was read");
                    break;
                }
            }
        }
    });
}

/// Each event is in exactly one of two adjacent intervals. [`RunningMonitor::SKEW`] bounds the number of events that
/// two counters assign to different intervals.
fn each_event_is_in_one_interval<D: Device>() {
    on_every_device::<D>(|busy| {
        let mut running = busy.start(busy.pmu());
        let mut intervals = Intervals::<_, MOST>::of(&mut running, 0);
        let mut row = || -> Vec<u64> {
            let amounts = intervals.next(&mut running, 0).amounts;
            amounts[..counters::<D>()].iter().map(|amount| amount.exact().unwrap()).collect()
        };
        for (burst, near_the_end) in
            BURSTS.into_iter().flat_map(|burst| [(burst, false), (burst, true)])
        {
            let mut torn = 0;
            // The previous round left the counters near the wrap, so these events move them away.
            busy.happens(1_000);
            row();
            for position in 0.. {
                if near_the_end {
                    busy.comes_near_the_end(burst);
                }
                row();
                busy.device.clear_journal();
                let (this, came) = busy.during(position, burst, &mut row);
                // A burst before a barrier has the same effect as a burst before the next access.
                let accesses = busy.device.journal();
                let at_barrier = accesses.get(usize::from(position)) == Some(&Entry::Synchronize);
                let next = row();
                let happened = if came { u64::from(burst) } else { 0 };
                for (this, next) in this.iter().zip(next) {
                    assert!(*this == 0 || next == 0, "{burst} at {position}: {this} and {next}");
                    assert_eq!(this + next, happened, "{burst} at {position}");
                }
                let is_torn = this.iter().any(|events| *events != this[0]);
                torn += u32::from(is_torn && !at_barrier);
                if !came {
                    break;
                }
            }
            let skew =
                <Running<'_, D> as RunningMonitor>::SKEW.expect("every driver states its skew");
            // After a wrap, the driver reads the counters again.
            match near_the_end || burst > 3 {
                true => assert!(skew > 0 || torn == 0, "{torn}"),
                false => assert!(torn <= skew, "{torn}, not {skew}"),
            }
        }
    });
}

on_every_driver! { $
    totals_include_whole_bursts
    first_totals_include_whole_bursts
    each_event_is_in_one_interval
}

/// A counter becomes full in the middle of a burst. The reading during the burst contains either none or all of the
/// burst. From the next reading on, the total is a lower bound.
#[test]
fn full_l2c_310_counter_makes_the_total_a_lower_bound() {
    const FULL: u64 = u32::MAX as u64;
    type Device = devices::l2c_310::Simulated;
    let device = Device::new();
    let busy = Busy::new(&device);
    let mut pmu = busy.pmu();
    for burst in BURSTS {
        for (left, position) in [burst.div_ceil(2), burst, burst + 1]
            .into_iter()
            .flat_map(|left| (0..40).map(move |position| (left, position)))
        {
            let mut running = busy.start(pmu);
            let mut totals = Totals::<MOST>::of(&mut running);
            busy.happens(u32::MAX - left);
            totals.update(&mut running);
            let before = busy.sum();
            let ((), came) = busy.during(position, burst, || totals.update(&mut running));
            assert!(came || position > 2, "each counter was read");
            let possible = [before, busy.sum().min(FULL)];
            for amount in amounts::<Device>(&totals) {
                let total = amount.lower_bound();
                assert!(possible.contains(&total), "{burst} at {position}: {total}, {possible:?}");
                assert_eq!(amount.exact().is_ok(), total < FULL, "{burst} at {position}");
            }
            totals.update(&mut running);
            let sum = busy.sum();
            let expected = if sum < FULL { Ok(sum) } else { Err(CountError::Saturated) };
            for amount in amounts::<Device>(&totals) {
                let found = (amount.exact(), amount.lower_bound());
                assert_eq!(found, (expected, sum.min(FULL)), "{burst} at {position}");
            }
            pmu = running.stop();
            assert!(!came || position < 39, "all positions were tried");
        }
    }
}
