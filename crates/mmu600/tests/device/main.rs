//! Identification of the units, and their regions.

mod probe;
mod registers;
