//! Output of `arm-pmu doctor --json`.

use arm_pmu_tables::Origin;
use arm_pmu_tables::platform::{Switch, Way};
use serde::Serialize;

use super::Cause;
use crate::base::documents::documents;
use crate::base::platform::target::Target;

documents! {
    derive(Debug, PartialEq, Serialize)

    /// Output of `arm-pmu doctor --json`.
    Doctor {
        pmu: String,
        /// Causes in descending order of their weight.
        causes: Vec<DoctorCause>,
        /// Observations that are not a cause.
        remarks: Vec<String>,
        /// Lines that look like readings but could not be parsed.
        unread: Vec<UnreadLine>,
    }

    /// A reason why counters read zero.
    DoctorCause {
        finding: &'static str,
        /// Weight: `decided`, `probable` or `possible`.
        weight: &'static str,
        cause: &'static str,
        /// Evidence for the cause.
        evidence: Vec<String>,
        /// Alternative explanation.
        or: Option<&'static str>,
        fix: String,
        fixable_by: &'static str,
        /// Switches of the platform that remove the cause.
        switches: Vec<CauseSwitch>,
        /// Test that would be decisive.
        next_test: Option<String>,
        origin: Origin,
    }

    /// A switch of a platform.
    CauseSwitch {
        name: &'static str,
        register: Option<&'static str>,
        address: Option<u64>,
        high: Option<u32>,
        low: Option<u32>,
        /// Value that enables counting.
        on: Option<u32>,
        written_by: &'static str,
        ways: Vec<CauseWay>,
        origin: Origin,
    }

    /// A way to set a switch.
    CauseWay {
        stage: &'static str,
        text: &'static str,
        /// Whether this way fails.
        fails: bool,
    }

    /// A line of the dump.
    UnreadLine {
        line: usize,
        text: String,
        why: String,
    }
}

fn cause_switch(switch: &'static Switch) -> CauseSwitch {
    let way =
        |way: &'static Way| CauseWay { stage: way.stage.word(), text: way.doc, fails: way.fails };
    CauseSwitch {
        name: switch.name,
        register: switch.register,
        address: switch.address,
        high: switch.bits.map(|bits| bits.high),
        low: switch.bits.map(|bits| bits.low),
        on: switch.on,
        written_by: switch.written_by.word(),
        ways: switch.ways.iter().map(way).collect(),
        origin: switch.origin,
    }
}

pub fn cause(target: &Target, cause: &Cause) -> DoctorCause {
    let reason = &cause.reason;
    DoctorCause {
        finding: reason.name,
        weight: cause.weight.word(),
        cause: reason.cause,
        evidence: cause.evidence.clone(),
        or: cause.or,
        fix: reason.fix.clone(),
        fixable_by: reason.fixable_by.word(),
        switches: target.switches(reason.name).map(cause_switch).collect(),
        next_test: cause.next.clone(),
        origin: reason.origin,
    }
}
