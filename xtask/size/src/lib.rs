//! What the smallest programs share. `cargo xtask size` builds them and compares them with `c/*.c`.
#![cfg_attr(target_os = "none", no_std)]
#![allow(unsafe_code)]

use arm_pmu_core::count::{Count, CountError};

// What is measured: nothing, which the compiler does not know.
#[cfg(all(target_os = "none", target_arch = "arm"))]
core::arch::global_asm!(".global work", "work: bx lr");
#[cfg(all(target_os = "none", target_arch = "aarch64"))]
core::arch::global_asm!(".global work", "work: ret");

#[cfg(target_os = "none")]
unsafe extern "C" {
    /// What is measured.
    pub safe fn work();
}

/// What is measured.
#[cfg(not(target_os = "none"))]
pub fn work() {}

/// The number and 0, or the reason why there is none.
pub fn answer(count: Count, result: &mut u32) -> u32 {
    match count.exact() {
        Ok(number) => {
            *result = number;
            0
        }
        Err(CountError::Overflowed) => 1,
        Err(CountError::Disturbed) => 2,
        Err(_) => 3,
    }
}

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
