//! Finds the PMUs of events whose names do not contain the PMU.

use std::collections::BTreeSet;

use arm_pmu_lookup::kernel;
use arm_pmu_lookup::perf_name::{PerfName, What};
use arm_pmu_tables::Pmu;

use super::parts::device;
use super::report::{Given, Report};
use crate::base::perf_stat::recording::Recording;
use crate::base::text::distinct;

/// Maximum number of PMCGs, and also of event numbers, that a note lists.
const LISTED: usize = 8;

impl Report {
    /// PMU of events whose names contain no PMU: the PMU of `--ip`, or the only PMU that has every event with such a
    /// name.
    pub(super) fn pmu_of_bare_names(
        &mut self,
        recording: &Recording,
        given: &Given,
    ) -> Option<Pmu> {
        if given.pmu.is_some() {
            return given.pmu;
        }
        let ours = |name: &str| {
            let letters = name.bytes().any(|byte| byte.is_ascii_uppercase());
            letters && !name.contains('/') && PerfName::read(name).is_none()
        };
        let mut bare = distinct(recording.rows.iter().map(|row| row.event.as_str()));
        bare.retain(|name| ours(name));
        let has_all = |pmu: &Pmu| bare.iter().all(|name| PerfName::read_bare(name, *pmu).is_some());
        let all: Vec<Pmu> =
            if bare.is_empty() { Vec::new() } else { Pmu::all().filter(has_all).collect() };
        match all[..] {
            [] => None,
            [only] => {
                self.notes.push(format!(
                    "{} is assumed to be an event of {only}, the only PMU that has it.",
                    bare[0]
                ));
                Some(only)
            }
            [..] => {
                let names: Vec<_> = all.iter().map(Pmu::to_string).collect();
                self.notes.push(format!(
                    "{} can be an event of {}: say which with --ip, as in --ip {}.",
                    bare[0],
                    names.join(", "),
                    names[0]
                ));
                None
            }
        }
    }

    /// PMU of a PMCG whose name contains no unit: the PMU of `--ip`, if there is only one such PMCG. Several PMCGs are
    /// usually one TCU and its TBUs.
    pub(super) fn pmu_of_pmcgs(
        &mut self,
        recording: &Recording,
        pmu: Option<Pmu>,
        given: &Given,
    ) -> Option<Pmu> {
        let pmu = pmu.filter(|pmu| kernel::is_pmcg(*pmu))?;
        let Some(unit) = pmu.unit else { return Some(pmu) };
        let is_open = |name: &&str| kernel::is_name_of_pmcg(name);
        let names = recording.rows.iter().map(|row| row.event.as_str());
        let names = names.filter(|name| given.pmu_of(name).is_none());
        let devices: BTreeSet<&str> = names.clone().filter_map(device).filter(is_open).collect();
        let first = devices.first()?;
        if devices.len() == 1 {
            self.notes.push(format!(
                "Assuming that {first} is {pmu}, as --ip says, because its name does not contain the unit."
            ));
            return Some(pmu);
        }
        let some: Vec<&str> = devices.iter().take(LISTED).copied().collect();
        let mut note = format!(
            "--ip {pmu} names one unit, but there are {} PMCGs ({}), and their names do not show which of them is a {}.",
            devices.len(),
            some.join(", "),
            unit.title
        );
        let whole = Pmu { unit: None, ..pmu };
        let number = |name: &str| match PerfName::read_kernel(name, Some(whole))?.what {
            What::Other(id) => Some(id),
            _ => None,
        };
        let numbers: BTreeSet<u32> = names.filter_map(number).collect();
        for id in numbers.into_iter().take(LISTED) {
            let units = pmu.ip.units.iter().map(|unit| Pmu { unit: Some(unit), ..pmu });
            let meanings = units.filter_map(|pmu| {
                let of = pmu.selections().find(|selection| selection.id() == id)?;
                Some(format!("{} of {pmu}", of.of.event.name))
            });
            let meanings: Vec<String> = meanings.collect();
            if !meanings.is_empty() {
                note += &format!(" {id:#04x} is {}.", meanings.join(", or "));
            }
        }
        self.notes
            .push(format!("{note} Name the board with --platform, or report one PMCG alone."));
        Some(whole)
    }
}

/// Looks up the event that a name in a recording means. If the name contains no PMU, `pmu` is used.
pub(super) fn known(name: &str, pmu: Option<Pmu>, given: &Given) -> Option<PerfName> {
    let pmu = given.pmu_of(name).or(pmu);
    let with_pmu = PerfName::read(name).or_else(|| PerfName::read_kernel(name, pmu));
    with_pmu.or_else(|| PerfName::read_bare(name, pmu?))
}
