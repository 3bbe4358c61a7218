//! Runs the checks of an image after the start-up code, and ends the image.

use crate::Checks;

/// Makes a program an image: `firmware::image!(checks)`, with `fn checks(checks: &mut Checks)`.
#[macro_export]
macro_rules! image {
    ($checks:path) => {
        /// Called by the start-up code when the stack and statics are initialized.
        // Only the start-up code uses this name.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        extern "C" fn run_image() -> ! {
            $crate::run($checks)
        }
    };
}

/// Runs checks. The exit status of the image is the number of failed checks.
pub fn run(all: fn(&mut Checks)) -> ! {
    let mut checks = Checks::new();
    all(&mut checks);
    semihosting::process::exit(checks.end().into())
}
