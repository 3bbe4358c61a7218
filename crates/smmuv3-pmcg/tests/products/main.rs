//! The drivers on the simulated devices of their products: measurements and failures, and a diagnosis with one finding
//! for each state.

macro_rules! products {
    ($($product:ident: $Device:ident),*) => { $(
        mod $product {
            use ::$product as product;
            use arm_pmu_sim::$Device as Device;

            mod diagnose {
                use super::{Device, product};

                include!("diagnose/tests.rs");
            }

            mod driver {
                use super::{Device, product};

                include!("driver/tests.rs");
            }
        }
    )* };
}

products!(mmu600: Mmu600, mmu700: Mmu700);

/// `rustfmt` does not follow `include!`, but finds the tests through these modules.
#[cfg(any())]
mod diagnose {
    mod tests;
}
#[cfg(any())]
mod driver {
    mod capture;
    mod counting;
    mod filter;
    mod interference;
    mod interrupts;
    mod tests;
}
