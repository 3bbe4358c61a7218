//! One interface to the registers of all simulated devices.

use arm_pmu::bus::{Bus, Operands, SystemRegister};
use arm_pmu_sim::{
    Access, AnyOffset, AnyOperands, AnySystemRegister, Cp15Access, Cp15Bus, Cp15Register,
    MemoryBus, Noise, Register, Response, SysregAccess, SysregBus, SysregRegister, Watched,
};

use crate::traffic::World;

/// Location of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Offset(usize),
    Cp15(Operands),
    System(SystemRegister),
}

impl Place {
    /// Whether the device is a part of the accessing core.
    pub(crate) fn is_in_core(self) -> bool {
        !matches!(self, Self::Offset(_))
    }
}

/// A register without a selector, and the masks of its bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) at: Place,
    pub(crate) readable: u64,
    pub(crate) read_only: u64,
    pub(crate) read_write: u64,
    pub(crate) unknown: u64,
}

/// An entry of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Load(Place, u64),
    Store(Place, u64),
    Synchronize,
}

/// A bus that accesses registers by location.
pub(crate) trait Software {
    fn read(&self, at: Place) -> u64;
    fn write(&self, at: Place, value: u64);
    fn settle(&self);
    fn has_failed(&self) -> bool;
}

/// Implements conversions for one kind of registers.
macro_rules! kind {
    (
        $Key:ty, $kind:ident, $Bus:ident<$Any:ident>: $read:ident $write:ident;
        $Access:ident: $place:ident;
        $Register:ident: $first:ident, |$row:ident| $places:expr, |$key:ident| $index:expr
    ) => {
        impl From<Place> for $Key {
            fn from(place: Place) -> Self {
                match place {
                    Place::$kind(key) => key,
                    _ => panic!("{place:?} belongs to another kind of device"),
                }
            }
        }

        impl Software for $Bus<'_, $Any> {
            fn read(&self, at: Place) -> u64 {
                self.$read(at.into()).into()
            }

            fn write(&self, at: Place, value: u64) {
                self.$write(at.into(), value as _);
            }

            fn settle(&self) {
                self.synchronize();
            }

            fn has_failed(&self) -> bool {
                self.error().is_some()
            }
        }

        impl From<&$Access> for Entry {
            fn from(access: &$Access) -> Self {
                match *access {
                    $Access::Load { $place, value } => {
                        Self::Load(Place::$kind($place), value.into())
                    }
                    $Access::Store { $place, value } => {
                        Self::Store(Place::$kind($place), value.into())
                    }
                    $Access::Synchronize => Self::Synchronize,
                }
            }
        }

        impl IntoRows for $Register {
            fn rows(&self) -> Vec<Row> {
                let $row = self;
                let places = $places;
                let row = |key| Row {
                    name: self.name,
                    at: Place::$kind(key),
                    readable: self.readable().into(),
                    read_only: self.read_only.into(),
                    read_write: self.read_write.into(),
                    unknown: self.unknown.into(),
                };
                places.map(row).collect()
            }

            fn named(&self, name: &str) -> Option<Place> {
                (self.name == name).then_some(Place::$kind(self.$first))
            }

            fn label(&self, at: Place) -> Option<String> {
                let Place::$kind($key) = at else { return None };
                let $row = self;
                let index: Option<usize> = $index;
                let name = self.name;
                let is_array = self.rows().len() > 1;
                index.map(|n| if is_array { format!("{name}[{n}]") } else { name.to_owned() })
            }
        }
    };
}

trait IntoRows {
    fn rows(&self) -> Vec<Row>;
    fn named(&self, name: &str) -> Option<Place>;
    fn label(&self, at: Place) -> Option<String>;
}

kind!(
    usize, Offset, MemoryBus<AnyOffset>: read write;
    Access: offset;
    Register: offset, |row| row.elements(), |key| row.elements().position(|at| at == key)
);
// A register whose meaning depends on a selector is treated as several registers.
kind!(
    Operands, Cp15, Cp15Bus<AnyOperands>: mrc mcr;
    Cp15Access: operands;
    Cp15Register: operands, |row| (row.count == 1).then_some(row.operands).into_iter(),
    |key| (row.operands == key).then_some(0)
);
kind!(
    SystemRegister, System, SysregBus<AnySystemRegister>: mrs msr;
    SysregAccess: register;
    SysregRegister: register, |row| (0..row.count).map(|nth| row.register.plus(nth)),
    |key| (0..row.count).find(|nth| row.register.plus(*nth) == key)
);

/// A simulated device with any kind of registers.
pub(crate) trait Device {
    fn rows(&self) -> Vec<Row>;
    /// Returns a bus of the most privileged software to all registers.
    fn software(&self) -> Box<dyn Software + '_>;
    /// Finds a register by name, including registers that a selector switches. For an array, returns the first element.
    fn named(&self, name: &str) -> Option<Place>;
    /// Name of a register, with the index in an array.
    fn label(&self, at: Place) -> String;
    fn get(&self, at: Place) -> u64;
    fn set(&self, at: Place, value: u64);
    fn journal(&self) -> Vec<Entry>;
    fn clear_journal(&self);
    fn complaints(&self) -> Vec<String>;
    fn power_up(&self);
    fn power_up_with(&self, noise: Noise);
    fn respond_after(&self, accesses: usize, response: Response);
    fn set_posted_stores(&self, posted: bool);
    fn set_stores_ignored(&self, ignored: bool);

    /// A register with at least two bits that keep written values.
    fn scratch(&self) -> Place {
        let holds = |row: &Row| row.read_write & 0b11 == 0b11;
        self.rows().into_iter().find(holds).expect("a register with two bits").at
    }

    /// Contents of all registers.
    fn contents(&self) -> Vec<(&'static str, u64)> {
        self.rows().iter().map(|row| (row.name, self.get(row.at))).collect()
    }
}

/// Returns a bus to all registers of a device. The word before the device is the kind of its
/// registers.
macro_rules! software {
    (memory $device:expr) => {
        $device.bus::<AnyOffset>()
    };
    (pages $device:expr) => {
        $device.region::<AnyOffset>()
    };
    (system $device:expr) => {
        $device.bus::<AnySystemRegister>()
    };
    (system_user $device:expr) => {
        $device.bus::<AnySystemRegister>()
    };
    ($cp15:ident $device:expr) => {
        $device.bus::<AnyOperands>()
    };
}

/// The registers of a device. In a PMCG, the number of counters determines which registers there
/// are.
macro_rules! registers {
    (pages $self:ident $Device:ident $registers:ident) => {
        $self.0.registers()
    };
    ($place:ident $self:ident $Device:ident $registers:ident) => {
        arm_pmu_sim::$Device::$registers
    };
}

/// Registers of EL2 and EL3 that a driver reads.
macro_rules! controls {
    (system arm_pmuv3 $Device:ident) => {
        arm_pmu_sim::$Device::CONTROLS
    };
    ($place:ident $kind:ident $Device:ident) => {
        [] as [SysregRegister; 0]
    };
}

/// Calls a macro with further rows, which look like the rows of `for_each_pmu`. These rows are for drivers in User mode
/// and at EL0, and for a DSU with 32-bit counters.
macro_rules! further_pmus {
    ($with:ident) => {
        $with! {
            cortex_a8_user {
                name: "cortex-a8-user", product: false, kind: armv7_pmu, place: cp15_user, cycles: true,
                krate: arm_pmu::cortex_a8, driver: arm_pmu::cortex_a8, finding: arm_pmu::cortex_a8::Finding,
                device: CortexA8, registers: REGISTERS, events: [0x08, 0x03, 0x04, 0x43, 0x44, 0x01],
            }
            cortex_a53_user {
                name: "cortex-a53-user", product: false, kind: arm_pmuv3, place: system_user, cycles: true,
                krate: arm_pmu::cortex_a53, driver: arm_pmu::cortex_a53, finding: arm_pmu::cortex_a53::Finding,
                device: CortexA53, registers: REGISTERS, events: [0x08, 0x03, 0x04, 0x16, 0x17, 0x01],
            }
            dsu_of_32_bits {
                name: "dsu-32", product: false, kind: dsu, place: system, cycles: true,
                krate: arm_pmu::dsu, driver: arm_pmu::dsu, finding: arm_pmu::dsu::Finding,
                device: Dsu::first, registers: REGISTERS, events: [0x19, 0x1A, 0x29, 0x2A, 0x2B, 0x2C],
            }
        }
    };
}

pub(crate) use further_pmus;

macro_rules! new {
    ($Device:ident) => {
        arm_pmu_sim::$Device::new()
    };
    ($Device:ident $unit:ident) => {
        arm_pmu_sim::$Device::$unit()
    };
}

macro_rules! devices {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, $($rest:tt)*
    })*) => {
        $(
            pub(crate) mod $pmu {
                use super::*;

                pub(crate) struct Simulated(pub(crate) arm_pmu_sim::$Device, pub(crate) World);

                impl Simulated {
                    pub(crate) fn new() -> Self {
                        Self::of(new!($Device $($unit)?))
                    }

                    pub(crate) fn of(device: arm_pmu_sim::$Device) -> Self {
                        Self(device, World::new())
                    }
                }

                impl Device for Simulated {
                    fn rows(&self) -> Vec<Row> {
                        registers!($place self $Device $registers).iter().flat_map(IntoRows::rows).collect()
                    }

                    fn named(&self, name: &str) -> Option<Place> {
                        registers!($place self $Device $registers).iter().find_map(|row| row.named(name))
                    }

                    fn label(&self, at: Place) -> String {
                        let registers = registers!($place self $Device $registers);
                        let label = registers.iter().find_map(|row| row.label(at));
                        let controls = || controls!($place $kind $Device).iter().find_map(|row| row.label(at));
                        label.or_else(controls).unwrap_or_else(|| panic!("no register at {at:?}"))
                    }

                    fn software(&self) -> Box<dyn Software + '_> {
                        Box::new(software!($place self.0))
                    }

                    fn get(&self, at: Place) -> u64 {
                        self.0.peek(at.into()).into()
                    }

                    fn set(&self, at: Place, value: u64) {
                        self.0.poke(at.into(), value as _);
                    }

                    fn journal(&self) -> Vec<Entry> {
                        self.0.journal().iter().map(Entry::from).collect()
                    }

                    fn clear_journal(&self) {
                        self.0.clear_journal();
                    }

                    fn complaints(&self) -> Vec<String> {
                        self.0.complaints()
                    }

                    fn power_up(&self) {
                        self.0.power_up();
                    }

                    fn power_up_with(&self, noise: Noise) {
                        self.0.power_up_with(noise);
                    }

                    fn respond_after(&self, accesses: usize, response: Response) {
                        self.0.respond_after(accesses, response);
                    }

                    fn set_posted_stores(&self, posted: bool) {
                        self.0.set_posted_stores(posted);
                    }

                    fn set_stores_ignored(&self, ignored: bool) {
                        self.0.set_stores_ignored(ignored);
                    }
                }
            }
        )*
    };
}

arm_pmu::for_each_pmu!(devices);
further_pmus!(devices);

macro_rules! each {
    ($($pmu:ident { name: $name:literal, $($rest:tt)* })*) => {
        /// Runs a test on every device with default settings. The second argument of `test` is the
        /// name of the PMU.
        pub(crate) fn each(test: impl Fn(&dyn Device, &str)) {
            $( test(&$pmu::Simulated::new(), $name); )*
        }
    };
}

arm_pmu::for_each_pmu!(each);
