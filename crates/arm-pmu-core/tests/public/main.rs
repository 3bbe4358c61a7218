//! Tests of the public items, in one program, because most items are generic and every program compiles them again.

mod intervals;
mod messages;
mod passes;
mod register;
mod report;
mod rotation;
mod support;
