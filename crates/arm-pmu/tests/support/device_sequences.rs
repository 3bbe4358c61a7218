//! Register accesses on the simulated devices, in order, and the values that the documents give for each read.
//!
//! The rows are in `device_sequences.csv`. A sequence begins at step 1, on a device whose unknown bits are 0.

use crate::devices::Device;
use arm_pmu::bus::{Bus as _, SystemRegister};
use arm_pmu::count::Count;
use arm_pmu::measure::{Monitor as _, RunningMonitor as _, StartStop};
use arm_pmu::{
    arm_pmuv3, cortex_a7, cortex_a8, cortex_a9, cortex_a53, cortex_a55, cortex_a72, l2c_310,
};
use arm_pmu_sim::{
    AnyOffset, AnyOperands, AnySystemRegister, ArmPmuv3, CortexA7, CortexA8, CortexA9, CortexA53,
    CortexA55, CortexA72, L2c310, Noise, SysregRegister, Watched,
};

/// A device, accessed by the names of registers and events.
trait Played: Watched {
    fn write(&self, register: &str, value: u64);
    fn read(&self, register: &str) -> u64;
    fn signal(&self, event: &str, times: u32);
    /// What the driver counts of 2^32 + 3 events.
    fn counted(&self) -> String;
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

macro_rules! played {
    ($($Device:ident, $ip:ident: $Any:ident, $read:ident, $write:ident, |$name:ident| $key:expr;)*) => {$(
        impl Played for $Device {
            fn write(&self, $name: &str, value: u64) {
                let bus = self.bus::<$Any>();
                bus.$write($key, value.try_into().unwrap());
                bus.synchronize();
            }

            fn read(&self, $name: &str) -> u64 {
                self.bus::<$Any>().$read($key).into()
            }

            fn signal(&self, event: &str, times: u32) {
                self.signal(event.parse::<$ip::Selection>().expect(event), times);
            }

            fn counted(&self) -> String {
                counted(self)
            }
        }
    )*};
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

played! {
    CortexA53, cortex_a53: AnySystemRegister, mrs, msr, |name| system(Self::REGISTERS, name);
    CortexA55, cortex_a55: AnySystemRegister, mrs, msr, |name| system(Self::REGISTERS, name);
    CortexA72, cortex_a72: AnySystemRegister, mrs, msr, |name| system(Self::REGISTERS, name);
    ArmPmuv3, arm_pmuv3: AnySystemRegister, mrs, msr, |name| system(Self::REGISTERS, name);
    CortexA7, cortex_a7: AnyOperands, mrc, mcr, |name| named!(Self::REGISTERS, name).operands;
    CortexA8, cortex_a8: AnyOperands, mrc, mcr, |name| named!(Self::REGISTERS, name).operands;
    CortexA9, cortex_a9: AnyOperands, mrc, mcr, |name| named!(Self::REGISTERS, name).operands;
}

impl Played for L2c310 {
    fn write(&self, name: &str, value: u64) {
        self.bus::<AnyOffset>().store_at(named!(Self::REGISTERS, name).offset, 4, value);
    }

    fn read(&self, name: &str) -> u64 {
        self.bus::<AnyOffset>().load_at(named!(Self::REGISTERS, name).offset, 4)
    }

    fn signal(&self, event: &str, times: u32) {
        self.signal(event.parse::<l2c_310::Selection>().expect(event), times);
    }

    fn counted(&self) -> String {
        counted(self)
    }
}

fn device(name: &str) -> Box<dyn Played> {
    macro_rules! quiet {
        ($device:expr) => {{
            let device = $device;
            device.set_noise(Noise::Zeros);
            device.power_up();
            Box::new(device)
        }};
    }
    match name {
        "cortex-a53" => quiet!(CortexA53::new()),
        "cortex-a55" => quiet!(CortexA55::new()),
        "cortex-a72" => quiet!(CortexA72::new()),
        "cortex-a7" => quiet!(CortexA7::new()),
        "cortex-a8" => quiet!(CortexA8::new()),
        "cortex-a9" => quiet!(CortexA9::new()),
        "pmuv3" => quiet!(ArmPmuv3::new()),
        "pmuv3p5" => {
            let device = ArmPmuv3::new();
            device.set_long_counters(true);
            quiet!(device)
        }
        "l2c-310" => Box::new(L2c310::new()),
        "l2c-310-writable" => {
            let device = L2c310::new();
            device.set_counts_writable(true);
            Box::new(device)
        }
        _ => panic!("no device {name}"),
    }
}

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
