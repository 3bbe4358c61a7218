//! Identification of a unit's PMU.

use arm_pmu_core::driver::ProbeErrorKind;
use arm_pmu_sim::{Mmu600, Mmu700, Response, Strict};
use mmu700::{Diagnose, Finding, tbu, tcu};

fn tcu_reason(device: &Mmu700) -> Option<ProbeErrorKind> {
    let found = tcu::Pmu::probe(device.page0(), device.page1());
    found.err().map(|refused| refused.kind())
}

fn tbu_reason(device: &Mmu700) -> Option<ProbeErrorKind> {
    let found = tbu::Pmu::probe(device.page0(), device.page1());
    found.err().map(|refused| refused.kind())
}

/// The manual gives the PMU of a TBU the part number of the TCU; gator expects another number.
#[test]
fn a_tbu_may_have_either_part_number() {
    let (tcu, tbu) = (Strict::new(Mmu700::tcu()), Strict::new(Mmu700::tbu()));
    assert_eq!((tcu_reason(&tcu), tbu_reason(&tbu)), (None, None));
    assert_eq!(tcu_reason(&tbu), Some(ProbeErrorKind::Part { found: 0x488, expected: 0x487 }));
    tbu.set_part_number(0x487);
    assert_eq!(tbu_reason(&tbu), None);
    for other in [0x483, 0x484, 0x486, 0x489] {
        tbu.set_part_number(other);
        let expected = 0x488;
        assert_eq!(tbu_reason(&tbu), Some(ProbeErrorKind::Part { found: other, expected }));
    }
}

#[test]
fn an_mmu_600_is_refused_by_name() {
    for (device, name) in
        [(Mmu600::tcu(), "TCU of an MMU-600"), (Mmu600::tbu(), "TBU of an MMU-600")]
    {
        let refused = tbu::Pmu::probe(device.page0(), device.page1()).unwrap_err();
        assert_eq!(refused.kind().product(), Some(name));
    }
    let device = Mmu700::tbu();
    let refused = mmu600::tbu::Pmu::probe(device.page0(), device.page1()).unwrap_err();
    assert_eq!(refused.kind().product(), Some("TBU of an MMU-700"));
}

#[test]
fn a_device_with_too_few_counters_is_refused() {
    for there in [2, 4, 16, 32] {
        let device = Strict::new(Mmu700::tcu());
        device.set_counters(there);
        let refused = |kind: Option<ProbeErrorKind>, expected: u8| match kind {
            None => assert!(there >= usize::from(expected)),
            Some(kind) => {
                assert!(there < usize::from(expected));
                assert_eq!(kind, ProbeErrorKind::Counters { found: there as u8, expected });
            }
        };
        let (page0, page1) = (device.page0(), device.page1());
        refused(tcu::Pmu::probe_counters::<2>(page0, page1).err().map(|e| e.kind()), 2);
        refused(tcu_reason(&device), 4);
        let (page0, page1) = (device.page0(), device.page1());
        refused(tcu::Pmu::probe_counters::<5>(page0, page1).err().map(|e| e.kind()), 5);
        let region = device.region();
        refused(tcu::Pmu::probe_counters_at::<16, _>(region).err().map(|e| e.kind()), 16);
        let (page0, page1) = (device.page0(), device.page1());
        refused(tcu::Pmu::probe_counters::<31>(page0, page1).err().map(|e| e.kind()), 31);
    }
}

#[test]
fn a_counter_group_of_another_layout_is_refused() {
    for (found, differs) in [
        (0x00D0_3F03, ": counters of 64 bits instead of 32"),
        (0x00C0_1F03, ": counters on page 0"),
        (0x0050_1F03, ": a filter for each counter"),
        (0x0090_1F03, ": no capture"),
        (0x00F0_1F03, ": interrupts by message"),
        (
            0x0040_3F03,
            ": counters of 64 bits instead of 32, counters on page 0, a filter for each counter",
        ),
    ] {
        let device = Strict::new(Mmu700::tcu());
        device.poke(device.at(0, 0xE00), found);
        let expected = 0x00D0_1F03;
        let reason = ProbeErrorKind::Configuration { found, expected };
        assert_eq!(tcu_reason(&device), Some(reason), "{reason}");
        assert!(reason.to_string().ends_with(&format!("expected 0x00d01f03{differs}")), "{reason}");
        let diagnosis = tcu::Pmu::new(device.page0(), device.page1()).diagnose();
        let found: Vec<_> = diagnosis.findings().map(|of| (of.finding, of.value)).collect();
        assert_eq!(found, [(Finding::Configuration, reason.value())]);
        for field in ["NCTR", "SIZE", "RELOC_CTRS", "SID_FILTER_TYPE"] {
            assert!(diagnosis.to_string().contains(field), "{diagnosis}");
        }
    }
    let device = Strict::new(Mmu700::tcu());
    device.poke(device.at(0, 0xFBC), 0);
    let architecture = ProbeErrorKind::Architecture { found: 0, expected: 0x4770_2A56 };
    assert_eq!(tcu_reason(&device), Some(architecture));
}

/// 101542 3.7.6.
#[test]
fn unconnected_tbu_reads_as_zero() {
    let device = Strict::new(Mmu700::tbu());
    device.set_response(Response::Zero);
    assert_eq!(tbu_reason(&device), Some(ProbeErrorKind::ReadsAsZero));
    let diagnosis = tbu::Pmu::new(device.page0(), device.page1()).diagnose();
    assert!(diagnosis.has(Finding::ReadsAsZero), "{diagnosis}");
    assert!(diagnosis.to_string().contains("not connected"), "{diagnosis}");
}

#[test]
fn a_diagnosis_names_missing_counters() {
    let device = Strict::new(Mmu700::tcu());
    let mut wide = tcu::Pmu::with_counters::<16>(device.page0(), device.page1());
    let diagnosis = wide.diagnose();
    let found: Vec<_> = diagnosis.findings().map(|found| (found.finding, found.value)).collect();
    assert_eq!(found, [(Finding::Configuration, 0x00D0_1F03)]);
}
