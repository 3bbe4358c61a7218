//! Selects the PMU to open, and the programs to count.

use smmuv3_pmcg::StreamFilter;

use super::sysfs::Sysfs;

/// Kernel PMU to open, with its target and filters.
///
/// By default, the only PMU of the kind is opened. A core PMU counts the calling thread, in user mode and in the
/// kernel.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub(crate) sysfs: Sysfs,
    pub(crate) device: Option<String>,
    pub(crate) target: Option<Target>,
    pub(crate) stream: Option<Stream>,
    pub(crate) user_only: bool,
    pub(crate) read_in_user_mode: bool,
}

/// A stream filter with any number of StreamID bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stream {
    /// Value for SMR0.
    pub(crate) id: u32,
    pub(crate) is_span: bool,
    pub(crate) is_secure: bool,
}

/// Programs that a core PMU counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// The thread that creates the [`Pmu`](crate::perf::Pmu), on any processor.
    ThisThread,
    /// The main thread of another process, on any processor. The other threads of the process are not counted.
    Process(u32),
    /// All programs on one processor.
    Processor(u32),
}

impl Options {
    /// Returns the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects the PMU with this kernel name, for example `smmuv3_pmcg_2b442`.
    #[must_use]
    pub fn device(self, name: &str) -> Self {
        Self { device: Some(name.to_owned()), ..self }
    }

    /// Selects the SMMU PMU whose registers begin at this physical address.
    #[must_use]
    pub fn smmu_at(self, page_0: u64) -> Self {
        Self { device: Some(format!("smmuv3_pmcg_{:x}", page_0 >> 12)), ..self }
    }

    /// Sets a stream filter of an SMMU PMU: `mmu600::StreamFilter` or `mmu700::StreamFilter`.
    #[must_use]
    pub fn stream<const BITS: u32>(self, filter: StreamFilter<BITS>) -> Self {
        let stream = Stream {
            id: filter.stream_id(),
            is_span: filter.is_span(),
            is_secure: filter.is_secure(),
        };
        Self { stream: Some(stream), ..self }
    }

    /// Sets the target of a core PMU.
    #[must_use]
    pub fn target(self, target: Target) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Restricts a core PMU to user mode, if the PMU supports this.
    #[must_use]
    pub fn user_only(self) -> Self {
        Self { user_only: true, ..self }
    }

    /// Reads running counters of an AArch64 core without a system call.
    ///
    /// The PMU counts the calling thread. Reads by this thread need no system call while the events are on counters;
    /// all other reads need a system call. The kernel must permit the reads (Linux 5.17 or later, and
    /// `sysctl kernel.perf_user_access=1`). The thread may run only on processors of this PMU: on another kind of
    /// core, the read would end the program. [`Error::NoUserReads`](crate::perf::Error::NoUserReads) names the
    /// missing condition. A process forked from a counting process must not read the counters.
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

    /// Sets the source of PMU descriptions.
    #[must_use]
    pub fn sysfs(self, sysfs: Sysfs) -> Self {
        Self { sysfs, ..self }
    }
}
