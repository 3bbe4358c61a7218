//! Methods of every simulated device with CP15 registers for tests.

/// The methods that are the same for all of them. The type has `port: RefCell<Port<State,
/// Coprocessor>>`, and its state has `peek`, `poke`, `registers`, `cycles_per_access` and `power_up`.
macro_rules! cp15_methods {
    ($device:ident) => {
        $crate::handle::port_methods!($device, $crate::Cp15Access);

        impl $device {
            /// A bus of privileged software.
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::Cp15Space>(&self) -> $crate::Cp15Bus<'_, S> {
                $crate::Cp15Bus::new(&self.port, $crate::cp15::Mode::Privileged)
            }

            /// A bus of software in User mode.
            #[must_use]
            pub fn user_bus<S: arm_pmu_core::bus::Cp15Space>(&self) -> $crate::Cp15Bus<'_, S> {
                $crate::Cp15Bus::new(&self.port, $crate::cp15::Mode::User)
            }

            /// What the register with these operands holds, without an access; of those behind a
            /// selector, the one that is selected. Stores that have not taken effect are not seen.
            ///
            /// # Panics
            ///
            /// If there is no such register, or none is selected.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, operands: arm_pmu_core::bus::Operands) -> u32 {
                self.port.borrow().device.peek(operands)
            }

            /// Changes what the register with these operands holds, without an access: no rule forbids
            /// it, and nothing else changes. Of those behind a selector it is the one that is
            /// selected. Bits that do not hold anything stay zero.
            ///
            /// # Panics
            ///
            /// If there is no such register, or none is selected.
            #[track_caller]
            pub fn poke(&self, operands: arm_pmu_core::bus::Operands, value: u32) {
                self.port.borrow_mut().device.poke(operands, value);
            }

            /// What becomes of accesses from now on. [`Response::Error`](crate::Response::Error) makes
            /// each an undefined instruction. Stores that were issued before still take effect.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// As [`set_response`](Self::set_response), after so many more loads and stores: to let a
            /// driver meet the change at each of its accesses in turn.
            pub fn respond_after(&self, accesses: usize, response: $crate::Response) {
                self.port.borrow_mut().respond(accesses, response);
            }

            /// Whether stores wait until the next load or synchronization, as no manual promises that
            /// they do not. If not, they take effect at once, which is just as legal; so do those that
            /// wait when this is switched off.
            pub fn set_posted_stores(&self, posted: bool) {
                self.port.borrow_mut().set_posted_stores(posted);
            }

            /// So many cycles pass with every access, before it takes effect. None at first.
            pub fn set_cycles_per_access(&self, cycles: u64) {
                self.state(|state| state.cycles_per_access = cycles);
            }

            /// What everything unpredictable is from now on: bits at each read, what is unknown at
            /// the next [`power_up`](Self::power_up), counts that a forbidden write left undefined.
            /// Seeded at first.
            pub fn set_noise(&self, noise: $crate::Noise) {
                self.state(|state| state.registers.set_noise(noise));
            }

            /// What software did that it must not do since the
            /// [start of this list](Self::clear_violations), in the order in which it took effect.
            #[must_use]
            pub fn violations(&self) -> Vec<$crate::Violation> {
                self.port.borrow().device.registers.violations().to_vec()
            }

            /// Starts a new list of violations.
            pub fn clear_violations(&self) {
                self.state(|state| state.registers.clear_violations());
            }
        }
    };
}

pub(crate) use cp15_methods;
