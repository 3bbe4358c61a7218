//! Tests of features that only a DynamIQ Shared Unit has. The tests that all PMUs share cover the
//! rest.

mod diagnose;
mod driver;
