//! Tests each product's driver on a simulated device: measurements, failures, diagnoses, and events.
#![allow(clippy::duplicate_mod, reason = "the modules are compiled for each product")]

#[path = "."]
mod mmu600 {
    use ::mmu600 as product;
    use arm_pmu_sim::Mmu600 as Device;

    mod diagnose;
    mod driver;
    mod events;
}

#[path = "."]
mod mmu700 {
    use ::mmu700 as product;
    use arm_pmu_sim::Mmu700 as Device;

    mod diagnose;
    mod driver;
    mod events;
}
