//! The drivers on the simulated devices of their products: measurements and failures.

macro_rules! of {
    ($product:ident, $Device:ident) => {
        mod $product {
            use ::$product as product;
            use arm_pmu_sim::$Device as Device;

            include!("tests.rs");

            mod capture {
                include!("capture.rs");
            }
            mod counting {
                include!("counting.rs");
            }
            mod filter {
                include!("filter.rs");
            }
            mod interference {
                include!("interference.rs");
            }
            mod interrupts {
                include!("interrupts.rs");
            }
        }
    };
}

of!(mmu600, Mmu600);
of!(mmu700, Mmu700);

#[cfg(any())]
mod capture;
#[cfg(any())]
mod counting;
#[cfg(any())]
mod filter;
#[cfg(any())]
mod interference;
#[cfg(any())]
mod interrupts;
/// `rustfmt` does not follow `include!`, but finds the tests through these modules.
#[cfg(any())]
mod tests;
