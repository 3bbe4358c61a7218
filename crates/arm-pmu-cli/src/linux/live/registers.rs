//! Inspects the registers of PMUs: finds out who owns them and, if programs can read them, runs the
//! driver's diagnosis.

use std::fs;
use std::path::Path;

use arm_pmu::diagnose::Outcome;
use arm_pmu_linux::mem::{Device, Error, Place};
use arm_pmu_tables::Pmu;

use super::{Diagnosis, Registers};
use crate::base::arguments::Doctor as Arguments;
use crate::base::failure::{Failure, refuse};
use crate::base::platform::target::{Subject, Target};

/// Lists the PMUs with memory-mapped registers. With consent, accesses the registers of one PMU.
pub fn registers(
    root: &Path,
    arguments: &Arguments,
    subject: Option<Subject>,
    names: &[String],
) -> Result<Vec<Registers>, Failure> {
    let is_one = arguments.i_may_crash || arguments.base.is_some();
    let Some(subject) = subject else {
        if is_one {
            refuse!(
                "which device is it? Name it, as in `arm-pmu doctor --live zynqmp:cci --i-may-crash`, or \
                 `arm-pmu doctor --live cci550 --base 0x2A090000 --i-may-crash`"
            );
        }
        return Ok(Vec::new());
    };
    let targets = if is_one || subject.instances().is_empty() {
        let mut target = subject.one::<&str>(&[])?;
        if arguments.i_may_crash {
            target = target.with_unit()?;
        }
        if target.base(arguments.base.as_deref()).is_none() {
            refuse!(
                "where is the {}? Give its address, or its UIO device: --base 0xFD6E0000, --base /dev/uio0",
                target.pmu.ip.product
            );
        }
        vec![target]
    } else {
        let known = subject.instances().into_iter().filter(|instance| instance.base.is_some());
        // Without a known product, the registers are unknown.
        known.filter_map(|instance| subject.of(instance).ok()).collect()
    };
    targets.iter().map(|target| of_target(root, arguments, target, names)).collect()
}

fn of_target(
    root: &Path,
    arguments: &Arguments,
    target: &Target,
    names: &[String],
) -> Result<Registers, Failure> {
    let pmu = target.pmu;
    if pmu.ip.space.is_core() {
        refuse!(
            "the registers of {pmu} belong to the core, and are not in memory; `diagnose` of the crate {} runs on \
             the core",
            pmu.ip.name
        );
    }
    let base = target.base(arguments.base.as_deref()).unwrap_or_default();
    let address = address(root, &base)?;
    let (name, place) = match (target.platform, target.instance) {
        (Some(platform), Some(instance)) => {
            (instance.name.to_owned(), format!("{}:{}", platform.name, instance.name))
        }
        _ => (pmu.to_string(), pmu.to_string()),
    };
    let mut registers = Registers { name, address, text: String::new(), diagnosis: None };
    let Some(device) = device(pmu) else {
        registers.text = format!(
            "programs must not access them, because the kernel uses registers of the {} whenever it maintains the cache",
            pmu.ip.product
        );
        return Ok(registers);
    };
    let linux = target.instance.and_then(|instance| instance.linux).map(|name| name.value);
    if let Some(linux) = linux.filter(|linux| names.iter().any(|name| name == linux)) {
        registers.text =
            format!("the kernel uses them for {linux}; `arm-pmu stat` shows whether they count");
        return Ok(registers);
    }
    let at = Place::new(address).root(root);
    let at = if arguments.i_may_crash { at.i_may_crash() } else { at };
    registers.text = match device.diagnose(&at) {
        Ok(report) => {
            registers.diagnosis = Some(Diagnosis::new(&report));
            outcome(report.outcome).to_owned()
        }
        // Consent is checked last, so all other checks have passed if this error is returned.
        Err(Error::MayCrash { .. }) => {
            let given = arguments.base.as_ref();
            format!(
                "no kernel driver uses them. Nothing was accessed, because a read stops the machine if no device responds. If \
                 that is acceptable, `arm-pmu doctor --live {place}{} --i-may-crash` runs the driver's diagnosis, or \
                 `arm-pmu doctor {place}{} --ask devmem` prints commands that read them, and `--from` explains their \
                 output",
                given.map(|base| format!(" --base {base}")).unwrap_or_default(),
                given.map(|_| format!(" --base 0x{address:X}")).unwrap_or_default()
            )
        }
        Err(error) => format!("not accessed: {error}"),
    };
    Ok(registers)
}

/// Returns the address: a number, or the first map of a UIO device.
fn address(root: &Path, base: &str) -> Result<u64, Failure> {
    let wrong = |why: String| Failure::wrong_use(why);
    let number = arm_pmu_lookup::number;
    let Some(device) = base.strip_prefix("/dev/") else {
        let address = number(base).filter(|address| address % 0x1000 == 0);
        return address
            .ok_or_else(|| wrong(format!("`{base}` is not the address of a 4 KiB page")));
    };
    let file = root.join("sys/class/uio").join(device).join("maps/map0/addr");
    let shown = file.display();
    let text = fs::read_to_string(&file).map_err(|error| {
        wrong(format!("{base} is not a UIO device with registers: {shown}: {error}"))
    })?;
    number(text.trim()).ok_or_else(|| wrong(format!("{shown} has no address: {text}")))
}

/// The device of a PMU. If the board does not give the revision, the first one is used, because the addresses are the
/// same in all revisions.
fn device(pmu: Pmu) -> Option<Device> {
    let is_meant = |one: &Pmu| {
        one.ip.name == pmu.ip.name && pmu.unit.is_none_or(|_| one.to_string() == pmu.to_string())
    };
    Pmu::all().filter(is_meant).find_map(|one| Device::named(&one.to_string()))
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Wrong => "its driver tested the counters and found why they read zero",
        Outcome::Counts => {
            "its driver tested the counters while memory was written and read: they count"
        }
        _ => {
            "its driver tested the counters while memory was written and read: it found no fault, but no counter \
             moved either"
        }
    }
}
