//! Readings of running PMUs with events between any two accesses of the driver.
//!
//! The tests try every position, on every PMU.
#![cfg(feature = "default")]

mod support;

use std::cell::Cell;

use arm_pmu::count::CountError;
use arm_pmu::measure::{CycleCounter, Intervals, Monitor, RunningMonitor, StartStop, Totals};
use arm_pmu::{
    arm_pmuv3, arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, cortex_a53,
    cortex_a55, cortex_a72, l2c_310, mmu600, mmu700,
};
use arm_pmu_sim::{
    Arm11, ArmPmuv3, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53, CortexA55,
    CortexA72, L2c310, Mmu600, Mmu700, Security, Stream,
};
use support::{Interrupted, Moment};

/// What happens to a device: all its counters, that of the cycles included, count the same.
struct Traffic<'t> {
    signal: &'t dyn Fn(u32),
    sum: Cell<u64>,
    burst: Cell<u32>,
}

impl<'t> Traffic<'t> {
    fn of(signal: &'t dyn Fn(u32)) -> Self {
        Self { signal, sum: Cell::new(0), burst: Cell::new(0) }
    }

    fn happens(&self, events: u32) {
        (self.signal)(events);
        self.sum.set(self.sum.get() + u64::from(events));
    }

    /// Events up to an interrupt.
    fn interrupt(&self) {
        self.happens(self.burst.get());
    }

    /// As many events as make the next burst wrap the counters in its middle.
    fn comes_near_the_end(&self) {
        let missing = (self.sum.get() as u32).wrapping_neg();
        self.happens(missing.wrapping_sub(self.burst.get().div_ceil(2)));
    }
}

/// Bursts of one event, of two, so that the counters end at 0 or beyond, and of very many.
const BURSTS: [u32; 4] = [1, 2, 3, 1 << 31];

/// Totals hold what happened before the burst or after it, and the next ones are right to the event.
fn hold_totals<M: StartStop, const N: usize>(
    mut pmu: M,
    what: [M::Selection; N],
    moment: &Moment,
    traffic: &Traffic<'_>,
) {
    pmu.assign(&what).unwrap();
    assert!(M::COUNTERS == N && <M::Running as RunningMonitor>::COUNTERS == N, "all counters");
    for burst in BURSTS {
        traffic.burst.set(burst);
        let mut running = pmu.start();
        traffic.sum.set(0);
        let mut totals = Totals::<N>::of(&mut running);
        for position in 0.. {
            traffic.comes_near_the_end();
            totals.update(&mut running);
            let before = traffic.sum.get();
            moment.set(position);
            totals.update(&mut running);
            let came = moment.has_come();
            let possible = [before, traffic.sum.get()];
            for counter in 0..N {
                let total = totals.get(counter).unwrap();
                assert!(possible.contains(&total), "{burst} at {position}: {total}, {possible:?}");
            }
            totals.update(&mut running);
            for counter in 0..N {
                let total = totals.get(counter).unwrap();
                assert_eq!(total, traffic.sum.get(), "{burst} at {position}, counter {counter}");
            }
            if !came {
                assert!(position > N, "each counter was read");
                break;
            }
        }
        pmu = M::stop(running);
    }
    hold_first_totals::<M, N>(pmu, moment, traffic);
}

/// The same of the first reading after the start. If a counter wraps before the first look at its flag, it
/// may have been any time before the call: then the total is a lower bound.
fn hold_first_totals<M: StartStop, const N: usize>(
    mut pmu: M,
    moment: &Moment,
    traffic: &Traffic<'_>,
) {
    for burst in BURSTS {
        traffic.burst.set(burst);
        for position in 0.. {
            let mut running = pmu.start();
            traffic.sum.set(0);
            traffic.comes_near_the_end();
            let before = traffic.sum.get();
            moment.set(position);
            let mut totals = Totals::<N>::of(&mut running);
            let came = moment.has_come();
            let possible = [before, traffic.sum.get()];
            let looks_at_flags = 2 * N;
            for counter in 0..N {
                let total = totals.lower_bound(counter);
                assert!(possible.contains(&total), "{burst} at {position}: {total}, {possible:?}");
                let exact = totals.get(counter).is_ok();
                assert!(exact || position < looks_at_flags, "{burst} at {position}");
            }
            assert!(came || totals.get(0).is_ok(), "{burst} at {position}");
            for more in [1, 1 << 31, 1 << 31] {
                traffic.happens(more);
                totals.update(&mut running);
                for counter in 0..N {
                    let total = totals.lower_bound(counter);
                    assert_eq!(total, traffic.sum.get(), "{burst} at {position}, {counter}");
                }
            }
            pmu = M::stop(running);
            if !came {
                assert!(position > looks_at_flags, "each counter was read");
                break;
            }
        }
    }
}

/// Events are in one interval or in the next, and in no other number of them. How often they are in
/// another interval for one counter than for another is the skew that the driver promises.
fn hold_intervals<M: StartStop, const N: usize>(
    mut pmu: M,
    what: [M::Selection; N],
    moment: &Moment,
    traffic: &Traffic<'_>,
) {
    pmu.assign(&what).unwrap();
    let mut running = pmu.start();
    traffic.sum.set(0);
    let mut intervals = Intervals::<_, N>::of(&mut running, 0);
    for burst in BURSTS {
        traffic.burst.set(burst);
        for near_the_end in [false, true] {
            let mut torn = 0;
            // Away from the end, where the last round left the counters.
            traffic.happens(1_000);
            let _ = intervals.next(&mut running, 0);
            for position in 0.. {
                let mut row =
                    || intervals.next(&mut running, 0).amounts.map(|n| n.exact().unwrap());
                if near_the_end {
                    traffic.comes_near_the_end();
                }
                let _ = row();
                moment.set(position);
                let this = row();
                let came = moment.has_come();
                let next = row();
                let happened = if came { u64::from(burst) } else { 0 };
                for (this, next) in this.into_iter().zip(next) {
                    assert!(this == 0 || next == 0, "{burst} at {position}: {this} and {next}");
                    assert_eq!(this + next, happened, "{burst} at {position}");
                }
                torn += u32::from(this.iter().any(|events| *events != this[0]));
                if !came {
                    break;
                }
            }
            let skew = <M::Running as RunningMonitor>::SKEW.expect("it is known of our drivers");
            // Counters that wrap are read again.
            match near_the_end || burst > 3 {
                true => assert!(skew > 0 || torn == 0, "{torn}"),
                false => assert!(torn <= skew, "{torn}, not {skew}"),
            }
        }
    }
}

/// A core: the code of an event, the same event of the driver, and the order in which it and the cycles are counted.
macro_rules! core {
    ($test:ident, $device:expr, $code:literal, $Pmu:ty, $what:expr, |$event:ident, $cycles:ident| $order:expr) => {
        #[test]
        fn $test() {
            let device = $device;
            let signal = |events: u32| {
                device.signal_raw($code, events);
                device.clock(events.into());
            };
            let (traffic, moment) = (Traffic::of(&signal), Moment::never());
            let pmu = || {
                let (moment, happens) = (&moment, || traffic.interrupt());
                <$Pmu>::new(Interrupted { bus: device.bus(), moment, happens })
            };
            let ($event, $cycles) = ($what.into(), cycles_of(&pmu()));
            let order = $order;
            hold_totals(pmu(), order, &moment, &traffic);
            hold_intervals(pmu(), order, &moment, &traffic);
        }
    };
}

core!(
    of_an_arm11,
    Arm11::arm1176(),
    0x07,
    arm11::arm1176::Pmu<_>,
    arm11::Arm1176Event::InstructionExecuted,
    |event, cycles| [event, event, cycles]
);

// The cycles are in the middle: the drivers of these cores have a counter for them alone.
core!(
    of_every_core_with_pmuv3,
    ArmPmuv3::new(),
    0x08,
    arm_pmuv3::Pmu<_>,
    arm_pmuv3::CommonEvent::InstRetired,
    |event, cycles| [event, cycles, event, event, event]
);
core!(
    of_a_cortex_a53,
    CortexA53::new(),
    0x08,
    cortex_a53::Pmu<_>,
    cortex_a53::CortexA53Event::InstRetired,
    |event, cycles| [event, cycles, event, event, event, event, event]
);
core!(
    of_a_cortex_a55,
    CortexA55::new(),
    0x08,
    cortex_a55::Pmu<_>,
    cortex_a55::CortexA55Event::InstRetired,
    |event, cycles| [event, event, cycles, event, event, event, event]
);
core!(
    of_a_cortex_a72,
    CortexA72::new(),
    0x08,
    cortex_a72::Pmu<_>,
    cortex_a72::CortexA72Event::InstRetired,
    |event, cycles| [cycles, event, event, event, event, event, event]
);
core!(
    of_a_cortex_a7,
    CortexA7::new(),
    0x08,
    cortex_a7::Pmu<_>,
    cortex_a7::CortexA7Event::InstRetired,
    |event, cycles| [event, cycles, event, event, event]
);
core!(
    of_a_cortex_a8,
    CortexA8::new(),
    0x08,
    cortex_a8::Pmu<_>,
    cortex_a8::CortexA8Event::InstructionExecuted,
    |event, cycles| [event, cycles, event, event, event]
);
core!(
    of_a_cortex_a9,
    CortexA9::new(),
    0x68,
    cortex_a9::Pmu<_>,
    cortex_a9::CortexA9Event::InstRenamed,
    |event, cycles| [event, event, cycles, event, event, event, event]
);

#[test]
fn of_a_cci400() {
    let device = Cci400::new();
    let evict = cci400::SlaveEvent::Evict;
    let signal = |events: u32| {
        device.signal_raw(1, evict.code() as u8, Security::NonSecure, events);
        device.clock(events.into());
    };
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let pmu = || {
        let (moment, happens) = (&moment, || traffic.interrupt());
        cci400::Pmu::new(Interrupted { bus: device.bus(), moment, happens })
    };
    let evicted = cci400::S1.event(evict).into();
    let what = [evicted, evicted, evicted, evicted, cycles_of(&pmu())];
    hold_totals(pmu(), what, &moment, &traffic);
    hold_intervals(pmu(), what, &moment, &traffic);
}

#[test]
fn of_a_cci500() {
    let device = Cci500::new();
    let evict = cci500::SlaveEvent::Evict;
    let signal = |events| device.signal_raw(1, evict.code() as u8, Security::NonSecure, events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let pmu = || {
        let (moment, happens) = (&moment, || traffic.interrupt());
        cci500::Pmu::new(Interrupted { bus: device.bus(), moment, happens })
    };
    let what = [cci500::SI1.event(evict); 8];
    hold_totals(pmu(), what, &moment, &traffic);
    hold_intervals(pmu(), what, &moment, &traffic);
}

#[test]
fn of_a_cci550() {
    let device = Cci550::new();
    let evict = cci550::SlaveEvent::Evict;
    let signal = |events| device.signal_raw(1, evict.code() as u8, Security::NonSecure, events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let pmu = || {
        let (moment, happens) = (&moment, || traffic.interrupt());
        cci550::Pmu::new(Interrupted { bus: device.bus(), moment, happens })
    };
    let what = [cci550::SI1.event(evict); 8];
    hold_totals(pmu(), what, &moment, &traffic);
    hold_intervals(pmu(), what, &moment, &traffic);
}

/// A counter that becomes full in the middle of a burst was full before the reading or after it. From the next
/// reading on, the total is a lower bound.
#[test]
fn of_an_l2c_310() {
    let reads = l2c_310::L2c310Event::DataReadRequest;
    let device = L2c310::new();
    let signal = |events: u32| device.signal(reads, events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let happens = || traffic.interrupt();
    let bus = Interrupted { bus: device.bus(), moment: &moment, happens };
    let mut pmu = l2c_310::Pmu::new(bus);
    pmu.assign(&[reads.into(); 2]).unwrap();
    let full = u64::from(u32::MAX);
    for burst in BURSTS {
        traffic.burst.set(burst);
        for (left, position) in [burst.div_ceil(2), burst, burst + 1]
            .into_iter()
            .flat_map(|left| (0..40).map(move |position| (left, position)))
        {
            let mut running = pmu.start();
            traffic.sum.set(0);
            let mut totals = Totals::<2>::of(&mut running);
            traffic.happens(u32::MAX - left);
            totals.update(&mut running);
            let before = traffic.sum.get();
            moment.set(position);
            totals.update(&mut running);
            let came = moment.has_come();
            assert!(came || position > 2, "each counter was read");
            let possible = [before, traffic.sum.get().min(full)];
            for counter in 0..2 {
                let total = totals.lower_bound(counter);
                let at = format!("{burst} at {position}: {total}, {possible:?}");
                assert!(possible.contains(&total), "{at}");
                assert_eq!(totals.get(counter).is_ok(), total < full, "{at}");
            }
            totals.update(&mut running);
            let sum = traffic.sum.get();
            let expected = if sum < full { Ok(sum) } else { Err(CountError::Saturated) };
            for counter in 0..2 {
                assert_eq!(totals.get(counter), expected, "{burst} at {position}");
                assert_eq!(totals.lower_bound(counter), sum.min(full), "{burst} at {position}");
            }
            pmu = running.stop();
            assert!(!came || position < 39, "all positions were tried");
        }
    }
}

#[test]
fn of_an_mmu600() {
    let device = Mmu600::tcu();
    let signal = |events| device.signal_raw(0x01, Stream::non_secure(7), events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let happens = || traffic.interrupt();
    let pmu = || {
        let page0 = Interrupted { bus: device.page0(), moment: &moment, happens: &happens };
        let page1 = Interrupted { bus: device.page1(), moment: &moment, happens: &happens };
        mmu600::tcu::Pmu::new(page0, page1)
    };
    let what = [mmu600::TcuEvent::Transaction.into(); 4];
    hold_totals(pmu(), what, &moment, &traffic);
    hold_intervals(pmu(), what, &moment, &traffic);
}

#[test]
fn of_an_mmu700() {
    let device = Mmu700::tcu();
    let signal = |events| device.signal_raw(0x01, Stream::non_secure(7), events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let happens = || traffic.interrupt();
    let pmu = || {
        let page0 = Interrupted { bus: device.page0(), moment: &moment, happens: &happens };
        let page1 = Interrupted { bus: device.page1(), moment: &moment, happens: &happens };
        mmu700::tcu::Pmu::new(page0, page1)
    };
    let what = [mmu700::TcuEvent::Transaction.into(); 4];
    hold_totals(pmu(), what, &moment, &traffic);
    hold_intervals(pmu(), what, &moment, &traffic);
}

fn cycles_of<M: CycleCounter>(_: &M) -> M::Selection {
    M::CYCLES
}
