//! The lines of Rust that the pages show, as `cargo xtask ci lines` compiles them.

use std::fmt::Display;
use std::marker::PhantomData;

use arm_pmu::bus::{Bus, RegisterSpec, Space};
use arm_pmu::driver::Counter;
use arm_pmu::*;

/// A bus without a device. Configuring a counter before a start makes no access.
struct Silent<S>(PhantomData<S>);

impl<S> Silent<S> {
    fn new() -> Self {
        Self(PhantomData)
    }
}

impl<S: Space> Bus for Silent<S> {
    type Space = S;

    fn load<R: RegisterSpec<Space = S>>(&self, _: usize) -> R::Ux {
        unreachable!("no line reads a register")
    }

    fn store<R: RegisterSpec<Space = S>>(&self, _: usize, _: R::Ux) {
        unreachable!("no line writes a register")
    }

    fn synchronize(&self) {}
}

fn counts<S: Copy + Display>(counter: Option<Counter<'_, S>>, wanted: &str) {
    let selection = counter.and_then(|counter| counter.selection());
    assert_eq!(selection.map(|selection| selection.to_string()).as_deref(), Some(wanted));
}

include!(env!("SITE_LINES", "SITE_LINES is not set; `cargo xtask ci lines` sets it"));
