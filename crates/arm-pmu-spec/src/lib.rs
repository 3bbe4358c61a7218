#![doc = include_str!("lib.md")]
#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "for the generator and the command of this workspace, which have no pages of their own"
)]

#[doc(hidden)]
pub mod case;
pub mod common;
pub mod declare;
pub mod file;
pub mod legend;
pub mod origin;
pub mod platform;
pub mod problem;
pub mod read;
pub mod scalar;
pub mod schema;
pub mod text;
pub mod yaml;
