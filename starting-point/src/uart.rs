//! The UART of QEMU's `virt`, a PL011 that needs no set-up. On a board, firmware has usually configured a UART.

use core::fmt::{self, Write as _};
use core::panic::PanicInfo;

/// Address of the registers.
const BASE: usize = 0x0900_0000;
/// The data register.
const DR: usize = BASE;
/// The flag register.
const FR: usize = BASE + 0x18;
/// FR.TXFF: the transmit FIFO is full.
const TXFF: u32 = 1 << 5;

pub struct Uart(());

impl Uart {
    pub const fn new() -> Self {
        Self(())
    }
}

impl fmt::Write for Uart {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: the registers belong to the UART, and no other code writes to them.
            unsafe {
                while (FR as *const u32).read_volatile() & TXFF != 0 {}
                (DR as *mut u32).write_volatile(byte.into());
            }
        }
        Ok(())
    }
}

/// Prints a panic.
#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    // Writing to this UART cannot fail.
    let _ = writeln!(Uart::new(), "{info}");
    crate::processor::power_off()
}
