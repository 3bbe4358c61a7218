//! Common parts of the CoreLink CCI-400, CCI-500 and CCI-550.

use crate::register::Register;
use crate::register_file::RegisterFile;

/// PMCR\[15:11\], the number of event counters.
pub(crate) const PMU_CNT_NUM: u32 = 11;
/// PMCR\[4\] exports events to EVNTBUS, which is not simulated.
pub(crate) const EX: u32 = 1 << 4;
/// PMCR\[1\] zeroes the event counters.
pub(crate) const RST: u32 = 1 << 1;
/// PMCR\[0\] enables all counters.
pub(crate) const CEN: u32 = 1 << 0;

/// Returns PMCR with its common fields.
pub(crate) const fn pmcr(counters: usize) -> Register {
    Register {
        read_only: 0x1F << PMU_CNT_NUM,
        read_write: EX | CEN,
        write_one_to_act: RST,
        reset: (counters as u32) << PMU_CNT_NUM,
        ..Register::new("PMCR", 0x100)
    }
}

/// Part number \[7:0\].
pub(crate) const fn pid0(part: u16) -> Register {
    Register::constant("PID0", 0xFE0, 0xFF, part as u32 & 0xFF)
}

/// \[7:4\] JEP106 code \[3:0\], \[3:0\] part number \[11:8\].
pub(crate) const fn pid1(part: u16) -> Register {
    Register::constant("PID1", 0xFE4, 0xFF, 0xB0 | part as u32 >> 8)
}

/// Sets the values of these read-only bits.
pub(crate) fn identify<const N: usize>(registers: &mut RegisterFile, rows: [Register; N]) {
    for row in rows {
        registers.identify(row.offset, row.read_only, row.reset);
    }
}

/// Adds `times` to the register at index `count`. If it wraps, sets the register at index `flag` to
/// 1.
pub(crate) fn add(registers: &mut RegisterFile, count: usize, flag: usize, times: u64) {
    if registers.add(count, times) {
        registers.poke(flag, 1);
    }
}

/// Returns a set of event codes: bit n is set for code n.
pub(crate) const fn codes<const N: usize>(listed: [u8; N]) -> u32 {
    let mut set = 0;
    let mut nth = 0;
    while nth < N {
        set |= 1 << listed[nth];
        nth += 1;
    }
    set
}

/// Returns the set of event codes from `first` to `last`.
pub(crate) const fn code_range(first: u8, last: u8) -> u32 {
    u32::MAX >> (31 - last) & u32::MAX << first
}

/// Defines the methods of every simulated CCI. `PMCR`, `EVENT_SELECT` and `COUNT_CONTROL` must be
/// in scope.
macro_rules! cci_methods {
    ($device:ident, $pmu:literal, source: $bits:literal $bits_in_words:literal, $id:ty) => {
        $crate::handle::memory_methods!(
            $device, noise in: "every bit of PMCR, the counter blocks and the divider, if there is \
            one, that software or the device can change"
        );

        impl $device {
            /// Returns a bus for Secure software.
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> $crate::MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect($crate::Security::Secure)
            }

            /// Returns a bus for Non-secure software.
            ///
            /// The Secure Access register decides which registers the bus reaches: after reset, the
            /// PMU and any interface monitors. The bus never reaches the Secure Access register itself.
            #[must_use]
            pub fn non_secure_bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> $crate::MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect($crate::Security::NonSecure)
            }

            fn connect<S: arm_pmu_core::bus::MemorySpace>(
                &self,
                security: $crate::Security,
            ) -> $crate::MemoryBus<'_, S> {
                let connection = $crate::port::Connection::new(&self.port, security);
                $crate::MemoryBus::new(connection, 0, Self::LENGTH)
            }

            /// Signals an event `times` times, caused by Secure or Non-secure transactions.
            ///
            /// The event belongs to a source, for example `SI3.event(SlaveEvent::ReadRequestAny)`.
            ///
            /// Nothing happens if the device does not have the event. Stores that have not arrived
            /// yet do not influence the count.
            ///
            /// # Panics
            ///
            /// If the event belongs to another IP.
            #[track_caller]
            pub fn signal(
                &self,
                event: impl arm_pmu_core::event::Selectable,
                security: $crate::Security,
                times: u32,
            ) {
                let [high, low] = $crate::selected::id(event, $pmu).to_be_bytes();
                self.signal_raw(high << 3 | low >> 5, low & 0x1F, security, times);
            }

            /// Signals an event by its numbers, including events that the manual does not list.
            ///
            /// `source` is the number of an interface or of the global events; `code` is the event code of this
            /// source. Nothing happens if the interface is not built or does not have the event. Stores that have not
            /// arrived yet do not influence the count.
            ///
            /// # Panics
            ///
            #[doc = concat!("If `source` has more than ", $bits_in_words, " bits or `code` more than five.")]
            pub fn signal_raw(&self, source: u8, code: u8, security: $crate::Security, times: u32) {
                Self::check_source(source);
                assert!(code <= 0x1F, "event code {code:#x} has more than five bits");
                self.state(|state| state.signal(source, code, security, times));
            }

            fn check_source(source: u8) {
                assert!(
                    source >> $bits == 0,
                    concat!("event source {:#x} has more than ", $bits_in_words, " bits"),
                    source
                );
            }

            /// Sets NIDEN. While NIDEN is LOW, no event is counted; on a CCI-400 with PMCR.DP = 1, no cycle is
            /// counted either.
            ///
            /// In a SoC, this input is a fuse, or a bit that Secure firmware sets. On ZynqMP, NIDEN is LOW after
            /// reset. NIDEN has no effect on register accesses.
            pub fn set_niden(&self, high: bool) {
                self.state(|state| state.niden = high);
            }

            /// Sets SPNIDEN, which must be HIGH to count events of Secure transactions.
            ///
            /// In a SoC, this input is a fuse, or a bit that Secure firmware sets.
            pub fn set_spniden(&self, high: bool) {
                self.state(|state| state.spniden = high);
            }

            /// Selects whether a write clears an overflow flag even while PMCR.CEN is 1.
            ///
            /// No manual states which behaviour is correct. Linux (arm-cci.c, `pmu_handle_irq`) clears CEN first. By
            /// default, this is on.
            pub fn set_flags_clear_while_counting(&self, clear: bool) {
                self.state(|state| state.flags_clear_while_counting = clear);
            }

            /// Sets the part number in PID0 and PID1, to simulate another product.
            ///
            /// # Panics
            ///
            /// If `part` has more than twelve bits.
            pub fn set_part_number(&self, part: u16) {
                assert!(part <= 0xFFF, "part number {part:#x} has more than twelve bits");
                let rows = [$crate::cci::pid0(part), $crate::cci::pid1(part)];
                self.state(|state| $crate::cci::identify(&mut state.registers, rows));
            }

            /// Sets PMCR.PMU_CNT_NUM, to simulate another product.
            ///
            /// All event counters exist, whatever the value of PMU_CNT_NUM.
            ///
            /// # Panics
            ///
            /// If `counters` has more than five bits.
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(counters <= 0x1F, "PMU_CNT_NUM {counters:#x} has more than five bits");
                let rows = [$crate::cci::pmcr(counters.into())];
                self.state(|state| $crate::cci::identify(&mut state.registers, rows));
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one event
            /// counter. The change takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                self.poke(COUNT_CONTROL.element(counter), 0);
            }

            /// Another owner clears PMCR.CEN. The change takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.poke(PMCR.offset, self.peek(PMCR.offset) & !$crate::cci::CEN);
            }

            /// Another owner selects another event on one event counter: `id` is {source, code\[4:0\]}. The change
            /// takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If there is no such counter.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, id: $id) {
                self.poke(EVENT_SELECT.element(counter), u32::from(id));
            }
        }

        impl Default for $device {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

pub(crate) use cci_methods;
