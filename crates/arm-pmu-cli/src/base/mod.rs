//! Code that all commands share.

pub mod answer;
pub mod arguments;
pub mod device_tree;
pub mod documents;
pub mod duration;
pub mod failure;
pub mod input;
#[cfg(test)]
pub mod made_up;
pub mod number;
pub mod output;
pub mod perf_stat;
pub mod platform;
pub mod text;
