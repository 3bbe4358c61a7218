//! Diagnosis tests: each state of a unit leads to exactly one finding.

mod mmu600 {
    use arm_pmu_sim::Mmu600 as Device;
    use mmu600 as product;

    include!("tests.rs");
}

mod mmu700 {
    use arm_pmu_sim::Mmu700 as Device;
    use mmu700 as product;

    include!("tests.rs");
}

/// `rustfmt` does not follow `include!`, but finds the tests through this module.
#[cfg(any())]
mod tests;
