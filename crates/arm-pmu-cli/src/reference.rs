//! What the reference pages (`xtask/site`) have from the command, so that both say the same. Not for others.

use arm_pmu_tables::platform::Interrupts;
use arm_pmu_tables::{Ip, Pmu, Selection};

use crate::arguments;
use crate::command;
use crate::export;
use crate::kernel::is_pmcg;
use crate::text::Screen;

/// A PMU of an SMMU has a name of its own under Linux. The user replaces the letters.
const PMCG: &str = "smmuv3_pmcg_XXXXX";

/// The command for Linux that counts an event; `None` if Linux has no such PMU.
#[must_use]
pub fn perf(pmu: Pmu, selection: &Selection) -> Option<String> {
    let scope = selection.source.map_or(selection.of.group.name, |source| source.name);
    let arguments = arguments::Command::Perf(arguments::Perf {
        ip: Some(pmu.to_string()),
        place: arguments::Place::default(),
        events: vec![format!("{scope}:{}", selection.of.event.name)],
        metrics: Vec::new(),
        pmus: is_pmcg(pmu).then(|| PMCG.to_owned()).into_iter().collect(),
        stream: None,
        json: false,
        command: Vec::new(),
    });
    let answer = command::run(&arguments, Screen::FILE).ok()?;
    answer.text.lines().next().map(str::to_owned)
}

/// What `arm-pmu decode --json` prints for a value of a register; `None` if it refuses.
#[must_use]
pub fn decode(pmu: Pmu, register: &str, value: u64) -> Option<String> {
    let arguments = arguments::Command::Decode(arguments::Decode {
        ip: Some(pmu.to_string()),
        place: arguments::Place::default(),
        values: vec![format!("{register}={value:#x}")],
        json: true,
    });
    Some(command::run(&arguments, Screen::FILE).ok()?.text)
}

/// Numbers and wiring of interrupts.
#[must_use]
pub fn interrupts(of: &Interrupts) -> String {
    command::platform_interrupts(of)
}

/// What `arm-pmu export c` prints for an IP; `None` if it refuses.
#[must_use]
pub fn c_header(ip: &'static Ip) -> Option<String> {
    export::c::header(ip).ok()
}
