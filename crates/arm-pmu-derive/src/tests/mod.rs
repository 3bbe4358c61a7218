//! Tests of the whole derive. They use private modules, so they are not in `tests/`.

mod fuzz;
