//! From the start-up code to the checks of an image, and how an image ends.
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

/// Called by the start-up code, once there is a stack and statics have their values.
// The name is used by the start-up code only.
#[unsafe(no_mangle)]
extern "C" fn run_image() -> ! {
    let mut checks = Checks::new();
    // SAFETY: `image!` made it, with this signature.
    unsafe { image_checks(&mut checks) };
    semihosting::process::exit(checks.end().into())
}
