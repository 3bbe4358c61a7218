#![doc = include_str!("lib.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod cluster;
pub mod decode;
mod error;
pub mod export;
pub mod generic;
pub mod kernel;
pub mod name;
pub mod near;
mod number;
pub mod perf;
pub mod perf_name;
pub mod programming;
pub mod search;
pub mod text;
pub mod words;

pub use error::Error;
pub use number::number;
