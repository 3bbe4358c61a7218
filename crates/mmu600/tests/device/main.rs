//! Tests the identification of the units, and their register regions.

mod probe;
mod registers;
