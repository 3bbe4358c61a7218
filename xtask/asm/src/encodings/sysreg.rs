//! The system registers of AArch64.

/// Functions that access an element of an array whose index is known at run time only.
macro_rules! at_run_time {
    ($unit:literal { $($register:ident: $Spec:ident;)* }) => {
        $(const _: () = {
            use arm_pmu_core::bus::Bus as _;
            use registers::$register::$Spec;

            // SAFETY: no other item has a name of this form.
            #[unsafe(export_name = concat!("indexed ", $unit, " ", stringify!($register), " read"))]
            extern "C" fn read(bus: &mut Bus, index: usize) -> u64 {
                bus.load::<$Spec>(index)
            }

            // SAFETY: no other item has a name of this form.
            #[unsafe(export_name = concat!("indexed ", $unit, " ", stringify!($register), " write"))]
            extern "C" fn write(bus: &mut Bus, index: usize, value: u64) {
                bus.store::<$Spec>(index, value);
            }
        };)*
    };
}

mod arm_pmuv3 {
    use arm_pmuv3::Sysreg as Bus;
    use arm_pmuv3::registers::{self, Registers};

    unit! { "arm-pmuv3" {
        pmcr_el0: read write;
        pmcntenset_el0: read write;
        pmcntenclr_el0: read write;
        pmovsclr_el0: read write;
        pmswinc_el0: write;
        pmceid0_el0: read;
        pmceid1_el0: read;
        pmccntr_el0: read write;
        pmuserenr_el0: read write;
        pmintenset_el1: read write;
        pmintenclr_el1: read write;
        pmovsset_el0: read write;
        pmevcntr_el0 [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
            16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
        ]: read write;
        pmevtyper_el0 [
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
            16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
        ]: read write;
        pmccfiltr_el0: read write;
    } }
    at_run_time! { "arm-pmuv3" {
        pmevcntr_el0: PmevcntrEl0Spec;
        pmevtyper_el0: PmevtyperEl0Spec;
    } }
}

mod cortex_a53 {
    use cortex_a53::Sysreg as Bus;
    use cortex_a53::registers::{self, Registers};

    unit! { "cortex-a53" {
        pmcr_el0: read write;
        pmcntenset_el0: read write;
        pmcntenclr_el0: read write;
        pmovsclr_el0: read write;
        pmswinc_el0: write;
        pmceid0_el0: read;
        pmceid1_el0: read;
        pmccntr_el0: read write;
        pmuserenr_el0: read write;
        pmintenset_el1: read write;
        pmintenclr_el1: read write;
        pmovsset_el0: read write;
        pmevcntr_el0 [0 1 2 3 4 5]: read write;
        pmevtyper_el0 [0 1 2 3 4 5]: read write;
        pmccfiltr_el0: read write;
    } }
    at_run_time! { "cortex-a53" {
        pmevcntr_el0: PmevcntrEl0Spec;
        pmevtyper_el0: PmevtyperEl0Spec;
    } }
}

mod cortex_a55 {
    use cortex_a55::Sysreg as Bus;
    use cortex_a55::registers::{self, Registers};

    unit! { "cortex-a55" {
        pmcr_el0: read write;
        pmcntenset_el0: read write;
        pmcntenclr_el0: read write;
        pmovsclr_el0: read write;
        pmswinc_el0: write;
        pmceid0_el0: read;
        pmceid1_el0: read;
        pmccntr_el0: read write;
        pmuserenr_el0: read write;
        pmintenset_el1: read write;
        pmintenclr_el1: read write;
        pmovsset_el0: read write;
        pmevcntr_el0 [0 1 2 3 4 5]: read write;
        pmevtyper_el0 [0 1 2 3 4 5]: read write;
        pmccfiltr_el0: read write;
    } }
    at_run_time! { "cortex-a55" {
        pmevcntr_el0: PmevcntrEl0Spec;
        pmevtyper_el0: PmevtyperEl0Spec;
    } }
}

mod cortex_a72 {
    use cortex_a72::Sysreg as Bus;
    use cortex_a72::registers::{self, Registers};

    unit! { "cortex-a72" {
        pmcr_el0: read write;
        pmcntenset_el0: read write;
        pmcntenclr_el0: read write;
        pmovsclr_el0: read write;
        pmswinc_el0: write;
        pmceid0_el0: read;
        pmceid1_el0: read;
        pmccntr_el0: read write;
        pmuserenr_el0: read write;
        pmintenset_el1: read write;
        pmintenclr_el1: read write;
        pmovsset_el0: read write;
        pmevcntr_el0 [0 1 2 3 4 5]: read write;
        pmevtyper_el0 [0 1 2 3 4 5]: read write;
        pmccfiltr_el0: read write;
    } }
    at_run_time! { "cortex-a72" {
        pmevcntr_el0: PmevcntrEl0Spec;
        pmevtyper_el0: PmevtyperEl0Spec;
    } }
}
