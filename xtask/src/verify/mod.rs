//! The verifying half of xtask: builds, runs, comparisons and measurements of the crates.

pub mod api;
pub mod arm;
pub mod asm;
pub mod bench;
pub mod built;
pub mod ci;
pub mod crates;
pub mod docs_rs;
pub mod exports;
pub mod first_steps;
pub mod fresh;
pub mod fuzz;
pub mod installed;
pub mod linux;
pub mod msrv;
mod oldest;
pub mod packages;
pub mod recipes;
pub mod release;
pub mod size;
pub mod starting_point;
pub mod store;
