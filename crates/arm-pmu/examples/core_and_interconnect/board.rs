//! A simulated ZynqMP with four cores, each a thread, and their interconnect.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use arm_pmu::bus::{Bus, RegisterSpec};
use arm_pmu::cci400::{self, SlaveEvent};
use arm_pmu::cortex_a53::{self, CortexA53Event};
use arm_pmu::platforms::zynqmp::cci400::{APU, HPC};
use arm_pmu_sim::{Cci400, CortexA53, Security, SysregBus};

pub const CORES: usize = 4;

pub struct Board {
    cores: [Mutex<Processor>; CORES],
    interconnect: Mutex<Cci400>,
}

struct Processor {
    pmu: CortexA53,
    is_warm: Cell<bool>,
}

impl Board {
    pub fn new() -> Self {
        let cores =
            [(); CORES].map(|()| Processor { pmu: CortexA53::new(), is_warm: Cell::new(false) });
        Self { cores: cores.map(Mutex::new), interconnect: Mutex::new(Cci400::new()) }
    }

    /// Returns the bus to the registers of the interconnect.
    pub const fn interconnect(&self) -> Interconnect<'_> {
        Interconnect(&self.interconnect)
    }

    /// Runs a function on all cores in parallel, with one argument for each, and waits for all of them.
    ///
    /// On a board without an operating system, an interrupt starts the other cores, and a counter in shared memory
    /// contains the number of finished cores.
    pub fn on_each_core<T: Send, R: Send>(
        &self,
        arguments: impl IntoIterator<Item = T>,
        run: impl Fn(&Core<'_>, T) -> R + Sync,
    ) -> Vec<R> {
        let run = &run;
        thread::scope(|scope| {
            let of_each = self.cores.iter().zip(arguments).zip(1..);
            let threads: Vec<_> = of_each
                .map(|((core, argument), number)| {
                    let interconnect = &self.interconnect;
                    scope.spawn(move || {
                        run(&Core { number, processor: lock(core), interconnect }, argument)
                    })
                })
                .collect();
            threads.into_iter().map(|core| core.join().expect("no core panics")).collect()
        })
    }
}

/// The core that runs this code.
pub struct Core<'b> {
    number: u32,
    processor: MutexGuard<'b, Processor>,
    interconnect: &'b Mutex<Cci400>,
}

impl Core<'_> {
    /// Returns the bus to this core's PMU.
    pub fn bus(&self) -> SysregBus<'_, cortex_a53::Space> {
        self.processor.pmu.bus()
    }

    /// Runs a thousand rounds of work. On a core with a higher number, the work has fewer instructions and more cache
    /// misses.
    pub fn work(&self) {
        let n = self.number;
        if !self.processor.is_warm.replace(true) {
            self.processor.pmu.clock(1_000); // to load the code
        }
        for _ in 0..1_000 {
            self.processor.pmu.signal(CortexA53Event::InstRetired, 500 - 50 * n);
            self.processor.pmu.signal(CortexA53Event::BrPred, 60);
            self.processor.pmu.signal(CortexA53Event::BrMisPred, n);
            self.processor.pmu.signal(CortexA53Event::L1dCache, 120);
            self.processor.pmu.signal(CortexA53Event::L1dCacheRefill, 4 * n);
            self.processor.pmu.signal(CortexA53Event::L2dCache, 4 * n + 4);
            self.processor.pmu.signal(CortexA53Event::L2dCacheRefill, 2 * n);
            self.processor.pmu.clock(500);

            let interconnect = lock(self.interconnect);
            let signal = |event: cci400::Selection, times| {
                interconnect.signal(event, Security::NonSecure, times);
            };
            signal(APU.event(SlaveEvent::ReadRequestAny), 2 * n);
            signal(APU.event(SlaveEvent::ReadRequestShareable), 2 * n);
            signal(APU.event(SlaveEvent::ReadDataSnoopHit), n - 1);
            signal(APU.event(SlaveEvent::ReadDataStall), n);
            // All cores and the programmable logic share the interconnect, so only one core advances its clock, which
            // is slower.
            if n == 1 {
                signal(HPC.event(SlaveEvent::ReadRequestAny), 16);
                signal(HPC.event(SlaveEvent::ReadRequestShareable), 12);
                signal(HPC.event(SlaveEvent::ReadDataSnoopHit), 9);
                interconnect.clock(200);
            }
        }
    }
}

/// The interconnect, which all cores share.
pub struct Interconnect<'b>(&'b Mutex<Cci400>);

impl Bus for Interconnect<'_> {
    type Space = cci400::Space;

    fn load<S: RegisterSpec<Space = Self::Space>>(&self, index: usize) -> S::Ux {
        lock(self.0).bus().load::<S>(index)
    }

    fn store<S: RegisterSpec<Space = Self::Space>>(&self, index: usize, value: S::Ux) {
        lock(self.0).bus().store::<S>(index, value);
    }

    fn synchronize(&self) {}
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
