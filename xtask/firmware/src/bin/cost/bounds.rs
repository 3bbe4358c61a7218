//! How much more than by hand a measurement may take.
pub const GOAL: u32 = 105;
