//! Tests of the whole derive. These tests use private modules, so the tests are not in `tests/`.

mod fuzz;
