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

            /// Returns the value of the register with these operands, without an access.
            ///
            /// Behind a selector, it is the selected register. The value does not include stores
            /// that have not taken effect.
            ///
            /// # Panics
            ///
            /// If there is no such register, or none is selected.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, operands: arm_pmu_core::bus::Operands) -> u32 {
                self.port.borrow().device.peek(operands)
            }

            /// Changes the value of the register with these operands, without an access.
            ///
            /// Behind a selector, it is the selected register. No access rule applies, and nothing
            /// else changes. Bits that hold no value stay zero.
            ///
            /// # Panics
            ///
            /// If there is no such register, or none is selected.
            #[track_caller]
            pub fn poke(&self, operands: arm_pmu_core::bus::Operands, value: u32) {
                self.port.borrow_mut().device.poke(operands, value);
            }

            /// Sets the response to all further accesses.
            ///
            /// [`Response::Error`](crate::Response::Error) makes each an Undefined Instruction
            /// exception. Stores that were issued before still take effect.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// Sets the response after this many more loads and stores.
            ///
            /// With it, a test can change the [response](Self::set_response) at each access of a
            /// driver in turn.
            pub fn respond_after(&self, accesses: usize, response: $crate::Response) {
                self.port.borrow_mut().respond(accesses, response);
            }

            /// Sets whether stores wait until the next load or synchronization.
            ///
            /// The manuals allow both. If not, stores take effect at once. So do waiting stores
            /// when this is switched off.
            pub fn set_posted_stores(&self, posted: bool) {
                self.port.borrow_mut().set_posted_stores(posted);
            }

            /// Sets the number of cycles that pass before every access takes effect. 0 at first.
            pub fn set_cycles_per_access(&self, cycles: u64) {
                self.state(|state| state.cycles_per_access = cycles);
            }

            /// Sets the noise for everything unpredictable. Seeded at first.
            ///
            /// That is bits at each read, unknown bits at the next [`power_up`](Self::power_up),
            /// and counts that a forbidden write left undefined.
            pub fn set_noise(&self, noise: $crate::Noise) {
                self.state(|state| state.registers.set_noise(noise));
            }

            /// Returns the violations since the [start of this list](Self::clear_violations).
            ///
            /// They are in the order in which they took effect.
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
