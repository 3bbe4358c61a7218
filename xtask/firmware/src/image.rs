//! Runs the checks of an image after the start-up code, and ends the image.
#![allow(unsafe_code)]

use crate::Checks;

/// Makes a program an image: `firmware::image!(checks)`, with `fn checks(checks: &mut Checks)`.
#[macro_export]
macro_rules! image {
    ($checks:path) => {
        // The symbol that `firmware` declares, with the same signature; no other item has this
        // name.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        fn image_checks(checks: &mut $crate::Checks) {
            $checks(checks);
        }
    };
}

unsafe extern "Rust" {
    /// Made by `image!`.
    fn image_checks(checks: &mut Checks);
}

/// Called by the start-up code when the stack and statics are initialized.
// Only the start-up code uses this name.
#[unsafe(no_mangle)]
extern "C" fn run_image() -> ! {
    let mut checks = Checks::new();
    // SAFETY: `image!` defined this function with this signature.
    unsafe { image_checks(&mut checks) };
    semihosting::process::exit(checks.end().into())
}
