//! Errors when the kernel counts.

use std::io;
use std::path::PathBuf;

use crate::errors::errors;

errors! {
    /// Reason why a PMU cannot be opened, or why a run has no exact counts.
    Error {
        /// The kernel has no `perf_event_open`, or sysfs is not mounted.
        NoPerf => "this system has no perf events: the kernel needs CONFIG_PERF_EVENTS, sysfs has to be mounted at \
                   /sys, and a container has to allow the system call perf_event_open",
        /// The kernel has no such PMU.
        NoDevice {
            /// Name of the PMU in the kernel.
            wanted: String,
            /// Requirement for the PMU: kernel options, and a node or table of the firmware.
            needs: &'static str,
            /// PMUs that the kernel has.
            present: Vec<String>,
        } => {
            let present = if present.is_empty() { "no PMU at all" } else { &present.join(", ") };
            format!("the kernel has no PMU {wanted}; it needs {needs}. It has {present}")
        },
        /// The kernel has several such PMUs, and none was named.
        SeveralDevices {
            /// Names of these PMUs in the kernel.
            names: Vec<String>,
        } => format!("the kernel has several such PMUs; name one of {}", names.join(", ")),
        /// The PMU with this name is a different one, according to its `identifier`.
        WrongDevice {
            /// Name of the PMU in the kernel.
            device: String,
            /// Identifier of the PMU.
            identifier: u64,
            /// Expected part number.
            part: u16,
        } => format!(
            "{device} is another PMU: its identifier {identifier:#x} does not begin with the part number {part:#x}"
        ),
        /// A file of sysfs cannot be read, or its format is unknown.
        File {
            /// Path of the file.
            path: PathBuf,
            /// Reason for the failure.
            why: String,
        } => format!("{}: {why}", path.display()),
        /// The kernel's driver lacks a required argument.
        NoArgument {
            /// Name of the PMU in the kernel.
            device: String,
            /// Name of the argument.
            argument: &'static str,
        } => format!("the kernel's driver of {device} has no argument `{argument}`"),
        /// A value has more bits than the argument. The kernel would ignore the additional bits.
        TooWide {
            /// Name of the PMU in the kernel.
            device: String,
            /// Name of the argument.
            argument: &'static str,
            /// The value.
            value: u64,
        } => format!(
            "{value:#x} is too large for the argument `{argument}` of {device}: the kernel would ignore bits"
        ),
        /// The manual does not list the event, so the kernel's driver rejects it.
        NotListed {
            /// Name of the PMU in the kernel.
            device: String,
            /// The event id.
            id: u16,
        } => format!(
            "the manual lists no event {id:#x}, and the kernel's driver of {device} refuses such events (some \
             kernels crash); count it from firmware"
        ),
        /// The PMU counts the whole system, not a thread or a process.
        WholeSystemOnly {
            /// Name of the PMU in the kernel.
            device: String,
        } => format!("{device} counts the whole system; it cannot count one thread or process"),
        /// The PMU cannot exclude the kernel from its counts.
        NoUserMode {
            /// Name of the PMU in the kernel.
            device: String,
        } => format!("{device} cannot exclude the kernel; count both modes (without `user_only`)"),
        /// The counters cannot be read in user mode.
        NoUserReads {
            /// Name of the PMU in the kernel.
            device: String,
            /// The missing requirement.
            needs: String,
        } => format!("the counters of {device} cannot be read in user mode; this needs {needs}"),
        /// The process has no right to count.
        NotAllowed {
            /// Content of `/proc/sys/kernel/perf_event_paranoid`, if it can be read.
            paranoid: Option<i32>,
            /// Highest `perf_event_paranoid` at which an unprivileged process may count the event.
            allowed_up_to: i32,
            /// Whether the process has `CAP_PERFMON` or `CAP_SYS_ADMIN`; either of them suffices.
            has_right: bool,
        } => not_allowed(*paranoid, *allowed_up_to, *has_right),
        /// The processor that reads the counters of this PMU is offline.
        CpuOffline {
            /// Number of the processor.
            cpu: u32,
        } => format!("processor {cpu}, which reads these counters, is offline or does not exist"),
        /// There is no such process.
        NoSuchProcess {
            /// Number of the process.
            process: u32,
        } => format!("there is no process {process}"),
        /// The process, or the system, has too many open files. Each event is an open file.
        TooManyFiles => "too many open files, because each event is a file; raise the limit (ulimit -n)",
        /// The kernel's driver rejected the event.
        Refused {
            /// Name of the PMU in the kernel.
            device: String,
            /// Name of the selection.
            selection: String,
            /// Error number that the system returned.
            code: i32,
        } => {
            let why = match code {
                // ENOENT or EINVAL; the number depends on the driver.
                2 | 22 => "this PMU does not have the event, or not with this filter".to_owned(),
                code => io::Error::from_raw_os_error(*code).to_string(),
            };
            format!("the kernel's driver of {device} refused {selection}: {why}")
        },
        /// The events do not fit on the counters together.
        DoNotFit {
            /// Number of events.
            asked: usize,
            /// Number of events that the kernel accepted.
            accepted: usize,
        } => format!("{asked} events do not fit on the counters together; {accepted} do"),
        /// The kernel could not place the events on the counters.
        CountersTaken {
            /// Name of the PMU in the kernel.
            device: String,
        } => format!(
            "the kernel could not place the events on the counters of {device}: another program, such as perf, \
             holds them, or counts with another filter"
        ),
        /// The events were on the counters for only a part of the time.
        PartOfTheTime {
            /// Time for which the events were on the counters, in nanoseconds.
            running: u64,
            /// Time for which the events were enabled, in nanoseconds.
            enabled: u64,
        } => format!(
            "the events were on the counters for {running} of {enabled} ns only: the counters were shared"
        ),
        /// Another system error.
        System {
            /// The failed operation.
            what: &'static str,
            /// Error number of the system; `None` if the error has no number.
            code: Option<i32>,
        } => match code {
            Some(code) => format!("{what}: {}", io::Error::from_raw_os_error(*code)),
            None => (*what).to_owned(),
        },
    }
}

impl Error {
    pub(crate) fn system(what: &'static str, error: &io::Error) -> Self {
        Self::System { what, code: error.raw_os_error() }
    }
}

fn not_allowed(paranoid: Option<i32>, up_to: i32, has_right: bool) -> String {
    let what = if up_to < 1 { "counting the whole system" } else { "counting a process" };
    let why = match paranoid {
        _ if has_right => {
            ", although this process has CAP_PERFMON or CAP_SYS_ADMIN: a container (seccomp) or a security module \
             forbids perf_event_open; allow that system call there, or count outside"
        }
        Some(paranoid) if paranoid > up_to => &format!(
            ": perf_event_paranoid is {paranoid}; run as root, with CAP_PERFMON (also in a container), or let root \
             run `sysctl kernel.perf_event_paranoid={up_to}`"
        ),
        Some(paranoid) => &format!(
            ", although perf_event_paranoid is {paranoid}: a container (seccomp) or a security module forbids \
             perf_event_open"
        ),
        None => {
            ", and /proc/sys/kernel/perf_event_paranoid cannot be read; run as root or with CAP_PERFMON"
        }
    };
    format!("{what} is not allowed{why}")
}
