//! The performance monitor of the SKELETON IP.
//!
//! Type the numbers from the manual, not from the spec: tests compare the two. `armv7` has the common code of all
//! cores with this PMU.

use std::cell::RefCell;

use crate::armv7::{Core, State, armv7_methods, map};
use crate::cp15::{Coprocessor, Cp15Register};
use crate::port::Port;

/// The simulated performance monitor of a SKELETON IP core.
///
/// A new device is in its reset state: counters, event selections, enables, flags and the selector,
/// for which no document gives a value, hold noise. Non-invasive debug is permitted, User mode has
/// no access, and stores are posted. All methods take `&self`: a test can change every setting,
/// signal events and let the clock run while a driver owns a bus.
///
/// # What counts
///
/// An [event](Self::signal) adds one to each event counter whose event selection names it, whose bit
/// of PMCNTENSET and PMCR.E are 1, if non-invasive debug is permitted. Event 0x00 is a write of one to the
/// counter's bit of PMSWINC. A counter with a reserved number counts nothing.
///
/// The cycle counter counts [clock cycles](Self::clock), with PMCR.D every 64th, while its bit of
/// PMCNTENSET and PMCR.E are 1 and non-invasive debug is permitted or PMCR.DP is 0.
///
/// # The selector
///
/// PMXEVTYPER and PMXEVCNTR access the counter that PMSELR selects. After a write of PMSELR, they
/// may access [another one](Self::set_stale_selector) until software synchronizes. With a selector
/// above 5 they read as noise and ignore writes.
///
/// # What an overflow does
///
/// The counter continues from zero and its bit of PMOVSR is set until it is written as one. nPMUIRQ
/// is LOW (asserted) while a bit of PMOVSR and the same bit of PMINTENSET are 1, whether or not the
/// counter is enabled.
///
/// # What is reset, and what can be written
///
/// PMCR.P zeroes the event counters, PMCR.C the cycle counter, running or not; neither touches a
/// flag. A write of PMCCNTR while it is enabled leaves noise in it, unless that is [switched
/// off](Self::set_running_cycles_spoil). So does a write of
/// [PMXEVCNTR](Self::set_running_counts_spoil).
///
/// Not simulated are the ETM, and the identification registers of the core.
///
/// ```
/// use arm_pmu_core::bus::{Bus, Operands};
/// use arm_pmu_sim::{SkeletonIp, Violation};
///
/// const PMSELR: Operands = Operands { opc1: 0, crn: 9, crm: 12, opc2: 5 };
/// const PMXEVTYPER: Operands = Operands { opc1: 0, crn: 9, crm: 13, opc2: 1 };
///
/// let device = SkeletonIp::new();
/// let bus = device.bus();
/// bus.mcr(PMSELR, 2);
/// bus.synchronize();
/// bus.mcr(PMXEVTYPER, 0x03);
/// bus.synchronize();
/// assert_eq!(device.peek_event(2), 0x03);
///
/// bus.mcr(PMSELR, 3);
/// bus.mcr(PMXEVTYPER, 0x04); // too early: this reaches counter 2
/// bus.synchronize();
/// assert_eq!(device.peek_event(2), 0x04);
/// assert_eq!(device.violations(), [Violation::SelectorNotSynchronized { operands: PMXEVTYPER }]);
///
/// // User mode has no access yet: an undefined instruction.
/// let user = device.user_bus();
/// assert_eq!(user.mrc(PMXEVTYPER), 0);
/// assert!(user.error().is_some());
/// ```
#[derive(Debug)]
pub struct SkeletonIp {
    port: RefCell<Port<State, Coprocessor>>,
}

impl SkeletonIp {
    /// All CP15 registers of the performance monitor.
    ///
    /// Here, an access to any other register is an Undefined Instruction exception.
    pub const REGISTERS: &'static [Cp15Register] = &map::registers(COUNTERS, 0xFF);
    /// The numbers of all events, in ascending order.
    pub const EVENTS: &'static [u8] = &[0x00, 0x01, 0x02, 0x03, 0x04, 0x08, 0x11];
    /// The Main ID Register of a core, which is not behind the buses.
    pub const MIDR: u32 = 0x410F_FED0;
}

armv7_methods!(SkeletonIp, "skeleton-ip");

const COUNTERS: usize = 6;

const CORE: Core =
    Core { registers: SkeletonIp::REGISTERS, events: SkeletonIp::EVENTS, counters: COUNTERS, seed: 8 };
