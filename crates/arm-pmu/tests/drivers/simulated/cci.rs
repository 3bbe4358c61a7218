//! Tests of events, access rights and options of simulated CCIs.

use std::collections::BTreeMap;

use arm_pmu::bus::Bus;
use arm_pmu::event::Event as _;
use arm_pmu_sim::Security::{NonSecure, Secure};
use arm_pmu_sim::{AnyOffset, Cci400, CountsWritable, MemoryBus, MemoryViolation, Security};

use crate::registers::{self, Device, Place};

const SECURE_ACCESS: usize = 0x8;
const PMCR: usize = 0x100;
const IMCR: usize = 0x104;
const CEN: u32 = 1;

/// Common methods of all simulated CCIs.
trait Cci: Device {
    const SOURCES: u8;
    const COUNTERS: usize;

    /// Offset of a counter's registers: event, count, enable and overflow flag.
    fn block(counter: usize) -> usize;
    fn secure(&self) -> MemoryBus<'_, AnyOffset>;
    fn non_secure(&self) -> MemoryBus<'_, AnyOffset>;
    fn happen(&self, source: u8, code: u8, security: Security);
    /// Permits or forbids counting of Secure events; `way` is the number of the case to set up.
    /// Returns whether these events are then counted.
    fn observe(&self, way: usize) -> bool;
    /// Ids of the events in the spec, and for each whether it has no security state. Events that never fire are left
    /// out.
    fn listed() -> BTreeMap<u16, bool>;

    /// Number of master interfaces, each with a monitor.
    fn masters(&self) -> usize {
        self.rows().iter().filter(|row| usize::from(row.at) >= 0x90100).count()
    }

    /// Writable bits of the Secure Access register.
    fn access_bits(&self) -> u32 {
        let is_it = |row: &crate::registers::Row| row.at == Place::Offset(SECURE_ACCESS);
        self.rows().into_iter().find(is_it).expect("Secure Access").read_write as u32
    }

    /// Enables all clocks and monitors that register accesses can depend on.
    fn enable_everything(&self) {
        for counter in 0..Self::COUNTERS {
            self.set(Place::Offset(Self::block(counter) + 8), 1);
        }
        for offset in [PMCR, IMCR] {
            if self.rows().iter().any(|row| row.at == Place::Offset(offset)) {
                self.set(Place::Offset(offset), 1);
            }
        }
    }
}

/// Implements the methods for one kind of CCI.
macro_rules! own {
    (cci400) => {
        const SOURCES: u8 = 8;
        const COUNTERS: usize = 4;

        fn block(counter: usize) -> usize {
            0xA000 + 0x1000 * counter
        }

        fn observe(&self, way: usize) -> bool {
            self.0.set_spniden(way == 1);
            way == 1
        }
    };
    (cci5xx) => {
        const SOURCES: u8 = 16;
        const COUNTERS: usize = 8;

        fn block(counter: usize) -> usize {
            0x1_0000 * (counter + 1)
        }

        fn observe(&self, way: usize) -> bool {
            self.0.set_spniden(way == 1);
            self.0.set_secure_debug(way == 2);
            // Some products have no third bit.
            self.0.poke(SECURE_ACCESS, if way == 3 { 0b100 } else { 0b011 });
            way == 1 || way == 2 || way == 3 && self.access_bits() == 0b111
        }
    };
}

macro_rules! cci {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, events: $events:tt,
        groups: [$($Event:ident $Source:ident),*], $($rest:tt)*
    })*) => { $(
        impl Cci for registers::$pmu::Simulated {
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

            fn listed() -> BTreeMap<u16, bool> {
                use $driver as driver;
                let mut listed = BTreeMap::new();
                $( for source in driver::events::$Source::ALL {
                    let events = driver::$Event::ALL.iter().filter(|event| !event.never_fires());
                    let row = |event: &driver::$Event| {
                        (source.id() << 5 | event.code(), event.secure_exempt())
                    };
                    listed.extend(events.map(row));
                } )*
                listed
            }
        }

        #[test]
        fn $pmu() {
            only_listed_events_happen(&registers::$pmu::Simulated::new());
            secure_access_limits_non_secure_software(&registers::$pmu::Simulated::new());
        }
    )* };
}

arm_pmu::for_each_pmu!(cci400 => cci);
arm_pmu::for_each_pmu!(cci5xx => cci);

fn only_listed_events_happen<D: Cci>(device: &D) {
    device.enable_everything();
    let (block, listed) = (D::block(0), D::listed());
    for way in [0, 1, 2, 3, 0] {
        let observed = device.observe(way);
        for (source, code) in
            (0..D::SOURCES).flat_map(|source| (0..32).map(move |code| (source, code)))
        {
            let id = u16::from(source) << 5 | u16::from(code);
            let happens = listed.get(&id).map_or([false; 2], |exempt| [true, *exempt || observed]);
            let counts = [NonSecure, Secure].map(|security| {
                device.set(Place::Offset(block), id.into());
                device.set(Place::Offset(block + 4), 0);
                for bit in [1, 2, 4] {
                    device.happen(source ^ bit, code, security);
                }
                device.happen(source, code, security);
                device.get(Place::Offset(block + 4))
            });
            assert_eq!(counts, happens.map(u64::from), "{source:#x} {code:#x} {way}");
        }
    }
}

#[test]
fn each_revision_of_a_cci400_has_its_events() {
    let (of_r0, of_r1) =
        (registers::cci400_r0::Simulated::new(), registers::cci400_r1::Simulated::new());
    for revision in 0..16 {
        if revision < 5 {
            of_r0.0.set_revision(revision);
            only_listed_events_happen(&of_r0);
        } else {
            of_r1.0.set_revision(revision);
            only_listed_events_happen(&of_r1);
        }
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
            device.enable_everything();
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
            assert_eq!(device.get(row.at), u64::from(kept), "{} {access}", row.name);
            device.set(row.at, u64::MAX);
            assert_eq!(secure.read(offset), readable, "{} {access}", row.name);
        }
    }
    assert!(other.error().is_none(), "no access fails");
}

#[test]
fn cci400_counts_are_writable_when_configured() {
    use CountsWritable::*;
    for (cen, on, taken) in
        [(1, 1, [true, false, false]), (1, 0, [true, true, false]), (0, 1, [true; 3])]
    {
        for (when, taken) in [Always, CounterOff, Stopped].into_iter().zip(taken) {
            for block in [0x9000, 0xA000] {
                let device = Cci400::new();
                device.set_counts_writable(when);
                device.poke(PMCR, cen);
                device.poke(block + 8, on);
                device.bus().write(block + 4, 7);
                assert_eq!(device.peek(block + 4) == 7, taken, "{when:?} {cen} {on} {block:#x}");
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
            use crate::registers::$pmu::Simulated;

            fn block(counter: usize) -> usize {
                Simulated::block(counter)
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
                const RST: u32 = 1 << 1;
                let device = Simulated::new();
                let after = |before, written| {
                    device.0.poke(PMCR, before);
                    device.0.poke(block(0) + 8, 1);
                    device.0.poke(block(0) + 4, 100);
                    device.0.poke(block(1) + 4, 101);
                    device.0.bus().write(PMCR, written);
                    [0, 1].map(|counter| device.0.peek(block(counter) + 4))
                };
                assert_eq!(after(CEN, RST | CEN), [0, 101]);
                assert_eq!(after(CEN, RST), [0, 101], "the same write also stops them");
                assert_eq!(after(0, RST), [100, 101]);
                assert_eq!(after(0, RST | CEN), [100, 101], "the same write also starts them");
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
                device.enable_everything();
                device.0.poke(block(0), 0x6A);
                for (stopped, counted) in [(true, 0), (false, 0x56)] {
                    device.0.set_clock_stopped(stopped);
                    device.0.bus().write(block(0) + 4, 0x55);
                    device.happen(0x3, 0x0A, NonSecure);
                    assert_eq!(device.0.peek(block(0) + 4), counted);
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
