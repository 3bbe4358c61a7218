    "skeleton-ip" in_system arm_pmu::skeleton_ip::registers:
        pmcr_el0 PmcrEl0Spec, pmcntenset_el0 PmcntensetEl0Spec, pmcntenclr_el0 PmcntenclrEl0Spec,
        pmovsclr_el0 PmovsclrEl0Spec, pmswinc_el0 PmswincEl0Spec, pmceid0_el0 Pmceid0El0Spec,
        pmceid1_el0 Pmceid1El0Spec, pmccntr_el0 PmccntrEl0Spec, pmuserenr_el0 PmuserenrEl0Spec,
        pmintenset_el1 PmintensetEl1Spec, pmintenclr_el1 PmintenclrEl1Spec,
        pmovsset_el0 PmovssetEl0Spec, pmevcntr_el0 PmevcntrEl0Spec,
        pmevtyper_el0 PmevtyperEl0Spec, pmccfiltr_el0 PmccfiltrEl0Spec;
