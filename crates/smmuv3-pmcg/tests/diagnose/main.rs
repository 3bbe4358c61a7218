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

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
