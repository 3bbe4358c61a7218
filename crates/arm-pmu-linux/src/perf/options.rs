//! The PMU to open, and the programs that it counts.

use smmuv3_pmcg::StreamFilter;

use super::sysfs::Sysfs;

/// The kernel PMU to open, its target and its filters.
///
/// By default: the only PMU of the kind; of a core, the calling thread, in user mode and in the kernel.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) sysfs: Sysfs,
    pub(crate) device: Option<String>,
    pub(crate) target: Option<Target>,
    pub(crate) stream: Option<Stream>,
    pub(crate) user_only: bool,
    pub(crate) read_in_user_mode: bool,
}

/// A filter of streams, whatever the number of bits of a StreamID.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// The value written to SMR0.
    pub(crate) id: u32,
    pub(crate) is_span: bool,
    pub(crate) is_secure: bool,
}

/// The programs that the PMU of a core counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The thread that makes the [`Pmu`](crate::perf::Pmu), on any processor.
    ThisThread,
    /// The main thread of another process, on any processor. Its other threads are not counted.
    Process(u32),
    /// Everything that runs on one processor.
    Processor(u32),
}

impl Options {
    /// Returns the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens the PMU with this name in the kernel, such as `smmuv3_pmcg_2b442`.
    #[must_use]
    pub fn device(self, name: &str) -> Self {
        Self { device: Some(name.to_owned()), ..self }
    }

    /// Opens the SMMU's PMU whose registers begin at this physical address.
    #[must_use]
    pub fn smmu_at(self, page_0: u64) -> Self {
        Self { device: Some(format!("smmuv3_pmcg_{:x}", page_0 >> 12)), ..self }
    }

    /// Counts the events of some streams only, on the PMU of an SMMU: `mmu600::StreamFilter` or
    /// `mmu700::StreamFilter`.
    #[must_use]
    pub fn stream<const BITS: u32>(self, filter: StreamFilter<BITS>) -> Self {
        let stream = Stream {
            id: filter.stream_id(),
            is_span: filter.is_span(),
            is_secure: filter.is_secure(),
        };
        Self { stream: Some(stream), ..self }
    }

    /// Counts there, on the PMU of a core.
    #[must_use]
    pub fn target(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Counts in user mode only, on the PMU of a core that can.
    #[must_use]
    pub fn user_only(self) -> Self {
        Self { user_only: true, ..self }
    }

    /// Reads the counters without a system call while they count, on the PMU of an AArch64 core.
    ///
    /// It counts the calling thread, which has to read itself: another thread, and a thread whose events are not on
    /// the counters, read with a system call. The kernel has to permit it (Linux 5.17 or later, and
    /// `sysctl kernel.perf_user_access=1`), and the thread may run only on processors of this PMU: on another kind of
    /// core the read would end the program. [`Error::NoUserReads`](crate::perf::Error::NoUserReads) names the missing
    /// condition. A process forked from a counting process must not read.
    ///
    /// ```
    /// use arm_pmu_linux::perf::Options;
    ///
    /// let options = Options::new().user_only().read_in_user_mode();
    /// ```
    #[must_use]
    pub fn read_in_user_mode(self) -> Self {
        Self { read_in_user_mode: true, ..self }
    }

    /// Reads the description of the PMUs from there.
    #[must_use]
    pub fn sysfs(self, sysfs: Sysfs) -> Self {
        Self { sysfs, ..self }
    }
}
