//! Writes scripts that count without a driver, derived from runs of the real driver.
//!
//! The driver runs on [registers in memory](device) through a [bus](tape) that records each access. [`infer`] repeats
//! the run with changed read values, to find the source of each written bit and the values that the driver checks. The
//! result is a [program]; each module of [`render`] writes it in one language.

pub mod core;
mod describe;
mod device;
mod driver;
mod infer;
pub mod program;
pub mod render;
mod run;
mod tape;
#[cfg(test)]
mod tests;

pub use infer::program;
pub use run::{pages, run};

use arm_pmu_tables::{Pmu, Register};

use device::Place;

/// Replaces the placeholders of a template, in this order.
fn filled<'v>(template: &str, values: impl IntoIterator<Item = (&'v str, &'v str)>) -> String {
    let text = template.to_owned();
    values.into_iter().fold(text, |text, (placeholder, value)| text.replace(placeholder, value))
}

/// Returns each memory-mapped register with its address and element. A 64-bit register has the address of its low word.
/// `pages` contains the base of each page.
pub fn places(pmu: Pmu, pages: &[u64]) -> Vec<(u64, &'static Register, u32)> {
    let places = device::words(pmu).filter(|word| !word.high).filter_map(|word| {
        let Place::Memory { page, offset } = word.place else { return None };
        Some((pages.get(page)? + offset as u64, word.register, word.element))
    });
    places.collect()
}
