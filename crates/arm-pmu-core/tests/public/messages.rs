//! Error messages and printed values, word for word.
#![expect(unsafe_code, reason = "the test prints a bus, but never accesses it")]

use arm_pmu_core::bus::{BusError, Location, MemorySpace, Mmio, Space};
use arm_pmu_core::count::CountError;
use arm_pmu_core::driver::{ProbeError, ProbeErrorKind};
use arm_pmu_core::event::{
    InvalidSelection, Unit, UnknownCode, UnknownEvent, UnknownId, UnknownName,
};
use arm_pmu_core::measure::{AssignError, Interference};
use arm_pmu_core::metric::MetricError;

enum Region {}
impl Space for Region {
    type Key = usize;
    type Permit = ();
}
impl MemorySpace for Region {
    const LENGTH: usize = 0x1000;
}

#[test]
fn errors_print_these_texts() {
    let fault = "a register access failed: the device is not there, not powered, or not open to \
                 this software";
    let said: [(&dyn core::error::Error, &str); 42] = [
        (&BusError::new(), fault),
        (&CountError::Overflowed, "the counter overflowed"),
        (
            &CountError::Disturbed,
            "the counter was stopped or reprogrammed, or rejected its setting",
        ),
        (&CountError::BusError, "a register access failed"),
        (&CountError::NotCounted, "the counter did not count"),
        (&UnknownCode(0x1F), "no event has the code 0x1f"),
        (&UnknownId(0x11F), "no listed event has the id 0x11f"),
        (&UnknownEvent::Source(0x7), "no source has the number 0x7"),
        (
            &UnknownEvent::Code { source: 0xF, code: 0x7 },
            "the source 0xf has no event with the code 0x07",
        ),
        (&UnknownName::new(), "no event of this group has that name"),
        (
            &InvalidSelection::Form,
            "a selection is written as source:event, or as raw:0x followed by an event id",
        ),
        (&InvalidSelection::Source, "no source has that name"),
        (
            &InvalidSelection::Event,
            "no event has that name, or the event does not exist at that source",
        ),
        (
            &InvalidSelection::Number,
            "the event id is too large, or is not 0x followed by hexadecimal digits",
        ),
        (
            &AssignError::TooMany { asked: 9, counters: 8 },
            "9 events, but the PMU has 8 counters for events",
        ),
        (&AssignError::CyclesTwice, "the cycles were selected more than once"),
        (&AssignError::BusError(BusError::new()), fault),
        (&AssignError::Refused, "the operating system refused a selection"),
        (&ProbeErrorKind::BusError(BusError::new()), fault),
        (
            &ProbeErrorKind::ReadsAsZero,
            "everything reads as zero: no access from this security state, or no clock or power",
        ),
        (&ProbeErrorKind::ReadsAsOnes, "all bits read as one: no device at this address"),
        (
            &ProbeErrorKind::Part { found: 0x22, expected: 0x423 },
            "part number 0x022, expected 0x423 (CCI-550)",
        ),
        (
            &ProbeErrorKind::Part { found: 0x422, expected: 0x420 },
            "part number 0x422 (CCI-500: use cci500::Pmu), expected 0x420 (CCI-400)",
        ),
        (
            &ProbeErrorKind::Part { found: 0x487, expected: 0x123 },
            "part number 0x487 (TCU of an MMU-700 or MMU-600AE), expected 0x123",
        ),
        (
            &ProbeErrorKind::Processor { main_id: 0x423F_C090 },
            "another processor: its Main ID Register reads 0x423fc090",
        ),
        (
            &ProbeErrorKind::Processor { main_id: 0x413F_C090 },
            "another processor: its Main ID Register reads 0x413fc090 (Cortex-A9: use cortex_a9::Pmu)",
        ),
        (
            &ProbeErrorKind::UserModeClosed,
            "privileged software has not opened the PMU to User mode",
        ),
        (
            &ProbeErrorKind::Unidentified,
            "the PMU answers but the identification registers read as zero (Secure access only?)",
        ),
        (
            &ProbeErrorKind::Revision { part: 0x420, found: 3 },
            "revision code 3: its event numbers differ from this driver's; use cci400::r0::Pmu",
        ),
        (
            &ProbeErrorKind::Revision { part: 0x123, found: 3 },
            "revision code 3: its event numbers differ from this driver's",
        ),
        (
            &ProbeErrorKind::Architecture { found: 0, expected: 0x4770_2A56 },
            "the device architecture register reads 0x00000000, expected 0x47702a56: not the \
             registers of a PMU",
        ),
        (
            &ProbeErrorKind::Configuration { found: 0x01D0_1F03, expected: 0x00D0_1F03 },
            "the configuration register reads 0x01d01f03, expected 0x00d01f03",
        ),
        (
            &ProbeErrorKind::Configuration { found: 0x0020_3F03, expected: 0x00D0_1F03 },
            "the configuration register reads 0x00203f03, expected 0x00d01f03: counters of 64 bits \
             instead of 32, counters on page 0, interrupts by message, no capture, a filter for each \
             counter",
        ),
        (
            &ProbeErrorKind::Configuration { found: 0x00D0_1F03, expected: 0x0020_1F03 },
            "the configuration register reads 0x00d01f03, expected 0x00201f03: counters on page 1, \
             no interrupts by message, capture, one filter for all counters",
        ),
        (&ProbeErrorKind::Counters { found: 4, expected: 8 }, "4 counters, expected 8"),
        (
            &ProbeError::new(ProbeErrorKind::ReadsAsOnes, 7),
            "all bits read as one: no device at this address",
        ),
        (&Interference::new(0, true).unwrap(), "the PMU was found disabled"),
        (&MetricError::Missing { input: 1 }, "input 2 was not counted"),
        (&MetricError::OtherPass { input: 2 }, "input 3 was counted in another pass over the work"),
        (&MetricError::Estimate, "it is an estimate"),
        (&MetricError::TooLarge, "the numbers are too large"),
        (&MetricError::UnavailableMetric("No event."), "No event."),
    ];
    for (error, text) in said {
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn values_print_these_texts() {
    let refused = ProbeError::new(ProbeErrorKind::ReadsAsOnes, 7);
    assert_eq!(format!("{refused:?}"), "ProbeError { kind: ReadsAsOnes, .. }");
    assert_eq!(refused.into_bus(), 7);
    // SAFETY: never accessed.
    let bus = unsafe { Mmio::<Region>::new(0x8000) };
    assert_eq!(format!("{bus:?}"), "Mmio(0x8000, 0x1000 bytes)");
    let array = Location::<Region>::array((), 0x3C, 4, 0x40);
    assert_eq!(format!("{array:?}"), "Location { key: 60, count: 4, stride: 64 }");
    assert_eq!(format!("{:>12}|", Unit::Occurrences), " occurrences|");
    assert_eq!([Unit::Cycles, Unit::Beats].map(|unit| unit.to_string()), ["cycles", "beats"]);
}
