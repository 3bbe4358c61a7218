//! One generic function diagnoses any PMU.
#![cfg(feature = "default")]

use arm_pmu::diagnose::{Diagnose, Finding, FixableBy, Outcome};
use arm_pmu_sim::{Arm11, Cci400, Cci550, CortexA8, Mmu600, Security, Stream};

/// Returns the names of the findings and the outcome; generic over the IP.
fn found<D: Diagnose>(pmu: &mut D, work: impl Fn()) -> (Vec<&'static str>, Outcome) {
    let diagnosis = pmu.diagnose_with(None, work);
    let text = diagnosis.to_string();
    for found in diagnosis.findings() {
        assert!(D::Finding::ALL.contains(&found.finding));
        let cause = text.find(found.finding.cause()).expect("the cause");
        let fix = text.find(found.finding.fix()).expect("the remedy");
        assert!(cause < fix && text.contains(found.finding.source()), "{text}");
    }
    (diagnosis.findings().map(|found| found.finding.name()).collect(), diagnosis.outcome())
}

const COUNTS: (Vec<&str>, Outcome) = (Vec::new(), Outcome::Counts);

fn wrong(name: &'static str) -> (Vec<&'static str>, Outcome) {
    (vec![name], Outcome::Wrong)
}

#[test]
fn on_any_pmu() {
    let cci400 = Cci400::new();
    let mut pmu = arm_pmu::cci400::Pmu::new(cci400.bus());
    assert_eq!(found(&mut pmu, || cci400.clock(9)), COUNTS);
    cci400.set_niden(false);
    assert_eq!(found(&mut pmu, || cci400.clock(9)), wrong("NIDEN_LOW"));

    let cci550 = Cci550::new();
    let mut pmu = arm_pmu::cci550::Pmu::new(cci550.bus());
    let beats = || {
        cci550.signal_raw(3, 0x00, Security::NonSecure, 9);
        cci550.signal_raw(3, 0x08, Security::NonSecure, 9);
    };
    assert_eq!(found(&mut pmu, beats), COUNTS);
    cci550.set_niden(false);
    assert_eq!(found(&mut pmu, beats), wrong("NIDEN_LOW_OR_SILENCE"));

    for (device, tcu) in [(Mmu600::tcu(), true), (Mmu600::tbu(), false)] {
        let work = || {
            device.signal_raw(0x01, Stream::non_secure(1), 9);
            device.clock(9);
        };
        let found = || {
            let (page0, page1) = (device.page0(), device.page1());
            match tcu {
                true => found(&mut arm_pmu::mmu600::tcu::Pmu::new(page0, page1), work),
                false => found(&mut arm_pmu::mmu600::tbu::Pmu::new(page0, page1), work),
            }
        };
        assert_eq!(found(), COUNTS);
        device.set_clock_gated(true);
        assert_eq!(found(), wrong("CLOCK_STANDS_STILL"));
    }

    let arm11 = Arm11::arm1176();
    let mut pmu = arm_pmu::arm11::arm1176::Pmu::new(arm11.bus());
    let work = || {
        arm11.clock(9);
        arm11.signal_raw(0x07, 9);
    };
    assert_eq!(found(&mut pmu, work), COUNTS);
    arm11.set_debug_state(true);
    assert_eq!(found(&mut pmu, work), wrong("COUNTERS_STAND_STILL"));

    let cortex_a8 = CortexA8::new();
    let mut pmu = arm_pmu::cortex_a8::Pmu::new(cortex_a8.bus());
    let work = || {
        cortex_a8.clock(9);
        cortex_a8.signal_raw(0x08, 9);
    };
    assert_eq!(found(&mut pmu, work), COUNTS);
    cortex_a8.set_niden(false);
    assert_eq!(found(&mut pmu, work), wrong("DEBUG_NOT_PERMITTED"));
}

/// Checks that each text of each finding of each IP is one line.
#[test]
fn every_text_is_a_line() {
    fn check<F: Finding>() {
        for finding in F::ALL {
            let sentences = [finding.cause(), finding.fix()];
            assert!(sentences.iter().all(|text| text.ends_with('.') && !text.contains('\n')));
            let phrases = [finding.read(), finding.expected()];
            assert!(phrases.iter().all(|text| !text.ends_with('.') && !text.is_empty()));
            assert!(finding.source().ends_with('.') && finding.to_string() == finding.cause());
            assert_ne!(finding.fixable_by().to_string(), "");
        }
    }
    macro_rules! check_each {
        ($($pmu:ident {
            name: $name:literal, product: $product:ident, kind: $kind:ident, place: $place:ident,
            cycles: $cycles:ident, krate: $krate:path, driver: $driver:path, finding: $finding:path,
            $($rest:tt)*
        })*) => {
            $( check::<$finding>(); )*
        };
    }
    arm_pmu::for_each_pmu!(check_each);
    assert_eq!(FixableBy::SecureSoftware.to_string(), "Secure software");
}
