//! Tests of the Secure observation bit, which only the CCI-550 has.

use arm_pmu::cci550::{Diagnose, Finding, Pmu};
use arm_pmu_sim::{Cci550, Security, Strict};

#[test]
fn diagnosis_finds_secure_events_with_observation() {
    let device = Strict::new(Cci550::new());
    let reads = || {
        device.signal_raw(3, 0x00, Security::Secure, 5);
        device.signal_raw(3, 0x08, Security::Secure, 20);
    };
    let mut pmu = Pmu::new(device.bus());
    for (observed, expected) in [(false, Some(Finding::SecureNotObserved)), (true, None)] {
        device.poke(0x008, u32::from(observed) << 2);
        let diagnosis = pmu.diagnose_with(None, reads);
        assert_eq!(diagnosis.findings().map(|found| found.finding).next(), expected);
    }
}
