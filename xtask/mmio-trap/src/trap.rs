//! Memory without access permission, and the signal handler that completes accesses to it.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};
use std::sync::{Once, OnceLock};

use libc::{c_int, sigaction, siginfo_t, ucontext_t};

use crate::decode::Direction;
use crate::processor::Processor;

/// A device with 32-bit registers.
pub trait Device {
    /// Answers a read of 32 bits.
    fn load(&self, offset: usize) -> u32;
    /// Takes a write of 32 bits.
    fn store(&self, offset: usize, value: u32);
}

/// A mapping without read and write permission.
#[derive(Debug)]
pub struct Hole {
    start: usize,
    length: usize,
}

impl Hole {
    /// # Panics
    ///
    /// If the process has no addresses left.
    pub fn new(length: usize) -> Self {
        install();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new addresses, which nothing uses yet.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0) };
        assert!(start != libc::MAP_FAILED, "no room for {length:#x} bytes of registers");
        Self { start: start.expose_provenance(), length }
    }

    pub fn start(&self) -> usize {
        self.start
    }

    /// Makes one access, which `device` answers.
    ///
    /// # Panics
    ///
    /// If `access` makes no access, more than one, or one that is not a plain 32-bit load or store; and
    /// if the device panics.
    pub fn answered<R>(&self, device: &dyn Device, access: impl FnOnce() -> R) -> R {
        let current = Current {
            start: self.start,
            length: self.length,
            device,
            accesses: Cell::new(0),
            panic: RefCell::new(None),
        };
        let reset = Reset(CURRENT.replace((&raw const current).cast()));
        // The compiler does not know that the access changes memory.
        compiler_fence(Ordering::SeqCst);
        let result = access();
        compiler_fence(Ordering::SeqCst);
        drop(reset);
        if let Some(panic) = current.panic.take() {
            resume_unwind(panic);
        }
        assert_eq!(current.accesses.get(), 1, "accesses to the device instead of one");
        result
    }
}

impl Drop for Hole {
    fn drop(&mut self) {
        // SAFETY: `new` mapped it, and no reference points there.
        unsafe { libc::munmap(ptr::with_exposed_provenance_mut(self.start), self.length) };
    }
}

/// An access that this thread is about to make.
struct Current<'a> {
    start: usize,
    length: usize,
    device: &'a dyn Device,
    accesses: Cell<u32>,
    /// The panic of the device, or why it did not answer.
    panic: RefCell<Option<Box<dyn Any + Send>>>,
}

thread_local! {
    static CURRENT: Cell<*const Current<'static>> = const { Cell::new(ptr::null()) };
}

/// Ends the access also if it panics.
struct Reset(*const Current<'static>);

impl Drop for Reset {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

static LOADS: AtomicU64 = AtomicU64::new(0);
static STORES: AtomicU64 = AtomicU64::new(0);
static PREVIOUS: OnceLock<sigaction> = OnceLock::new();

fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: all zeros is a valid `sigaction`.
        let (mut action, mut previous): (sigaction, sigaction) = unsafe { mem::zeroed() };
        let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = on_fault;
        action.sa_sigaction = handler as usize;
        // On the stack of the thread: the other one, for overflows of the stack, is too small for tests.
        action.sa_flags = libc::SA_SIGINFO;
        // SAFETY: both are valid, and the handler has the arguments that SA_SIGINFO promises.
        let result =
            unsafe { libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut previous) };
        assert_eq!(result, 0, "the handler was not accepted");
        PREVIOUS.get_or_init(|| previous);
        // SAFETY: the function neither panics nor needs anything of this thread.
        unsafe { libc::atexit(on_exit) };
    });
}

/// Prints the number of accesses, which `cargo xtask arm test-mmio` adds up.
extern "C" fn on_exit() {
    let (loads, stores) = (LOADS.load(Ordering::Relaxed), STORES.load(Ordering::Relaxed));
    eprintln!("\ntrapped: {loads} loads, {stores} stores");
}

extern "C" fn on_fault(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives a valid description of the fault and of the interrupted program.
    let (address, context) =
        unsafe { ((*info).si_addr() as usize, &mut *context.cast::<ucontext_t>()) };
    let mut processor = Processor(context);
    // SAFETY: it points to the stack of `answered`, which waits for this function.
    let current = unsafe { CURRENT.get().as_ref() };
    let ours = current
        .filter(|current| (current.start..current.start + current.length).contains(&address));
    let Some(current) = ours else {
        eprintln!("fault at {address:#x}, pc {:#x}", processor.program_counter());
        // The instruction is executed again and faults again; then the previous handler runs.
        let Some(previous) = PREVIOUS.get() else { std::process::abort() };
        // SAFETY: the system gave it.
        unsafe { libc::sigaction(libc::SIGSEGV, previous, ptr::null_mut()) };
        return;
    };
    // No code of the interrupted program is unwound from here.
    let outcome = catch_unwind(AssertUnwindSafe(|| answer(&mut processor, current, address)));
    if let Err(panic) = outcome {
        *current.panic.borrow_mut() = Some(panic);
    }
    processor.skip();
}

/// Completes the interrupted instruction.
fn answer(processor: &mut Processor<'_>, current: &Current<'_>, address: usize) {
    current.accesses.set(current.accesses.get() + 1);
    let offset = address - current.start;
    let access =
        processor.access().unwrap_or_else(|problem| panic!("at offset {offset:#x}: {problem}"));
    assert_eq!(processor.address(&access), address, "address of the instruction {access:?}");
    assert_eq!(offset % 4, 0, "the access at offset {offset:#x} is not aligned");
    match access.direction {
        Direction::Load => {
            LOADS.fetch_add(1, Ordering::Relaxed);
            let value = u32::from_le(current.device.load(offset));
            processor.set_register(access.data, value.into());
        }
        Direction::Store => {
            STORES.fetch_add(1, Ordering::Relaxed);
            current.device.store(offset, u32::from_le(processor.stored(&access)));
        }
    }
}
