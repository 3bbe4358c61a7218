//! Environment of a measurement: kernel, board and clocks, if readable.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use arm_pmu_tables::Platform;

use crate::linux::files::{children, name, number, text};
use crate::linux::report::record::{Clocks, CpuClock, Event, FORMAT, OtherClock, Start};

/// First line of a recording; it describes the system whose files are under `root`.
pub fn start(
    root: &Path,
    platform: Option<&str>,
    commands: &[Vec<String>],
    events: Vec<Event>,
) -> Start {
    Start {
        format: FORMAT,
        tool: format!("arm-pmu {}", env!("CARGO_PKG_VERSION")),
        unix_seconds: unix_seconds(),
        kernel: kernel(root),
        machine: std::env::consts::ARCH.to_owned(),
        board: board(root),
        platform: platform.map(str::to_owned),
        stream: None,
        commands: commands.to_vec(),
        events,
        cores: Vec::new(),
        clocks: clocks(root),
    }
}

/// Seconds since 1970.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Kernel version, as in `Linux 6.1.0-50-arm64 #1 SMP Debian 6.1.176-1 (2026-06-05)`.
pub fn kernel(root: &Path) -> Option<String> {
    let parts =
        ["ostype", "osrelease", "version"].map(|name| root.join("proc/sys/kernel").join(name));
    let parts: Vec<_> = parts.iter().filter_map(text).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// Model in the device tree, or product name of the firmware.
pub fn board(root: &Path) -> Option<String> {
    let model = ["proc/device-tree/model", "sys/firmware/devicetree/base/model"];
    let model = model.iter().find_map(|file| text(root.join(file)));
    model.or_else(|| {
        let of_firmware = |name| text(root.join("sys/class/dmi/id").join(name));
        let parts: Vec<_> =
            ["sys_vendor", "product_name"].into_iter().filter_map(of_firmware).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    })
}

/// Finds the platform of this system by the compatible strings of its device tree, most specific first.
pub fn platform(root: &Path) -> Option<&'static Platform> {
    let compatible = text(root.join("sys/firmware/devicetree/base/compatible"))?;
    compatible.split('\0').find_map(|name| Platform::find(name.split_once(',')?.1))
}

/// Current frequencies of the readable clocks.
pub fn clocks(root: &Path) -> Clocks {
    let policies = children(root.join("sys/devices/system/cpu/cpufreq"));
    let policies = policies.into_iter().filter(|policy| name(policy).starts_with("policy"));
    let cpus = policies.filter_map(|policy| {
        Some(CpuClock {
            cpus: text(policy.join("affected_cpus"))?,
            governor: text(policy.join("scaling_governor")),
            kilohertz: number(policy.join("scaling_cur_freq")),
            lowest_kilohertz: number(policy.join("scaling_min_freq")),
            highest_kilohertz: number(policy.join("scaling_max_freq")),
        })
    });
    // A devfreq driver controls the frequency of memory or of an interconnect.
    let devfreq = children(root.join("sys/class/devfreq")).into_iter().filter_map(|device| {
        let file = device.join("cur_freq");
        Some(OtherClock {
            name: name(&device),
            hertz: number(&file)?,
            governor: text(device.join("governor")),
            file: shown(root, &file),
        })
    });
    // Only root can read these files, and only with debugfs mounted.
    let debug = children(root.join("sys/kernel/debug/clk")).into_iter();
    let debug = debug.filter(|clock| INTERCONNECTS.iter().any(|word| name(clock).contains(word)));
    let debug = debug.filter_map(|clock| {
        let file = clock.join("clk_rate");
        let hertz = number(&file)?;
        Some(OtherClock { name: name(&clock), hertz, governor: None, file: shown(root, &file) })
    });
    Clocks { cpus: cpus.collect(), others: devfreq.chain(debug).collect() }
}

/// Words that the names of interconnect and SMMU clocks contain.
const INTERCONNECTS: [&str; 3] = ["cci", "smmu", "interconnect"];

fn shown(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap_or(file);
    Path::new("/").join(inside).display().to_string()
}

/// Returns the problem and the fix if this machine is not an Arm machine. `machine` is Rust's name
/// of the architecture.
pub fn elsewhere(machine: &str) -> Option<(String, &'static str)> {
    let problem = format!("this is a machine of {machine}, which has no Arm PMU");
    (!["aarch64", "arm"].contains(&machine)).then_some((problem, "Run this on the board."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::made_up::system;

    #[test]
    fn files_of_the_system_are_read() {
        let policy = "sys/devices/system/cpu/cpufreq/policy0";
        let root = system(&[
            ("proc/sys/kernel/ostype", "Linux\n"),
            ("proc/sys/kernel/osrelease", "6.1.0\n"),
            ("proc/device-tree/model", "ZynqMP ZCU102 Rev1.0\0"),
            ("sys/firmware/devicetree/base/compatible", "xlnx,zynqmp-zcu102\0xlnx,zynqmp\0"),
            (&format!("{policy}/affected_cpus"), "0 1 2 3\n"),
            (&format!("{policy}/scaling_governor"), "schedutil\n"),
            (&format!("{policy}/scaling_cur_freq"), "1199999\n"),
            ("sys/class/devfreq/dmc/cur_freq", "800000000\n"),
            ("sys/class/devfreq/dmc/governor", "simple_ondemand\n"),
            ("sys/kernel/debug/clk/topsw_cci/clk_rate", "533333000\n"),
            ("sys/kernel/debug/clk/uart0/clk_rate", "100000000\n"),
        ]);
        assert_eq!(kernel(root.path()).as_deref(), Some("Linux 6.1.0"));
        assert_eq!(board(root.path()).as_deref(), Some("ZynqMP ZCU102 Rev1.0"));
        assert_eq!(platform(root.path()).map(|of| of.name), Some("zynqmp"));
        let clocks = clocks(root.path());
        assert_eq!(clocks.cpus[0].governor.as_deref(), Some("schedutil"));
        assert_eq!(
            (clocks.cpus[0].kilohertz, clocks.cpus[0].lowest_kilohertz),
            (Some(1_199_999), None)
        );
        let others: Vec<_> =
            clocks.others.iter().map(|one| (one.name.as_str(), one.hertz)).collect();
        assert_eq!(others, [("dmc", 800_000_000), ("topsw_cci", 533_333_000)]);
        assert_eq!(clocks.others[1].file, "/sys/kernel/debug/clk/topsw_cci/clk_rate");
    }
}
