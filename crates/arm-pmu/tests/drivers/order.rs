//! Tests of the order of a measurement (see `ARCHITECTURE.md`) on a PMU of every driver.
//!
//! If register accesses start to return zeros, ones or errors in the middle of a call, each count is correct or an
//! error.

use std::num::NonZeroU32;

use crate::devices::{Device, on_every_driver};
use arm_pmu::count::{Count, CountError};
use arm_pmu::measure::{AssignError, Monitor, Rearm as _, RunningMonitor, StartStop};
use arm_pmu_sim::Response;

/// A call of the driver.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Start,
    Read,
    ReadAtOnce,
    Acknowledge,
    Rearm,
    Stop,
}

impl Call {
    /// An upper bound of the number of accesses, with few counters in use.
    const fn accesses(self) -> usize {
        match self {
            Self::Start => 60,
            _ => 30,
        }
    }
}

/// A time in which the registers do not respond.
#[derive(Clone, Copy, Debug)]
struct Silence {
    /// The call during which the silence begins.
    call: Call,
    /// Number of accesses in the call before the silence.
    after: usize,
    /// Response of the registers.
    response: Response,
    /// Whether the registers respond again after the call.
    returns: bool,
}

impl Silence {
    /// Makes a call, with the silence if the silence belongs to this call.
    fn during<D: Device, R>(self, device: &D, call: Call, make: impl FnOnce() -> R) -> R {
        if call == self.call {
            device.respond_after(self.after, self.response);
        }
        let result = make();
        if call == self.call && self.returns {
            device.respond_after(0, Response::Registers);
        }
        result
    }
}

/// Checks that counts are correct or errors.
#[track_caller]
fn check(counts: &[Count], truth: &[u64], silence: Silence, what: &str) {
    for (nth, (count, truth)) in counts.iter().zip(truth).enumerate() {
        if let Ok(number) = count.exact() {
            assert_eq!(u64::from(number), *truth, "{what} of {nth}, {silence:?}");
        }
        assert!(
            count.lower_bound() <= *truth,
            "{what} of {nth}: {count}, not {truth}, {silence:?}"
        );
    }
}

/// Counts two events, and the cycles if the PMU has a cycle counter. Returns whether all counts of the stop were exact.
fn measure<'d, D: Device>(device: &'d D, silence: Silence, bursts: &[u32]) -> bool {
    let clock = <D::Pmu<'_> as Monitor>::CLOCK;
    let what: Vec<_> = D::selections()[..2].iter().copied().chain(clock).collect();
    let mut pmu = device.pmu();
    if pmu.assign(&what).is_err() {
        return false;
    }
    let mut running = silence.during(device, Call::Start, || pmu.start());
    let numbers: Vec<_> = (0..what.len()).map(|nth| running.counter_of(nth)).collect();
    let mut truth = vec![0; what.len()];
    let read = |running: &mut <D::Pmu<'d> as StartStop>::Running, at_once| {
        let mut counts = vec![
            Count::NOT_COUNTED;
            <<D::Pmu<'_> as StartStop>::Running as RunningMonitor>::COUNTERS
        ];
        if at_once {
            running.read_at_once(&mut counts);
        } else {
            running.read(&mut counts);
        }
        numbers.iter().map(|number| counts[*number]).collect::<Vec<_>>()
    };
    let happens = |truth: &mut [u64]| {
        for events in bursts {
            device.signal(0, *events);
            truth[0] += u64::from(*events);
        }
        device.signal(1, 3);
        truth[1] += 3;
        device.cycles(7);
        truth.iter_mut().skip(2).for_each(|cycles| *cycles += 7);
    };
    happens(&mut truth);
    let counts = silence.during(device, Call::Read, || read(&mut running, false));
    check(&counts, &truth, silence, "reading");
    let counts = silence.during(device, Call::ReadAtOnce, || read(&mut running, true));
    check(&counts, &truth, silence, "reading at once");
    silence.during(device, Call::Acknowledge, || running.take_overflows());
    check(&read(&mut running, false), &truth, silence, "reading after");
    if silence.call == Call::Rearm {
        // The counter starts from 1, so it wraps after almost 2^32 events.
        let budget = NonZeroU32::MAX;
        silence.during(device, Call::Rearm, || running.rearm(numbers[0], budget));
        truth[0] = 0;
        device.signal(0, 4);
        truth[0] += 4;
        check(&read(&mut running, false), &truth, silence, "reading after rearming");
    }
    let mut pmu = silence.during(device, Call::Stop, || <D::Pmu<'_> as StartStop>::stop(running));
    let counts: Vec<_> = (0..what.len()).map(|nth| pmu.count(nth)).collect();
    check(&counts, &truth, silence, "stop");
    if counts.iter().any(|count| count.exact() == Err(CountError::BusError)) {
        assert!(counts.iter().all(|count| count.exact() == Err(CountError::BusError)));
        assert!(matches!(pmu.assign(&what), Err(AssignError::BusError(_))), "{silence:?}");
    } else if silence.response == Response::Error {
        let is_disturbed = |count: &Count| count.exact() == Err(CountError::Disturbed);
        assert!(!counts.iter().any(is_disturbed), "{silence:?}");
    }
    counts.iter().all(|count| count.exact().is_ok())
}

fn registers_turn_silent_during_a_call<D: Device>() {
    use Call::*;
    let bursts: [&[u32]; 2] = [&[5], &[u32::MAX, 8]];
    for call in [Start, Read, ReadAtOnce, Acknowledge, Rearm, Stop] {
        for response in [Response::Zero, Response::Ones, Response::Error] {
            for (returns, bursts) in [true, false].map(|r| bursts.map(|b| (r, b))).concat() {
                let mut exact = 0;
                for after in 0..call.accesses() {
                    let silence = Silence { call, after, response, returns };
                    exact += u32::from(measure(&D::new(), silence, bursts));
                }
                // In the last run, the call ends before the silence begins. If the registers respond after the call,
                // that run has no silence.
                let overflows = bursts.len() > 1 && call != Rearm;
                assert!(overflows || !returns || exact > 0, "{call:?}");
            }
        }
    }
}

/// An overflow flag from before a new budget does not count for the new budget.
fn a_flag_before_rearming<D: Device>() {
    let ten = NonZeroU32::new(10).unwrap();
    let device = D::new();
    let what: Vec<_> =
        D::selections()[..1].iter().copied().chain(<D::Pmu<'_> as Monitor>::CLOCK).collect();
    let mut pmu = device.pmu();
    pmu.assign(&what).unwrap();
    let mut running = pmu.start();
    for nth in 0..what.len() {
        let counter = running.counter_of(nth);
        let happens = |events: u32| match nth {
            0 => device.signal(0, events),
            _ => device.cycles(events.into()),
        };
        running.rearm(counter, ten);
        assert_eq!(running.take_overflows(), 0);
        // The events occur after the flags were read and before the next budget.
        happens(12);
        running.rearm(counter, ten);
        let mut counts = vec![Count::NOT_COUNTED; counter + 1];
        running.read(&mut counts);
        assert_eq!(counts[counter], Count::new(0), "{nth}");
        assert_eq!(running.take_overflows(), 0, "{nth}");
        happens(9);
        running.read(&mut counts);
        assert_eq!(counts[counter], Count::new(9), "{nth}");
        happens(1);
        assert_eq!(running.take_overflows(), 1 << counter, "at the tenth");
    }
}

on_every_driver! { $
    registers_turn_silent_during_a_call
    a_flag_before_rearming
}
