//! Tests of the Secure observation bit, which only the CCI-550 has.

use arm_pmu_sim::{Cci550, Security, Strict};
use cci550::{Bus, Diagnose, Finding, Pmu, SI3, SlaveEvent};

#[test]
fn secure_observation_counts_secure_events() {
    let device = Strict::new(Cci550::new());
    for observed in [false, true] {
        let mut pmu = Pmu::new(device.bus());
        pmu.registers()
            .secure_access()
            .modify(|_, w| w.secure_observation_override().bit(observed));
        pmu.registers().secure_access().read();
        let [reads, ..] = pmu.counters();
        reads.count(SI3.event(SlaveEvent::ReadRequestAny));
        let running = pmu.start();
        device.signal_raw(3, 0x00, Security::Secure, 3);
        let pmu = running.stop();
        assert_eq!(pmu.counts()[0].exact(), Ok(if observed { 3 } else { 0 }));
        pmu.release().synchronize();
    }
}

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
