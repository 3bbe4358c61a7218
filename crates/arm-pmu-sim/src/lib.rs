//! Simulated Arm PMUs that behave as the manuals say, with every fault that they allow.
//!
//! The register map and the behaviour of each device are typed from the documents a second time,
//! independently of the specs and the drivers. So a test finds a wrong offset in a spec, or a rule
//! that a driver violates. The test owns the device, and the driver owns a [bus](MemoryBus) to it:
//!
//! ```
//! use arm_pmu_core::bus::{Bus, Location, MemorySpace, RegisterSpec, Space};
//! use arm_pmu_sim::{Cci550, Security};
//!
//! // Drivers have these; here, three registers by hand.
//! # enum Registers {}
//! # impl Space for Registers {
//! #     type Key = usize;
//! #     type Permit = ();
//! # }
//! # impl MemorySpace for Registers {
//! #     const LENGTH: usize = Cci550::LENGTH;
//! # }
//! # macro_rules! register { ($name:ident, $offset:literal, $count:literal) => {
//! #     enum $name {}
//! #     impl RegisterSpec for $name {
//! #         type Space = Registers;
//! #         type Ux = u32;
//! #         const LOCATION: Location<Registers> = Location::array((), $offset, $count, 0x10000);
//! #         const INITIAL: u32 = 0;
//! #         const KEEP: u32 = 0;
//! #     }
//! # } }
//! register!(Pmcr, 0x100, 1);
//! register!(EventSelect, 0x10000, 8);
//! register!(EventCount, 0x10004, 8);
//! register!(CountControl, 0x10008, 8);
//!
//! let device = Cci550::new();
//! let bus = device.bus();
//! bus.store::<EventSelect>(0, 0x3 << 5 | 0x09); // snoop hits at slave interface 3
//! bus.store::<CountControl>(0, 1);
//! bus.store::<Pmcr>(0, 1);
//! bus.synchronize();
//!
//! device.signal_raw(0x3, 0x09, Security::NonSecure, 5);
//! assert_eq!(bus.load::<EventCount>(0), 5);
//!
//! // With NIDEN LOW, nothing is counted.
//! device.set_niden(false);
//! device.signal_raw(0x3, 0x09, Security::NonSecure, 5);
//! assert_eq!(bus.load::<EventCount>(0), 5);
//! ```
//!
//! # Devices
//!
//! | type | device | a driver's buses |
//! |---|---|---|
//! | [`Cci400`] | CoreLink CCI-400 Cache Coherent Interconnect | [`bus`](Cci400::bus) |
//! | [`Cci500`] | CoreLink CCI-500 Cache Coherent Interconnect | [`bus`](Cci500::bus) |
//! | [`Cci550`] | CoreLink CCI-550 Cache Coherent Interconnect | [`bus`](Cci550::bus) |
//! | [`Mmu600`] | PMU of the TCU or of a TBU of a CoreLink MMU-600 | [`page0`](Mmu600::page0) and [`page1`](Mmu600::page1) |
//! | [`Mmu700`] | PMU of the TCU or of a TBU of a CoreLink MMU-700 | [`page0`](Mmu700::page0) and [`page1`](Mmu700::page1) |
//! | [`Arm11`] | PMU of an ARM1136, ARM1156 or ARM1176 core | [`bus`](Arm11::bus) or [`user_bus`](Arm11::user_bus) |
//! | [`ArmPmuv3`] | PMUv3 of a core of no product | [`bus`](ArmPmuv3::bus) or [`user_bus`](ArmPmuv3::user_bus) |
//! | [`CortexA53`] | PMU of a Cortex-A53 core | [`bus`](CortexA53::bus) or [`user_bus`](CortexA53::user_bus) |
//! | [`CortexA7`] | PMU of a Cortex-A7 core | [`bus`](CortexA7::bus) or [`user_bus`](CortexA7::user_bus) |
//! | [`CortexA8`] | PMU of a Cortex-A8 core | [`bus`](CortexA8::bus) or [`user_bus`](CortexA8::user_bus) |
//! | [`CortexA9`] | PMU of a Cortex-A9 core | [`bus`](CortexA9::bus) or [`user_bus`](CortexA9::user_bus) |
//! | [`L2c310`] | CoreLink Level 2 Cache Controller L2C-310 | [`bus`](L2c310::bus) |
//! | [`CortexA72`] | Cortex-A72 | [`bus`](CortexA72::bus) |
//! | [`CortexA55`] | Cortex-A55 | [`bus`](CortexA55::bus) |
//!
//! [`Cci550::REGISTERS`], [`CortexA8::REGISTERS`] and similar constants are register maps as data,
//! for comparison with other maps. The devices use the same tables.
//!
//! The PMU of a core has CP15 registers, which a [`Cp15Bus`] reaches, or system registers of AArch64, which a
//! [`SysregBus`] reaches. If its manual forbids an
//! access, or leaves the result open, the device returns noise and records a [`Violation`], which a
//! test can [read](CortexA8::violations). A device with memory-mapped registers records a
//! [`MemoryViolation`] and ignores the access. [`Strict`] makes each violation a failure of the
//! test.
//!
//! # Events
//!
//! A test signals an event of the IP by its type, as a counter selects it: `device.signal(SI3.event(
//! SlaveEvent::ReadRequestAny), ..)` with the crate `cci550`. An event of another IP panics. This crate
//! depends on no IP, so `signal_raw` takes numbers, also those that no manual lists.
//!
//! # Faults and choices
//!
//! A test can set all of these at any time, also while a driver owns the bus. All devices have
//! these:
//!
//! | in a SoC | here |
//! |---|---|
//! | firewalled without an error, or not clocked | [`set_response`](Cci550::set_response) with [`Response::Zero`] |
//! | nothing there, without an error | the same with [`Response::Ones`] |
//! | nothing there, no power, firewalled with an error | [`set_response`](Cci550::set_response) with [`Response::Error`] |
//! | the same, in the middle of a procedure | [`respond_after`](Cci550::respond_after) |
//! | registers may be read and not written | [`set_stores_ignored`](Cci550::set_stores_ignored) |
//! | writes are buffered on their way | [`set_posted_stores`](Cci550::set_posted_stores) (they are at first) |
//! | the device lost its power | [`power_up`](Cci550::power_up) |
//! | a previous owner left its settings, or resets are UNKNOWN | [`power_up_with`](Cci550::power_up_with) |
//! | another product at this address | [`set_part_number`](Cci550::set_part_number) |
//! | other software reprograms a counter | [`other_owner_disables`](Cci550::other_owner_disables), [`other_owner_disables_all`](Cci550::other_owner_disables_all), [`other_owner_selects`](Cci550::other_owner_selects), or a second bus |
//! | software violates a rule of the manual | [`violations`](Cci550::violations) |
//! | a counter is about to wrap | [`poke`](Cci550::poke) its count, once it was reset |
//!
//! An [`Intercepted`] bus changes single accesses: a test can act before each, ignore or replace its
//! value.
//!
//! (The cores have no part number to change, and an ARM11 no enables of single counters.)
//!
//! The CCIs have these:
//!
//! | in a SoC | [`Cci400`] | [`Cci550`], [`Cci500`] |
//! |---|---|---|
//! | non-invasive debug is not permitted | [`set_niden`](Cci400::set_niden) | [`set_niden`](Cci550::set_niden) |
//! | Secure transactions are (not) observed | [`set_spniden`](Cci400::set_spniden) | [`set_spniden`](Cci550::set_spniden), [`set_secure_debug`](Cci550::set_secure_debug) |
//! | Non-secure software with the access rights of the Secure Access register | [`non_secure_bus`](Cci400::non_secure_bus), [`set_refusals_fail`](Cci400::set_refusals_fail) | [`non_secure_bus`](Cci550::non_secure_bus) |
//! | another number of counters | [`set_number_of_counters`](Cci400::set_number_of_counters) | [`set_number_of_counters`](Cci550::set_number_of_counters) |
//! | another revision, with other events | [`set_revision`](Cci400::set_revision) | |
//! | the part was built with fewer interfaces | | [`set_built`](Cci550::set_built) |
//! | the clock is stopped to save power | | [`set_clock_stopped`](Cci550::set_clock_stopped) |
//! | a reset does (not) reach clock-gated counters | | [`set_reset_reaches_gated`](Cci550::set_reset_reaches_gated) |
//! | a reset does (not) reach the divider by 64 | [`set_reset_reaches_divider`](Cci400::set_reset_reaches_divider) | |
//! | overflow flags are cleared only while PMCR.CEN is 0 | [`set_flags_clear_while_counting`](Cci400::set_flags_clear_while_counting) | [`set_flags_clear_while_counting`](Cci550::set_flags_clear_while_counting) |
//! | overflow flags need the clock of their counter | | [`set_flags_need_clock`](Cci550::set_flags_need_clock) |
//! | counts are taken only while the counter, or the PMU, is off | [`set_counts_writable`](Cci400::set_counts_writable) | |
//! | other software stops the cycle counter | [`other_owner_disables_cycles`](Cci400::other_owner_disables_cycles) | |
//! | cycles pass while software accesses registers | [`set_cycles_per_access`](Cci400::set_cycles_per_access) | |
//!
//! The MMU-600 has these:
//!
//! | in a SoC | [`Mmu600`] |
//! |---|---|
//! | Non-secure software has no access | [`non_secure_page0`](Mmu600::non_secure_page0), [`set_non_secure_access`](Mmu600::set_non_secure_access) |
//! | Secure events and streams are (not) observed | [`set_secure_observation`](Mmu600::set_secure_observation) |
//! | stores to the two pages overtake each other | [`set_page_order`](Mmu600::set_page_order) |
//! | the unit is idle and its clock is gated | [`set_clock_gated`](Mmu600::set_clock_gated) |
//! | IRQ_CTRLACK is late or never follows | [`set_acknowledge_after`](Mmu600::set_acknowledge_after), [`set_acknowledge_within`](Mmu600::set_acknowledge_within) |
//! | flags set by software do (not) act as overflows | [`set_software_overflow_acts`](Mmu600::set_software_overflow_acts) |
//! | event numbers have fewer than 16 bits | [`set_event_bits`](Mmu600::set_event_bits) |
//! | fewer bits of StreamIDs are compared | [`set_stream_bits`](Mmu600::set_stream_bits) |
//! | something else captures the counters | [`snapshot_pin`](Mmu600::snapshot_pin) |
//! | other software changes the filter | [`other_owner_filters`](Mmu600::other_owner_filters) |
//! | cycles pass while software accesses registers | [`set_cycles_per_access`](Mmu600::set_cycles_per_access) |
//! | another revision | [`set_revision`](Mmu600::set_revision) |
//!
//! The cores have these:
//!
//! | in a SoC | [`Arm11`] | [`CortexA8`] |
//! |---|---|---|
//! | User mode has (no) access | [`user_bus`](Arm11::user_bus), [`set_user_access`](Arm11::set_user_access) | [`user_bus`](CortexA8::user_bus), [`set_user_access`](CortexA8::set_user_access) |
//! | bits read unpredictably, resets are unknown | [`set_noise`](Arm11::set_noise) | [`set_noise`](CortexA8::set_noise) |
//! | a debugger halts the core | [`set_debug_state`](Arm11::set_debug_state) | |
//! | Secure events are (not) counted | [`set_secure`](Arm11::set_secure), [`set_secure_observed`](Arm11::set_secure_observed), [`set_secure_stops_cycles`](Arm11::set_secure_stops_cycles) | [`set_niden`](CortexA8::set_niden) |
//! | non-invasive debug is not permitted | | [`set_niden`](CortexA8::set_niden) |
//! | a write of the selector takes effect late | | [`set_stale_selector`](CortexA8::set_stale_selector) |
//! | an interrupt handler moves the selector | | [`interrupt_moves_selector_after`](CortexA8::interrupt_moves_selector_after), [`other_owner_moves_selector`](CortexA8::other_owner_moves_selector) |
//! | a write to a running counter leaves noise | | [`set_running_counts_spoil`](CortexA8::set_running_counts_spoil), [`set_running_cycles_spoil`](CortexA8::set_running_cycles_spoil) |
//! | the bits that reset counters read as zero | [`set_resets_read_zero`](Arm11::set_resets_read_zero) | |
//! | a flag is (not) cleared by a write that changes E | [`set_flags_clear`](Arm11::set_flags_clear) | |
//! | counting starts late | [`set_start_delay`](Arm11::set_start_delay) | |
//! | a reset does (not) reach the divider by 64 | [`set_reset_reaches_divider`](Arm11::set_reset_reaches_divider) | [`set_reset_reaches_divider`](CortexA8::set_reset_reaches_divider) |
//! | another number of counters | | [`set_number_of_counters`](CortexA8::set_number_of_counters) |
//! | other software stops the cycle counter | | [`other_owner_disables_cycles`](CortexA8::other_owner_disables_cycles) |
//! | cycles pass while software accesses registers | [`set_cycles_per_access`](Arm11::set_cycles_per_access) | [`set_cycles_per_access`](CortexA8::set_cycles_per_access) |
//!
//! Each device is an interpretation of its documents. None was compared with hardware.

mod access;
mod arm11;
mod arm_pmuv3;
mod armv7;
mod bus;
mod cci;
mod cci400;
mod cci500;
mod cci550;
mod cci5xx;
mod cortex_a53;
mod cortex_a55;
mod cortex_a7;
mod cortex_a72;
mod cortex_a8;
mod cortex_a9;
mod cp15;
mod divider;
mod handle;
mod intercepted;
mod l2c_310;
mod mmu600;
mod mmu700;
mod noise;
mod pmcg;
mod pmuv3;
mod port;
mod register;
mod register_file;
mod selected;
mod sysreg;
mod violation;

pub use access::{Access, PageOrder, Response, Security};
pub use arm_pmuv3::ArmPmuv3;
pub use arm11::{Arm11, FlagsClear};
pub use armv7::{ExecutionMode, StaleSelector};
pub use bus::{AnyOffset, MemoryBus};
pub use cci400::{Cci400, CountsWritable};
pub use cci500::Cci500;
pub use cci550::Cci550;
pub use cortex_a7::CortexA7;
pub use cortex_a8::CortexA8;
pub use cortex_a9::CortexA9;
pub use cortex_a53::CortexA53;
pub use cortex_a55::CortexA55;
pub use cortex_a72::CortexA72;
pub use cp15::{AnyOperands, Cp15Access, Cp15Bus, Cp15Register, UserAccess, Violation};
pub use intercepted::{Attempt, Effect, Intercepted, Keyed, ignoring_stores};
pub use l2c_310::L2c310;
pub use mmu600::Mmu600;
pub use mmu700::Mmu700;
pub use noise::Noise;
pub use pmcg::Stream;
pub use pmuv3::ExceptionLevel;
pub use register::Register;
pub use sysreg::{AnySystemRegister, SysregAccess, SysregBus, SysregRegister, SysregViolation};
pub use violation::{MemoryViolation, Strict, Watched};
