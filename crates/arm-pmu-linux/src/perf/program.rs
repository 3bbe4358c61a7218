//! Counts a program from start to end on a core PMU.

use std::fmt;
use std::io;

use arm_pmu_core::count::{Amount, Scaling};

use super::call::{Counter, Event, How, Whose, flag};
use super::device::Device;
use super::error::Error;
use super::kind::Kind;
use super::open;
use super::options::Options;

/// Counts programs that this thread starts from now on, including their processes and threads.
///
/// Counting begins when a program starts (`execve`), so the work of this process is not counted.
///
/// ```no_run
/// use arm_pmu_linux::perf::{AnyCore, Options, Program};
///
/// let options = Options::new().device("armv8_cortex_a53");
/// let counts = Program::next::<AnyCore>(&options, &[AnyCore(0x08)])?;
/// std::process::Command::new("ls").status()?;
/// println!("{} instructions", counts.amounts()?[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Program {
    device: Device,
    /// Counters of the group; the first one is the leader.
    counters: Vec<Counter>,
    /// Kernel events that measure how long the program runs on each processor that has the PMU; empty if all processors
    /// have it.
    clocks: Vec<Counter>,
}

/// Number of events after which a thread's counters overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Overflows at the end of the counter's range.
    AtEnd,
    /// Overflows each time this number of events has occurred.
    Every(u64),
    /// Overflows once, after this number of events, and then stops the counter.
    Once(u64),
}

/// `PERF_COUNT_SW_DUMMY` of `PERF_TYPE_SOFTWARE`.
const DUMMY: Event = Event { pmu: 1, config: [9, 0, 0, 0] };

impl Program {
    /// Opens the selections as one group: either all of them are on the counters, or none.
    ///
    /// Groups that are open at the same time share the counters, so their amounts are estimates.
    ///
    /// # Errors
    ///
    /// Fails if the kernel does not have the PMU, or if the selections cannot be counted together.
    pub fn next<S: Kind>(options: &Options, selections: &[S::Selection]) -> Result<Self, Error> {
        let (device, events) = events::<S>(options, selections)?;
        let not_opened =
            |error: io::Error| Error::system("the kernel did not open the events", &error);
        let counters = group(&events, -1, options.user_only).map_err(not_opened)?;
        let mut clocks = Vec::new();
        for cpu in processors_of_some(&device, options)? {
            let cpu = cpu.try_into().unwrap_or(i32::MAX);
            clocks.extend(group(&[DUMMY], cpu, options.user_only).map_err(not_opened)?);
        }
        Ok(Self { device, counters, clocks })
    }

    /// Counts this thread from now on, in the same way as a program. With [`Overflow::Once`], only the first selection
    /// starts.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`next`](Self::next), and if the kernel cannot set overflows on this PMU.
    pub fn this_thread<S: Kind>(
        options: &Options,
        selections: &[S::Selection],
        overflow: Overflow,
    ) -> Result<Self, Error> {
        let (device, events) = events::<S>(options, selections)?;
        let period = match overflow {
            Overflow::AtEnd => 0,
            Overflow::Every(period) | Overflow::Once(period) => period,
        };
        let flags = flag::user_only(options.user_only);
        let others = How { flags, period, ..How::default() };
        let first = How { flags: flags | flag::DISABLED, ..others };
        let counters = Counter::open_all(&events, Whose { thread: 0, cpu: -1 }, first, others)
            .map_err(|(_, error)| Error::system("the kernel did not open the events", &error))?;
        let started = counters.first().map_or(Ok(()), |leader| match overflow {
            Overflow::Once(_) => leader.enable_once(),
            _ => leader.enable(),
        });
        started.map_err(|error| Error::system("the kernel did not start the counters", &error))?;
        Ok(Self { device, counters, clocks: Vec::new() })
    }

    /// Returns the amount of each selection until now, in order.
    ///
    /// # Errors
    ///
    /// Fails if the kernel does not return counts.
    pub fn amounts(&self) -> Result<Vec<Amount>, Error> {
        let read = || -> io::Result<Vec<Amount>> {
            let counts = self.counters.iter().map(|counter| counter.words(3));
            let counts = counts.collect::<io::Result<Vec<_>>>()?;
            let mut there = None;
            for clock in &self.clocks {
                *there.get_or_insert(0) += clock.words(3)?[2];
            }
            Ok(counts.iter().map(|words| amount(words, there)).collect())
        };
        read().map_err(|error| Error::system("the kernel did not return the counts", &error))
    }

    /// Returns the description of the PMU in sysfs.
    #[must_use]
    pub const fn device(&self) -> &Device {
        &self.device
    }
}

/// Finds the PMU, and converts the selections into its events. Opens the group once, as a check.
fn events<S: Kind>(
    options: &Options,
    selections: &[S::Selection],
) -> Result<(Device, Vec<Event>), Error> {
    let device = open::find::<S>(options)?;
    if S::WHOLE_SYSTEM {
        return Err(Error::WholeSystemOnly { device: device.name });
    }
    open::group::<S>(&device, options, selections)?;
    let events = selections.iter().map(|one| open::event::<S>(&device, options, *one));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    Ok((device, events))
}

/// Returns the online processors of a PMU, or an empty list if all online processors have the PMU.
fn processors_of_some(device: &Device, options: &Options) -> Result<Vec<u32>, Error> {
    let (Some(mut own), Some(online)) = (device.processors()?, options.sysfs.online()) else {
        return Ok(Vec::new());
    };
    own.retain(|cpu| online.contains(cpu));
    Ok(if own.len() < online.len() { own } else { Vec::new() })
}

/// Opens the events. The kernel cannot read an inherited group as a whole, so each event is read with its own times.
fn group(events: &[Event], cpu: i32, user_only: bool) -> io::Result<Vec<Counter>> {
    // The siblings count while the leader counts.
    let others = How { flags: flag::INHERIT | flag::user_only(user_only), ..How::default() };
    let first = How { flags: others.flags | flag::DISABLED | flag::ENABLE_ON_EXEC, ..others };
    let here = Whose { thread: 0, cpu };
    Counter::open_all(events, here, first, others).map_err(|(_, error)| error)
}

/// Converts the count and times of one event to an amount. The kernel reports time on processors without the PMU as
/// time without a counter. `there` is the time that the program spent on processors with the PMU. The count is an
/// estimate only if the event was on a counter for less than this time.
fn amount(words: &[u64], there: Option<u64>) -> Amount {
    let [count, enabled, time_running] = *words else { return Amount::NOT_COUNTED };
    let time_enabled = there.unwrap_or(enabled).min(enabled);
    // Linux before 6.2 reads the times of the processor and of the counter one after the other.
    let skew = there.map_or(0, |there| there / 1000 + 10_000);
    if time_running.saturating_add(skew) >= time_enabled {
        // Either no program ran on a processor with the PMU, or the event was counted all the time.
        return Amount::new(count);
    }
    Amount::scaled(count, Scaling { time_running, time_enabled })
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("device", &self.device.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_counters_give_estimates() {
        assert_eq!(amount(&[7, 10, 10], None), Amount::new(7));
        assert_eq!(amount(&[7, 10, 5], None).to_string(), "~14");
        assert_eq!(amount(&[7, 10, 0], None), Amount::NOT_COUNTED);
        assert_eq!(amount(&[0, 0, 0], None), Amount::new(0));
    }

    #[test]
    fn time_on_other_processors_causes_no_estimate() {
        let ms = |count: u64, enabled: u64, running: u64, there: u64| {
            let times = [enabled, running, there].map(|time| time * 1_000_000);
            amount(&[count, times[0], times[1]], Some(times[2]))
        };
        assert_eq!(ms(7, 1000, 250, 250), Amount::new(7));
        assert_eq!(ms(0, 1000, 0, 0), Amount::new(0));
        assert_eq!(ms(7, 1000, 125, 250).to_string(), "~14");
        assert_eq!(ms(0, 1000, 0, 250), Amount::NOT_COUNTED);
    }
}
