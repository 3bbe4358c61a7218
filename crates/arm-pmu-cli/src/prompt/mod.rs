//! Commands for systems without a driver: help at a prompt of U-Boot, a debugger or a shell.

pub mod device_tree;
pub mod doctor;
pub mod recipe;
