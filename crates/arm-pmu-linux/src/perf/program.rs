//! The events of a program from its start to its end, on the PMU of a core.

use std::fmt;
use std::io;

use arm_pmu_core::count::{Amount, Scaling};

use super::call::{Counter, Event, How, Whose};
use super::device::Device;
use super::error::Error;
use super::kind::Kind;
use super::open;
use super::options::Options;

/// Counts the programs that this thread starts from now on, with all processes and threads that they start.
///
/// Counting begins where a program does (`execve`): the work of this process is not counted.
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
    /// The first one leads the group.
    counters: Vec<Counter>,
}

impl Program {
    /// Opens the selections as one group, which the kernel has on the counters as a whole.
    ///
    /// Several groups share the counters in turn; their amounts are estimates then.
    ///
    /// # Errors
    ///
    /// If the kernel does not have the PMU, or if the selections cannot be counted at once.
    pub fn next<S: Kind>(options: &Options, selections: &[S::Selection]) -> Result<Self, Error> {
        let device = open::find::<S>(options)?;
        if S::WHOLE_SYSTEM {
            return Err(Error::WholeSystemOnly { device: device.name });
        }
        // The checks and errors are the same as for one thread.
        open::group::<S>(&device, options, selections)?;
        let events = selections.iter().map(|one| open::event::<S>(&device, options, *one));
        let events = events.collect::<Result<Vec<_>, _>>()?;
        let counters = group(&events, options.user_only)
            .map_err(|error| Error::system("the kernel did not open the events", &error))?;
        Ok(Self { device, counters })
    }

    /// Returns the amount of each selection until now, in their order.
    ///
    /// # Errors
    ///
    /// If the kernel does not return counts.
    pub fn amounts(&self) -> Result<Vec<Amount>, Error> {
        self.counters
            .iter()
            .map(|counter| counter.words(3).map(|words| amount(&words)))
            .collect::<io::Result<_>>()
            .map_err(|error| Error::system("the kernel did not return the counts", &error))
    }

    /// Returns the description of the PMU in sysfs.
    #[must_use]
    pub const fn device(&self) -> &Device {
        &self.device
    }
}

/// The kernel cannot read a group at once that processes inherit, so each event has its own count and times.
fn group(events: &[Event], user_only: bool) -> io::Result<Vec<Counter>> {
    // They count while their leader does.
    let others = How { inherited: true, user_only, ..How::default() };
    let first = How { disabled: true, enabled_by_exec: true, ..others };
    let here = Whose { thread: 0, cpu: -1 };
    Counter::open_all(events, here, first, others).map_err(|(_, error)| error)
}

/// The amount that a reading of one event says: its count, and the times.
fn amount(words: &[u64]) -> Amount {
    match *words {
        // No program was started, or none ran yet.
        [_, 0, _] => Amount::new(0),
        [count, time_enabled, time_running] => {
            Amount::scaled(count, Scaling { time_running, time_enabled })
        }
        _ => Amount::NOT_COUNTED,
    }
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
        assert_eq!(amount(&[7, 10, 10]), Amount::new(7));
        assert_eq!(amount(&[7, 10, 5]).to_string(), "~14");
        assert_eq!(amount(&[7, 10, 0]), Amount::NOT_COUNTED);
        assert_eq!(amount(&[0, 0, 0]), Amount::new(0));
    }
}
