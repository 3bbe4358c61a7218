#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
mod exports;
mod filter;
#[rustfmt::skip]
mod generated;
mod hardware;
mod identify;
mod implementation;
mod mode;

pub use filter::Filter;
pub use generated::registers;
pub use generated::registers::Space;
pub use mode::{Mode, Privileged, User};

// Public only for the implementation crates.
#[doc(hidden)]
pub use {
    diagnose::diagnose,
    filter::{FilterOf, NoFilter},
    generated::*,
    hardware::{Hardware, skew},
    identify::{is, open, probe},
    implementation::{Finding, Implementation, SOFTWARE_INCREMENT},
};

use implementation::CYCLE;
