//! Tests each product's driver on a simulated device: measurements, failures, and diagnoses.
#![allow(clippy::duplicate_mod, reason = "`driver` and `diagnose` are compiled for each product")]

#[path = "."]
mod mmu600 {
    use ::mmu600 as product;
    use arm_pmu_sim::Mmu600 as Device;

    mod diagnose;
    mod driver;
}

#[path = "."]
mod mmu700 {
    use ::mmu700 as product;
    use arm_pmu_sim::Mmu700 as Device;

    mod diagnose;
    mod driver;
}
