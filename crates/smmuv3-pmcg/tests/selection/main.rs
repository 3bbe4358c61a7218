//! Selections as numbers and as text: all 2^16 event ids.

mod mmu600 {
    use mmu600 as product;

    include!("tests.rs");
}

mod mmu700 {
    use mmu700 as product;

    include!("tests.rs");
}

/// `include!` hides the tests from rustfmt; this module shows them to it.
#[cfg(any())]
mod tests;
