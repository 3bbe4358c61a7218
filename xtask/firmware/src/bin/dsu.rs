//! The PMU of a cluster, for QEMU's `virt` at EL1: QEMU has none, so a model answers, which shows the encodings.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(all(target_os = "none", target_arch = "aarch64"))]
mod checks {
    use arm_pmu::dsu::{DsuEvent, Pmu, Sysreg};
    use firmware::Checks;
    use firmware::aarch64::cluster::{accessed, all_accessed, encoding, event, happens};

    firmware::image!(checks);

    /// Name, op1, CRm and op2 of each register, and whether the checks read and write it. From the manual of the
    /// DSU-120AE; op0 is 3 and CRn 15.
    const REGISTERS: [(&str, [usize; 3], (bool, bool)); 14] = [
        ("CLUSTERPMCR_EL1", [0, 5, 0], (true, true)),
        ("CLUSTERPMCNTENSET_EL1", [0, 5, 1], (true, true)),
        ("CLUSTERPMCNTENCLR_EL1", [0, 5, 2], (false, true)),
        ("CLUSTERPMOVSSET_EL1", [0, 5, 3], (true, false)),
        ("CLUSTERPMOVSCLR_EL1", [0, 5, 4], (true, true)),
        ("CLUSTERPMSELR_EL1", [0, 5, 5], (true, true)),
        ("CLUSTERPMINTENSET_EL1", [0, 5, 6], (false, true)),
        ("CLUSTERPMINTENCLR_EL1", [0, 5, 7], (false, true)),
        ("CLUSTERPMCCNTR_EL1", [0, 6, 0], (true, true)),
        ("CLUSTERPMXEVTYPER_EL1", [0, 6, 1], (true, true)),
        ("CLUSTERPMXEVCNTR_EL1", [0, 6, 2], (true, true)),
        ("CLUSTERPMMDCR_EL3", [6, 6, 3], (true, false)),
        ("CLUSTERPMCEID0_EL1", [0, 6, 4], (true, false)),
        ("CLUSTERPMCEID1_EL1", [0, 6, 5], (true, false)),
    ];

    fn checks(checks: &mut Checks) {
        #[allow(unsafe_code)]
        // SAFETY: nothing else uses the registers, and the model answers each access.
        let bus = unsafe { Sysreg::new() };
        let probed = Pmu::probe(bus);
        checks.check("a probe finds six counters", probed.is_ok());
        let Ok(mut pmu) = probed else { return };
        let [first, second, ..] = pmu.counters();
        first.count(DsuEvent::L3dCache);
        second.count(DsuEvent::L3dCacheRefill);
        pmu.cycle_counter().count();
        let running = pmu.start();
        happens(0, 200);
        happens(1, 70);
        checks.equal("the counters have their events", [event(0), event(1)], [0x2B, 0x2A]);
        let mut pmu = running.stop();
        let [first, second, ..] = pmu.counts();
        checks.equal("both counts are exact", [first.exact(), second.exact()], [Ok(200), Ok(70)]);
        checks.equal("the cycles are exact", pmu.cycles().exact(), Ok(0));
        checks.equal("the model reports no event", pmu.has_event(DsuEvent::L3dCache), Some(false));
        let registers = pmu.registers();
        let _ = registers.clusterpmovsset_el1().read();
        let _ = registers.clusterpmmdcr_el3().read();
        for (name, [op1, crm, op2], expected) in REGISTERS {
            checks.equal(name, accessed(encoding(op1, crm, op2)), expected);
        }
        checks.equal("no other register was accessed", all_accessed(), REGISTERS.len());
    }
}

#[cfg(not(target_os = "none"))]
fn main() {}
