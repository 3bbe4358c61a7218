//! Reads the hardware counter of a thread's event. A page of the kernel contains the number of the counter.
//!
//! Sources of the protocol: the comments on `struct perf_event_mmap_page` in the kernel's
//! `include/uapi/linux/perf_event.h`, and the kernel's document on user-mode reads of PMUv3.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::offset_of;
use std::sync::atomic::{AtomicI64, AtomicU16, AtomicU32, AtomicU64, Ordering, compiler_fence};

use crate::map::{Map, page_size};

/// Start of the page. The kernel writes the page on the processor that runs the thread.
#[repr(C)]
struct Shared {
    version: [u32; 2],
    /// Sequence number, incremented by each write of the kernel.
    lock: AtomicU32,
    /// Number of the counter plus one; 0 without a readable counter.
    index: AtomicU32,
    /// Value to add to the counter.
    offset: AtomicI64,
    enabled: AtomicU64,
    running: AtomicU64,
    capabilities: AtomicU64,
    /// Number of bits of the counter.
    width: AtomicU16,
}

const _: () = assert!(offset_of!(Shared, lock) == 8);
const _: () = assert!(offset_of!(Shared, offset) == 16);
const _: () = assert!(offset_of!(Shared, capabilities) == 40);
const _: () = assert!(offset_of!(Shared, width) == 48);

/// Bit of `capabilities` that permits reads in user mode (`cap_user_rdpmc`).
const MAY_READ: u64 = 1 << 2;

/// A mapped page.
#[derive(Debug)]
pub(crate) struct Page {
    map: Map,
    /// Thread that owns the event. In another thread, the counter counts another event.
    thread: usize,
}

impl Page {
    /// Maps the page of an event of the calling thread.
    pub(crate) fn of(event: &File) -> io::Result<Self> {
        let map = Map::new(Some(event), 0, page_size(), libc::PROT_READ)?;
        Ok(Self { map, thread: this_thread() })
    }

    /// Reads the current count without a system call. `None` if the event is not on a counter that this thread may
    /// read, or was on a counter for only a part of the time.
    pub(crate) fn read(&self) -> Option<u64> {
        if this_thread() != self.thread {
            return None;
        }
        // SAFETY: the mapping lives as long as `self`, starts at a page, and is longer than the structure. The kernel
        // writes single words, so each word is read as an atomic.
        read(unsafe { &*self.map.base().cast::<Shared>() }, counter)
    }
}

/// Returns a number that identifies this thread among all running threads.
fn this_thread() -> usize {
    thread_local!(static OWN: u8 = const { 0 });
    OWN.with(|own| std::ptr::from_ref(own) as usize)
}

/// Reads a counter by the protocol of the page: reads again if the kernel has written the page in the meantime, for
/// example in an interrupt.
fn read(shared: &Shared, counter: impl Fn(u32) -> Option<u64>) -> Option<u64> {
    loop {
        let lock = shared.lock.load(Ordering::Relaxed);
        // The kernel writes on this processor while the thread is interrupted, so a compiler fence suffices.
        compiler_fence(Ordering::SeqCst);
        let index = shared.index.load(Ordering::Relaxed).checked_sub(1);
        let may_read = shared.capabilities.load(Ordering::Relaxed) & MAY_READ != 0;
        let whole =
            shared.enabled.load(Ordering::Relaxed) == shared.running.load(Ordering::Relaxed);
        let offset = shared.offset.load(Ordering::Relaxed);
        let width = u32::from(shared.width.load(Ordering::Relaxed)).clamp(1, u64::BITS);
        let value = index.filter(|_| may_read && whole).and_then(&counter);
        compiler_fence(Ordering::SeqCst);
        if shared.lock.load(Ordering::Relaxed) == lock {
            // The kernel starts a counter in the middle of its range, as a negative number of `width` bits.
            let unused = u64::BITS - width;
            let value = ((value? << unused) as i64) >> unused;
            return Some(offset.wrapping_add(value) as u64);
        }
    }
}

/// Reads a counter of the processor. As in the kernel, `number` is the number of an event counter, or 31 for the cycle
/// counter.
#[cfg(target_arch = "aarch64")]
fn counter(number: u32) -> Option<u64> {
    use arm_pmuv3::Space;
    use arm_pmuv3::registers::Registers;

    const CYCLES: usize = 31;
    // SAFETY: reads change no state. The kernel assigned the counter to this thread, so the core has PMUv3. Access is
    // permitted while the lock of the page does not change; otherwise the value is discarded.
    let mut bus = unsafe { arm_pmu_core::bus::Sysreg::<Space>::new() };
    let registers = Registers::new(&mut bus);
    match number as usize {
        CYCLES => Some(registers.pmccntr_el0().read().bits()),
        number => registers.pmevcntr_el0().get(number).map(|counter| counter.read().bits()),
    }
}

#[cfg(not(target_arch = "aarch64"))]
fn counter(_: u32) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn page(index: u32, offset: i64, width: u16) -> Shared {
        Shared {
            version: [0; 2],
            lock: AtomicU32::new(2),
            index: AtomicU32::new(index),
            offset: AtomicI64::new(offset),
            enabled: AtomicU64::new(7),
            running: AtomicU64::new(7),
            capabilities: AtomicU64::new(MAY_READ),
            width: AtomicU16::new(width),
        }
    }

    #[test]
    fn a_counter_is_added_to_the_offset() {
        // The event has counted 100, and the kernel restarted its 32-bit counter at 2^31.
        let restarted = 100 + (1 << 31);
        for (index, offset, width, value, count) in [
            (5, 234, 32, 1_000, 1_234),
            (5, 1 << 40, 32, 1_000, (1 << 40) + 1_000),
            (1, restarted, 32, 1 << 31, 100),
            (1, restarted, 32, (1 << 31) + 5, 105),
            (1, restarted, 32, 7, 100 + (1 << 31) + 7),
            // All 64 bits of the cycle counter are used.
            (32, i64::MIN, 64, 1 << 63 | 9, 9),
        ] {
            let counter = |number| (number == index - 1).then_some(value);
            assert_eq!(read(&page(index, offset, width), counter), Some(count), "{value:#x}");
        }
    }

    #[test]
    fn an_unreadable_counter_is_not_accessed() {
        let untouched = |shared: &Shared| {
            let number = read(shared, |_| panic!("an access would cause an exception"));
            assert_eq!(number, None);
        };
        untouched(&page(0, 9, 32));
        let shared = page(5, 9, 32);
        shared.capabilities.store(!MAY_READ, Ordering::Relaxed);
        untouched(&shared);
        // The event was on a counter for only a part of the time.
        let shared = page(5, 9, 32);
        shared.running.store(6, Ordering::Relaxed);
        untouched(&shared);
    }

    #[test]
    fn a_concurrent_kernel_update_repeats_the_read() {
        let shared = page(5, 100, 32);
        let times = Cell::new(0);
        let moved = read(&shared, |number| {
            times.set(times.get() + 1);
            if times.get() == 1 {
                // The kernel interrupts the thread here, and moves its event to another counter.
                assert_eq!(number, 4);
                shared.lock.fetch_add(2, Ordering::Relaxed);
                shared.index.store(2, Ordering::Relaxed);
                shared.offset.store(150, Ordering::Relaxed);
                return Some(0xDEAD);
            }
            assert_eq!(number, 1);
            Some(3)
        });
        assert_eq!((moved, times.get()), (Some(153), 2));
        // The kernel removes the event from its counter.
        let taken = read(&shared, |_| {
            shared.index.store(0, Ordering::Relaxed);
            shared.lock.fetch_add(2, Ordering::Relaxed);
            Some(5)
        });
        assert_eq!(taken, None);
    }

    #[test]
    fn threads_have_different_numbers() {
        let here = this_thread();
        assert_eq!(this_thread(), here);
        let there = std::thread::spawn(this_thread).join().expect("a number");
        assert_ne!(there, here);
    }
}
