//! Common parts of the CoreLink CCI-500 and CCI-550: all but a few registers.
//!
//! Sources: 100282_0100_00_en 2.4.4 (events, security, counting, clock gating of the CCI-550; the Linux
//! arm-cci driver and Arm's profiler treat the CCI-500 alike); the register references of SoCs with a
//! CCI-500 (RK3399 TRM, Kirin 950) for reset values, the interface monitors and Secure Access \[1:0\]; the
//! Linux arm-cci driver for the counter blocks and for what a write to a count register needs.

use crate::access::{Response, Security};
use crate::cci::{CEN, RST, add, code_range, codes, identify, pmcr};
use crate::noise::Noise;
use crate::port::Device;
use crate::register::Register;
use crate::register_file::RegisterFile;
use crate::violation::MemoryViolation;

pub(crate) const COUNTERS: usize = 8;
/// From one counter block to the next.
const BLOCK: usize = 0x10000;

const fn counter_block(name: &'static str, offset: usize) -> Register {
    Register { count: COUNTERS, stride: BLOCK, ..Register::new(name, offset) }
}

// [2] Secure observation override (CCI-550 only), [1] debug monitor security override, [0] Non-secure
// register access override.
pub(crate) const fn secure_access(read_write: u32) -> Register {
    Register { read_write, ..Register::new("SECURE_ACCESS", SECURE_ACCESS) }
}
const SECURE_ACCESS: usize = 0x008;
const ALL_TO_NON_SECURE: u32 = 1 << 0;
const MONITORS_TO_SECURE_ONLY: u32 = 1 << 1;
const OBSERVE_SECURE: u32 = 1 << 2;

pub(crate) const PMCR: Register = pmcr(COUNTERS);

// [0] enables all interface monitors.
pub(crate) const IMCR: Register = Register { read_write: 1, ..Register::new("IMCR", 0x104) };

// [8:5] source, [4:0] event code.
pub(crate) const EVENT_SELECT: Register =
    Register { read_write: 0x1FF, ..counter_block("EVENT_SELECT", 0x10000) };
pub(crate) const EVENT_COUNT: Register =
    Register { read_write: u32::MAX, ..counter_block("EVENT_COUNT", 0x10004) };
// [0] enables the counter.
pub(crate) const COUNT_CONTROL: Register =
    Register { read_write: 1, ..counter_block("COUNT_CONTROL", 0x10008) };
// [0] the counter passed 2^32.
pub(crate) const OVERFLOW_STATUS: Register =
    Register { write_one_to_clear: 1, ..counter_block("OVERFLOW_STATUS", 0x1000C) };

// [31:24] outstanding snoops, [23:16] writes, [15:8] reads, [7:0] stalled channels.
pub(crate) const SLAVE_MONITOR: Register = Register {
    count: 7,
    stride: 4,
    read_only: u32::MAX,
    ..Register::new("SLAVE_MONITOR", 0x90000)
};
// [23:16] outstanding writes, [15:8] reads, [4:0] stalled channels.
pub(crate) const fn master_monitor(count: usize) -> Register {
    Register {
        count,
        stride: 4,
        read_only: 0x00FF_FF1F,
        ..Register::new("MASTER_MONITOR", 0x90100)
    }
}

/// 100282_0100_00_en table 2-3: all codes but 0x11 (WriteEvict), which does not fire.
const SLAVE_EVENTS: u32 = !codes([0x11]);
const SLAVE_SECURE_EXEMPT: u32 = codes([0x08, 0x09, 0x12, 0x16, 0x18, 0x1A, 0x1B, 0x1D]);
/// 100282_0100_00_en table 2-4.
const MASTER_EVENTS: u32 = code_range(0x00, 0x06);
const MASTER_SECURE_EXEMPT: u32 = codes([0x00, 0x01, 0x03, 0x05, 0x06]);
/// 100282_0100_00_en table 2-5.
const GLOBAL_EVENTS: u32 = code_range(0x00, 0x0F);
const GLOBAL_SECURE_EXEMPT: u32 = codes([0x09, 0x0C, 0x0E, 0x0F]);

/// The event codes that happen at a source, and those of them that have no security classification.
const fn events_of(source: u8) -> (u32, u32) {
    match source {
        0x0..=0x6 => (SLAVE_EVENTS, SLAVE_SECURE_EXEMPT),
        0x8..=0xE => (MASTER_EVENTS, MASTER_SECURE_EXEMPT),
        0xF => (GLOBAL_EVENTS, GLOBAL_SECURE_EXEMPT),
        // 0x7 is reserved, and 0xE in a CCI-500.
        _ => (0, 0),
    }
}

/// Differences between the products.
#[derive(Debug)]
pub(crate) struct Product {
    pub(crate) registers: &'static [Register],
    pub(crate) part_number: u16,
    /// The sources that it can have, one bit each.
    pub(crate) sources: u16,
    pub(crate) master_monitor: Register,
}

/// The registers, the input signals, and the settings where the manual leaves a choice.
#[derive(Debug)]
pub(crate) struct State {
    product: &'static Product,
    pub(crate) registers: RegisterFile,
    pub(crate) niden: bool,
    pub(crate) spniden: bool,
    /// DBGEN and SPIDEN.
    pub(crate) secure_debug: bool,
    /// One bit for each source.
    pub(crate) built: u16,
    pub(crate) reset_reaches_gated: bool,
    pub(crate) clock_stopped: bool,
    pub(crate) flags_clear_while_counting: bool,
    pub(crate) flags_need_clock: bool,
    pub(crate) part_number: u16,
    pub(crate) number_of_counters: u8,
}

impl State {
    pub(crate) fn new(product: &'static Product) -> Self {
        Self {
            product,
            registers: RegisterFile::new(product.registers, &mut Noise::Zeros),
            niden: true,
            spniden: false,
            secure_debug: false,
            built: u16::MAX,
            reset_reaches_gated: false,
            clock_stopped: false,
            flags_clear_while_counting: true,
            flags_need_clock: false,
            part_number: product.part_number,
            number_of_counters: COUNTERS as u8,
        }
    }

    pub(crate) fn power_up(&mut self) {
        self.registers.reset(&mut Noise::Zeros);
        self.identify();
    }

    /// Writes the numbers of the product into its identification registers.
    pub(crate) fn identify(&mut self) {
        identify(&mut self.registers, self.part_number, self.number_of_counters);
    }

    /// Whether the clock of a counter runs.
    fn clocked(&self, counter: usize) -> bool {
        let enabled = self.registers.load(COUNT_CONTROL.element(counter)) & 1 == 1;
        enabled && self.registers.load(PMCR.offset) & CEN != 0 && !self.clock_stopped
    }

    /// Whether a write clears the overflow flag of a counter now.
    fn flag_clears(&self, counter: usize) -> bool {
        let counting = self.registers.load(PMCR.offset) & CEN != 0;
        (self.flags_clear_while_counting || !counting)
            && (!self.flags_need_clock || self.clocked(counter))
    }

    /// Whether the PMU sees transactions of this security state.
    fn observes(&self, security: Security) -> bool {
        security == Security::NonSecure
            || self.spniden
            || self.secure_debug
            || self.registers.load(SECURE_ACCESS) & OBSERVE_SECURE != 0
    }

    pub(crate) fn signal(&mut self, source: u8, code: u8, security: Security, times: u32) {
        let (listed, exempt) = events_of(source);
        let among = |set: u32| set >> code & 1 == 1;
        let happens = among(listed) && self.product.sources & self.built & 1 << source != 0;
        if !happens || !self.niden || !(self.observes(security) || among(exempt)) {
            return;
        }
        let id = u32::from(source) << 5 | u32::from(code);
        for counter in 0..COUNTERS {
            if self.clocked(counter) && self.registers.load(EVENT_SELECT.element(counter)) == id {
                let (count, flag) =
                    (EVENT_COUNT.element(counter), OVERFLOW_STATUS.element(counter));
                add(&mut self.registers, count, flag, u64::from(times));
            }
        }
    }

    /// Interface monitors that are not enabled are held at zero.
    fn hold_monitors(&mut self) {
        for monitor in SLAVE_MONITOR.elements().chain(self.product.master_monitor.elements()) {
            self.registers.poke(monitor, 0);
        }
    }
}

impl Device for State {
    /// A register reads as zero to software without access and ignores its writes, without an error
    /// (100282_0100_00_en, 2.4.6).
    fn admit(&self, offset: usize, security: Security) -> Response {
        let access = self.registers.load(SECURE_ACCESS);
        let open = match security {
            Security::Secure => true,
            // Otherwise, Non-secure software could keep an access that Secure software granted.
            Security::NonSecure if offset == SECURE_ACCESS => false,
            Security::NonSecure => {
                access & ALL_TO_NON_SECURE != 0
                    || access & MONITORS_TO_SECURE_ONLY == 0 && observes_performance(offset)
            }
        };
        if open { Response::Registers } else { Response::Zero }
    }

    fn other_width(&mut self, offset: usize, bytes: usize) {
        self.registers.record(MemoryViolation::Width { offset, bytes });
    }

    fn load(&mut self, offset: usize) -> u32 {
        self.registers.check_load(offset);
        if interface_monitor(offset) && self.registers.load(IMCR.offset) == 0 {
            return 0;
        }
        self.registers.load(offset)
    }

    fn store(&mut self, offset: usize, value: u32) {
        self.registers.check_store(offset, value);
        let keeps_flag =
            OVERFLOW_STATUS.index_of(offset).is_some_and(|counter| !self.flag_clears(counter));
        let gated = EVENT_COUNT.index_of(offset).is_some_and(|counter| !self.clocked(counter));
        if gated || keeps_flag {
            return;
        }
        // The clocks as they are before this write starts or stops them.
        let clocked: [bool; COUNTERS] = std::array::from_fn(|counter| self.clocked(counter));
        let acts = self.registers.store(offset, value);
        if offset == IMCR.offset && self.registers.load(offset) == 0 {
            self.hold_monitors();
        }
        if offset == PMCR.offset && acts & RST != 0 {
            for counter in (0..COUNTERS).filter(|n| clocked[*n] || self.reset_reaches_gated) {
                self.registers.poke(EVENT_COUNT.element(counter), 0);
            }
        }
    }
}

/// Whether the register is one of the interface monitors.
fn interface_monitor(offset: usize) -> bool {
    offset >= SLAVE_MONITOR.offset
}

/// Whether the register belongs to the PMU or to the interface monitors: all but the control page, and
/// two registers there.
fn observes_performance(offset: usize) -> bool {
    offset >= EVENT_SELECT.offset || offset == PMCR.offset || offset == IMCR.offset
}

/// The methods of a simulated CCI-500 or CCI-550. The type has `port: RefCell<Port<State>>`, and its file
/// a `PRODUCT`.
macro_rules! cci5xx_methods {
    ($device:ident, $pmu:literal) => {
        $crate::handle::common_methods!($device);

        impl $device {
            /// The device after a reset.
            #[must_use]
            pub fn new() -> Self {
                Self { port: RefCell::new(Port::new(State::new(&PRODUCT))) }
            }

            /// A bus of Secure software.
            #[must_use]
            pub fn bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect(Security::Secure)
            }

            /// A bus of Non-secure software.
            ///
            /// The Secure Access register decides what it reaches: after reset, the PMU and the
            /// interface monitors. All other registers read zero and ignore writes.
            #[must_use]
            pub fn non_secure_bus<S: arm_pmu_core::bus::MemorySpace>(&self) -> MemoryBus<'_, S> {
                const { $crate::bus::assert_reaches::<S>(Self::LENGTH, 0) }
                self.connect(Security::NonSecure)
            }

            fn connect<S: arm_pmu_core::bus::MemorySpace>(
                &self,
                security: Security,
            ) -> MemoryBus<'_, S> {
                let master = self.port.borrow_mut().connect(security);
                MemoryBus::new(&self.port, master, 0, Self::LENGTH)
            }

            /// Signals an event `times` times, caused by Secure or Non-secure transactions.
            ///
            /// The event is one of a source, such as `SI3.event(SlaveEvent::ReadRequestAny)`.
            ///
            /// Nothing happens if the device has no such event. Stores that have not arrived yet
            /// have no effect.
            ///
            /// # Panics
            ///
            /// If it is an event of another IP.
            #[track_caller]
            pub fn signal(
                &self,
                event: impl arm_pmu_core::event::Selectable,
                security: Security,
                times: u32,
            ) {
                let [high, low] = $crate::selected::id(event, $pmu).to_be_bytes();
                self.signal_raw(high << 3 | low >> 5, low & 0x1F, security, times);
            }

            /// Signals an event by its numbers, also one that the manual does not list.
            ///
            /// `source` is the identifier of an interface or 0xF for the global events, `code` the
            /// number of the event there. Nothing happens if the interface is not built or has no
            /// such event. Stores that have not arrived yet have no effect.
            ///
            /// # Panics
            ///
            /// If `source` has more than four bits or `code` more than five.
            pub fn signal_raw(&self, source: u8, code: u8, security: Security, times: u32) {
                assert!(source <= 0xF, "event source {source:#x} has more than four bits");
                assert!(code <= 0x1F, "event code {code:#x} has more than five bits");
                self.state(|state| state.signal(source, code, security, times));
            }

            /// Returns the overflow outputs, nEVNTCNTOVERFLOW\[7:0\]: 1 for an asserted output
            /// (LOW).
            #[must_use]
            pub fn overflow_lines(&self) -> u8 {
                let port = self.port.borrow();
                let flags =
                    OVERFLOW_STATUS.elements().map(|flag| port.device.registers.load(flag) & 1);
                flags.enumerate().fold(0, |lines, (counter, flag)| lines | (flag as u8) << counter)
            }

            /// Sets NIDEN, which must be HIGH to count events.
            ///
            /// In a SoC it is a fuse, or a bit that Secure firmware sets. It has no effect on
            /// register accesses.
            pub fn set_niden(&self, high: bool) {
                self.state(|state| state.niden = high);
            }

            /// Sets SPNIDEN, which must be HIGH to count events of Secure transactions.
            ///
            /// In a SoC it is a fuse, or a bit that Secure firmware sets.
            pub fn set_spniden(&self, high: bool) {
                self.state(|state| state.spniden = high);
            }

            /// Sets both DBGEN and SPIDEN: invasive debug of the Secure state.
            ///
            /// Both HIGH have the effect of SPNIDEN.
            pub fn set_secure_debug(&self, high: bool) {
                self.state(|state| state.secure_debug = high);
            }

            /// Sets whether the interface `source` was built.
            ///
            /// The events of an interface that was not built never happen.
            ///
            /// # Panics
            ///
            /// If `source` has more than four bits.
            pub fn set_built(&self, source: u8, built: bool) {
                assert!(source <= 0xF, "event source {source:#x} has more than four bits");
                self.state(|state| {
                    state.built = state.built & !(1 << source) | u16::from(built) << source;
                });
            }

            /// Sets whether PMCR.RST also resets clock-gated counters.
            ///
            /// The manual does not say, so a driver must work either way. At first it does not.
            pub fn set_reset_reaches_gated(&self, reaches: bool) {
                self.state(|state| state.reset_reaches_gated = reaches);
            }

            /// Sets whether the clock of the counters is stopped to save power. Not at first.
            ///
            /// Then even enabled counters count nothing and ignore writes. The manual says that the
            /// clock can stop, but not what a register access does meanwhile. Here, the other
            /// registers can still be accessed.
            pub fn set_clock_stopped(&self, stopped: bool) {
                self.state(|state| state.clock_stopped = stopped);
            }

            /// Sets whether a write also clears an overflow flag while PMCR.CEN is 1.
            ///
            /// No manual says. Linux (arm-cci.c, `pmu_handle_irq`) clears CEN before. At first it
            /// does.
            pub fn set_flags_clear_while_counting(&self, clear: bool) {
                self.state(|state| state.flags_clear_while_counting = clear);
            }

            /// Sets whether a write clears an overflow flag only while its counter has a clock.
            ///
            /// No manual says. At first it does not need one. With this, and while flags do not
            /// clear [while counting](Self::set_flags_clear_while_counting), no write clears a
            /// flag.
            pub fn set_flags_need_clock(&self, need: bool) {
                self.state(|state| state.flags_need_clock = need);
            }

            /// Sets the part number in PID0 and PID1, to simulate another product.
            ///
            /// # Panics
            ///
            /// If `part` has more than twelve bits.
            pub fn set_part_number(&self, part: u16) {
                assert!(part <= 0xFFF, "part number {part:#x} has more than twelve bits");
                self.state(|state| {
                    state.part_number = part;
                    state.identify();
                });
            }

            /// Sets PMCR.PMU_CNT_NUM, to simulate another product. 8 at first.
            ///
            /// All eight counters exist whatever its value.
            ///
            /// # Panics
            ///
            /// If `counters` has more than five bits.
            pub fn set_number_of_counters(&self, counters: u8) {
                assert!(counters <= 0x1F, "PMU_CNT_NUM {counters:#x} has more than five bits");
                self.state(|state| {
                    state.number_of_counters = counters;
                    state.identify();
                });
            }

            /// Powers up with noise in PMCR and the counter blocks.
            ///
            /// It is [`power_up`](Self::power_up), but noise is in every bit of them that software
            /// or the device can change: a previous owner left them so, or a reset does not reach
            /// them.
            pub fn power_up_with(&self, mut noise: Noise) {
                self.power_up();
                self.state(|state| {
                    for register in
                        [PMCR, EVENT_SELECT, EVENT_COUNT, COUNT_CONTROL, OVERFLOW_STATUS]
                    {
                        state.registers.scramble(&register, &mut noise);
                    }
                });
            }

            /// Another owner (firmware, idle code, a debugger, a second driver) clears the enable of one
            /// counter. It takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If `counter` is not less than 8.
            #[track_caller]
            pub fn other_owner_disables(&self, counter: usize) {
                self.poke(COUNT_CONTROL.element(counter), 0);
            }

            /// Another owner clears PMCR.CEN. It takes effect at once and is not in the journal.
            pub fn other_owner_disables_all(&self) {
                self.poke(PMCR.offset, self.peek(PMCR.offset) & !CEN);
            }

            /// Another owner selects another event on one counter: `id` is {source\[8:5\],
            /// code\[4:0\]}. It takes effect at once and is not in the journal.
            ///
            /// # Panics
            ///
            /// If `counter` is not less than 8.
            #[track_caller]
            pub fn other_owner_selects(&self, counter: usize, id: u16) {
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

pub(crate) use cci5xx_methods;
