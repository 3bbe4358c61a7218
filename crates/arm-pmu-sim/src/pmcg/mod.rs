//! Performance Monitor Counter Groups of SMMUv3, as in the MMU-600 and the MMU-700.

mod map;
mod state;

pub(crate) use std::cell::RefCell;

pub(crate) use arm_pmu_core::bus::MemorySpace;

pub(crate) use crate::access::{PageOrder, Security};
pub(crate) use crate::bus::{MemoryBus, assert_reaches};
pub(crate) use crate::port::{Connection, Port};
pub(crate) use crate::register::Register;
pub(crate) use map::*;
pub(crate) use state::{Kind, Product, State, evtyper};

/// A StreamID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    /// StreamID, with 24 bits in an MMU-600 and 32 in an MMU-700.
    pub id: u32,
    /// Secure and Non-secure StreamIDs are different streams.
    pub security: Security,
}

impl Stream {
    /// Returns a StreamID of the Non-secure state.
    #[must_use]
    pub const fn non_secure(id: u32) -> Self {
        Self { id, security: Security::NonSecure }
    }

    /// Returns a StreamID of the Secure state.
    #[must_use]
    pub const fn secure(id: u32) -> Self {
        Self { id, security: Security::Secure }
    }
}

/// Defines the methods of a product's device. `TCU`, `TBU`, `kind_in_tcu`, `kind_in_tbu` and `STREAM_ID` must be in
/// scope; `$tcu_registers` and `$tbu_registers` are functions that take the number of counters.
macro_rules! pmcg_methods {
    ($device:ident, $pmu:literal, $tcu_registers:expr, $tbu_registers:expr) => {
        $crate::handle::memory_methods!(
            $device, noise in: "unknown bits, CR.E and IRQ_CTRL.IRQEN"
        );
        $crate::handle::clock_methods!(
            $device, "The cycles are event 0x0. Nothing is counted while the clock is [gated](Self::set_clock_gated)."
        );

        impl $device {
            /// Length of each page in bytes.
            pub const PAGE_LENGTH: usize = PAGE_LENGTH;
            /// Length of the region of a TCU in bytes, up to the end of page 1.
            pub const TCU_LENGTH: usize = TCU_PAGE1 + Self::PAGE_LENGTH;
            /// Length of the region of a TBU in bytes, up to the end of page 1.
            pub const TBU_LENGTH: usize = TBU_PAGE1 + Self::PAGE_LENGTH;

            /// Returns the PMCG of a Translation Control Unit after a reset.
            #[must_use]
            pub fn tcu() -> Self {
                Self::new(&Product {
                    name: concat!($pmu, "::tcu"),
                    unit: TCU,
                    registers: $tcu_registers,
                    kind: kind_in_tcu,
                    stream_id: STREAM_ID,
                })
            }

            /// Returns the PMCG of a Translation Buffer Unit after a reset.
            #[must_use]
            pub fn tbu() -> Self {
                Self::new(&Product {
                    name: concat!($pmu, "::tbu"),
                    unit: TBU,
                    registers: $tbu_registers,
                    kind: kind_in_tbu,
                    stream_id: STREAM_ID,
                })
            }

            fn new(product: &'static Product) -> Self {
                Self { port: RefCell::new(Port::new(State::new(product))) }
            }

            /// Returns the registers of this unit, with its number of counters.
            #[must_use]
            pub fn registers(&self) -> &'static [Register] {
                self.port.borrow().device.all_registers()
            }

            /// [`TCU_LENGTH`](Self::TCU_LENGTH) or [`TBU_LENGTH`](Self::TBU_LENGTH).
            #[must_use]
            pub fn length(&self) -> usize {
                self.at(1, 0) + Self::PAGE_LENGTH
            }

            /// Converts an offset in page `page` to an offset in the region of the unit.
            ///
            /// # Panics
            ///
            /// If `page` is not 0 or 1, or if `offset` is not less than [`PAGE_LENGTH`](Self::PAGE_LENGTH).
            #[must_use]
            #[track_caller]
            pub fn at(&self, page: usize, offset: usize) -> usize {
                assert!(offset < Self::PAGE_LENGTH, "{offset:#x} is outside a page");
                let base = match page {
                    0 => PAGE0,
                    1 => self.port.borrow().device.product.unit.page1,
                    _ => panic!("there is no page {page}"),
                };
                base + offset
            }

            /// Returns a bus for Secure software to page 0.
            #[must_use]
            pub fn page0<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { assert_reaches::<S>(Self::PAGE_LENGTH, 0) }
                self.connect(0, Security::Secure)
            }

            /// Returns a bus for Secure software to page 1.
            #[must_use]
            pub fn page1<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { assert_reaches::<S>(Self::PAGE_LENGTH, 1) }
                self.connect(1, Security::Secure)
            }

            /// Returns a bus for Non-secure software to page 0.
            ///
            /// SCR reads as zero and ignores writes. While SCR.NSRA is 0, all other registers also
            /// read as zero and ignore writes.
            #[must_use]
            pub fn non_secure_page0<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { assert_reaches::<S>(Self::PAGE_LENGTH, 0) }
                self.connect(0, Security::NonSecure)
            }

            /// Returns a bus for Non-secure software to page 1.
            ///
            /// While SCR.NSRA is 0, all registers read as zero and ignore writes.
            #[must_use]
            pub fn non_secure_page1<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { assert_reaches::<S>(Self::PAGE_LENGTH, 1) }
                self.connect(1, Security::NonSecure)
            }

            fn connect<S: MemorySpace>(&self, page: usize, security: Security) -> MemoryBus<'_, S> {
                let base = self.at(page, 0);
                let connection = Connection::to_page(&self.port, security, page);
                MemoryBus::new(connection, base, Self::PAGE_LENGTH)
            }

            /// Returns a bus that covers the entire region of the unit, for Secure software:
            /// [`TCU_LENGTH`](Self::TCU_LENGTH) or [`TBU_LENGTH`](Self::TBU_LENGTH) bytes.
            ///
            /// # Panics
            ///
            /// If the length of `S` differs from the length of the unit.
            #[must_use]
            #[track_caller]
            pub fn region<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                self.connect_region(Security::Secure)
            }

            /// Returns a bus for Non-secure software to the entire region of the unit.
            ///
            /// # Panics
            ///
            /// Same as for [`region`](Self::region).
            #[must_use]
            #[track_caller]
            pub fn non_secure_region<S: MemorySpace>(&self) -> MemoryBus<'_, S> {
                self.connect_region(Security::NonSecure)
            }

            #[track_caller]
            fn connect_region<S: MemorySpace>(&self, security: Security) -> MemoryBus<'_, S> {
                MemoryBus::new(Connection::new(&self.port, security), 0, self.length())
            }

            /// Signals an event of this unit `times` times, for example `TbuEvent::MainTlbMiss`.
            ///
            /// `stream` causes it.
            ///
            /// An event that is not listed has no effect. The stream does not matter for events
            /// that cannot be filtered. Stores that have not arrived yet do not influence the
            /// count.
            ///
            /// # Panics
            ///
            /// If the event belongs to another unit, or the StreamID has more bits than the product
            /// supports.
            #[track_caller]
            pub fn signal(
                &self,
                event: impl arm_pmu_core::event::Selectable,
                stream: Stream,
                times: u32,
            ) {
                let unit = self.port.borrow().device.product.name;
                self.signal_raw(crate::selected::id(event, unit), stream, times);
            }

            /// Signals an event by its number, including numbers that the manual does not list.
            ///
            /// Nothing happens if the unit does not have the event. The stream does not matter for
            /// events that cannot be filtered. Stores that have not arrived yet do not influence
            /// the count.
            ///
            /// # Panics
            ///
            /// If the StreamID has more bits than the product supports.
            #[track_caller]
            pub fn signal_raw(&self, event: u16, stream: Stream, times: u32) {
                let id = stream.id;
                let most = self.port.borrow().device.product.stream_id;
                let bits = most.count_ones();
                assert!(id <= most, "StreamID {id:#x} has more than {bits} bits");
                self.state(|state| state.signal(event, stream, times));
            }

            /// Generates a rising edge of pmusnapshot_req, which captures all counters.
            pub fn snapshot_pin(&self) {
                self.state(State::capture);
            }

            /// Returns the number of edges so far on the interrupt output pmu_irpt.
            ///
            /// The output is edge-triggered, so an interrupt that was disabled at the overflow is
            /// not raised later.
            ///
            /// One call of [`signal`](Self::signal) or [`clock`](Self::clock) generates at most one edge,
            /// even if several counters overflow, because an interrupt controller may merge close pulses.
            #[must_use]
            pub fn interrupts(&self) -> usize {
                self.port.borrow().device.interrupts
            }

            /// Selects whether the clock is stopped after a Q-Channel handshake of an idle unit.
            ///
            /// Cycles are not counted while the clock is stopped.
            pub fn set_clock_gated(&self, gated: bool) {
                self.state(|state| state.clock_gated = gated);
            }

            /// Sets SCR.NSRA: Secure firmware permits access by Non-secure software.
            pub fn set_non_secure_access(&self, open: bool) {
                self.state(|state| {
                    state.set(SCR, state.get(SCR) & !NSRA | if open { NSRA } else { 0 })
                });
            }

            /// Sets SCR.SO: Secure firmware permits counting of Secure events and streams.
            pub fn set_secure_observation(&self, observed: bool) {
                self.state(|state| state.set(SCR, state.get(SCR) & !SO | u32::from(observed)));
            }

            /// Sets the number of accesses before IRQ_CTRLACK follows IRQ_CTRL. Two by default.
            ///
            /// Until software has made this number of accesses, on any bus, IRQ_CTRLACK keeps its
            /// old value. With `None`, IRQ_CTRLACK never follows, as if the unit had no clock. The
            /// setting applies to the next write to IRQ_CTRL.
            pub fn set_acknowledge_after(&self, accesses: Option<usize>) {
                self.state(|state| state.acknowledge_after = accesses);
            }

            /// Sets the largest number of cycles until IRQ_CTRLACK follows IRQ_CTRL; 1000 by
            /// default.
            ///
            /// IRQ_CTRLACK may follow earlier because of [accesses](Self::set_acknowledge_after). Linux
            /// (arm_smmuv3_pmu.c, `smmu_pmu_enable`) writes IRQ_CTRL and never reads IRQ_CTRLACK. With
            /// `None`, IRQ_CTRLACK follows only after accesses. The setting applies to the next write
            /// to IRQ_CTRL.
            pub fn set_acknowledge_within(&self, cycles: Option<u64>) {
                self.state(|state| state.acknowledge_within = cycles);
            }

            /// Selects whether a flag that software sets through OVSSET0 acts as an overflow.
            ///
            /// Such a flag then causes a capture and an interrupt. The architecture allows both behaviours. By
            /// default, this is off.
            pub fn set_software_overflow_acts(&self, acts: bool) {
                self.state(|state| state.software_overflow_acts = acts);
            }

            /// Sets how many low bits of EVTYPER.EVENT are implemented. By default, 16 are.
            ///
            /// The other bits of EVTYPER.EVENT read as zero. The manual states only that there are
            /// at least eight.
            ///
            /// # Panics
            ///
            /// If `bits` is not between 8 and 16.
            pub fn set_event_bits(&self, bits: u32) {
                assert!((8..=16).contains(&bits), "EVTYPER.EVENT cannot have {bits} bits");
                self.state(|state| {
                    state.event_bits = EVENT >> (16 - bits);
                    state.limit_events();
                });
            }

            /// Sets the number of implemented low bits of SMR0.STREAMID. By default, this is the
            /// width of the unit's StreamIDs.
            ///
            /// The other bits of SMR0.STREAMID read as zero and are not compared. The architecture specifies 32
            /// bits for the field and allows fewer.
            ///
            /// # Panics
            ///
            /// If `bits` is not between 1 and 32.
            pub fn set_stream_bits(&self, bits: u32) {
                assert!((1..=32).contains(&bits), "SMR0.STREAMID cannot have {bits} bits");
                self.state(|state| {
                    state.stream_bits = u32::MAX >> (32 - bits);
                    state.limit_streams();
                });
            }

            /// Sets the order in which stores to the two pages arrive. By default, stores arrive in
            /// the order of issue.
            pub fn set_page_order(&self, order: PageOrder) {
                self.port.borrow_mut().page_order = order;
            }

            /// Sets the part number in PIDR0 and PIDR1, to simulate another product.
            ///
            /// # Panics
            ///
            /// If `part` has more than twelve bits.
            pub fn set_part_number(&self, part: u16) {
                assert!(part <= 0xFFF, "part number {part:#x} has more than twelve bits");
                self.state(|state| {
                    let [high, low] = part.to_be_bytes();
                    state.identify(PIDR0, 0xFF, low);
                    state.identify(PIDR1, 0x0F, high);
                });
            }

            /// Sets the revision, r`major`p`minor`, in PIDR2 and PIDR3.
            ///
            /// # Panics
            ///
            /// If a number has more than four bits.
            pub fn set_revision(&self, major: u8, minor: u8) {
                assert!(
                    major.max(minor) <= 0xF,
                    "revision r{major}p{minor} has more than four bits"
                );
                self.state(|state| {
                    state.identify(PIDR2, 0xF0, major);
                    state.identify(PIDR3, 0xF0, minor);
                });
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one
            /// counter. The change takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                self.check(counter);
                self.state(|state| state.set(CNTENSET0, state.get(CNTENSET0) & !(1 << counter)));
            }

            /// Another owner clears CR.E. The change takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.state(|state| state.set(CR, 0));
            }

            /// Another owner selects another event on one counter, and keeps the rest of its EVTYPER. The change
            /// takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, event: u16) {
                self.check(counter);
                let offset = evtyper(counter);
                self.poke(offset, self.peek(offset) & !EVENT | u32::from(event));
                self.state(State::limit_events);
            }

            /// Another owner changes the filter of all counters: SMR0. The change takes effect at once and is not
            /// in the journal.
            pub fn other_owner_filters(&self, smr: u32) {
                self.state(|state| {
                    state.set(SMR0, smr);
                    state.limit_streams();
                });
            }

            #[track_caller]
            fn check(&self, counter: usize) {
                $crate::handle::check(self.port.borrow().device.counters, counter);
            }
        }
    };
}

pub(crate) use pmcg_methods;
