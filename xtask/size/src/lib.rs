//! Code that the smallest programs of this package share. `cargo xtask size` builds them and compares them with
//! `c/*.c`. With an operating system, this library is empty.
#![cfg(target_os = "none")]
#![no_std]
#![allow(unsafe_code)]

use arm_pmu_core::count::{Count, CountError};

// The measured work is empty, but the compiler does not know this.
#[cfg(target_arch = "arm")]
core::arch::global_asm!(".global work", "work: bx lr");
#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(".global work", "work: ret");

unsafe extern "C" {
    /// What is measured.
    pub safe fn work();
}

/// Stores the number of events and returns 0. If the number is not exact, returns a code for the
/// reason.
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

/// Defines the program that counts one event around [`work`]. The expression `$pmu` creates the driver; it can use the
/// program's arguments, which are given before `$pmu`.
#[macro_export]
macro_rules! program {
    (($($argument:ident: $Type:ty)?) $pmu:expr, $event:expr) => {
        /// Counts one event.
        // The entry point of the program: no other item has this name.
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        extern "C" fn _start($($argument: $Type,)? result: &mut u32) -> u32 {
            // SAFETY: the program is alone on a privileged core; the caller passes the base of the device and uses it
            // no longer.
            let mut pmu = unsafe { $pmu };
            let [counter, ..] = pmu.counters();
            counter.count($event);
            let running = pmu.start();
            $crate::work();
            let pmu = running.stop();
            let [count, ..] = pmu.counts();
            $crate::answer(count, result)
        }
    };
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
