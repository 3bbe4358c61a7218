    "skeleton-ip" in_cp15 arm_pmu::skeleton_ip::registers:
        pmcr PmcrSpec, pmcntenset PmcntensetSpec, pmcntenclr PmcntenclrSpec, pmovsr PmovsrSpec,
        pmswinc PmswincSpec, pmselr PmselrSpec, pmccntr PmccntrSpec, pmxevtyper PmxevtyperSpec,
        pmxevcntr PmxevcntrSpec, pmuserenr PmuserenrSpec, pmintenset PmintensetSpec,
        pmintenclr PmintenclrSpec;
