//! Commands for systems without a driver. They help users who type at the prompt of U-Boot, a
//! debugger or a shell.

pub mod device_tree;
pub mod doctor;
pub mod recipe;
