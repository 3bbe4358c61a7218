#![doc = include_str!("lib.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod errors;
pub mod kernel;
mod map;
pub mod mem;
pub mod perf;
pub mod traffic;
