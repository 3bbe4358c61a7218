//! The driver on simulated cores: measurements and failures.

mod cortex_a7 {
    use arm_pmu_sim::CortexA7 as Device;
    use cortex_a7 as product;
    use product::{CortexA7Event as ProductEvent, is_cortex_a7 as is_product};

    const PART: u32 = 0xC07;

    include!("tests.rs");
}

mod cortex_a8 {
    use arm_pmu_sim::CortexA8 as Device;
    use cortex_a8 as product;
    use product::{CortexA8Event as ProductEvent, is_cortex_a8 as is_product};

    const PART: u32 = 0xC08;

    include!("tests.rs");
}

mod cortex_a9 {
    use arm_pmu_sim::CortexA9 as Device;
    use cortex_a9 as product;
    use product::{CortexA9Event as ProductEvent, is_cortex_a9 as is_product};

    const PART: u32 = 0xC09;

    include!("tests.rs");
}

#[cfg(any())]
mod counting;
#[cfg(any())]
mod cycles;
#[cfg(any())]
mod interference;
#[cfg(any())]
mod interrupts;
#[cfg(any())]
mod monitor;
#[cfg(any())]
mod probe;
#[cfg(any())]
mod registers;
#[cfg(any())]
mod selection;
#[cfg(any())]
mod selector;
/// `include!` hides the tests from rustfmt; these modules show them to it.
#[cfg(any())]
mod tests;
#[cfg(any())]
mod user_mode;
