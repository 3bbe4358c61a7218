//! Output of `arm-pmu doctor --json`.

use arm_pmu_tables::Origin;
use arm_pmu_tables::platform::{Switch, Way};
use serde::Serialize;

use super::Cause;
use crate::base::documents::documents;
use crate::base::perf_stat::recording::UnreadLine;
use crate::base::platform::target::Target;

documents! {
    derive(Clone, Debug, PartialEq, Serialize)

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
    DoctorCause(target: &Target, of: &Cause) {
        finding: &'static str = of.reason.name,
        /// Weight: `decided`, `probable` or `possible`.
        weight: &'static str = of.weight.word(),
        cause: &'static str = of.reason.cause,
        /// Evidence for the cause.
        evidence: Vec<String> = of.evidence.clone(),
        /// Alternative explanation.
        or: Option<&'static str> = of.or,
        fix: String = of.reason.fix.clone(),
        fixable_by: &'static str = of.reason.fixable_by.word(),
        /// Switches on this platform that remove the cause.
        switches: Vec<CauseSwitch> = target.switches(of.reason.name).map(CauseSwitch::new).collect(),
        /// Test that would decide whether this is the cause.
        next_test: Option<String> = of.next.clone(),
        origin: Origin = of.reason.origin,
    }

    /// A switch of a platform.
    CauseSwitch(switch: &'static Switch) {
        name: &'static str = switch.name,
        register: Option<&'static str> = switch.register,
        address: Option<u64> = switch.address,
        high: Option<u32> = switch.bits.map(|bits| bits.high),
        low: Option<u32> = switch.bits.map(|bits| bits.low),
        /// Value that enables counting.
        on: Option<u32> = switch.on,
        written_by: &'static str = switch.written_by.word(),
        ways: Vec<CauseWay> = switch.ways.iter().map(CauseWay::new).collect(),
        origin: Origin = switch.origin,
    }

    /// A way to set a switch.
    CauseWay(way: &'static Way) {
        stage: &'static str = way.stage.word(),
        text: &'static str = way.doc,
        /// Whether this way fails.
        fails: bool = way.fails,
    }
}
