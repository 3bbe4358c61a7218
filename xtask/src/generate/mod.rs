//! The generator: from the specs to Rust code, and to the schemas that editors use.

pub mod check;
pub mod emit;
pub mod files;
pub mod r#gen;
pub mod implementation;
pub mod load;
pub mod manifests;
pub mod model;
pub mod names;
pub mod new;
pub mod overview;
pub mod platforms;
pub mod problem;
pub mod readme;
pub mod shared;
pub mod site;
pub mod spec;

pub use arm_pmu_spec::yaml;
