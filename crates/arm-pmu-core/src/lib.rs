#![doc = include_str!("lib.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod bus;
pub mod count;
pub mod diagnose;
pub mod driver;
#[cfg(feature = "serde")]
mod encoding;
pub mod event;
#[doc(hidden)]
pub mod formats;
pub mod measure;
pub mod metric;
pub mod register;
pub mod report;
pub mod sample;
pub mod schedule;
