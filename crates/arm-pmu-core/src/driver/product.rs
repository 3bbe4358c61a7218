//! Names of products that a probe can meet.

// Laid out by `cargo xtask gen`: a product a line.
#[rustfmt::skip]
mod generated;

use generated::{PARTS, PROCESSORS, REVISIONS};

/// A product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    /// Name as Arm writes it.
    pub(super) name: &'static str,
    /// Path of its driver in this family, if there is one.
    pub(super) driver: Option<&'static str>,
}

fn find(all: &[(u16, &'static str, Option<&'static str>)], number: u16) -> Option<Product> {
    let (_, name, driver) = *all.iter().find(|(own, ..)| *own == number)?;
    Some(Product { name, driver })
}

/// Finds the memory-mapped product with this part number.
pub(super) fn of_part(number: u16) -> Option<Product> {
    find(&PARTS, number)
}

/// Finds the processor with this Main ID Register.
pub(super) fn of_main_id(main_id: u32) -> Option<Product> {
    /// Implementer code of Arm.
    const ARM: u32 = 0x41;
    let number = (main_id >> 4 & 0xFFF) as u16;
    if main_id >> 24 == ARM { find(&PROCESSORS, number) } else { None }
}

/// Finds the driver for a revision code of a product.
pub(super) fn driver_of_revision(number: u16, code: u8) -> Option<&'static str> {
    let own = REVISIONS.iter().find(|(part, own, _)| (*part, *own) == (number, code));
    own.map(|(_, _, driver)| *driver).or_else(|| of_part(number)?.driver)
}
