//! The public items, in one program: most of them are generic, and each program would compile them again.

mod intervals;
mod messages;
mod passes;
mod register;
mod report;
mod rotation;
mod support;
