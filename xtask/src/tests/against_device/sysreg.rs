//! AArch64 system registers.

use std::collections::BTreeMap;

use arm_pmu_core::bus::{Bus as _, SystemRegister};
use arm_pmu_sim::AnySystemRegister;

use super::{Device, Row, compare, row};
use crate::generate::model::{Ip, Location, Register};

/// Numbers of an encoding, in the order of its name.
type Place = [u8; 5];

/// The register that selects counters of a cluster.
const CLUSTERPMSELR: Place = [3, 0, 15, 5, 5];

/// The register that tells how many bits PMEVTYPER has for a threshold.
const PMMIR: Place = [3, 0, 9, 14, 6];

fn register([op0, op1, crn, crm, op2]: Place) -> SystemRegister {
    SystemRegister { op0, op1, crn, crm, op2 }
}

/// The elements of a register.
fn places(first: SystemRegister, count: usize) -> impl Iterator<Item = Place> {
    let elements = (0..count).map(move |number| first.plus(number));
    elements.map(|at| [at.op0, at.op1, at.crn, at.crm, at.op2])
}

macro_rules! core {
    // The simulated device has the registers of any core, but the spec has only the common ones.
    (false $($every_core:tt)*) => {};
    (true $pmu:ident $name:literal $Device:ident $registers:ident) => {
        #[test]
        fn $pmu() {
            struct Core(arm_pmu_sim::$Device);

            impl Device for Core {
                const IP: &'static str = $name;
                const UNIT: Option<usize> = None;
                const WIDTH: u32 = 64;
                type Place = Place;

                fn new() -> Self {
                    Self(arm_pmu_sim::$Device::new())
                }
                fn prepare(&self) {
                    if Self::rows().contains_key(&PMMIR) {
                        self.poke(PMMIR, 12 << 20);
                    }
                    if let Some(selector) = Self::rows().contains_key(&CLUSTERPMSELR).then_some(CLUSTERPMSELR) {
                        self.poke(selector, 0);
                    }
                }
                fn is_switch(at: Place) -> bool {
                    at == CLUSTERPMSELR
                }
                fn places(_: &Ip, register: &Register) -> Vec<Place> {
                    let Location::System { register: of, count, .. } = register.location else {
                        panic!("{} is no system register", register.name)
                    };
                    let [op0, op1, crn, crm, op2] = [of.op0, of.op1, of.crn, of.crm, of.op2]
                        .map(|number| u8::try_from(number).expect("a number of an encoding"));
                    places(SystemRegister { op0, op1, crn, crm, op2 }, count as usize).collect()
                }
                fn rows() -> BTreeMap<Place, Row> {
                    let rows = arm_pmu_sim::$Device::$registers.iter();
                    let rows = rows.flat_map(|of| {
                        places(of.register, of.count).map(|at| (at, row!(of user: Some(of.user))))
                    });
                    rows.collect()
                }
                fn poke(&self, at: Place, value: u64) {
                    self.0.poke(register(at), value);
                }
                fn load(&self, at: Place) -> u64 {
                    self.0.bus::<AnySystemRegister>().mrs(register(at))
                }
                fn store(&self, at: Place, value: u64) {
                    let bus = self.0.bus::<AnySystemRegister>();
                    bus.msr(register(at), value);
                    bus.synchronize();
                }
            }
            compare::<Core>();
        }
    };
}

macro_rules! cores {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident, registers: $registers:ident, $($rest:tt)*
    })*) => { $( core!($product $pmu $name $Device $registers); )* };
}

arm_pmu::for_each_pmu!(arm_pmuv3 => cores);
arm_pmu::for_each_pmu!(dsu => cores);
