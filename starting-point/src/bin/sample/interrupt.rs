//! The overflow interrupt of the PMU, through the GICv2 of QEMU's `virt`.

use core::cell::UnsafeCell;
use core::mem::transmute;

use crate::entry;

/// Address of the distributor.
const GICD: usize = 0x0800_0000;
/// Address of the CPU interface.
const GICC: usize = 0x0801_0000;
/// Interrupt of the PMU, private to each core.
const PMU: u32 = 23;

/// Interrupt number in GICC_IAR if no interrupt is pending.
const SPURIOUS: u32 = 1020;

type Handler = dyn FnMut(usize);

struct Shared(UnsafeCell<Option<&'static mut Handler>>);

// SAFETY: there is one core. `handle` uses the value only while interrupts are masked, and the handler does not
// interrupt itself.
unsafe impl Sync for Shared {}

static HANDLER: Shared = Shared(UnsafeCell::new(None));

/// Calls `handler` with the address of the interrupted instruction at each overflow while `work` runs.
pub fn handle(handler: &mut dyn FnMut(usize), work: impl FnOnce()) {
    // SAFETY: interrupts are masked. The handler is always removed before its lifetime ends: a panic does not unwind,
    // so it cannot leave this function early.
    unsafe {
        *HANDLER.0.get() = Some(transmute::<&mut dyn FnMut(usize), &'static mut Handler>(handler))
    };
    write(GICD, 1); // GICD_CTLR: forward interrupts
    write(GICD + 0x100, 1 << PMU); // GICD_ISENABLER0
    write(GICC + 0x4, 0xFF); // GICC_PMR: accept every priority
    write(GICC, 1); // GICC_CTLR: signal interrupts to this core
    entry::unmask();
    work();
    entry::mask();
    // SAFETY: interrupts are masked.
    unsafe { *HANDLER.0.get() = None };
}

/// Entry point from the vectors.
#[unsafe(no_mangle)]
extern "C" fn interrupt(pc: usize) {
    // SAFETY: only this function reads GICC_IAR.
    let number = unsafe { ((GICC + 0xC) as *const u32).read_volatile() } & 0x3FF;
    if number == PMU {
        // SAFETY: `handle` accesses the handler only while interrupts are masked.
        if let Some(handler) = unsafe { &mut *HANDLER.0.get() } {
            handler(pc);
        }
    }
    if number < SPURIOUS {
        write(GICC + 0x10, number); // GICC_EOIR
    }
}

fn write(address: usize, value: u32) {
    // SAFETY: only this module uses the interrupt controller's registers.
    unsafe { (address as *mut u32).write_volatile(value) }
}
