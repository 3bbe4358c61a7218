//! Tests of features that only a DynamIQ Shared Unit has. The tests of all PMUs cover the rest.

mod diagnose;
mod driver;
