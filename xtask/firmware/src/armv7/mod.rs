//! Behaviour of the PMU of an ARMv7 core, tested through its driver.

use ::cortex_a8::Cp15;

/// Returns the bus.
#[must_use]
pub fn bus() -> Cp15 {
    #[allow(unsafe_code)]
    // SAFETY: the image runs on one core. In User mode, the checks expect undefined instructions.
    unsafe {
        Cp15::new()
    }
}

/// The checks of each product, in a module with its name.
macro_rules! cores {
    ($($product:ident: $is_product:ident;)*) => {$(
        /// The checks of this product.
        pub mod $product {
            use ::$product as product;
            use product::$is_product as is_product;

            include!("checks.rs");
        }
    )*};
}

cores! {
    cortex_a7: is_cortex_a7;
    cortex_a8: is_cortex_a8;
    cortex_a9: is_cortex_a9;
}

/// `include!` hides the checks from rustfmt; this module shows them to it.
#[cfg(any())]
mod checks;
