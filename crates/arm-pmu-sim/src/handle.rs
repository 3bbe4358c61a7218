//! What every simulated device offers to the test that holds it.

/// The methods that are the same for all devices with memory-mapped registers. The type has
/// `port: RefCell<Port<State>>`, and its state has `registers` and `power_up`.
macro_rules! common_methods {
    ($device:ident) => {
        $crate::handle::port_methods!($device, $crate::Access);

        impl $device {
            /// What the register at `offset` holds, without an access. Posted stores that have not
            /// arrived are not seen.
            ///
            /// # Panics
            ///
            /// If there is no register at `offset`.
            #[must_use]
            #[track_caller]
            pub fn peek(&self, offset: usize) -> u32 {
                self.port.borrow().device.registers.peek(offset)
            }

            /// Changes what the register at `offset` holds, without an access: no rule forbids it, and
            /// nothing else changes. Bits that do not hold anything stay zero.
            ///
            /// # Panics
            ///
            /// If there is no register at `offset`.
            #[track_caller]
            pub fn poke(&self, offset: usize, value: u32) {
                self.port.borrow_mut().device.registers.poke(offset, value);
            }

            /// What software did that it must not do since the
            /// [start of this list](Self::clear_violations), in the order in which it arrived. Accesses
            /// that did not reach the registers are not among it.
            #[must_use]
            pub fn violations(&self) -> Vec<$crate::MemoryViolation> {
                self.port.borrow().device.registers.violations().to_vec()
            }

            /// Starts a new list of violations.
            pub fn clear_violations(&self) {
                self.state(|state| state.registers.clear_violations());
            }

            /// What becomes of accesses from now on, stores that have not arrived included.
            pub fn set_response(&self, response: $crate::Response) {
                self.respond_after(0, response);
            }

            /// As [`set_response`](Self::set_response), once so many more loads and stores have
            /// arrived: to let a driver meet the change at each of its accesses in turn.
            pub fn respond_after(&self, arrivals: usize, response: $crate::Response) {
                self.port.borrow_mut().respond(arrivals, response);
            }

            /// Whether stores wait until the next load or synchronization of their bus, as a write
            /// buffer between processor and device lets them. If not, they take effect at once, which
            /// is just as legal; so do those that wait when this is switched off.
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
            /// What all buses did since the [start of the journal](Self::clear_journal), in program
            /// order.
            #[must_use]
            pub fn journal(&self) -> Vec<$access> {
                self.port.borrow().journal().to_vec()
            }

            /// Starts a new journal.
            pub fn clear_journal(&self) {
                self.port.borrow_mut().clear_journal();
            }

            /// The device loses power and comes back with its reset values; input signals stay as they
            /// are. Stores that have not arrived are lost.
            pub fn power_up(&self) {
                let mut port = self.port.borrow_mut();
                port.lose_posted_stores();
                port.device.power_up();
            }

            /// Whether stores that arrive from now on change nothing, without an error, while loads give
            /// what they should: software may read the registers and not write them.
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
