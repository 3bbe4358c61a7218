//! Tests of the derive as a whole; they need its private modules, which `tests/` cannot reach.

mod fuzz;
