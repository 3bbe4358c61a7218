//! Registers of a CCI-500 or CCI-550, and access rights to them.

use crate::support::{self, Mapped};
use crate::words::*;
use arm_pmu_core::bus::Bus;
use arm_pmu_sim::{AnyOffset, MemoryBus, Register};

use crate::{Device, MASTERS, OBSERVATION, PART};

fn elements() -> impl Iterator<Item = (&'static Register, usize)> {
    support::elements(Device::REGISTERS)
}

/// Whatever an access to any register can need: clocks, and monitors that are not held at zero.
fn enable_everything(device: &Device) {
    device.poke(PMCR, 0x4000 | CEN);
    device.poke(0x104, 1);
    for counter in 0..8 {
        device.poke(control(counter), 1);
    }
}

fn with_map(check: impl Fn(Mapped<'_>)) {
    let device = Device::new();
    check(Mapped {
        registers: Device::REGISTERS,
        length: Device::LENGTH,
        bus: &device.bus(),
        peek: &|offset| device.peek(offset),
        poke: &|offset, value| device.poke(offset, value),
        enable_everything: &|| enable_everything(&device),
    });
}

#[test]
fn the_map_has_no_contradictions() {
    assert_eq!(support::check_map(Device::REGISTERS, Device::LENGTH), 0x90100 + 4 * (MASTERS - 1));
}

#[test]
fn the_registers_are_where_the_documents_say() {
    // Offset, bits that can be written and read, value after reset.
    let mut expected = vec![(0x8, 0b11 | OBSERVATION, 0), (0x100, 0x11, 0x4000), (0x104, 0x1, 0)];
    let identification = [0x84, 0, 0, 0, PART & 0xFF, 0xB4, 0x1B, 0, 0x0D, 0xF0, 0x05, 0xB1];
    expected.extend((0xFD0..).step_by(4).zip(identification).map(|(at, value)| (at, 0, value)));
    for block in (0x10000..0x90000).step_by(0x10000) {
        expected.extend([
            (block, 0x1FF, 0),
            (block + 0x4, u32::MAX, 0),
            (block + 0x8, 0x1, 0),
            (block + 0xC, 0, 0),
        ]);
    }
    expected.extend((0x90000..0x9001C).step_by(4).map(|at| (at, 0, 0)));
    expected.extend((0x90100..).step_by(4).take(MASTERS).map(|at| (at, 0, 0)));

    assert_eq!(support::summary(Device::REGISTERS), expected);

    let device = Device::new();
    let bus = device.bus();
    for (offset, _, reset) in expected {
        assert_eq!(bus.read(offset), reset, "{offset:#x}");
    }
}

#[test]
fn bits_behave_as_their_masks_say() {
    with_map(|map| map.check_every_bit());
}

#[test]
fn between_the_registers_is_nothing() {
    with_map(|map| map.check_gaps());
}

#[test]
fn interface_monitors_are_held_at_zero_unless_enabled() {
    let device = Device::new();
    let bus = device.bus();
    for (first, number, defined) in [(0x90000, 7, u32::MAX), (0x90100, MASTERS, 0x00FF_FF1F)] {
        for offset in (first..).step_by(4).take(number) {
            device.poke(offset, u32::MAX);
            assert_eq!(bus.read(offset), 0, "not enabled");
            bus.write(0x104, 1);
            device.poke(offset, u32::MAX);
            assert_eq!(bus.read(offset), defined);
            bus.write(0x104, 0);
            bus.synchronize();
            assert_eq!(device.peek(offset), 0, "not remembered either");
        }
    }
}

/// The offsets that a master reads and can write, found by trying.
fn reached(device: &Device, bus: &MemoryBus<'_, AnyOffset>) -> Vec<usize> {
    let access = device.peek(SECURE_ACCESS);
    let mut reached = Vec::new();
    for (row, offset) in elements().filter(|(_, offset)| *offset != SECURE_ACCESS) {
        enable_everything(device);
        device.poke(offset, row.readable());
        let read = bus.read(offset) != 0;
        if row.read_write != 0 {
            bus.write(offset, 0);
            bus.synchronize();
            let written = device.peek(offset) & row.read_write == 0;
            assert_eq!(read, written, "{} can be read and written, or neither", row.name);
        }
        if read {
            reached.push(offset);
        }
    }
    assert_eq!(device.peek(SECURE_ACCESS), access);
    reached
}

#[test]
fn secure_access_limits_non_secure_software() {
    let device = Device::new();
    // Access to a register without readable bits is not observable.
    let telling =
        elements().filter(|(row, offset)| row.readable() != 0 && *offset != SECURE_ACCESS);
    let all: Vec<_> = telling.map(|(_, offset)| offset).collect();
    let pmu: Vec<_> = all.iter().copied().filter(|at| !(0xFD0..0x1000).contains(at)).collect();
    assert_eq!(pmu.len(), 2 + 8 * 4 + 7 + MASTERS, "PMCR, IMCR, counter blocks, monitors");
    for (access, expected) in
        [(0b000, &pmu), (0b001, &all), (0b010, &vec![]), (0b011, &all), (0b100, &pmu)]
    {
        device.poke(SECURE_ACCESS, access);
        assert_eq!(&reached(&device, &device.non_secure_bus()), expected, "{access:#b}");
        assert_eq!(reached(&device, &device.bus()), all, "{access:#b}");
    }
}

#[test]
fn only_secure_software_reaches_secure_access() {
    let device = Device::new();
    let (secure, other) = (device.bus(), device.non_secure_bus());
    for access in 0..8 {
        secure.write(SECURE_ACCESS, access);
        secure.synchronize();
        assert_eq!(secure.read(SECURE_ACCESS), access & (0b11 | OBSERVATION));
        assert_eq!(other.read(SECURE_ACCESS), 0, "{access:#b}");
        other.write(SECURE_ACCESS, !access);
        other.synchronize();
        assert_eq!(secure.read(SECURE_ACCESS), access & (0b11 | OBSERVATION));
    }
}
