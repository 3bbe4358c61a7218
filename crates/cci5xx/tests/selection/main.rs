//! Selections as numbers and as text: all 2^9 event ids.

mod cci500 {
    use cci500 as product;

    include!("tests.rs");
}

mod cci550 {
    use cci550 as product;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
