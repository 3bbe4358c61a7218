//! Registers in CP15.

use std::collections::BTreeMap;

use arm_pmu_core::bus::{Bus as _, Operands};
use arm_pmu_sim::{AnyOperands, Noise};

use super::{Device, Row, compare, row};
use crate::generate::model::{Ip, Location, Register};

/// Operands of a register, in the order of its name.
type Place = [u8; 4];

/// The register that selects counters.
const PMSELR: Place = [0, 9, 12, 5];

fn operands([opc1, crn, crm, opc2]: Place) -> Operands {
    Operands { opc1, crn, crm, opc2 }
}

macro_rules! device {
    ($test:ident $Device:ident $new:ident $registers:ident, $ip:literal, $unit:expr, $selector:expr, $clears:literal) => {
        #[test]
        fn $test() {
            struct Core(arm_pmu_sim::$Device);

            impl Device for Core {
                const IP: &'static str = $ip;
                const UNIT: Option<usize> = $unit;
                const WIDTH: u32 = 32;
                const CLEARS_WHILE: u64 = $clears;
                type Place = Place;

                fn new() -> Self {
                    Self(arm_pmu_sim::$Device::$new())
                }
                fn prepare(&self) {
                    if let Some(selector) = $selector {
                        self.poke(selector, 0);
                    }
                }
                fn places(_: &Ip, register: &Register) -> Vec<Place> {
                    let Location::Cp15 { operands: at, .. } = register.location else {
                        panic!("{} is not in CP15", register.name)
                    };
                    vec![
                        [at.opc1, at.crn, at.crm, at.opc2]
                            .map(|part| u8::try_from(part).expect("an operand")),
                    ]
                }
                fn rows() -> BTreeMap<Place, Row> {
                    let rows = arm_pmu_sim::$Device::$registers.iter().map(|of| {
                        let at = of.operands;
                        let row = row!(
                            of unpredictable: of.unpredictable.into(),
                            should_be_zero: of.should_be_zero.into(),
                            should_be_zero_or_preserved: of.should_be_zero_or_preserved.into(),
                            user: Some(of.user)
                        );
                        ([at.opc1, at.crn, at.crm, at.opc2], row)
                    });
                    rows.collect()
                }
                fn is_switch(at: Place) -> bool {
                    $selector == Some(at)
                }
                fn set_noise(&self, ones: bool) {
                    self.0.set_noise(if ones { Noise::Ones } else { Noise::Zeros });
                }
                fn poke(&self, at: Place, value: u64) {
                    self.0.poke(operands(at), value as u32);
                }
                fn load(&self, at: Place) -> u64 {
                    self.0.bus::<AnyOperands>().mrc(operands(at)).into()
                }
                fn store(&self, at: Place, value: u64) {
                    let bus = self.0.bus::<AnyOperands>();
                    bus.mcr(operands(at), value as u32);
                    bus.synchronize();
                }
            }
            compare::<Core>();
        }
    };
}

const NONE: Option<Place> = None;

device!(arm1136 Arm11 arm1136 ARM1136_REGISTERS, "arm11", Some(0), NONE, 1);
device!(arm1156 Arm11 arm1156 ARM1156_REGISTERS, "arm11", Some(1), NONE, 1);
device!(arm1176 Arm11 arm1176 ARM1176_REGISTERS, "arm11", Some(2), NONE, 1);

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $( device!($pmu $Device new $registers, $name, None, Some(PMSELR), 0); )* };
}

arm_pmu::for_each_pmu!(armv7_pmu => cores);
