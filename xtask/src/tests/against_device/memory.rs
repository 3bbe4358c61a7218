//! Memory-mapped registers.

use std::collections::BTreeMap;

use arm_pmu_core::bus::Bus;
use arm_pmu_sim::Mmu700;
use arm_pmu_sim::{Cci400, L2c310, Mmu600};

use super::{ip, patterns};
use crate::generate::model::{Access, Content, Ip, Location, Named, Register, Reserved, Space};

/// A simulated device, as far as this comparison needs it.
trait Device {
    const IP: &'static str;
    /// Which unit of the IP it is.
    const UNIT: Option<usize>;
    const LENGTH: usize;
    const REGISTERS: &'static [arm_pmu_sim::Register];
    /// Registers that enable or hide other registers: compared one access at a time.
    const SWITCHES: &'static [usize];

    fn new() -> Self;
    /// Everything that can be switched on is on.
    fn switch_on(&self);
    fn peek(&self, offset: usize) -> u32;
    fn poke(&self, offset: usize, value: u32);
    fn load(&self, offset: usize) -> u32;
    fn store(&self, offset: usize, value: u32);
}

macro_rules! device {
    (
        $Of:ident: $ip:literal, unit: $unit:expr, length: $length:expr, registers: $registers:expr,
        switches: $switches:expr, new: $new:expr, bus: $bus:ident, on: $on:expr
    ) => {
        impl Device for $Of {
            const IP: &'static str = $ip;
            const UNIT: Option<usize> = $unit;
            const LENGTH: usize = $length;
            const REGISTERS: &'static [arm_pmu_sim::Register] = $registers;
            const SWITCHES: &'static [usize] = &$switches;

            fn new() -> Self {
                Self($new)
            }
            fn switch_on(&self) {
                let on: fn(&Self) = $on;
                on(self);
            }
            fn peek(&self, offset: usize) -> u32 {
                self.0.peek(offset)
            }
            fn poke(&self, offset: usize, value: u32) {
                self.0.poke(offset, value);
            }
            fn load(&self, offset: usize) -> u32 {
                self.0.$bus().read(offset)
            }
            fn store(&self, offset: usize, value: u32) {
                let bus = self.0.$bus();
                bus.write(offset, value);
                bus.synchronize();
            }
        }
    };
}

struct OfCci400(Cci400);
device!(
    OfCci400: "cci400", unit: None, length: Cci400::LENGTH, registers: Cci400::REGISTERS,
    switches: [0x100], new: Cci400::new(), bus: bus, on: |device| device.poke(0x100, 1)
);

// Counters have a clock while they and the PMU are enabled; monitors show something while they are.
macro_rules! cci5xx {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $(
        mod $pmu {
            use arm_pmu_sim::$Device;

            use super::*;

            struct Interconnect($Device);
            device!(
                Interconnect: $name, unit: None, length: $Device::LENGTH, registers: $Device::$registers,
                switches: [0x100, 0x104], new: $Device::new(), bus: bus, on: |device| {
                    device.poke(0x100, 1);
                    device.poke(0x104, 1);
                    for block in 1..=8 {
                        device.poke(0x1_0000 * block + 0x8, 1);
                    }
                }
            );
            compare!(registers: Interconnect);
        }
    )* };
}

arm_pmu::for_each_pmu!(cci5xx => cci5xx);

struct OfTcu(Mmu600);
device!(
    OfTcu: "mmu600", unit: Some(0), length: Mmu600::TCU_LENGTH, registers: Mmu600::TCU_REGISTERS,
    switches: [], new: Mmu600::tcu(), bus: region, on: |device| device.0.set_stream_bits(32)
);

struct OfTbu(Mmu600);
device!(
    OfTbu: "mmu600", unit: Some(1), length: Mmu600::TBU_LENGTH, registers: Mmu600::TBU_REGISTERS,
    switches: [], new: Mmu600::tbu(), bus: region, on: |device| device.0.set_stream_bits(32)
);

struct OfL2c310(L2c310);
device!(
    OfL2c310: "l2c-310", unit: None, length: L2c310::LENGTH, registers: L2c310::REGISTERS,
    switches: [], new: L2c310::new(), bus: bus, on: |_| {}
);

struct OfTcu700(Mmu700);
device!(
    OfTcu700: "mmu700", unit: Some(0), length: Mmu700::TCU_LENGTH, registers: Mmu700::TCU_REGISTERS,
    switches: [], new: with_32_counters(Mmu700::tcu()), bus: region, on: |_| {}
);

struct OfTbu700(Mmu700);
device!(
    OfTbu700: "mmu700", unit: Some(1), length: Mmu700::TBU_LENGTH, registers: Mmu700::TBU_REGISTERS,
    switches: [], new: with_32_counters(Mmu700::tbu()), bus: region, on: |_| {}
);

/// As many counters as the spec describes.
fn with_32_counters(device: Mmu700) -> Mmu700 {
    device.set_counters(32);
    device
}

/// One element of a register.
struct Element {
    register: Register,
    number: u32,
}

/// The word at each offset of a unit of the IP.
fn words(ip: &Ip, unit: Option<usize>) -> BTreeMap<usize, Element> {
    let registers = match unit {
        Some(unit) => ip.registers_of(unit),
        None => ip.registers.clone(),
    };
    let mut words = BTreeMap::new();
    for register in registers.iter().flat_map(Register::words) {
        let Location::Memory { page, offset, count, stride, .. } = register.location else {
            panic!("{} is not in memory", register.name)
        };
        let base = match (page, unit) {
            (Some(page), Some(unit)) => ip.units[unit].pages[page].offset,
            _ => 0,
        };
        for number in 0..count {
            let register = register.clone();
            words.insert((base + offset + number * stride) as usize, Element { register, number });
        }
    }
    words
}

/// The bits of a register by kind, as masks of the spec.
#[derive(Debug, PartialEq, Eq)]
struct Masks {
    read_write: u32,
    read_only: u32,
    write_one_to_act: u32,
    write_one_to_clear: u32,
    write_one_to_set: u32,
}

fn masks(element: &Element) -> Masks {
    let Element { register, number } = element;
    let is_here = |field: &Named| field.elements.is_empty() || field.elements.contains(number);
    let of = |wanted: Access| {
        let fields = register.named().filter(|(_, field)| field.access == wanted && is_here(field));
        fields.fold(0, |mask, (bits, _)| mask | bits.mask() as u32)
    };
    for field in &register.fields {
        match &field.content {
            Content::Named(named) if named.access != Access::WriteOnly => {}
            Content::Reserved(Reserved::Zero) => {}
            _ => panic!("{}: this comparison does not know such bits yet", register.name),
        }
    }
    Masks {
        read_write: of(Access::ReadWrite),
        read_only: of(Access::ReadOnly),
        write_one_to_act: of(Access::WriteOneActs),
        write_one_to_clear: of(Access::WriteOneClears),
        write_one_to_set: of(Access::WriteOneSets),
    }
}

fn the_maps_agree<D: Device>() {
    let ip = ip(D::IP);
    let length = match &ip.space {
        Space::Region { length } => *length,
        Space::Pages(pages) => {
            let unit = &ip.units[D::UNIT.expect("a unit")];
            let ends = pages.iter().zip(&unit.pages).map(|(page, at)| at.offset + page.length);
            ends.max().expect("a page")
        }
        Space::Cp15 | Space::System => panic!("not in memory"),
    };
    assert_eq!(length as usize, D::LENGTH);
    let spec = words(&ip, D::UNIT);
    let of_device: BTreeMap<usize, &arm_pmu_sim::Register> = D::REGISTERS
        .iter()
        .flat_map(|register| register.elements().map(move |offset| (offset, register)))
        .collect();
    assert!(spec.keys().eq(of_device.keys()), "the same offsets hold registers");
    for (offset, element) in &spec {
        let name = &element.register.name;
        let other = of_device[offset];
        let expected = Masks {
            read_write: other.read_write,
            read_only: other.read_only,
            write_one_to_act: other.write_one_to_act,
            write_one_to_clear: other.write_one_to_clear,
            write_one_to_set: other.write_one_to_set,
        };
        assert_eq!(masks(element), expected, "{name} at {offset:#x}");
        let [reset] = &element.register.resets[..] else { panic!("{name}: one unit, one reset") };
        match reset.value {
            Some(value) => assert_eq!((value as u32, 0), (other.reset, other.unknown), "{name}"),
            // Unwritable bits have arbitrary values in the part that the device simulates.
            None => assert!(other.unknown != 0 || other.read_write == 0, "{name}"),
        }
    }
}

fn every_bit_behaves_as_the_spec_says<D: Device>() {
    let words = words(&ip(D::IP), D::UNIT);
    let mut compared = 0;
    for (offset, element) in &words {
        let (offset, name, masks) = (*offset, &element.register.name, masks(element));
        for before in patterns() {
            let device = D::new();
            device.switch_on();
            device.poke(offset, before);
            let old = device.peek(offset);
            // Unimplemented bits cannot be set, not even from inside.
            let behind = masks.read_write
                | masks.read_only
                | masks.write_one_to_clear
                | masks.write_one_to_set;
            assert_eq!(old, before & behind, "{name}: width");
            assert!(D::SWITCHES.contains(&offset) || device.load(offset) == old, "{name}");
            for written in patterns() {
                if D::SWITCHES.contains(&offset) {
                    continue;
                }
                device.poke(offset, before);
                device.store(offset, written);
                let expected = written & masks.read_write
                    | old & masks.read_only
                    | old & !written & masks.write_one_to_clear
                    | (old | written) & masks.write_one_to_set;
                assert_eq!(device.load(offset), expected, "{name}: {before:#x}, then {written:#x}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, (words.len() - D::SWITCHES.len()) * 34 * 34);
    for offset in D::SWITCHES {
        let element = &words[offset];
        let masks = masks(element);
        for written in patterns() {
            let device = D::new();
            let old = device.load(*offset);
            device.store(*offset, written);
            let expected = written & masks.read_write | old & masks.read_only;
            let name = &element.register.name;
            assert_eq!(device.load(*offset), expected, "{name}: {written:#x}");
        }
    }
}

fn what_modify_and_write_start_from_harms_nothing<D: Device>() {
    let words = words(&ip(D::IP), D::UNIT);
    for element in words.values().filter(|element| element.number == 0) {
        let (register, masks) = (&element.register, masks(element));
        assert_eq!(register.keep(), u64::from(masks.read_write), "{}", register.name);
        let reset = register.resets[0].value.unwrap_or(0) as u32;
        assert_eq!(register.initial(), u64::from(reset & masks.read_write), "{}", register.name);
    }
}

compare!(cci400: OfCci400);
compare!(l2c_310: OfL2c310);
compare!(mmu600_tcu: OfTcu);
compare!(mmu600_tbu: OfTbu);
compare!(mmu700_tcu: OfTcu700);
compare!(mmu700_tbu: OfTbu700);
