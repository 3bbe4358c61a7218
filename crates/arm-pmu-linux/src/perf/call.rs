//! The system call `perf_event_open`.
//!
//! No crate for this call supports 32-bit Arm processors, so the call is implemented here. The structure and the
//! numbers are from the kernel's `include/uapi/linux/perf_event.h`, and are the same on all processors.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::mem::{offset_of, size_of};
use std::os::fd::{AsRawFd, FromRawFd};

use super::page::Page;

/// A kernel event with its PMU type and arguments.
///
/// The fields have the values of `struct perf_event_attr`, so other crates and languages can also open the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Event {
    /// Type number of the PMU in the kernel (`type`).
    pub pmu: u32,
    /// `config`, `config1`, `config2` and `config3`. The files of `format/` describe the bits of these words.
    pub config: [u64; 4],
}

/// Thread and processor to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whose {
    /// Thread id; 0 is the calling thread, and -1 selects all threads.
    pub(crate) thread: libc::pid_t,
    /// Processor; -1 selects all processors.
    pub(crate) cpu: libc::c_int,
}

/// Conditions under which an event counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct How {
    /// Bits of [`flag`].
    pub(crate) flags: u64,
    /// Whether a read returns the counts of all events of the group.
    pub(crate) with_group: bool,
    /// Number of events between two overflows of the counter; 0 uses the full range.
    pub(crate) period: u64,
}

/// Bits of `flags`, in the order of the bit fields of the C structure.
pub(crate) mod flag {
    /// The event starts disabled.
    pub(crate) const DISABLED: u64 = 1 << 0;
    /// Processes and threads that start later are counted too.
    pub(crate) const INHERIT: u64 = 1 << 1;
    /// The kernel must keep the event on the counters all the time.
    pub(crate) const PINNED: u64 = 1 << 2;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const EXCLUDE_HV: u64 = 1 << 6;
    /// Starting another program enables the event.
    pub(crate) const ENABLE_ON_EXEC: u64 = 1 << 12;

    /// Whether counting stops while the kernel or a hypervisor runs.
    pub(crate) const fn user_only(is_set: bool) -> u64 {
        if is_set { EXCLUDE_KERNEL | EXCLUDE_HV } else { 0 }
    }
}

/// Bits of `read_format`.
mod read_format {
    pub const TOTAL_TIME_ENABLED: u64 = 1 << 0;
    pub const TOTAL_TIME_RUNNING: u64 = 1 << 1;
    pub const GROUP: u64 = 1 << 3;
}

const PERF_FLAG_FD_CLOEXEC: libc::c_ulong = 1 << 3;

// `_IO('$', 0)` to `_IO('$', 2)`, and the argument that selects the whole group.
const PERF_EVENT_IOC_ENABLE: u32 = 0x2400;
const PERF_EVENT_IOC_DISABLE: u32 = 0x2401;
const PERF_EVENT_IOC_REFRESH: u32 = 0x2402;
const PERF_IOC_FLAG_GROUP: libc::c_ulong = 1;

/// `struct perf_event_attr` of Linux 6.3. Older kernels accept this size, because words unknown to them are zero.
#[derive(Default)]
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    bp_type: u32,
    config1: u64,
    config2: u64,
    branch_sample_type: u64,
    sample_regs_user: u64,
    sample_stack_user: u32,
    clockid: i32,
    sample_regs_intr: u64,
    aux_watermark: u32,
    sample_max_stack: u16,
    reserved_2: u16,
    aux_sample_size: u32,
    reserved_3: u32,
    sig_data: u64,
    config3: u64,
}

/// `PERF_ATTR_SIZE_VER8`.
const SIZE: usize = 136;

const _: () = assert!(size_of::<Attributes>() == SIZE);
const _: () = assert!(offset_of!(Attributes, flags) == 40);
const _: () = assert!(offset_of!(Attributes, config1) == 56);
const _: () = assert!(offset_of!(Attributes, sample_regs_intr) == 96);
const _: () = assert!(offset_of!(Attributes, config3) == 128);

impl Attributes {
    fn new(event: &Event, how: How) -> Self {
        let [config, config1, config2, config3] = event.config;
        let times = read_format::TOTAL_TIME_ENABLED | read_format::TOTAL_TIME_RUNNING;
        Self {
            kind: event.pmu,
            size: SIZE as u32,
            config,
            sample_period: how.period,
            read_format: if how.with_group { times | read_format::GROUP } else { times },
            // On big-endian processors, C compilers allocate bit fields from the highest bit.
            flags: if cfg!(target_endian = "big") { how.flags.reverse_bits() } else { how.flags },
            config1,
            config2,
            config3,
            ..Self::default()
        }
    }
}

/// An opened event.
#[derive(Debug)]
pub(crate) struct Counter {
    file: File,
}

impl Counter {
    /// Opens an event as the leader of a group, or as a sibling of `leader`.
    fn open(event: &Event, whose: Whose, leader: Option<&Self>, how: How) -> io::Result<Self> {
        let attributes = Attributes::new(event, how);
        let leader = leader.map_or(-1, |leader| leader.file.as_raw_fd());
        // SAFETY: the structure has the size in its `size` field, and the kernel only reads it.
        let result = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                whose.thread,
                whose.cpu,
                leader,
                PERF_FLAG_FD_CLOEXEC,
            )
        };
        match i32::try_from(result) {
            Ok(descriptor) if descriptor >= 0 => {
                // SAFETY: the kernel has just opened this descriptor, and nothing else owns it.
                let file = unsafe { File::from_raw_fd(descriptor) };
                Ok(Self { file })
            }
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Opens a group: its first event, then its other events as siblings. An error includes the index of the event that
    /// the kernel rejected.
    pub(crate) fn open_all(
        events: &[Event],
        whose: Whose,
        first: How,
        others: How,
    ) -> Result<Vec<Self>, (usize, io::Error)> {
        let mut counters: Vec<Self> = Vec::with_capacity(events.len());
        for (nth, event) in events.iter().enumerate() {
            let leader = counters.first();
            let how = if leader.is_none() { first } else { others };
            counters.push(Self::open(event, whose, leader, how).map_err(|error| (nth, error))?);
        }
        Ok(counters)
    }

    /// Maps the page that lets the event's thread read the counter in user mode.
    pub(crate) fn page(&self) -> io::Result<Page> {
        Page::of(&self.file)
    }

    /// Starts the group of this leader.
    pub(crate) fn enable(&self) -> io::Result<()> {
        self.control(PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP)
    }

    /// Starts the event; the first overflow stops it.
    pub(crate) fn enable_once(&self) -> io::Result<()> {
        self.control(PERF_EVENT_IOC_REFRESH, 1)
    }

    /// Stops the group of this leader.
    pub(crate) fn disable(&self) -> io::Result<()> {
        self.control(PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP)
    }

    fn control(&self, request: u32, argument: libc::c_ulong) -> io::Result<()> {
        // SAFETY: these requests take a number, and access no memory of this process.
        let result = unsafe { libc::ioctl(self.file.as_raw_fd(), request as _, argument) };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }

    /// Reads `number` words with one system call. Returns [`ErrorKind::UnexpectedEof`] if the kernel could not place a
    /// pinned group on the counters.
    pub(crate) fn words(&self, number: usize) -> io::Result<Vec<u64>> {
        const WORD: usize = size_of::<u64>();
        let mut bytes = vec![0; number * WORD];
        match (&self.file).read(&mut bytes)? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            read if read == bytes.len() => {
                let words =
                    bytes.chunks_exact(WORD).map(|word| word.try_into().unwrap_or_default());
                Ok(words.map(u64::from_ne_bytes).collect())
            }
            _ => Err(ErrorKind::InvalidData.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_fields_have_the_kernel_offsets() {
        let event = Event { pmu: 9, config: [1, 2, 3, 4] };
        let how = How { flags: flag::PINNED | flag::user_only(true), with_group: true, period: 7 };
        let of = Attributes::new(&event, how);
        assert_eq!((of.kind, of.size, of.sample_period, of.read_format), (9, 136, 7, 0b1011));
        assert_eq!([of.config, of.config1, of.config2, of.config3], event.config);
        let flags = if cfg!(target_endian = "big") { 0x64_u64.reverse_bits() } else { 0x64 };
        assert_eq!(of.flags, flags);
        assert_eq!([flag::DISABLED, flag::INHERIT, flag::ENABLE_ON_EXEC], [1, 2, 0x1000]);
    }
}
