//! The interrupt of a PMU.

use arm_pmu_core::bus::Bus;
use arm_pmu_core::driver::CounterSet;

use crate::registers::{Page0, Page1};
use crate::{COUNTERS, Component, NotAcknowledged, Pmu};

impl<C: Component, P0: Bus<Space = Page0>, P1: Bus<Space = Page1>> Pmu<C, P0, P1> {
    /// Selects the counters whose overflow raises the interrupt pmu_irpt.
    ///
    /// It takes effect at the next start. At first, no counter raises it.
    ///
    /// The call enables or disables the interrupt as a whole at once (IRQ_CTRL), and waits until
    /// the device acknowledges that, for 1000 reads at most. So `[false; 4]` also disables the
    /// interrupt of a [resumed](Self::resume) run.
    ///
    /// The interrupt is an edge: set up the interrupt controller for the rising edge. If an
    /// interrupt handler shares the driver, call `start` and `stop` with interrupts disabled: they
    /// take the driver by value, so the handler would find none.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use std::sync::Mutex; // in firmware: a critical section
    ///
    /// use mmu600::tbu::{Pmu, Running, TbuEvent};
    /// use mmu600::{Bus, registers::{Page0, Page1}};
    ///
    /// /// State shared by the main program and the interrupt handler.
    /// enum Shared<P0, P1> {
    ///     Stopped(Pmu<P0, P1>),
    ///     Counting(Running<P0, P1>),
    /// }
    ///
    /// fn overflow_handler<P0: Bus<Space = Page0>, P1: Bus<Space = Page1>>(
    ///     shared: &Mutex<Option<Shared<P0, P1>>>,
    /// ) {
    ///     match shared.lock().unwrap().as_mut() {
    ///         Some(Shared::Counting(running)) => {
    ///             let overflowed = running.acknowledge();
    ///             // Act on the counters that overflowed.
    ///             # assert_eq!(overflowed, [true, false, false, false]);
    ///         }
    ///         // A late interrupt: the PMU is stopped.
    ///         Some(Shared::Stopped(pmu)) => pmu.acknowledge_all(),
    ///         None => {}
    ///     }
    /// }
    ///
    /// # let device = arm_pmu_sim::Mmu600::tbu();
    /// # let (page0, page1) = (device.page0(), device.page1());
    /// let mut pmu = Pmu::new(page0, page1);
    /// let [misses, ..] = pmu.counters();
    /// misses.overflow_after(TbuEvent::MainTlbMiss, NonZeroU32::new(1_000).unwrap());
    /// pmu.interrupts([true, false, false, false])?;
    /// # let shared = Mutex::new(Some(Shared::Stopped(pmu)));
    /// # overflow_handler(&shared);
    /// # let Some(Shared::Stopped(pmu)) = shared.lock().unwrap().take() else { panic!() };
    /// # let shared = Mutex::new(Some(Shared::Counting(pmu.start())));
    /// # device.signal(mmu600::TbuEvent::MainTlbMiss, arm_pmu_sim::Stream::non_secure(0x41), 1_000);
    /// # assert_eq!(device.interrupts(), 1);
    /// # overflow_handler(&shared);
    /// # Ok::<(), mmu600::NotAcknowledged>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the device does not acknowledge. Then the interrupt may be enabled or not, and the
    /// previous selection of counters remains.
    pub fn interrupts(&mut self, counters: [bool; COUNTERS]) -> Result<(), NotAcknowledged> {
        let counters = CounterSet { counters, cycles: false }.bits();
        let in_use = self.driver.in_use();
        self.driver.hardware_mut().interrupts(counters, in_use)
    }
}
