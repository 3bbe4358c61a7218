//! Help at the prompt of U-Boot, a debugger or a shell, where no driver counts.

pub mod device_tree;
pub mod doctor;
pub mod recipe;
