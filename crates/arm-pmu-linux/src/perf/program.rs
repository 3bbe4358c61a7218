//! The events of a program from its start to its end, on the PMU of a core.

use std::fmt;
use std::io;

use arm_pmu_core::count::{Amount, Scaling};
use perf_event_open::config::{Cpu, Inherit, OnExecve, Opts, Priv, Proc, StatFormat, sibling};
use perf_event_open::count::group::CounterGroup;
use perf_event_open::count::{Counter, Stat};
use perf_event_open::event::dp::DynamicPmu;

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
    counters: CounterGroup,
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
        // The checks are the same as for one thread, and their errors too.
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
        let siblings = self.counters.siblings().iter().map(AsRef::as_ref);
        let all = std::iter::once(self.counters.leader()).chain(siblings);
        all.map(|counter| counter.stat().map(|stat| amount(&stat)))
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
fn group(events: &[DynamicPmu], user_only: bool) -> io::Result<CounterGroup> {
    let exclude = Priv { kernel: user_only, hv: user_only, ..Priv::default() };
    let leader = Opts {
        exclude: exclude.clone(),
        inherit: Some(Inherit::NewChild),
        on_execve: Some(OnExecve::Enable),
        stat_format: StatFormat { time_enabled: true, time_running: true, ..StatFormat::default() },
        ..Opts::default()
    };
    let other = sibling::Opts {
        exclude,
        inherit: Some(Inherit::NewChild),
        // It counts while its leader does.
        enable: true,
        stat_format: sibling::StatFormat {
            time_enabled: true,
            time_running: true,
            ..sibling::StatFormat::default()
        },
        ..sibling::Opts::default()
    };
    let (first, rest) = events.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let here = (Proc::CURRENT, Cpu::ALL);
    let mut counters = CounterGroup::from(Counter::new(first.clone(), here, &leader)?);
    for event in rest {
        counters.add(event.clone(), &other)?;
    }
    Ok(counters)
}

fn amount(stat: &Stat) -> Amount {
    let scaling = stat.time_running.zip(stat.time_enabled);
    match scaling {
        // No program was started, or none ran yet.
        Some((_, 0)) => Amount::new(0),
        Some((time_running, time_enabled)) => {
            Amount::scaled(stat.count, Scaling { time_running, time_enabled })
        }
        None => Amount::NOT_COUNTED,
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

    fn stat(count: u64, running: u64, enabled: u64) -> Stat {
        Stat {
            count,
            id: None,
            time_enabled: Some(enabled),
            time_running: Some(running),
            lost_records: None,
            siblings: Vec::new(),
        }
    }

    #[test]
    fn shared_counters_give_estimates() {
        assert_eq!(amount(&stat(7, 10, 10)), Amount::new(7));
        assert_eq!(amount(&stat(7, 5, 10)).to_string(), "~14");
        assert_eq!(amount(&stat(7, 0, 10)), Amount::NOT_COUNTED);
        assert_eq!(amount(&stat(0, 0, 0)), Amount::new(0));
    }
}
