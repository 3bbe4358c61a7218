#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod diagnose;
mod filter;
mod hardware;
mod implementation;
mod interrupt;
mod probe;

pub use filter::{InvalidFilter, StreamFilter};
pub use interrupt::NotAcknowledged;

// Public only for the implementation crates.
#[doc(hidden)]
pub use {
    diagnose::diagnose,
    hardware::{Hardware, counters},
    implementation::{EventType, Finding, Identification, Implementation},
    probe::{part_number, probe},
};
