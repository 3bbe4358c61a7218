//! Methods of every simulated device for tests.

/// The methods that are the same for all devices with memory-mapped registers. The type has
/// `port: RefCell<Port<State>>`, and its state has `registers` and `power_up`.
macro_rules! common_methods {
    ($device:ident) => {
        $crate::handle::port_methods!($device, $crate::Access);

        impl $device {
            /// Returns the value of the register at `offset`, without an access.
            ///
            /// It does not include posted stores that have not arrived.
            ///
            /// # Panics
            ///
            /// If there is no register at `offset`.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, offset: usize) -> u32 {
                self.port.borrow().device.registers.peek(offset)
            }

            /// Changes the value of the register at `offset`, without an access.
            ///
            /// No access rule applies, and nothing else changes. Bits that hold no value stay zero.
            ///
            /// # Panics
            ///
            /// If there is no register at `offset`.
            #[track_caller]
            pub fn poke(&self, offset: usize, value: u32) {
                self.port.borrow_mut().device.registers.poke(offset, value);
            }

            /// Returns the violations since the [start of this list](Self::clear_violations).
            ///
            /// They are in the order of arrival. Accesses that did not reach the registers are not
            /// included.
            #[must_use]
            pub fn violations(&self) -> Vec<$crate::MemoryViolation> {
                self.port.borrow().device.registers.violations().to_vec()
            }

            /// Starts a new list of violations.
            pub fn clear_violations(&self) {
                self.state(|state| state.registers.clear_violations());
            }

            /// Sets the response to all further accesses, including stores that have not arrived.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// Sets the response after this many more loads and stores have arrived.
            ///
            /// With it, a test can change the [response](Self::set_response) at each access of a
            /// driver in turn.
            pub fn respond_after(&self, arrivals: usize, response: $crate::Response) {
                self.port.borrow_mut().respond(arrivals, response);
            }

            /// Sets whether stores wait until the next load or synchronization of their bus.
            ///
            /// A write buffer between processor and device does that. If not, stores take effect at
            /// once, which is legal too. So do waiting stores when this is switched off.
            pub fn set_posted_stores(&self, posted: bool) {
                self.port.borrow_mut().set_posted_stores(posted);
            }
        }
    };
}

/// The methods that are the same wherever the registers are. The type has `port`, and its state has
/// `power_up`.
macro_rules! port_methods {
    ($device:ident, $access:ty) => {
        impl $crate::Watched for $device {
            fn complaints(&self) -> Vec<String> {
                self.violations().iter().map(|violation| format!("{violation:?}")).collect()
            }
        }

        impl $device {
            /// Returns the accesses of all buses since the [start of the
            /// journal](Self::clear_journal).
            ///
            /// They are in program order.
            #[must_use]
            pub fn journal(&self) -> Vec<$access> {
                self.port.borrow().journal().to_vec()
            }

            /// Starts a new journal.
            pub fn clear_journal(&self) {
                self.port.borrow_mut().clear_journal();
            }

            /// Removes and restores power: the registers have their reset values.
            ///
            /// Input signals do not change. Stores that have not arrived are lost.
            pub fn power_up(&self) {
                let mut port = self.port.borrow_mut();
                port.lose_posted_stores();
                port.device.power_up();
            }

            /// Sets whether stores are ignored without an error, while loads work.
            ///
            /// Then software may read the registers but not write them.
            pub fn set_stores_ignored(&self, ignored: bool) {
                self.port.borrow_mut().ignore_stores(ignored);
            }

            fn state<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
                change(&mut self.port.borrow_mut().device)
            }
        }
    };
}

pub(crate) use {common_methods, port_methods};
