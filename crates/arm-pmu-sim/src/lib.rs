//! Simulated Arm PMUs that behave as the manuals say, and as badly as the manuals allow.
//!
//! A device of this crate is a witness: its register map and its behaviour are typed from the
//! documents a second time, independently of the drivers, so that a wrong offset or a forgotten rule
//! in a driver is seen. A test holds the device, the driver owns a [bus](MemoryBus) to it:
//!
//! ```
//! use arm_pmu_core::{Bus, Located, Memory};
//! use arm_pmu_sim::{Cci550, Security};
//!
//! // Drivers have these; here, three registers by hand.
//! # macro_rules! register { ($name:ident, $offset:literal, $count:literal) => {
//! #     enum $name {}
//! #     impl Located for $name {
//! #         type Space = Memory<{ Cci550::LENGTH }>;
//! #         const KEY: usize = $offset;
//! #         const COUNT: usize = $count;
//! #         const STRIDE: usize = 0x10000;
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
//! device.signal(0x3, 0x09, Security::NonSecure, 5);
//! assert_eq!(bus.load::<EventCount>(0), 5);
//!
//! // Somebody sets NIDEN LOW: nothing is counted any more.
//! device.set_niden(false);
//! device.signal(0x3, 0x09, Security::NonSecure, 5);
//! assert_eq!(bus.load::<EventCount>(0), 5);
//! ```
//!
//! # Devices
//!
//! | type | device |
//! |---|---|
//! | [`Cci550`] | CoreLink CCI-550 Cache Coherent Interconnect |
//!
//! [`Cci550::REGISTERS`] is its register map as data, against which others can hold theirs. What a
//! device does at its registers is driven by the same table.
//!
//! # Knobs
//!
//! What can be made to go wrong, at any time, also while a driver owns the bus:
//!
//! | in a SoC | here |
//! |---|---|
//! | nobody enabled non-invasive debug | [`set_niden`](Cci550::set_niden) |
//! | Secure transactions are (not) observed | [`set_spniden`](Cci550::set_spniden), [`set_secure_debug`](Cci550::set_secure_debug) |
//! | Non-secure software, more or less shut out | [`non_secure_bus`](Cci550::non_secure_bus) and the Secure Access register |
//! | firewalled without an error, or not clocked | [`set_response`](Cci550::set_response) with [`Response::Zero`] |
//! | nothing there, no power, firewalled with an error | [`set_response`](Cci550::set_response) with [`Response::Error`] |
//! | the same, in the middle of a procedure | [`respond_after`](Cci550::respond_after) |
//! | writes are buffered on their way | [`set_posted_stores`](Cci550::set_posted_stores) (they are at first) |
//! | the part was built with fewer interfaces | [`set_built`](Cci550::set_built) |
//! | the device lost its power | [`power_up`](Cci550::power_up) |
//! | a previous owner left its settings, or resets are UNKNOWN | [`power_up_with`](Cci550::power_up_with) |
//! | another product at this address | [`set_part_number`](Cci550::set_part_number), [`set_number_of_counters`](Cci550::set_number_of_counters) |
//! | a reset does (not) reach clock-gated counters | [`set_reset_reaches_gated`](Cci550::set_reset_reaches_gated) |
//! | somebody else reprograms a counter | [`other_owner_disables`](Cci550::other_owner_disables), [`other_owner_disables_all`](Cci550::other_owner_disables_all), [`other_owner_selects`](Cci550::other_owner_selects), or a second [`bus`](Cci550::bus) |
//! | a counter is about to wrap | [`poke`](Cci550::poke) its count, once it was reset |
//!
//! A device is a reading of its documents, not a measurement: none was compared with hardware.

mod access;
mod bus;
mod cci550;
mod noise;
mod port;
mod register;
mod register_file;

pub use access::{Access, Response, Security};
pub use bus::MemoryBus;
pub use cci550::Cci550;
pub use noise::Noise;
pub use register::Register;
