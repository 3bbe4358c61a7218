//! Tests of accesses to the registers of every simulated device, and of register contents after power-up.

use arm_pmu::bus::{Operands, SystemRegister};
use arm_pmu_sim::{Noise, Response};

use crate::registers::{Device, Entry, Place, Software, each};

/// Values of two bits in the device's scratch register.
fn held(device: &dyn Device) -> u64 {
    device.get(device.scratch()) & 0b11
}

#[test]
fn posted_stores_arrive_later() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (bus, at) = (device.software(), device.scratch());
        bus.write(at, 1);
        assert_eq!(held(device), 0, "{name}: posted at first");
        device.set_posted_stores(false);
        assert_eq!(held(device), 1, "{name}: nothing waits any more");
        bus.write(at, 2);
        assert_eq!(held(device), 2, "{name}");
        device.set_posted_stores(true);
        bus.write(at, 3);
        assert_eq!(held(device), 2, "{name}");
        drop(bus);
        assert_eq!(held(device), 3, "{name}: issued stores arrive in the end");
    });
}

#[test]
fn only_core_buses_wait_for_each_other() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (first, second, at) = (device.software(), device.software(), device.scratch());
        let elsewhere = u64::from(at.is_in_core());
        first.write(at, 1);
        second.settle();
        assert_eq!(held(device), elsewhere, "{name}: a synchronization");
        assert_eq!(second.read(at) & 0b11, elsewhere, "{name}: a load");
        assert_eq!(first.read(at) & 0b11, 1, "{name}: a load sees the stores before it");
        first.write(at, 2);
        second.write(at, 3);
        drop(second);
        drop(first);
        assert_eq!(
            held(device),
            2 + elsewhere,
            "{name}: stores arrive in the order in which they were issued"
        );
    });
}

#[test]
fn a_silent_device_ignores_stores_without_an_error() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (bus, at) = (device.software(), device.scratch());
        for (response, read) in [(Response::Zero, 0), (Response::Ones, 0b11)] {
            device.respond_after(0, response);
            bus.write(at, 1);
            assert_eq!(bus.read(at) & 0b11, read, "{name}: {response:?}");
        }
        device.respond_after(0, Response::Registers);
        assert_eq!(bus.read(at) & 0b11, 0, "{name}");
        device.set_stores_ignored(true);
        bus.write(at, 1);
        assert_eq!(bus.read(at) & 0b11, 0, "{name}: loads work");
        device.set_stores_ignored(false);
        bus.write(at, 2);
        assert_eq!(bus.read(at) & 0b11, 2, "{name}");
        assert!(!bus.has_failed(), "{name}");
    });
}

#[test]
fn an_error_fails_one_bus_permanently() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (bus, untouched, at) = (device.software(), device.software(), device.scratch());
        bus.write(at, 1);
        assert_eq!(bus.read(at) & 0b11, 1, "{name}");
        device.respond_after(0, Response::Error);
        assert_eq!(bus.read(at), 0, "{name}");
        assert!(bus.has_failed(), "{name}");
        device.respond_after(0, Response::Registers);
        bus.write(at, 2);
        bus.settle();
        assert_eq!((bus.read(at), bus.has_failed()), (0, true), "{name}: for ever");
        assert_eq!((untouched.read(at) & 0b11, untouched.has_failed()), (1, false), "{name}");
    });
}

#[test]
fn store_errors_are_immediate_only_in_a_core() {
    each(|device, name| {
        let (bus, at) = (device.software(), device.scratch());
        device.respond_after(0, Response::Error);
        bus.write(at, 1);
        assert_eq!(bus.has_failed(), at.is_in_core(), "{name}");
        bus.settle();
        assert!(bus.has_failed(), "{name}");
    });
}

#[test]
fn the_response_changes_after_some_accesses() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (bus, at) = (device.software(), device.scratch());
        device.respond_after(2, Response::Error);
        for value in [1, 2, 3] {
            bus.write(at, value);
        }
        bus.settle();
        assert_eq!((held(device), bus.has_failed()), (2, true), "{name}: the third store failed");
    });
}

#[test]
fn the_journal_is_in_the_order_of_issue() {
    each(|device, name| {
        device.power_up_with(Noise::Zeros);
        let (bus, at) = (device.software(), device.scratch());
        bus.write(at, 1);
        assert_eq!(device.journal(), [Entry::Store(at, 1)], "{name}: not arrived yet");
        let read = bus.read(at);
        bus.settle();
        device.set(at, 3);
        device.respond_after(0, Response::Error);
        let _ = bus.read(at);
        let expected =
            [Entry::Store(at, 1), Entry::Load(at, read), Entry::Synchronize, Entry::Load(at, 0)];
        assert_eq!((device.journal(), read & 0b11), (expected.to_vec(), 1), "{name}");
        device.clear_journal();
        assert_eq!(device.journal(), [], "{name}");
    });
}

#[test]
fn power_loss_drops_stores_and_restores_reset_values() {
    each(|device, name| {
        let (bus, new) = (device.software(), device.contents());
        for row in device.rows() {
            device.set(row.at, u64::MAX);
        }
        bus.write(device.scratch(), 1);
        device.power_up();
        let first = device.contents();
        bus.settle();
        assert_eq!(device.contents(), first, "{name}");
        for (row, (_, new)) in device.rows().iter().zip(new) {
            assert_eq!(
                device.get(row.at) & !row.unknown,
                new & !row.unknown,
                "{name}: {}",
                row.name
            );
        }
        let has_unknown_bits = device.rows().iter().any(|row| row.unknown != 0);
        device.power_up();
        assert_eq!(
            device.contents() != first,
            has_unknown_bits,
            "{name}: new noise at each power-up"
        );
    });
}

#[test]
fn power_up_noise_leaves_read_only_bits() {
    each(|device, name| {
        let new = device.contents();
        let with = |noise| {
            device.power_up_with(noise);
            let rows = device.rows();
            // An acknowledge register has the contents of the acknowledged register.
            let known = rows
                .iter()
                .zip(&new)
                .filter(|(row, _)| row.unknown == 0 && row.name != "IRQ_CTRLACK");
            for (row, (_, new)) in known {
                assert_eq!(
                    device.get(row.at) & row.read_only,
                    new & row.read_only,
                    "{name}: {}",
                    row.name
                );
            }
            device.contents()
        };
        let (zeros, ones) = (with(Noise::Zeros), with(Noise::Ones));
        let pairs = zeros.iter().zip(&ones).zip(device.rows());
        let changed: Vec<&str> = pairs
            .filter(|((zeros, ones), row)| {
                let bits = row.readable & (!row.read_only | row.unknown);
                let is_changed = zeros != ones;
                let all = match row.name {
                    // A product may have 24-bit StreamIDs.
                    "SMR0" => 0x00FF_FFFF,
                    // By default, a PMU has no thresholds, and their bits are zero.
                    "PMEVTYPER_EL0" => bits & 0xFFFF_FFFF,
                    _ => bits,
                };
                assert!(!is_changed || (zeros.1 ^ ones.1) & all == all, "{name}: {}", row.name);
                is_changed
            })
            .map(|((zeros, _), _)| zeros.0)
            .collect();
        // A selector that contains zeros selects counter 0, which contains zeros too. A selector that contains ones
        // selects no counter.
        let selected = ["CLUSTERPMXEVTYPER_EL1", "CLUSTERPMXEVCNTR_EL1"];
        let fixed = [&["SECURE_ACCESS", "IMCR", "SI_MON", "MI_MON", "SCR"], &selected[..]].concat();
        for row in device.rows().iter().filter(|row| row.readable & !row.read_only != 0) {
            assert!(
                changed.contains(&row.name) != fixed.contains(&row.name),
                "{name}: {}",
                row.name
            );
        }
        let some = with(Noise::Seeded(1));
        assert_eq!(with(Noise::Seeded(1)), some, "{name}: the same seed, the same noise");
        assert_ne!(with(Noise::Seeded(2)), some, "{name}");
        assert!(some != zeros && some != ones, "{name}");
    });
}

/// Locations next to the registers, and distant locations.
fn neighbours(at: Place) -> Vec<Place> {
    match at {
        Place::Offset(offset) => {
            vec![Place::Offset(offset.saturating_sub(4)), Place::Offset(offset + 4)]
        }
        Place::Cp15(Operands { opc1, crn, crm, opc2 }) => {
            let operands = [
                (opc1 ^ 1, crn, crm, opc2),
                (opc1, crn ^ 1, crm, opc2),
                (opc1, crn, crm ^ 1, opc2),
                (opc1, crn, crm, opc2 ^ 1),
                (opc1, crn, crm, opc2 ^ 4),
            ];
            operands
                .map(|(opc1, crn, crm, opc2)| Operands { opc1, crn, crm, opc2 })
                .map(Place::Cp15)
                .to_vec()
        }
        Place::System(SystemRegister { op0, op1, crn, crm, op2 }) => {
            let encodings = [
                (op0 ^ 1, op1, crn, crm, op2),
                (op0, op1 ^ 1, crn, crm, op2),
                (op0, op1, crn ^ 1, crm, op2),
                (op0, op1, crn, crm ^ 1, op2),
                (op0, op1, crn, crm, op2 ^ 1),
                (op0, op1, crn, crm, op2 ^ 4),
            ];
            encodings
                .map(|(op0, op1, crn, crm, op2)| SystemRegister { op0, op1, crn, crm, op2 })
                .map(Place::System)
                .to_vec()
        }
    }
}

#[test]
fn unlisted_registers_are_undefined_or_zero() {
    each(|device, name| {
        let registers = device.rows();
        let is_register = |at: &Place| registers.iter().any(|row| row.at == *at);
        let before = device.contents();
        for beside in
            registers.iter().flat_map(|row| neighbours(row.at)).filter(|at| !is_register(at))
        {
            // Selected registers, and locations outside of the region, have separate tests.
            if matches!(beside, Place::Cp15(Operands { crn: 9, crm: 13, opc2: 1 | 2, .. })) {
                continue;
            }
            let (load, store): (Box<dyn Software>, Box<dyn Software>) =
                (device.software(), device.software());
            assert_eq!(load.read(beside), 0, "{name}: {beside:?}");
            store.write(beside, u64::MAX);
            store.settle();
            for bus in [load, store] {
                assert_eq!(bus.has_failed(), beside.is_in_core(), "{name}: {beside:?}");
            }
        }
        assert_eq!(device.contents(), before, "{name}");
    });
}
