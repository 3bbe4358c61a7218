//! CoreLink CCI-500 Cache Coherent Interconnect.
//!
//! Sources: see `cci5xx`; Trusted Firmware-A and the Kirin 950 register header for identification.
//! No Arm document of the CCI-500 was at hand: the PMU counts and loses the same as in the CCI-550.

use std::cell::RefCell;

use crate::access::Security;
use crate::bus::MemoryBus;
use crate::cci::{CEN, pid0, pid1};
use crate::cci5xx::{
    COUNT_CONTROL, EVENT_COUNT, EVENT_SELECT, IMCR, OVERFLOW_STATUS, PMCR, Product, SLAVE_MONITOR,
    State, cci5xx_methods, master_monitor, secure_access,
};
use crate::noise::Noise;
use crate::port::Port;
use crate::register::Register;

/// A simulated CoreLink CCI-500.
///
/// A new device has its reset values. NIDEN is HIGH, SPNIDEN, DBGEN and SPIDEN are LOW, all
/// interfaces are built, and stores are posted. All methods take `&self`: a test can change every
/// setting and signal events while a driver owns a bus.
///
/// # What counts
///
/// An [event](Self::signal) adds one to each counter whose event select names it, whose count control
/// enable and PMCR.CEN are 1, if NIDEN is HIGH, the interface is built and its security state is
/// counted. An event that no table of the CCI-550's manual lists never happens.
///
/// # What is lost
///
/// A counter is clock gated unless its enable and PMCR.CEN are both 1. A write to the count of a
/// gated counter is lost. Whether PMCR.RST reaches a gated counter can be
/// [set](Self::set_reset_reaches_gated). A PMCR write acts on the clocks as they were before it.
#[derive(Debug)]
pub struct Cci500 {
    port: RefCell<Port<State>>,
}

impl Cci500 {
    /// Length of the region of registers in bytes.
    pub const LENGTH: usize = 0x91000;

    /// Part number in PID0 and PID1.
    pub const PART_NUMBER: u16 = PART_NUMBER;

    /// All registers that the device has. Other offsets read zero and ignore writes.
    ///
    /// The control page has only the registers that concern the PMU, without control override,
    /// status, imprecise error and QoS threshold.
    pub const REGISTERS: &'static [Register] = &[
        SECURE_ACCESS,
        PMCR,
        IMCR,
        Register::constant("PID4", 0xFD0, 0xFF, 0x84),
        Register::constant("PID5", 0xFD4, 0x00, 0x00),
        Register::constant("PID6", 0xFD8, 0x00, 0x00),
        Register::constant("PID7", 0xFDC, 0x00, 0x00),
        pid0(PART_NUMBER),
        pid1(PART_NUMBER),
        // Revision code 1, as in the Kirin 950.
        Register::constant("PID2", 0xFE8, 0xFF, 0x1B),
        Register::constant("PID3", 0xFEC, 0xFF, 0x00),
        Register::constant("CID0", 0xFF0, 0xFF, 0x0D),
        Register::constant("CID1", 0xFF4, 0xFF, 0xF0),
        Register::constant("CID2", 0xFF8, 0xFF, 0x05),
        Register::constant("CID3", 0xFFC, 0xFF, 0xB1),
        EVENT_SELECT,
        EVENT_COUNT,
        COUNT_CONTROL,
        OVERFLOW_STATUS,
        SLAVE_MONITOR,
        MASTER_MONITOR,
    ];
}

cci5xx_methods!(Cci500, "cci500");

const PRODUCT: Product = Product {
    registers: Cci500::REGISTERS,
    part_number: PART_NUMBER,
    // Slave interfaces, master interfaces, global functions.
    sources: 0x7F | 0x3F << 8 | 1 << 0xF,
    master_monitor: MASTER_MONITOR,
};

const PART_NUMBER: u16 = 0x422;

const SECURE_ACCESS: Register = secure_access(0x3);

const MASTER_MONITOR: Register = master_monitor(6);
