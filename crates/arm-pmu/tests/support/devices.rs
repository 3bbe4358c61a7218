//! One interface to all simulated devices, for generic tests. `for_each_pmu` has the list.
#![allow(dead_code, reason = "no test needs all of it")]

use arm_pmu::diagnose::Diagnose;
use arm_pmu::event::EventOrCycles;
use arm_pmu::measure::{Rearm, StartStop};
use arm_pmu_sim::{Cp15Bus, MemoryBus, Noise, Response, Security, Stream, SysregBus};

/// Number of events used of each device: more than some PMUs can count at once, fewer than others.
pub const EVENTS: usize = 6;

/// A simulated device, its driver, and some of its events.
pub trait Device {
    /// Name of the PMU, as in the specs.
    const NAME: &'static str;
    /// Name of its architecture, or of the IP where no other has its driver.
    const KIND: &'static str;
    /// Whether a counter saturates.
    const SATURATES: bool;

    type Simulated;
    type Selection: Copy + PartialEq + std::fmt::Debug;
    type Pmu<'d>: StartStop<Selection = Self::Selection, Running: Rearm> + Diagnose
    where
        Self: 'd;

    fn new() -> Self;
    fn simulated(&self) -> &Self::Simulated;
    /// Sets unknown bits to 0, where the device has some.
    fn quiet(&self);
    fn pmu(&self) -> Self::Pmu<'_>;
    fn selections() -> [Self::Selection; EVENTS];
    /// The event with this id.
    fn event(id: u16) -> Self::Selection;
    /// Signals an event, or cycles, this many times.
    fn happens(&self, what: Self::Selection, times: u32);
    /// Signals the event this many times.
    fn signal(&self, nth: usize, times: u32);
    /// Cycles pass.
    fn cycles(&self, cycles: u64);
    /// Answers all accesses with this response, after this many more accesses.
    fn respond_after(&self, accesses: usize, response: Response);
}

/// `Device::new()`, or the constructor of a unit.
macro_rules! simulated {
    ($Device:ident) => {
        arm_pmu_sim::$Device::new()
    };
    ($Device:ident $unit:ident) => {
        arm_pmu_sim::$Device::$unit()
    };
}

/// The type of a driver on the bus of a simulated device.
macro_rules! driver {
    (memory $d:lifetime) => { driver::Pmu<MemoryBus<$d, krate::Space>> };
    (cp15 $d:lifetime) => { driver::Pmu<Cp15Bus<$d, krate::Space>> };
    (system $d:lifetime) => { driver::Pmu<SysregBus<$d, krate::Space>> };
    (pages $d:lifetime) => {
        driver::Pmu<
            MemoryBus<$d, krate::registers::Page0>,
            MemoryBus<$d, krate::registers::Page1>,
        >
    };
}

/// A new driver.
macro_rules! pmu {
    (pages $device:expr) => {
        driver::Pmu::new($device.page0(), $device.page1())
    };
    ($place:ident $device:expr) => {
        driver::Pmu::new($device.bus())
    };
}

/// Selections of a driver with a cycle counter, and of a driver without.
macro_rules! selection {
    (true) => { EventOrCycles<driver::Selection> };
    (false) => { driver::Selection };
}

/// An event of a driver with a cycle counter, or of a driver without.
macro_rules! event {
    (true $event:expr) => {
        EventOrCycles::Event($event)
    };
    (false $event:expr) => {
        $event
    };
}

/// An event happens, or cycles pass.
macro_rules! happens {
    (true $device:expr, $what:expr, $times:expr) => {
        match $what {
            EventOrCycles::Event(event) => $device.signal_event(event, $times),
            EventOrCycles::Cycles => $device.cycles($times.into()),
        }
    };
    (false $device:expr, $what:expr, $times:expr) => {
        $device.signal_event($what, $times)
    };
}

/// An event happens in a device of this kind.
macro_rules! signal {
    (cci400 $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Security::NonSecure, $times)
    };
    (cci5xx $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Security::NonSecure, $times)
    };
    (smmuv3_pmcg $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, Stream::non_secure(7), $times)
    };
    ($core:ident $device:expr, $event:expr, $times:expr) => {
        $device.signal($event, $times)
    };
}

/// Cycles pass in a device of this kind, if it has a clock.
macro_rules! clock {
    (cci5xx $device:expr, $cycles:expr) => {{
        let _ = $cycles;
    }};
    (l2c_310 $device:expr, $cycles:expr) => {{
        let _ = $cycles;
    }};
    ($clocked:ident $device:expr, $cycles:expr) => {
        $device.clock($cycles)
    };
}

/// Sets unknown bits to 0 in a device that has some.
macro_rules! quiet {
    (memory $device:expr) => {};
    (pages $device:expr) => {};
    ($core:ident $device:expr) => {
        $device.set_noise(Noise::Zeros);
        $device.power_up();
    };
}

macro_rules! saturates {
    (l2c_310) => {
        true
    };
    ($wraps:ident) => {
        false
    };
}

macro_rules! devices {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, events: [$($id:literal),*], $($rest:tt)*
    })*) => { $(
        #[allow(unused_imports, reason = "the bus depends on the device")]
        pub mod $pmu {
            use super::*;
            use $driver as driver;
            use $krate as krate;

            pub struct Simulated(arm_pmu_sim::$Device);

            pub fn events() -> [driver::Selection; EVENTS] {
                [$($id),*].map(|id: u16| driver::Selection::from_id(id).expect("a listed event"))
            }

            impl Simulated {
                /// Signals an event of this PMU.
                pub fn signal_event(&self, event: driver::Selection, times: u32) {
                    signal!($kind self.0, event, times);
                }
            }

            impl Device for Simulated {
                const NAME: &'static str = $name;
                const KIND: &'static str = stringify!($kind);
                const SATURATES: bool = saturates!($kind);

                type Simulated = arm_pmu_sim::$Device;
                type Selection = selection!($cycles);
                type Pmu<'d> = driver!($place 'd);

                fn new() -> Self {
                    Self(simulated!($Device $($unit)?))
                }

                fn simulated(&self) -> &Self::Simulated {
                    &self.0
                }

                fn pmu(&self) -> Self::Pmu<'_> {
                    pmu!($place self.0)
                }

                fn selections() -> [Self::Selection; EVENTS] {
                    events().map(Into::into)
                }

                fn quiet(&self) {
                    quiet!($place self.0);
                }

                fn event(id: u16) -> Self::Selection {
                    event!($cycles driver::Selection::from_id(id).expect("a listed event"))
                }

                fn happens(&self, what: Self::Selection, times: u32) {
                    happens!($cycles self, what, times);
                }

                fn signal(&self, nth: usize, times: u32) {
                    self.signal_event(events()[nth], times);
                }

                fn cycles(&self, cycles: u64) {
                    clock!($kind self.0, cycles);
                }

                fn respond_after(&self, accesses: usize, response: Response) {
                    self.0.respond_after(accesses, response);
                }
            }
        }
    )* };
}

arm_pmu::for_each_pmu!(devices);
