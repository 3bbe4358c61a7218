//! One interface to all simulated devices, for generic tests.

use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::StartStop;
use arm_pmu::{
    arm_pmuv3, arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, cortex_a53,
    cortex_a55, cortex_a72, l2c_310, mmu600, mmu700,
};
use arm_pmu_sim::{
    Arm11, ArmPmuv3, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53, CortexA55,
    CortexA72, L2c310, Mmu600, Mmu700, Response, Security, Stream,
};

/// Number of events used of each device: more than some PMUs can count at once, fewer than others.
pub const EVENTS: usize = 6;

/// A simulated device, its driver, and some of its events.
pub trait Device {
    type Selection: Copy + PartialEq + std::fmt::Debug;
    type Pmu<'d>: StartStop<Selection = Self::Selection>
    where
        Self: 'd;

    /// Whether a full counter stays full.
    #[allow(dead_code, reason = "not every test fills a counter")]
    const SATURATES: bool = false;

    fn new() -> Self;
    fn pmu(&self) -> Self::Pmu<'_>;
    fn selections() -> [Self::Selection; EVENTS];
    /// Signals the event this many times.
    fn signal(&self, nth: usize, times: u32);
    /// Cycles pass.
    fn cycles(&self, cycles: u64);
    /// Answers all accesses with this response, after this many more accesses.
    #[allow(dead_code, reason = "not every test makes a device silent")]
    fn respond_after(&self, accesses: usize, response: Response);
}

impl Device for Arm11 {
    type Selection = EventOrCycles<arm11::arm1176::Selection>;
    type Pmu<'d> = arm11::arm1176::Pmu<arm_pmu_sim::Cp15Bus<'d, arm11::Space>>;

    fn new() -> Self {
        Self::arm1176()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        arm11::arm1176::Pmu::new(self.bus())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        ARM1176.map(Into::into)
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(ARM1176[nth], times);
    }

    fn cycles(&self, cycles: u64) {
        self.clock(cycles);
    }

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const ARM1176: [arm11::Arm1176Event; EVENTS] = {
    use arm11::Arm1176Event::*;
    [
        InstructionExecuted,
        BranchExecuted,
        BranchMispredicted,
        DataCacheAccess,
        DataCacheMiss,
        InstructionCacheMiss,
    ]
};

/// A core with an ARMv7 PMU or PMUv3.
macro_rules! core {
    ($device:ident, $Bus:ident, $ip:ident, $events:expr) => {
        impl Device for $device {
            type Selection = EventOrCycles<$ip::Selection>;
            type Pmu<'d> = $ip::Pmu<arm_pmu_sim::$Bus<'d, $ip::Space>>;

            fn new() -> Self {
                Self::new()
            }

            fn pmu(&self) -> Self::Pmu<'_> {
                $ip::Pmu::new(self.bus())
            }

            fn selections() -> [Self::Selection; EVENTS] {
                $events.map(Into::into)
            }

            fn signal(&self, nth: usize, times: u32) {
                self.signal($events[nth], times);
            }

            fn cycles(&self, cycles: u64) {
                self.clock(cycles);
            }

            fn respond_after(&self, accesses: usize, response: Response) {
                self.respond_after(accesses, response);
            }
        }
    };
}

core!(ArmPmuv3, SysregBus, arm_pmuv3, ARM_PMUV3);
core!(CortexA53, SysregBus, cortex_a53, CORTEX_A53);
core!(CortexA55, SysregBus, cortex_a55, CORTEX_A55);
core!(CortexA72, SysregBus, cortex_a72, CORTEX_A72);
core!(CortexA7, Cp15Bus, cortex_a7, CORTEX_A7);
core!(CortexA8, Cp15Bus, cortex_a8, CORTEX_A8);
core!(CortexA9, Cp15Bus, cortex_a9, CORTEX_A9);

const ARM_PMUV3: [arm_pmuv3::CommonEvent; EVENTS] = {
    use arm_pmuv3::CommonEvent::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

const CORTEX_A53: [cortex_a53::CortexA53Event; EVENTS] = {
    use cortex_a53::CortexA53Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

const CORTEX_A55: [cortex_a55::CortexA55Event; EVENTS] = {
    use cortex_a55::CortexA55Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

const CORTEX_A72: [cortex_a72::CortexA72Event; EVENTS] = {
    use cortex_a72::CortexA72Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

const CORTEX_A7: [cortex_a7::CortexA7Event; EVENTS] = {
    use cortex_a7::CortexA7Event::*;
    [InstRetired, L1dCacheRefill, L1dCache, L2dCache, L2dCacheRefill, L1iCacheRefill]
};

const CORTEX_A8: [cortex_a8::CortexA8Event; EVENTS] = {
    use cortex_a8::CortexA8Event::*;
    [
        InstructionExecuted,
        DataCacheRefill,
        DataCacheAccess,
        L2CacheAccess,
        L2CacheMiss,
        InstructionCacheRefill,
    ]
};

const CORTEX_A9: [cortex_a9::CortexA9Event; EVENTS] = {
    use cortex_a9::CortexA9Event::*;
    [InstRenamed, L1dCacheRefill, L1dCache, BrPred, BrMisPred, L1iCacheRefill]
};

impl Device for Cci400 {
    type Selection = EventOrCycles<cci400::Selection>;
    type Pmu<'d> = cci400::Pmu<arm_pmu_sim::MemoryBus<'d, cci400::Space>>;

    fn new() -> Self {
        Self::new()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        cci400::Pmu::new(self.bus())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        CCI400.map(|event| cci400::S1.event(event).into())
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(cci400::S1.event(CCI400[nth]), Security::NonSecure, times);
    }

    fn cycles(&self, cycles: u64) {
        self.clock(cycles);
    }

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const CCI400: [cci400::SlaveEvent; EVENTS] = {
    use cci400::SlaveEvent::*;
    [ReadRequestAny, ReadRequestDevice, Evict, WriteUnique, ReadDataSnoopHit, WriteRequestAny]
};

/// It has no cycle counter.
impl Device for Cci500 {
    type Selection = cci500::Selection;
    type Pmu<'d> = cci500::Pmu<arm_pmu_sim::MemoryBus<'d, cci500::Space>>;

    fn new() -> Self {
        Self::new()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        cci500::Pmu::new(self.bus())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        CCI500.map(|event| cci500::SI1.event(event))
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(cci500::SI1.event(CCI500[nth]), Security::NonSecure, times);
    }

    fn cycles(&self, _: u64) {}

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const CCI500: [cci500::SlaveEvent; EVENTS] = {
    use cci500::SlaveEvent::*;
    [ReadRequestAny, ReadRequestDevice, Evict, WriteUnique, ReadDataSnoopHit, WriteRequestAny]
};

/// It has no cycle counter.
impl Device for Cci550 {
    type Selection = cci550::Selection;
    type Pmu<'d> = cci550::Pmu<arm_pmu_sim::MemoryBus<'d, cci550::Space>>;

    fn new() -> Self {
        Self::new()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        cci550::Pmu::new(self.bus())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        CCI550.map(|event| cci550::SI1.event(event))
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(cci550::SI1.event(CCI550[nth]), Security::NonSecure, times);
    }

    fn cycles(&self, _: u64) {}

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const CCI550: [cci550::SlaveEvent; EVENTS] = {
    use cci550::SlaveEvent::*;
    [ReadRequestAny, ReadRequestDevice, Evict, WriteUnique, ReadDataSnoopHit, WriteRequestAny]
};

/// The cycles take a counter.
impl Device for L2c310 {
    type Selection = l2c_310::Selection;
    type Pmu<'d> = l2c_310::Pmu<arm_pmu_sim::MemoryBus<'d, l2c_310::Space>>;

    const SATURATES: bool = true;

    fn new() -> Self {
        Self::new()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        l2c_310::Pmu::new(self.bus())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        L2C_310.map(Into::into)
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(L2C_310[nth], times);
    }

    fn cycles(&self, _: u64) {}

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const L2C_310: [l2c_310::L2c310Event; EVENTS] = {
    use l2c_310::L2c310Event::*;
    [
        DataReadRequest,
        DataReadHit,
        DataWriteRequest,
        DataWriteHit,
        InstructionReadRequest,
        InstructionReadHit,
    ]
};

impl Device for Mmu600 {
    type Selection = mmu600::tcu::Selection;
    type Pmu<'d> = mmu600::tcu::Pmu<
        arm_pmu_sim::MemoryBus<'d, mmu600::registers::Page0>,
        arm_pmu_sim::MemoryBus<'d, mmu600::registers::Page1>,
    >;

    fn new() -> Self {
        Self::tcu()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        mmu600::tcu::Pmu::new(self.page0(), self.page1())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        TCU.map(Into::into)
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(TCU[nth], Stream::non_secure(7), times);
    }

    fn cycles(&self, cycles: u64) {
        self.clock(cycles);
    }

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const TCU: [mmu600::TcuEvent; EVENTS] = {
    use mmu600::TcuEvent::*;
    [
        Transaction,
        TlbMiss,
        WalkCacheRead,
        Stage1Level2WalkCacheLookup,
        Stage1Level2WalkCacheMiss,
        Stage1Level3WalkCacheLookup,
    ]
};

impl Device for Mmu700 {
    type Selection = mmu700::tcu::Selection;
    type Pmu<'d> = mmu700::tcu::Pmu<
        arm_pmu_sim::MemoryBus<'d, mmu700::registers::Page0>,
        arm_pmu_sim::MemoryBus<'d, mmu700::registers::Page1>,
    >;

    fn new() -> Self {
        Self::tcu()
    }

    fn pmu(&self) -> Self::Pmu<'_> {
        mmu700::tcu::Pmu::new(self.page0(), self.page1())
    }

    fn selections() -> [Self::Selection; EVENTS] {
        TCU_700.map(Into::into)
    }

    fn signal(&self, nth: usize, times: u32) {
        self.signal(TCU_700[nth], Stream::non_secure(7), times);
    }

    fn cycles(&self, cycles: u64) {
        self.clock(cycles);
    }

    fn respond_after(&self, accesses: usize, response: Response) {
        self.respond_after(accesses, response);
    }
}

const TCU_700: [mmu700::TcuEvent; EVENTS] = {
    use mmu700::TcuEvent::*;
    [
        Transaction,
        TlbMiss,
        WalkCacheRead,
        Stage1Level2WalkCacheLookup,
        Stage1Level2WalkCacheMiss,
        Stage1Level3WalkCacheLookup,
    ]
};
