#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
mod exports;
#[rustfmt::skip]
mod generated;
mod hardware;
mod implementation;
mod probe;

pub use generated::registers;
pub use generated::registers::Space;

// Public only for the implementation crates.
#[doc(hidden)]
pub use {
    diagnose::diagnose,
    generated::*,
    hardware::{COUNTERS, Hardware, SKEW},
    implementation::{Finding, Implementation},
    probe::{part_number, probe},
};
