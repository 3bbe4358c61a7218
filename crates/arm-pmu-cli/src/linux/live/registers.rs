//! The registers of PMUs: their owner and, where programs can read them, the driver's diagnosis.

use std::fs;
use std::path::Path;

use arm_pmu::diagnose::Outcome;
use arm_pmu_linux::mem::{self, Device, Place};
use arm_pmu_tables::Pmu;

use super::{Diagnosis, LiveFinding, Registers};
use crate::base::failure::Failure;
use crate::base::platform::target::{Subject, Target};

/// Options of the command on registers.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    pub subject: Option<Subject>,
    /// Argument of `--base`.
    pub base: Option<&'a str>,
    /// Whether register accesses are allowed, although they can crash the machine.
    pub may_crash: bool,
}

/// Lists the PMUs with memory-mapped registers. With consent, accesses the registers of one PMU.
pub fn registers(
    root: &Path,
    about: About<'_>,
    names: &[String],
) -> Result<Vec<Registers>, Failure> {
    let Some(subject) = about.subject else {
        return match about {
            About { base: None, may_crash: false, .. } => Ok(Vec::new()),
            _ => Err(Failure::wrong_use(
                "which device is it? Name it, as in `arm-pmu doctor --live zynqmp:cci --i-may-crash`, or \
                 `arm-pmu doctor --live cci550 --base 0x2A090000 --i-may-crash`",
            )),
        };
    };
    let targets = if about.may_crash || about.base.is_some() || subject.instances().is_empty() {
        let mut target = subject.one::<&str>(&[])?;
        if about.may_crash {
            target = target.with_unit()?;
        }
        if about.base.is_none() && target.base(None).is_none() {
            return Err(Failure::wrong_use(format!(
                "where is the {}? Give its address, or its device of UIO: --base 0xFD6E0000, --base /dev/uio0",
                target.pmu.ip.product
            )));
        }
        vec![target]
    } else {
        let known = subject.instances().into_iter().filter(|instance| instance.base.is_some());
        // Without a known product, the registers are unknown.
        known.filter_map(|instance| subject.of(instance).ok()).collect()
    };
    targets.iter().map(|target| of_target(root, about, target, names)).collect()
}

fn of_target(
    root: &Path,
    about: About<'_>,
    target: &Target,
    names: &[String],
) -> Result<Registers, Failure> {
    let pmu = target.pmu;
    if pmu.ip.space.is_core() {
        return Err(Failure::wrong_use(format!(
            "the registers of {pmu} belong to the core, and are not in memory; `diagnose` of the crate {} runs on it",
            pmu.ip.name
        )));
    }
    let base = target.base(about.base).unwrap_or_default();
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
            "not for programs: the kernel uses registers of the {} whenever it maintains the cache",
            pmu.ip.product
        );
        return Ok(registers);
    };
    let linux = target.instance.and_then(|instance| instance.linux).map(|name| name.value);
    if let Some(linux) = linux.filter(|linux| names.iter().any(|name| name == linux)) {
        registers.text = format!(
            "the kernel counts with them, as {linux}; `arm-pmu stat` shows whether they count"
        );
        return Ok(registers);
    }
    let at = Place::new(address).root(root);
    let reached = match about.may_crash {
        true => device.diagnose(&at.i_may_crash()),
        false => match device.check(&at) {
            // Consent is checked last, so all other checks have passed.
            Ok(()) | Err(mem::Error::MayCrash { .. }) => {
                let base = about.base.map(|base| format!(" --base {base}")).unwrap_or_default();
                registers.text = format!(
                    "no driver of the kernel has them, and nothing was accessed: a read stops the machine if nothing \
                     answers there. If that is acceptable, `arm-pmu doctor --live {place}{base} --i-may-crash` runs \
                     the driver's diagnosis, or `arm-pmu doctor {place}{} --ask devmem` prints commands that read them, \
                     and `--from` says what they mean",
                    about.base.map(|_| format!(" --base 0x{address:X}")).unwrap_or_default()
                );
                return Ok(registers);
            }
            Err(error) => Err(error),
        },
    };
    match reached {
        Ok(report) => {
            registers.text = outcome(report.outcome).to_owned();
            registers.diagnosis = Some(diagnosis(&report));
        }
        Err(error) => registers.text = format!("not accessed: {error}"),
    }
    Ok(registers)
}

/// Returns the address: a number, or the first map of a UIO device.
fn address(root: &Path, base: &str) -> Result<u64, Failure> {
    if let Some(device) = base.strip_prefix("/dev/") {
        let file = root.join("sys/class/uio").join(device).join("maps/map0/addr");
        let text = fs::read_to_string(&file).map_err(|error| {
            Failure::wrong_use(format!(
                "{base} is no UIO device with registers: {}: {error}",
                file.display()
            ))
        })?;
        return arm_pmu_lookup::number(text.trim()).ok_or_else(|| {
            Failure::wrong_use(format!("{} has no address: {text}", file.display()))
        });
    }
    arm_pmu_lookup::number(base)
        .filter(|address| address % 0x1000 == 0)
        .ok_or_else(|| Failure::wrong_use(format!("`{base}` is no address of a page of 4 KiB")))
}

/// The device of a PMU. Revisions that the board does not distinguish have the same addresses, so the first one is
/// used.
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

fn diagnosis(report: &mem::DeviceDiagnosis) -> Diagnosis {
    let word = match report.outcome {
        Outcome::Wrong => "wrong",
        Outcome::Counts => "counts",
        _ => "unproven",
    };
    let finding = |finding: &mem::DeviceFinding| LiveFinding {
        finding: finding.name.to_owned(),
        value: finding.value,
        text: finding.text.clone(),
    };
    Diagnosis { outcome: word.to_owned(), findings: report.findings.iter().map(finding).collect() }
}
