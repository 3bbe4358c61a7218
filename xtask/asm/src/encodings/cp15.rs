//! Those of coprocessor 15.

mod arm1136 {
    use arm11::Cp15 as Bus;
    use arm11::arm1136::registers::Registers;
    unit! { "arm1136" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
    } }
}

mod arm1156 {
    use arm11::Cp15 as Bus;
    use arm11::arm1156::registers::Registers;
    unit! { "arm1156" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
    } }
}

mod arm1176 {
    use arm11::Cp15 as Bus;
    use arm11::arm1176::registers::Registers;
    unit! { "arm1176" {
        pmnc: read write;
        ccnt: read write;
        pmn0: read write;
        pmn1: read write;
        access_validation: read write;
    } }
}

mod cortex_a7 {
    use cortex_a7::Cp15 as Bus;
    use cortex_a7::registers::Registers;
    unit! { "cortex-a7" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
        pmovsset: read write;
    } }
}

mod cortex_a8 {
    use cortex_a8::Cp15 as Bus;
    use cortex_a8::registers::Registers;
    unit! { "cortex-a8" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
    } }
}

mod cortex_a9 {
    use cortex_a9::Cp15 as Bus;
    use cortex_a9::registers::Registers;
    unit! { "cortex-a9" {
        pmcr: read write;
        pmcntenset: read write;
        pmcntenclr: read write;
        pmovsr: read write;
        pmswinc: write;
        pmselr: read write;
        pmccntr: read write;
        pmxevtyper: read write;
        pmxevcntr: read write;
        pmuserenr: read write;
        pmintenset: read write;
        pmintenclr: read write;
    } }
}
