//! Calls of QEMU by Arm's semihosting interface: the two operations that the images need.
#![allow(unsafe_code)]

use core::ffi::CStr;

#[cfg(target_arch = "aarch64")]
use crate::aarch64::semihosting::call;
#[cfg(target_arch = "arm")]
use crate::arm::semihosting::call;

const SYS_WRITE0: usize = 0x04;
const SYS_EXIT_EXTENDED: usize = 0x20;

/// The reason for the end that carries an exit status.
const APPLICATION_EXIT: usize = 0x2_0026;

/// Prints `text`.
pub(crate) fn write(text: &CStr) {
    // SAFETY: SYS_WRITE0 reads up to the zero that ends the text.
    unsafe { call(SYS_WRITE0, text.as_ptr().expose_provenance()) }
}

/// Ends the run; QEMU's exit status is `status`.
pub(crate) fn exit(status: u8) -> ! {
    let block = [APPLICATION_EXIT, usize::from(status)];
    // SAFETY: SYS_EXIT_EXTENDED reads these two words.
    unsafe { call(SYS_EXIT_EXTENDED, block.as_ptr().expose_provenance()) }
    // QEMU ends between two instructions, but not necessarily these.
    loop {
        core::hint::spin_loop();
    }
}
