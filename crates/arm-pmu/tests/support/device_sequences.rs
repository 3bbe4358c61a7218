//! Register accesses on the simulated devices, in order, and the values that the documents give for each read.
//!
//! The rows are in `device_sequences.csv`. A sequence begins at step 1, on a device whose unknown bits are 0.

use crate::devices::{self, Device};
use arm_pmu::bus::{Bus as _, SystemRegister};
use arm_pmu::count::Count;
use arm_pmu::measure::{Monitor as _, RunningMonitor as _, StartStop};
use arm_pmu_sim::{AnyOffset, AnyOperands, AnySystemRegister, SysregRegister, Watched as _};

/// A device, accessed by the names of registers and events.
trait Played {
    fn write(&self, register: &str, value: u64);
    fn read(&self, register: &str) -> u64;
    fn signal(&self, event: &str, times: u32);
    /// Driver's count after 2^32 + 3 events.
    fn counted(&self) -> String;
    fn complaints(&self) -> Vec<String>;
}

fn counted<D: Device>(device: &D) -> String {
    let mut pmu = device.pmu();
    pmu.assign(&D::selections()[..1]).unwrap();
    let running = pmu.start();
    for times in [1 << 31, 1 << 31, 3] {
        device.signal(0, times);
    }
    let mut read = [Count::NOT_COUNTED];
    running.read(&mut read);
    let [read] = read;
    let stopped = <D::Pmu<'_> as StartStop>::stop(running).count(0);
    assert_eq!(read, stopped);
    let overflowed = if read.overflowed() { " and overflowed" } else { "" };
    format!("{:#x}{overflowed}", read.wrapping_value())
}

/// The register with this name, or the element of an array: PMEVCNTR2_EL0 of PMEVCNTR_EL0.
fn system(rows: &[SysregRegister], name: &str) -> SystemRegister {
    let place = |row: &SysregRegister| {
        let (start, end) = row.name.split_once('_')?;
        let number = name.strip_prefix(start)?.strip_suffix(end)?.strip_suffix('_')?;
        let element = if number.is_empty() { 0 } else { number.parse().ok()? };
        (element < row.count).then(|| row.register.plus(element))
    };
    rows.iter().find_map(place).unwrap_or_else(|| panic!("no register {name}"))
}

/// The row with this name.
macro_rules! named {
    ($rows:expr, $name:ident) => {
        $rows
            .iter()
            .find(|row| row.name == $name)
            .unwrap_or_else(|| panic!("no register {}", $name))
    };
}

/// Writes the register with this name.
macro_rules! write {
    (system $device:expr, $rows:expr, $name:ident, $value:ident) => {{
        let bus = $device.bus::<AnySystemRegister>();
        bus.msr(system($rows, $name), $value);
        bus.synchronize();
    }};
    (cp15 $device:expr, $rows:expr, $name:ident, $value:ident) => {{
        let bus = $device.bus::<AnyOperands>();
        bus.mcr(named!($rows, $name).operands, $value.try_into().unwrap());
        bus.synchronize();
    }};
    (memory $device:expr, $rows:expr, $name:ident, $value:ident) => {
        $device.bus::<AnyOffset>().store_at(named!($rows, $name).offset, 4, $value)
    };
    (pages $device:expr, $rows:expr, $name:ident, $value:ident) => {
        panic!("{} = {}: on two pages", $name, $value)
    };
}

/// Reads the register with this name.
macro_rules! read {
    (system $device:expr, $rows:expr, $name:ident) => {
        $device.bus::<AnySystemRegister>().mrs(system($rows, $name))
    };
    (cp15 $device:expr, $rows:expr, $name:ident) => {
        $device.bus::<AnyOperands>().mrc(named!($rows, $name).operands).into()
    };
    (memory $device:expr, $rows:expr, $name:ident) => {
        $device.bus::<AnyOffset>().load_at(named!($rows, $name).offset, 4)
    };
    (pages $device:expr, $rows:expr, $name:ident) => {
        panic!("{}: on two pages", $name)
    };
}

macro_rules! played {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
        device: $Device:ident $(:: $unit:ident)?, registers: $registers:ident, $($rest:tt)*
    })*) => {
        $( const _: () = {
            use $driver as driver;

            impl Played for devices::$pmu::Simulated {
                fn write(&self, name: &str, value: u64) {
                    write!($place self.simulated(), arm_pmu_sim::$Device::$registers, name, value);
                }

                fn read(&self, name: &str) -> u64 {
                    read!($place self.simulated(), arm_pmu_sim::$Device::$registers, name)
                }

                fn signal(&self, event: &str, times: u32) {
                    let event = event.parse::<driver::Selection>().expect(event);
                    self.signal_event(event, times);
                }

                fn counted(&self) -> String {
                    counted(self)
                }

                fn complaints(&self) -> Vec<String> {
                    self.simulated().complaints()
                }
            }
        }; )*

        fn device(name: &str) -> Box<dyn Played> {
            match name {
                $( $name => {
                    let device = devices::$pmu::Simulated::new();
                    device.set_unknown(arm_pmu_sim::Noise::Zeros);
                    Box::new(device)
                } )*
                // Variants of devices.
                "pmuv3p5" => {
                    let device = devices::arm_pmuv3::Simulated::new();
                    device.simulated().set_long_counters(true);
                    device.set_unknown(arm_pmu_sim::Noise::Zeros);
                    Box::new(device)
                }
                "l2c-310-writable" => {
                    let device = devices::l2c_310::Simulated::new();
                    device.simulated().set_counts_writable(true);
                    Box::new(device)
                }
                _ => panic!("no device {name}"),
            }
        }
    };
}

arm_pmu::for_each_pmu!(played);

fn number(text: &str) -> u64 {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.unwrap_or_else(|_| panic!("no number: {text}"))
}

#[test]
fn devices_follow_the_documents() {
    let mut wrong = Vec::new();
    let mut played = None;
    for line in include_str!("device_sequences.csv").lines().skip(1) {
        let [name, step, access, value, _] = line.splitn(5, ',').collect::<Vec<_>>()[..] else {
            panic!("not five cells: {line}")
        };
        if step == "1" {
            played = Some(device(name));
        }
        let device = played.as_ref().unwrap();
        let found = match access.split_once(' ') {
            Some(("write", register)) => {
                device.write(register, number(value));
                None
            }
            Some(("signal", event)) => {
                device.signal(event, u32::try_from(number(value)).unwrap());
                None
            }
            Some(("read", register)) => {
                let read = device.read(register);
                (read != number(value)).then(|| format!("{read:#x}"))
            }
            Some(("driver:", "count")) => Some(device.counted()).filter(|found| found != value),
            _ => panic!("no such access: {line}"),
        };
        wrong.extend(found.map(|found| format!("{line}: {found}")));
        let violations = device.complaints();
        if !violations.is_empty() {
            wrong.push(format!("{line}: {violations:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
