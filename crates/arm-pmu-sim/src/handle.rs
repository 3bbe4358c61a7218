//! Test methods of every simulated device.

/// Defines the methods that all devices have. The type must have `port`, a cell with a `Port<State, _>`. The
/// state must have `power_up`, `scramble` and `registers`; the state or its field `contents` must have `peek` and
/// `poke`.
macro_rules! port_methods {
    (
        $device:ident, $access:ident, $violation:ident, $key:ty => $value:ty
        $(, contents: $contents:ident)?, noise in: $noise:expr
    ) => {
        impl $crate::Watched for $device {
            fn complaints(&self) -> Vec<String> {
                self.violations().iter().map(|violation| format!("{violation:?}")).collect()
            }
        }

        impl $device {
            /// Returns the accesses of all buses since the [start of the
            /// journal](Self::clear_journal).
            ///
            /// The accesses are in program order.
            #[must_use]
            pub fn journal(&self) -> Vec<$crate::$access> {
                self.port.borrow().journal.clone()
            }

            /// Starts a new journal.
            pub fn clear_journal(&self) {
                self.port.borrow_mut().journal.clear();
            }

            /// Returns the value of a register, without an access.
            ///
            /// Behind a selector, this is the value of the register that is selected. The value does not include stores
            /// that have not taken effect.
            ///
            /// # Panics
            ///
            /// If there is no such register, or if its selector selects none.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, register: $key) -> $value {
                self.port.borrow().device$(.$contents)?.peek(register)
            }

            /// Changes the value of a register, without an access.
            ///
            /// If the register is behind a selector, the selected instance changes. No access rule applies, and no
            /// other state changes. Bits that hold no value stay zero.
            ///
            /// # Panics
            ///
            /// If there is no such register, or if its selector selects none.
            #[track_caller]
            pub fn poke(&self, register: $key, value: $value) {
                self.port.borrow_mut().device$(.$contents)?.poke(register, value);
            }

            /// Returns the violations since the [start of this list](Self::clear_violations).
            ///
            /// The violations are in the order in which they took effect. Accesses that did not reach the
            /// registers are not included.
            #[must_use]
            pub fn violations(&self) -> Vec<$crate::$violation> {
                self.port.borrow().device.registers.violations().to_vec()
            }

            /// Starts a new list of violations.
            pub fn clear_violations(&self) {
                self.state(|state| state.registers.clear_violations());
            }

            /// Sets the response to all further accesses.
            ///
            /// Stores that have not arrived get this response too, except stores to registers of a core, which get
            /// their response when they are issued. For registers of a core,
            /// [`Response::Error`](crate::Response::Error) makes each access an exception.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// Changes the response after this number of further loads and stores.
            ///
            /// With this method, a test can change the [response](Self::set_response) at each access of a
            /// driver.
            pub fn respond_after(&self, accesses: usize, response: $crate::Response) {
                self.port.borrow_mut().next_response = Some((accesses, response));
            }

            /// Selects whether stores wait until the next load or synchronization.
            ///
            /// The architecture allows both: a write buffer between the processor and the device may delay stores.
            /// Stores that are not posted take effect immediately. When posting is switched off, waiting stores take
            /// effect immediately.
            pub fn set_posted_stores(&self, posted: bool) {
                self.port.borrow_mut().set_posted_stores(posted);
            }

            /// Selects whether stores are ignored without an error, while loads work.
            ///
            /// This simulates software that may read the registers but not write them.
            pub fn set_stores_ignored(&self, ignored: bool) {
                self.port.borrow_mut().stores_ignored = ignored;
            }

            /// Removes and restores power, which resets the registers.
            ///
            /// Input signals do not change. Stores that have not arrived are lost.
            pub fn power_up(&self) {
                let mut port = self.port.borrow_mut();
                port.lose_posted_stores();
                port.device.power_up();
            }

            #[doc = concat!("Powers up with noise in ", $noise, ".")]
            ///
            /// The noise simulates bits that a previous owner wrote, or that a reset does not reach. See
            /// [`power_up`](Self::power_up).
            pub fn power_up_with(&self, mut noise: $crate::Noise) {
                self.power_up();
                self.state(|state| state.scramble(&mut noise));
            }

            fn state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
                change(&mut self.port.borrow_mut().device)
            }
        }
    };
}

/// Defines the methods of a device with memory-mapped registers, whose state has `registers`. The key of a
/// register is its offset.
macro_rules! memory_methods {
    ($device:ident, noise in: $noise:expr) => {
        $crate::handle::port_methods!(
            $device, Access, MemoryViolation, usize => u32, contents: registers, noise in: $noise
        );
    };
}

/// Defines the methods of a device with a clock.
macro_rules! clock_methods {
    ($device:ident $(, $more:literal)?) => {
        impl $device {
            /// Runs the clock for this number of cycles. Stores that have not taken effect yet do not
            /// influence the count.
            $(#[doc = concat!("\n", $more)])?
            pub fn clock(&self, cycles: u64) {
                self.state(|state| $crate::port::Device::clock(state, cycles));
            }

            /// Sets the number of cycles that pass before every access takes effect; 0 by default.
            pub fn set_cycles_per_access(&self, cycles: u64) {
                self.port.borrow_mut().cycles_per_access = cycles;
            }
        }
    };
}

/// Defines the methods of a device in a core.
macro_rules! core_methods {
    (
        $device:ident, $bus:ident<$space:ident>, $access:ident, $violation:ident, $key:ident => $value:ty,
        noise in: $noise:expr
    ) => {
        $crate::handle::port_methods!(
            $device, $access, $violation, arm_pmu_core::bus::$key => $value, noise in: $noise
        );
        $crate::handle::clock_methods!($device);

        impl $device {
            /// Returns a bus for privileged software (AArch64: EL1 or above).
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::$space>(&self) -> $crate::$bus<'_, S> {
                $crate::$bus::new(&self.port, $crate::access::Mode::Privileged)
            }

            /// Returns a bus for software in User mode (AArch64: EL0).
            #[must_use]
            pub fn user_bus<S: arm_pmu_core::bus::$space>(&self) -> $crate::$bus<'_, S> {
                $crate::$bus::new(&self.port, $crate::access::Mode::User)
            }

            /// Sets the noise for unpredictable values. By default, the noise is seeded.
            ///
            /// The noise is used for bits that read unpredictably, unknown bits at the next
            /// [`power_up`](Self::power_up), and counts that a forbidden access left undefined.
            pub fn set_noise(&self, noise: $crate::Noise) {
                self.state(|state| state.registers.noise = noise);
            }
        }
    };
}

/// Defines the methods of numbered event counters and a cycle counter. `enables` is the register with the enables of
/// all counters; bit 0 of `control` is the common enable. The constant `COUNTERS` must be in scope.
macro_rules! counter_methods {
    ($device:ident, enables: $enables:expr, control: $control:expr) => {
        impl $device {
            /// Returns whether the interrupt is asserted.
            #[must_use]
            pub fn interrupt(&self) -> bool {
                self.port.borrow().device.interrupt_line()
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one event
            /// counter. The change takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                $crate::handle::check(COUNTERS, counter);
                self.poke($enables, self.peek($enables) & !(1 << counter));
            }

            /// Another owner clears the enable of the cycle counter. The change takes effect at once and is not in
            /// the journal.
            pub fn other_owner_disables_cycles(&self) {
                self.poke($enables, self.peek($enables) & !(1 << $crate::handle::CYCLES));
            }

            /// Another owner clears PMCR.E. The change takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.poke($control, self.peek($control) & !1);
            }
        }

        impl Default for $device {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

/// Defines the methods of a core of this architecture. The constants `COUNTERS` and `CORE` must be in scope.
macro_rules! architecture_methods {
    ($device:ident, $pmu:literal, $architecture:ident, $event:ty) => {
        $crate::handle::counter_methods!(
            $device,
            enables: $crate::$architecture::map::PMCNTENSET,
            control: $crate::$architecture::map::PMCR
        );

        impl $device {
            /// Returns the performance monitor after a reset.
            #[must_use]
            pub fn new() -> Self {
                let state = $crate::$architecture::State::new(&CORE);
                Self { port: std::cell::RefCell::new($crate::port::Port::new(state)) }
            }

            /// Signals an event `times` times.
            ///
            /// Nothing happens if the event is not listed, or if only software or another counter
            /// causes it. Stores that have not taken effect yet do not influence the count.
            ///
            /// # Panics
            ///
            /// If the event belongs to another core.
            #[track_caller]
            pub fn signal(&self, event: impl arm_pmu_core::event::Selectable, times: u32) {
                self.signal_raw($crate::selected::id(event, $pmu) as $event, times);
            }

            /// Signals an event by its number, including numbers that the manual does not list. 0x11 is
            /// a [clock cycle](Self::clock).
            ///
            /// Nothing happens for missing events, for 0x00 (only software causes it) and for CHAIN (0x1E) of PMUv3
            /// (only an overflow of the even counter below causes it). Stores that have not taken effect yet
            /// do not influence the count.
            pub fn signal_raw(&self, event: $event, times: u32) {
                self.state(|state| state.signal(event, times));
            }

            /// Sets the EN bit of PMUSERENR, which permits access in User mode or at EL0, and clears the other bits.
            ///
            /// In PMUv3, the bits are unknown after a reset. In ARMv7, they are 0.
            pub fn set_user_access(&self, open: bool) {
                self.poke($crate::$architecture::map::PMUSERENR, open.into());
            }
        }
    };
}

pub(crate) use {
    architecture_methods, clock_methods, core_methods, counter_methods, memory_methods,
    port_methods,
};

/// Number of the cycle counter.
pub(crate) const CYCLES: usize = 31;

#[track_caller]
pub(crate) fn check(counters: usize, counter: usize) {
    assert!(counter < counters, "there is no counter {counter}");
}
