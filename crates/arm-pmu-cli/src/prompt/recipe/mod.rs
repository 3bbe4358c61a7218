//! Scripts that count without a driver, made by running the real driver.
//!
//! The driver runs on [registers in memory](device) behind a [bus](tape) that records each access.
//! [`infer`] runs it again with changed read values, to trace the bits of each written value back to the
//! reads, and to find the values that the driver checks. The result is a [program]; each file of
//! [`render`] writes it in one language.

mod describe;
mod device;
mod driver;
mod infer;
pub mod program;
pub mod render;
mod run;
pub mod steps;
mod tape;
#[cfg(test)]
mod tests;

pub use infer::program;
pub use run::{pages, run};

use arm_pmu_tables::{Pmu, Register};

use program::Place;

/// Each memory-mapped register with its address and element; of 64 bits, the low word. `pages` has the
/// address of each page.
pub fn places(pmu: Pmu, pages: &[u64]) -> Vec<(u64, &'static Register, u32)> {
    let elements = pmu
        .registers()
        .flat_map(|register| (0..register.count()).map(move |element| (register, element)));
    let places = elements.filter_map(|(register, element)| {
        let Place::Memory { page, offset } = device::place(pmu, register, element, false)? else {
            return None;
        };
        Some((pages.get(page)? + offset as u64, register, element))
    });
    places.collect()
}
