//! Replays sequences of register accesses on simulated devices, and compares the values with the documents.
//!
//! The rows are in `sequences.csv`. A sequence begins at step 1, on a device whose unknown bits are 0.

use arm_pmu::count::Count;
use arm_pmu::measure::{Monitor as _, RunningMonitor as _, StartStop};
use arm_pmu_sim::Dsu;

use crate::devices::{self, Device as _};
use crate::registers::{Device, Place};

/// A device with its events by name, and its driver.
trait Played: Device {
    fn signal(&self, event: &str, times: u32);
    /// Returns the driver's count after 2^32 + 3 events.
    fn counted(&self) -> String;
}

fn counted<D: devices::Device>(device: &D) -> String {
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

/// Finds a register by name. Also finds elements of arrays, such as PMEVCNTR2_EL0 in the array
/// PMEVCNTR_EL0.
fn place(device: &dyn Played, name: &str) -> Place {
    let element = |row: &str| {
        let (start, end) = row.split_once('_')?;
        let number = name.strip_prefix(start)?.strip_suffix(end)?.strip_suffix('_')?;
        number.parse::<usize>().ok()
    };
    let numbered = || {
        let rows = device.rows();
        let first = rows.iter().find(|row| element(row.name).is_some())?;
        let number = element(first.name)?;
        rows.iter().filter(|row| row.name == first.name).nth(number).map(|row| row.at)
    };
    device.named(name).or_else(numbered).unwrap_or_else(|| panic!("no register {name}"))
}

macro_rules! played {
    ($($pmu:ident {
        name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
        cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, $($rest:tt)*
    })*) => {
        $( const _: () = {
            use $driver as driver;

            impl Played for devices::$pmu::Simulated {
                fn signal(&self, event: &str, times: u32) {
                    let event = event.parse::<driver::Selection>().expect(event);
                    self.signal_event(event, times);
                }

                fn counted(&self) -> String {
                    counted(self)
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
                // Names of device variants.
                "pmuv3p4" | "pmuv3p5" | "pmuv3p7" => {
                    let device = devices::arm_pmuv3::Simulated::new();
                    let after_v3p = number(&name["pmuv3p".len()..]);
                    device.simulated().set_version(after_v3p as u8 + u8::from(after_v3p < 7));
                    device.set_unknown(arm_pmu_sim::Noise::Zeros);
                    Box::new(device)
                }
                "dsu-first" | "dsu-120" => {
                    let is_first = name == "dsu-first";
                    let device = if is_first { Dsu::first() } else { Dsu::dsu120() };
                    let device = devices::dsu::Simulated::of(device);
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
    for line in include_str!("sequences.csv").lines().skip(1) {
        let [name, step, access, value, _] = line.splitn(5, ',').collect::<Vec<_>>()[..] else {
            panic!("not five cells: {line}")
        };
        if step == "1" {
            played = Some(device(name));
        }
        let device = played.as_ref().unwrap();
        let found = match access.split_once(' ') {
            Some(("write", register)) => {
                let bus = device.software();
                bus.write(place(&**device, register), number(value));
                bus.settle();
                None
            }
            Some(("signal", event)) => {
                Played::signal(&**device, event, u32::try_from(number(value)).unwrap());
                None
            }
            Some(("read", register)) => {
                let read = device.software().read(place(&**device, register));
                (read != number(value)).then(|| format!("{read:#x}"))
            }
            Some(("driver:", "count")) => Some(device.counted()).filter(|found| found != value),
            _ => panic!("no such access: {line}"),
        };
        wrong.extend(found.map(|found| format!("{line}: {found}")));
        let violations = Device::complaints(&**device);
        if !violations.is_empty() {
            wrong.push(format!("{line}: {violations:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
