//! Tests of events, access rights and options of simulated CCIs.

use arm_pmu::bus::Bus;
use arm_pmu_sim::Security::{NonSecure, Secure};
use arm_pmu_sim::{AnyOffset, Cci400, CountsWritable, MemoryBus, MemoryViolation, Security};

use crate::counters::{Counters, RESET_EVENTS, cci5xx_block as block, cci400_block};
use crate::device::cci400_r1::Simulated as SimulatedCci400;
use crate::device::{self, Place};

const SECURE_ACCESS: usize = 0x8;
const PMCR: usize = 0x100;
const IMCR: usize = 0x104;
const CEN: u32 = 1;
/// An event on the interfaces of all CCIs.
const EVENT: (u8, u8) = (0x3, 0x0A);

/// Common methods of all simulated CCIs.
trait Cci: Counters {
    const SOURCES: u8;

    fn secure(&self) -> MemoryBus<'_, AnyOffset>;
    fn non_secure(&self) -> MemoryBus<'_, AnyOffset>;
    fn happen(&self, source: u8, code: u8, security: Security);
    fn set_niden(&self, high: bool);
    fn set_part_number(&self, part: u16);
    fn set_number_of_counters(&self, counters: u8);
    fn set_flags_clear_while_counting(&self, clear: bool);
    /// Enables counting of Secure events in one of several ways, or disables it.
    fn observe(&self, way: usize) -> bool;
    /// Events of a source, with one character for each code: `.` is an event, `Y` is an event that also counts Secure
    /// transactions, and blank is not an event.
    fn table(&self, source: u8) -> &'static [u8; 32];

    /// Number of master interfaces, each with a monitor.
    fn masters(&self) -> usize {
        self.rows().iter().filter(|row| usize::from(row.at) >= 0x90100).count()
    }

    /// Writable bits of the Secure Access register.
    fn access_bits(&self) -> u32 {
        let is_it = |row: &crate::device::Row| row.at == Place::Offset(SECURE_ACCESS);
        self.rows().into_iter().find(is_it).expect("Secure Access").read_write as u32
    }
}

const NOTHING: &[u8; 32] = b"                                ";

/// Implements the methods for a kind of CCIs.
macro_rules! own {
    (cci400) => {
        const SOURCES: u8 = 8;

        fn observe(&self, way: usize) -> bool {
            self.0.set_spniden(way == 1);
            way == 1
        }

        /// Source: DDI 0470I tables 2.2 and 2.3; for r0, the names in the Linux driver, and DDI 0470D.
        fn table(&self, source: u8) -> &'static [u8; 32] {
            match (self.0.peek(0xFE8) >> 4, source) {
                (0..5, 0..=4) => b".........Y.Y.......Y            ",
                (0..5, _) => b"                    .YYYYYY     ",
                (_, 0..=4) => b".....................           ",
                _ => b"..Y......YYYYYYYY.              ",
            }
        }
    };
    (cci5xx) => {
        const SOURCES: u8 = 16;

        fn observe(&self, way: usize) -> bool {
            self.0.set_spniden(way == 1);
            self.0.set_secure_debug(way == 2);
            // Some products have no third bit.
            self.0.poke(SECURE_ACCESS, if way == 3 { 0b100 } else { 0b011 });
            way == 1 || way == 2 || way == 3 && self.access_bits() == 0b111
        }

        /// Source: the tables of 100282_0100_00_en 2.4.4.
        fn table(&self, source: u8) -> &'static [u8; 32] {
            match source {
                0x0..=0x6 => b"........YY....... Y...Y.Y.YY.Y..",
                0xF => b".........Y..Y.YY                ",
                0x8.. if usize::from(source - 0x8) < self.masters() => {
                    b"YY.Y.YY                         "
                }
                _ => NOTHING,
            }
        }
    };
}

macro_rules! cci {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, $($rest:tt)*
    })*) => { $(
        impl Cci for device::$pmu::Simulated {
            own!($kind);

            fn secure(&self) -> MemoryBus<'_, AnyOffset> {
                self.0.bus()
            }

            fn non_secure(&self) -> MemoryBus<'_, AnyOffset> {
                self.0.non_secure_bus()
            }

            fn happen(&self, source: u8, code: u8, security: Security) {
                self.0.signal_raw(source, code, security, 1);
            }

            fn set_niden(&self, high: bool) {
                self.0.set_niden(high);
            }

            fn set_part_number(&self, part: u16) {
                self.0.set_part_number(part);
            }

            fn set_number_of_counters(&self, counters: u8) {
                self.0.set_number_of_counters(counters);
            }

            fn set_flags_clear_while_counting(&self, clear: bool) {
                self.0.set_flags_clear_while_counting(clear);
            }
        }

        #[test]
        fn $pmu() {
            only_the_events_of_the_tables_happen(&device::$pmu::Simulated::new());
            niden_low_stops_events(&device::$pmu::Simulated::new());
            secure_access_limits_non_secure_software(&device::$pmu::Simulated::new());
            it_can_be_another_product(&device::$pmu::Simulated::new());
            flags_may_clear_only_while_the_pmu_is_off(&device::$pmu::Simulated::new());
        }
    )* };
}

arm_pmu::for_each_pmu!(cci400 => cci);
arm_pmu::for_each_pmu!(cci5xx => cci);

/// Count of counter 0 after one occurrence of an event.
fn counted(device: &impl Cci, source: u8, code: u8, security: Security) -> u32 {
    device.select(0, u16::from(source) << 5 | u16::from(code));
    device.set_count(0, 0);
    device.happen(source, code, security);
    device.count(0)
}

fn only_the_events_of_the_tables_happen<D: Cci>(device: &D) {
    device.run();
    for way in [0, 1, 2, 3, 0] {
        let observed = device.observe(way);
        for (source, code) in
            (0..D::SOURCES).flat_map(|source| (0..32).map(move |code| (source, code)))
        {
            let entry = device.table(source)[usize::from(code)];
            let happens = [entry != b' ', entry == b'Y' || entry == b'.' && observed];
            let counts =
                [NonSecure, Secure].map(|security| counted(device, source, code, security));
            assert_eq!(counts, happens.map(u32::from), "{source:#x} {code:#x} {way}");
        }
    }
}

#[test]
fn each_revision_of_a_cci400_has_its_events() {
    let device = SimulatedCci400::new();
    for revision in 0..16 {
        device.0.set_revision(revision);
        only_the_events_of_the_tables_happen(&device);
    }
}

fn niden_low_stops_events(device: &impl Cci) {
    device.run();
    device.set_niden(false);
    device.observe(1);
    let (source, code) = EVENT;
    assert_eq!([NonSecure, Secure].map(|security| counted(device, source, code, security)), [0, 0]);
    let bus = device.secure();
    bus.write(PMCR, 0);
    assert_eq!(bus.read(PMCR) & CEN, 0, "it has no effect on accesses");
    device.run();
    assert_eq!(
        counted(device, source, code, NonSecure),
        0,
        "an input keeps its level without power"
    );
    device.set_niden(true);
    assert_eq!(counted(device, source, code, NonSecure), 1);
}

/// Columns of DDI 0470D table 3.8: NIDEN, DP, EX, whether event counters run, whether the cycle counter runs.
#[test]
fn niden_and_dp_gate_cci400_counters() {
    for ex in [0, 1 << 4] {
        for (niden, dp, expected) in
            [(true, 0, [1, 1]), (true, 1 << 5, [1, 1]), (false, 0, [0, 1]), (false, 1 << 5, [0, 0])]
        {
            let device = SimulatedCci400::new();
            device.run();
            device.0.set_niden(niden);
            device.write_control(0, dp | ex);
            device.step(0, 1);
            device.clock(1);
            assert_eq!([device.count(0), device.count(4)], expected, "{niden} {dp:#x} {ex:#x}");
        }
    }
}

/// Enables all clocks and monitors that register accesses can depend on.
fn enable_everything(device: &impl Cci) {
    for counter in 0..device.event_counters() {
        device.enable(counter, true);
    }
    device.change_control(0, 1);
    if device.rows().iter().any(|row| row.at == Place::Offset(IMCR)) {
        device.set(Place::Offset(IMCR), 1);
    }
}

fn secure_access_limits_non_secure_software(device: &impl Cci) {
    let (secure, other) = (device.secure(), device.non_secure());
    let registers: Vec<_> =
        device.rows().into_iter().filter(|row| row.at != Place::Offset(SECURE_ACCESS)).collect();
    for access in 0..=device.access_bits() {
        secure.write(SECURE_ACCESS, access);
        assert_eq!(secure.read(SECURE_ACCESS), access);
        other.write(SECURE_ACCESS, !access);
        assert_eq!(other.read(SECURE_ACCESS), 0);
        assert_eq!(secure.read(SECURE_ACCESS), access, "only Secure software reaches it");
        for row in &registers {
            enable_everything(device);
            device.set(row.at, u64::MAX);
            let is_pmu = row.at != Place::Offset(PMCR)
                && row.at != Place::Offset(IMCR)
                && usize::from(row.at) < 0x9000;
            let is_open = access & 0b01 != 0 || access & 0b10 == 0 && !is_pmu;
            let readable = row.readable as u32;
            let offset = usize::from(row.at);
            assert_eq!(
                other.read(offset),
                if is_open { readable } else { 0 },
                "{} {access}",
                row.name
            );
            other.write(offset, 0);
            other.synchronize();
            let kept = readable & if is_open { !(row.read_write as u32) } else { u32::MAX };
            assert_eq!(device.get(row.at), kept.into(), "{} {access}", row.name);
            device.set(row.at, u64::MAX);
            assert_eq!(secure.read(offset), readable, "{} {access}", row.name);
        }
    }
    assert!(other.error().is_none(), "no access fails");
}

fn it_can_be_another_product(device: &impl Cci) {
    let bus = device.secure();
    device.set_part_number(0x5A6);
    device.set_number_of_counters(31);
    for _ in 0..2 {
        assert_eq!([0xFE0, 0xFE4, PMCR].map(|offset| bus.read(offset)), [0xA6, 0xB5, 31 << 11]);
        device.power_up();
    }
    device.run();
    device.set_number_of_counters(5);
    assert_eq!(bus.read(PMCR), 5 << 11 | CEN, "nothing else of PMCR changes");
}

#[test]
fn a_cci400_can_be_another_revision() {
    let device = Cci400::new();
    device.set_revision(0xA);
    for _ in 0..2 {
        assert_eq!(device.bus().read(0xFE8), 0xAB);
        device.power_up();
    }
}

fn flags_may_clear_only_while_the_pmu_is_off(device: &impl Cci) {
    for counter in 0..device.counters() {
        for (clear, control, left) in [(false, 1, true), (false, 0, false), (true, 1, false)] {
            device.run();
            device.set_flags_clear_while_counting(clear);
            device.set_count(counter, u32::MAX);
            device.step(counter, 1);
            device.change_control(1, control);
            let (at, value) = device.clearing(1 << counter);
            device.software().write(at, value);
            assert_eq!(device.flags() >> counter & 1 == 1, left, "{clear} {control}");
        }
    }
}

#[test]
fn forbidden_accesses_read_zero_or_fail() {
    let device = Cci400::new();
    let bus = device.non_secure_bus();
    assert_eq!((bus.read(0xFE0), bus.error()), (0, None), "at first they do not fail");
    device.set_refusals_fail(true);
    let secure = device.bus();
    assert_eq!((secure.read(0xFE0), secure.read(PMCR), secure.error()), (0x20, 0x2000, None));
    let load = device.non_secure_bus();
    assert_eq!(load.read(0xFE0), 0);
    assert!(load.error().is_some());
    let store = device.non_secure_bus();
    store.write(SECURE_ACCESS, 1);
    assert!(store.error().is_none(), "not arrived");
    store.synchronize();
    assert!(store.error().is_some());
    assert_eq!(device.peek(SECURE_ACCESS), 0);
    device.poke(SECURE_ACCESS, 1);
    let bus = device.non_secure_bus();
    assert_eq!((bus.read(0xFE0), bus.error()), (0x20, None));
    let _ = bus.read(SECURE_ACCESS);
    assert!(bus.error().is_some(), "still not this one");
    device.poke(SECURE_ACCESS, 0);
    device.set_refusals_fail(false);
    let bus = device.non_secure_bus();
    assert_eq!((bus.read(0xFE0), bus.error()), (0, None));
}

#[test]
fn cci400_counts_are_writable_when_configured() {
    use CountsWritable::*;
    for counter in [0, 4] {
        for (cen, on, taken) in [
            (1, true, [true, false, false]),
            (1, false, [true, true, false]),
            (0, true, [true; 3]),
            (0, false, [true; 3]),
        ] {
            for (when, taken) in [Always, CounterOff, Stopped].into_iter().zip(taken) {
                let device = SimulatedCci400::new();
                device.0.set_counts_writable(when);
                device.change_control(0, cen);
                device.enable(counter, on);
                device.secure().write(cci400_block(counter) + 4, 7);
                assert_eq!(device.count(counter) == 7, taken, "{when:?} {cen} {on}");
            }
        }
    }
}

#[test]
fn forbidden_accesses_are_recorded() {
    let device = Cci400::new();
    device.set_posted_stores(false);
    let bus = device.bus();
    bus.write(PMCR, 1 << 6 | 0x2000);
    assert_eq!(bus.read(0x9000), 0);
    bus.write(0xFE0, 0x20);
    bus.write(0x9000, 0);
    let expected = [
        MemoryViolation::ReservedBits { offset: PMCR, bits: 1 << 6 },
        MemoryViolation::NoRegister { offset: 0x9000 },
        MemoryViolation::ReadOnly { offset: 0xFE0 },
        MemoryViolation::NoRegister { offset: 0x9000 },
    ];
    assert_eq!(device.violations(), expected, "the number of counters may be written back");
    device.clear_violations();
    assert_eq!(device.violations(), []);
}

/// Tests of a CCI-500 and a CCI-550.
macro_rules! cci5xx {
    ($($pmu:ident { $($rest:tt)* })*) => { $(
        mod $pmu {
            use super::*;
            use crate::device::$pmu::Simulated;

            #[test]
            fn interfaces_can_be_missing() {
                let device = Simulated::new();
                device.run();
                let (source, code) = EVENT;
                device.0.set_built(source, false);
                assert_eq!(counted(&device, source, code, NonSecure), 0);
                assert_eq!(counted(&device, source - 1, code, NonSecure), 1);
                device.0.set_built(source, true);
                assert_eq!(counted(&device, source, code, NonSecure), 1);
                device.0.set_built(0x7, true);
                assert_eq!(counted(&device, 0x7, 0, NonSecure), 0, "nothing to build");
            }

            #[test]
            fn counts_are_writable_only_while_clocked() {
                for (enable, cen) in [(0, 0), (0, CEN), (1, 0), (1, CEN)] {
                    let device = Simulated::new();
                    let bus = device.0.bus();
                    // The clock of another counter has no effect.
                    bus.write(block(3) + 8, 1);
                    bus.write(block(4) + 8, enable);
                    bus.write(PMCR, cen);
                    bus.write(block(4) + 4, 0x1234_5678);
                    let expected = if (enable, cen) == (1, CEN) { 0x1234_5678 } else { 0 };
                    assert_eq!(bus.read(block(4) + 4), expected, "enable {enable}, CEN {cen}");
                    bus.write(block(4), 0x6A);
                    assert_eq!(bus.read(block(4)), 0x6A, "the other registers need no clock");
                }
            }

            #[test]
            fn an_option_lets_flags_change_without_a_clock() {
                for (need, enable, left) in [(false, 0, 0), (true, 0, 1), (true, 1, 0)] {
                    let device = Simulated::new();
                    device.0.set_flags_need_clock(need);
                    device.0.poke(PMCR, CEN);
                    device.0.poke(block(4) + 8, enable);
                    device.0.poke(block(4) + 12, 1);
                    device.0.bus().write(block(4) + 12, 1);
                    assert_eq!(device.0.peek(block(4) + 12), left, "{need} {enable}");
                }
            }

            #[test]
            fn a_reset_zeroes_only_clocked_counters() {
                const RST: u32 = RESET_EVENTS as u32;
                let device = Simulated::new();
                let after = |before, written| {
                    device.0.poke(PMCR, before);
                    device.0.poke(block(0) + 8, 1);
                    device.set_count(0, 100);
                    device.set_count(1, 101);
                    device.0.bus().write(PMCR, written);
                    [device.count(0), device.count(1)]
                };
                assert_eq!(after(CEN, RST | CEN), [0, 101]);
                assert_eq!(after(CEN, RST), [0, 101], "though it also stops them");
                assert_eq!(after(0, RST), [100, 101]);
                assert_eq!(after(0, RST | CEN), [100, 101], "though it also starts them");
                device.0.set_reset_reaches_gated(true);
                assert_eq!(after(CEN, RST | CEN), [0, 0]);
                assert_eq!(after(0, RST), [0, 0]);
                assert_eq!(after(0, RST | CEN), [0, 0]);
                assert_eq!(after(CEN, CEN), [100, 101], "no reset");
                device.0.set_reset_reaches_gated(false);
                assert_eq!(after(0, RST), [100, 101]);
            }

            #[test]
            fn a_stopped_clock_blocks_counts_and_writes() {
                let device = Simulated::new();
                device.run();
                for (stopped, counted) in [(true, 0), (false, 0x5F)] {
                    device.0.set_clock_stopped(stopped);
                    device.0.bus().write(block(0) + 4, 0x55);
                    device.step(0, 10);
                    assert_eq!(device.count(0), counted);
                }
            }

            #[test]
            fn interface_monitors_are_held_at_zero_unless_enabled() {
                let device = Simulated::new();
                let bus = device.0.bus();
                let masters = device.masters();
                for (first, number, defined) in [(0x90000, 7, u32::MAX), (0x90100, masters, 0x00FF_FF1F)] {
                    for offset in (first..).step_by(4).take(number) {
                        device.0.poke(offset, u32::MAX);
                        assert_eq!(bus.read(offset), 0, "not enabled");
                        bus.write(IMCR, 1);
                        device.0.poke(offset, u32::MAX);
                        assert_eq!(bus.read(offset), defined);
                        bus.write(IMCR, 0);
                        bus.synchronize();
                        assert_eq!(device.0.peek(offset), 0, "not remembered either");
                    }
                }
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(cci5xx => cci5xx);
