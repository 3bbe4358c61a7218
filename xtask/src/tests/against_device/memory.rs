//! Memory-mapped registers.

use std::collections::BTreeMap;

use arm_pmu_core::bus::Bus as _;

use super::{Device, Row, compare, ip, row};
use crate::generate::model::{Ip, Location, Register, Space};

/// The offsets of the elements of a register.
fn offsets(ip: &Ip, unit: Option<usize>, register: &Register) -> Vec<usize> {
    let Location::Memory { page, offset, count, stride, .. } = register.location else {
        panic!("{} is not in memory", register.name)
    };
    let base = match (page, unit) {
        (Some(page), Some(unit)) => ip.units[unit].pages[page].offset,
        _ => 0,
    };
    (0..count).map(|number| (base + offset + number * stride) as usize).collect()
}

/// The length of the device, or of all its pages.
fn length(ip: &Ip, unit: Option<usize>) -> usize {
    let length = match &ip.space {
        Space::Region { length } => *length,
        Space::Pages(pages) => {
            let unit = &ip.units[unit.expect("a unit")];
            let ends = pages.iter().zip(&unit.pages).map(|(page, at)| at.offset + page.length);
            ends.max().expect("a page")
        }
        Space::Cp15 | Space::System => panic!("not in memory"),
    };
    length as usize
}

macro_rules! device {
    (
        $test:ident: $Device:ident, $ip:literal, $unit:expr, $new:expr, $bus:ident, $length:ident $registers:ident,
        switches: $switches:expr, on: $on:expr
    ) => {
        #[test]
        fn $test() {
            use arm_pmu_sim::$Device;

            struct Of($Device);

            impl Device for Of {
                const IP: &'static str = $ip;
                const UNIT: Option<usize> = $unit;
                const WIDTH: u32 = 32;
                type Place = usize;

                fn new() -> Self {
                    Self($new)
                }
                fn prepare(&self) {
                    let on: fn(&$Device) = $on;
                    on(&self.0);
                }
                fn places(ip: &Ip, register: &Register) -> Vec<usize> {
                    offsets(ip, $unit, register)
                }
                fn rows() -> BTreeMap<usize, Row> {
                    let rows = $Device::$registers.iter();
                    rows.flat_map(|of| of.elements().map(move |at| (at, row!(of)))).collect()
                }
                fn is_switch(at: usize) -> bool {
                    let switches: &[usize] = &$switches;
                    switches.contains(&at)
                }
                fn poke(&self, at: usize, value: u64) {
                    self.0.poke(at, value as u32);
                }
                fn load(&self, at: usize) -> u64 {
                    self.0.$bus().read(at).into()
                }
                fn store(&self, at: usize, value: u64) {
                    let bus = self.0.$bus();
                    bus.write(at, value as u32);
                    bus.synchronize();
                }
            }
            assert_eq!(length(ip($ip), $unit), $Device::$length);
            compare::<Of>();
        }
    };
}

device!(
    cci400: Cci400, "cci400", None, Cci400::new(), bus, LENGTH REGISTERS,
    switches: [0x100], on: |device| device.poke(0x100, 1)
);
device!(
    l2c_310: L2c310, "l2c-310", None, L2c310::new(), bus, LENGTH REGISTERS, switches: [], on: |_| {}
);

// Counters have a clock only while they and the PMU are enabled; monitors show values only while
// they are enabled.
macro_rules! cci5xx {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $(
        device!(
            $pmu: $Device, $name, None, $Device::new(), bus, LENGTH $registers,
            switches: [0x100, 0x104], on: |device| {
                device.poke(0x100, 1);
                device.poke(0x104, 1);
                for block in 1..=8 {
                    device.poke(0x1_0000 * block + 0x8, 1);
                }
            }
        );
    )* };
}

arm_pmu::for_each_pmu!(cci5xx => cci5xx);

device!(
    mmu600_tcu: Mmu600, "mmu600", Some(0), Mmu600::tcu(), region, TCU_LENGTH TCU_REGISTERS,
    switches: [], on: |device| device.set_stream_bits(32)
);
device!(
    mmu600_tbu: Mmu600, "mmu600", Some(1), Mmu600::tbu(), region, TBU_LENGTH TBU_REGISTERS,
    switches: [], on: |device| device.set_stream_bits(32)
);
device!(
    mmu700_tcu: Mmu700, "mmu700", Some(0), with_32_counters(Mmu700::tcu()), region, TCU_LENGTH TCU_REGISTERS,
    switches: [], on: |_| {}
);
device!(
    mmu700_tbu: Mmu700, "mmu700", Some(1), with_32_counters(Mmu700::tbu()), region, TBU_LENGTH TBU_REGISTERS,
    switches: [], on: |_| {}
);

/// Returns the device with as many counters as the spec describes.
fn with_32_counters(device: arm_pmu_sim::Mmu700) -> arm_pmu_sim::Mmu700 {
    device.set_counters(32);
    device
}
