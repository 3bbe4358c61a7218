//! Commands that look up entries of the tables and of platforms.

pub mod decode;
pub mod encode;
pub mod export;
pub mod find;
pub mod list;
pub mod platform;
pub mod show;
pub mod view;
