//! Errors of counting with the kernel.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Reason why a PMU cannot be opened, or why a run has no exact counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The kernel has no `perf_event_open`, or sysfs is not mounted.
    NoPerf,
    /// The kernel has no such PMU.
    NoDevice {
        /// Name of the PMU in the kernel.
        wanted: String,
        /// Requirement for the PMU: kernel options, and a node or table of the firmware.
        needs: &'static str,
        /// PMUs that the kernel has.
        present: Vec<String>,
    },
    /// The kernel has several such PMUs, and none was named.
    SeveralDevices {
        /// Names of these PMUs in the kernel.
        names: Vec<String>,
    },
    /// The PMU with this name is a different one, according to its `identifier`.
    WrongDevice {
        /// Name of the PMU in the kernel.
        device: String,
        /// Identifier of the PMU.
        identifier: u64,
        /// Expected part number.
        part: u16,
    },
    /// A file of sysfs cannot be read, or its format is unknown.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Reason for the failure.
        why: String,
    },
    /// The kernel's driver lacks a required argument.
    NoArgument {
        /// Name of the PMU in the kernel.
        device: String,
        /// Name of the argument.
        argument: &'static str,
    },
    /// A value has more bits than the argument. The kernel would ignore the additional bits.
    TooWide {
        /// Name of the PMU in the kernel.
        device: String,
        /// Name of the argument.
        argument: &'static str,
        /// The value.
        value: u64,
    },
    /// The manual does not list the event, so the kernel's driver rejects it.
    NotListed {
        /// Name of the PMU in the kernel.
        device: String,
        /// The event id.
        id: u16,
    },
    /// The PMU counts the whole system, not a thread or a process.
    WholeSystemOnly {
        /// Name of the PMU in the kernel.
        device: String,
    },
    /// The PMU cannot exclude the kernel from its counts.
    NoUserMode {
        /// Name of the PMU in the kernel.
        device: String,
    },
    /// The counters cannot be read in user mode.
    NoUserReads {
        /// Name of the PMU in the kernel.
        device: String,
        /// The missing requirement.
        needs: String,
    },
    /// The process has no right to count.
    NotAllowed {
        /// Content of `/proc/sys/kernel/perf_event_paranoid`, if it can be read.
        paranoid: Option<i32>,
        /// Highest `perf_event_paranoid` at which a process without rights may count this.
        allowed_up_to: i32,
        /// Whether the process has `CAP_PERFMON` or `CAP_SYS_ADMIN`, which need no other permission.
        has_right: bool,
    },
    /// The processor that reads the counters of this PMU is offline.
    CpuOffline {
        /// Number of the processor.
        cpu: u32,
    },
    /// There is no such process.
    NoSuchProcess {
        /// Number of the process.
        process: u32,
    },
    /// The process, or the system, has too many open files. Each event is an open file.
    TooManyFiles,
    /// The kernel's driver rejected the event.
    Refused {
        /// Name of the PMU in the kernel.
        device: String,
        /// Name of the selection.
        selection: String,
        /// Error number of the system.
        code: i32,
    },
    /// The events do not fit on the counters together.
    DoNotFit {
        /// Number of events.
        asked: usize,
        /// Number of events that the kernel accepted.
        accepted: usize,
    },
    /// The kernel could not place the events on the counters.
    CountersTaken {
        /// Name of the PMU in the kernel.
        device: String,
    },
    /// The events were on the counters for only a part of the time.
    PartOfTheTime {
        /// Time on the counters, in nanoseconds.
        running: u64,
        /// The whole time, in nanoseconds.
        enabled: u64,
    },
    /// Another system error.
    System {
        /// The failed operation.
        what: &'static str,
        /// Error number of the system; `None` if it has none.
        code: Option<i32>,
    },
}

impl Error {
    pub(crate) fn system(what: &'static str, error: &io::Error) -> Self {
        Self::System { what, code: error.raw_os_error() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPerf => f.write_str(
                "this system has no perf events: the kernel needs CONFIG_PERF_EVENTS, sysfs has to be mounted at \
                 /sys, and a container has to allow the system call perf_event_open",
            ),
            Self::NoDevice { wanted, needs, present } => {
                write!(f, "the kernel has no PMU {wanted}; it needs {needs}")?;
                match present.is_empty() {
                    true => f.write_str(". It has no PMU at all"),
                    false => write!(f, ". It has {}", present.join(", ")),
                }
            }
            Self::SeveralDevices { names } => {
                write!(f, "the kernel has several such PMUs; name one of {}", names.join(", "))
            }
            Self::WrongDevice { device, identifier, part } => write!(
                f,
                "{device} is another PMU: its identifier {identifier:#x} does not begin with the part number \
                 {part:#x}"
            ),
            Self::File { path, why } => write!(f, "{}: {why}", path.display()),
            Self::NoArgument { device, argument } => {
                write!(f, "the kernel's driver of {device} has no argument `{argument}`")
            }
            Self::TooWide { device, argument, value } => write!(
                f,
                "{value:#x} is too large for the argument `{argument}` of {device}: the kernel would ignore bits"
            ),
            Self::NotListed { device, id } => write!(
                f,
                "the manual lists no event {id:#x}, and the kernel's driver of {device} refuses such events (some \
                 kernels crash); count it from firmware"
            ),
            Self::WholeSystemOnly { device } => {
                write!(f, "{device} counts the whole system; it cannot count one thread or process")
            }
            Self::NoUserMode { device } => write!(
                f,
                "{device} cannot exclude the kernel; count both modes (without `user_only`)"
            ),
            Self::NoUserReads { device, needs } => {
                write!(f, "the counters of {device} cannot be read in user mode; this needs {needs}")
            }
            Self::NotAllowed { allowed_up_to, has_right: true, .. } => write!(
                f,
                "{} is not allowed, although this process has CAP_PERFMON or CAP_SYS_ADMIN: a container (seccomp) or a security \
                 module forbids perf_event_open; allow that system call there, or count outside",
                refused(*allowed_up_to)
            ),
            Self::NotAllowed { paranoid, allowed_up_to, .. } => not_allowed(f, *paranoid, *allowed_up_to),
            Self::CpuOffline { cpu } => {
                write!(f, "processor {cpu}, which reads these counters, is offline or does not exist")
            }
            Self::NoSuchProcess { process } => write!(f, "there is no process {process}"),
            Self::TooManyFiles => {
                f.write_str("too many open files, because each event is a file; raise the limit (ulimit -n)")
            }
            // ENOENT or EINVAL; the number depends on the driver.
            Self::Refused { device, selection, code: 2 | 22 } => write!(
                f,
                "the kernel's driver of {device} refused {selection}: this PMU does not have the event, or not with \
                 this filter"
            ),
            Self::Refused { device, selection, code } => write!(
                f,
                "the kernel's driver of {device} refused {selection}: {}",
                io::Error::from_raw_os_error(*code)
            ),
            Self::DoNotFit { asked, accepted } => {
                write!(f, "{asked} events do not fit on the counters together; {accepted} do")
            }
            Self::CountersTaken { device } => write!(
                f,
                "the kernel could not place the events on the counters of {device}: another program, such as \
                 perf, holds them, or counts with another filter"
            ),
            Self::PartOfTheTime { running, enabled } => write!(
                f,
                "the events were on the counters for {running} of {enabled} ns only: the counters were shared"
            ),
            Self::System { what, code } => match code {
                Some(code) => write!(f, "{what}: {}", io::Error::from_raw_os_error(*code)),
                None => f.write_str(what),
            },
        }
    }
}

fn refused(up_to: i32) -> &'static str {
    if up_to < 1 { "counting the whole system" } else { "counting a process" }
}

fn not_allowed(f: &mut fmt::Formatter<'_>, paranoid: Option<i32>, up_to: i32) -> fmt::Result {
    let what = refused(up_to);
    match paranoid {
        Some(paranoid) if paranoid > up_to => write!(
            f,
            "{what} is not allowed: perf_event_paranoid is {paranoid}; run as root, with CAP_PERFMON (also in a \
             container), or let root run `sysctl kernel.perf_event_paranoid={up_to}`"
        ),
        Some(paranoid) => write!(
            f,
            "{what} is not allowed, although perf_event_paranoid is {paranoid}: a container (seccomp) or a \
             security module forbids perf_event_open"
        ),
        None => write!(
            f,
            "{what} is not allowed, and /proc/sys/kernel/perf_event_paranoid cannot be read; run as root or with \
             CAP_PERFMON"
        ),
    }
}

impl std::error::Error for Error {}
