//! Reads running PMUs while events occur between any two register accesses of the driver.
//!
//! The tests try every such position in every driver.

use std::cell::Cell;

use crate::devices::{self, Device};
use arm_pmu::count::CountError;
use arm_pmu::l2c_310;
use arm_pmu::measure::{Intervals, Monitor, RunningMonitor, StartStop, Totals};
use arm_pmu_sim::{Effect, Intercepted, L2c310};

/// Moment at which other code runs: before access `at`, counted from 0.
#[derive(Default)]
struct Moment {
    accesses: Cell<usize>,
    at: Cell<Option<usize>>,
}

impl Moment {
    /// Creates a moment that is disabled until it is [set](Self::set).
    fn never() -> Self {
        Self::default()
    }

    /// Counts accesses from 0 again; the other code runs before access `at`.
    fn set(&self, at: usize) {
        self.accesses.set(0);
        self.at.set(Some(at));
    }

    /// Returns whether the moment has come, and disables it.
    fn has_come(&self) -> bool {
        self.at.take().is_none()
    }

    /// Counts an access; before the chosen access, lets the events happen.
    fn comes(&self, traffic: &Traffic<'_>) {
        let nth = self.accesses.replace(self.accesses.get() + 1);
        if self.at.get() == Some(nth) {
            self.at.set(None);
            traffic.happens(traffic.burst.get());
        }
    }
}

/// Traffic that increments all counters of a device equally, including the cycle counter.
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

    /// Causes events until the counters are half a burst below the wrap.
    fn comes_near_the_end(&self) {
        let missing = (self.sum.get() as u32).wrapping_neg();
        self.happens(missing.wrapping_sub(self.burst.get().div_ceil(2)));
    }
}

/// Bursts of one event, of two or three (a wrap to 0 or beyond), and of very many.
const BURSTS: [u32; 4] = [1, 2, 3, 1 << 31];

/// Checks that totals include either none or all of a burst, and that the next totals are exact.
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

/// Checks the first reading after the start. If a counter wraps before the first read of its flag, the wrap may be
/// older than the call, so the total is a lower bound.
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

/// Checks that each event is in exactly one of two adjacent intervals. [`RunningMonitor::SKEW`] limits the events that
/// two counters assign to different intervals.
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
            // The previous round left the counters near the wrap, so these events move them away.
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
            // After a wrap, the driver reads the counters again.
            match near_the_end || burst > 3 {
                true => assert!(skew > 0 || torn == 0, "{torn}"),
                false => assert!(torn <= skew, "{torn}, not {skew}"),
            }
        }
    }
}

/// A counter becomes full in the middle of a burst. The reading during the burst contains either none or all of the
/// burst. From the next reading on, the total is a lower bound.
#[test]
fn full_l2c_310_counter_makes_the_total_a_lower_bound() {
    let reads = l2c_310::L2c310Event::DataReadRequest;
    let device = L2c310::new();
    let signal = |events: u32| device.signal(reads, events);
    let (traffic, moment) = (Traffic::of(&signal), Moment::never());
    let mut pmu = l2c_310::Pmu::new(Intercepted::new(device.bus(), |_| {
        moment.comes(&traffic);
        Effect::Proceed
    }));
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

/// Generates the tests of a driver.
macro_rules! interrupted {
    (pages $device:ident $happens:ident) => {
        <driver::Pmu<_, _>>::new(
            Intercepted::new($device.page0(), &$happens),
            Intercepted::new($device.page1(), &$happens),
        )
    };
    ($place:ident $device:ident $happens:ident) => {
        <driver::Pmu<_>>::new(Intercepted::new($device.bus(), &$happens))
    };
}

macro_rules! each_driver {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, $($rest:tt)*
    })*) => { $(
        #[test]
        fn $pmu() {
            use $driver as driver;
            use devices::$pmu::Simulated;

            type Pmu = <Simulated as Device>::Pmu<'static>;
            if Simulated::SATURATES {
                return;
            }
            for variant in 0..3 {
            let device = Simulated::new();
            device.vary(variant);
            let signal = |events: u32| {
                device.signal(0, events);
                device.cycles(events.into());
            };
            let (traffic, moment) = (Traffic::of(&signal), Moment::never());
            let (simulated, happens) = (device.simulated(), |_| {
                moment.comes(&traffic);
                Effect::Proceed
            });
            // The cycles are in the middle, because some drivers assign a separate counter to them.
            let mut what = [Simulated::selections()[0]; <Pmu as Monitor>::COUNTERS];
            if let Some(clock) = <Pmu as Monitor>::CLOCK {
                what[what.len() / 2] = clock;
            }
            hold_totals(interrupted!($place simulated happens), what, &moment, &traffic);
            hold_intervals(interrupted!($place simulated happens), what, &moment, &traffic);
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(drivers => each_driver);
