//! The memory-mapped drivers on RAM in place of their devices: which stores they make, in which order.
//!
//! Nothing is counted there. That the accesses are ones that an AArch64 core can make, that they go
//! where they belong, and that the compiler for that core has left none out and moved none, is told by
//! the stores being those that a host makes: `stores/*.txt`.
#![allow(unsafe_code)]

use core::convert::Infallible;
use core::marker::PhantomData;

use arm_pmu_core::bus::{MemorySpace, Space, TwoPages};
use cci400::{Divider, M0, MasterEvent, S3};
use cci550::{MI0, SI3};

use crate::Checks;
use crate::ram::Block;
use crate::recorder::{Log, Recorder, Store};

/// Initial value of each register; no driver writes this value.
const BEFORE: u32 = 0x5A5A_5A5A;

/// A driver, and the stores that it makes.
#[derive(Clone, Copy, Debug)]
pub struct Driver {
    /// The IP.
    pub name: &'static str,
    run: fn(&'static Block, &Log),
    /// One line for each store.
    pub stored: &'static str,
}

/// All of them.
pub const DRIVERS: [Driver; 4] = [
    Driver { name: "cci400", run: cci400, stored: include_str!("../stores/cci400.txt") },
    Driver { name: "cci550", run: cci550, stored: include_str!("../stores/cci550.txt") },
    Driver { name: "mmu600", run: mmu600, stored: include_str!("../stores/mmu600.txt") },
    Driver { name: "mmu700", run: mmu700, stored: include_str!("../stores/mmu700.txt") },
];

impl Driver {
    /// The stores that it makes here.
    ///
    /// # Safety
    ///
    /// No other code uses the block meanwhile.
    #[must_use]
    pub unsafe fn stores(&self, block: &'static Block) -> Log {
        let log = Log::new();
        (self.run)(block, &log);
        log
    }
}

/// Checks that all drivers make the stores that a host makes, and write nothing else.
///
/// # Safety
///
/// No other code uses the block meanwhile.
pub unsafe fn all(block: &'static Block, checks: &mut Checks) {
    for driver in DRIVERS {
        // SAFETY: guaranteed by the caller.
        let log = unsafe { driver.stores(block) };
        let mut lines = driver.stored.lines();
        let mut number = 0;
        let mut same = true;
        while let Some(store) = log.get(number) {
            number += 1;
            same &= lines.next().is_some_and(|line| is(line, store));
        }
        checks.check(format_args!("{}: the stores of a host", driver.name), same);
        checks.equal("as many as a host makes", lines.count(), 0);
        let last = |offset| {
            let stores = (0..number).filter_map(|number| log.get(number));
            // Pages follow each other here, and those of all SMMUs are as long.
            let at = |store: &Store| {
                store.page * mmu600::registers::PAGE0_LENGTH + store.offset == offset
            };
            stores.filter(at).last().map_or(BEFORE, |store| store.value)
        };
        let strange = block.words().find(|(offset, value)| *value != last(*offset));
        checks.equal("and the registers hold them, and nothing else", strange, None);
    }
}

/// Whether the line is that of the store. Without a heap, so without its text.
fn is(line: &str, store: Store) -> bool {
    let mut parts = line.split(' ');
    let mut number = || {
        let text = parts.next()?;
        match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    };
    let wanted = [store.page as u32, store.offset as u32, store.value].map(Some);
    [number(), number(), number()] == wanted
}

fn cci400(block: &'static Block, log: &Log) {
    // SAFETY: no other code uses the block, by the contract of `stores`.
    let bus = unsafe { block.device(BEFORE) };
    let mut pmu = cci400::Pmu::new(Recorder::new(bus, 0, log));
    let [first, .., last] = pmu.counters();
    first.count(S3.event(cci400::SlaveEvent::ReadDataSnoopHit));
    last.count_from(M0.event(MasterEvent::AddressHazardStall), 1000);
    pmu.cycle_counter().count(Divider::By64);
    let mut running = pmu.start();
    let _ = running.counts();
    running.acknowledge();
    let mut pmu = running.stop().resume().stop();
    pmu.acknowledge_all();
}

fn cci550(block: &'static Block, log: &Log) {
    // SAFETY: as above.
    let bus = unsafe { block.device(BEFORE) };
    let mut pmu = cci550::Pmu::new(Recorder::new(bus, 0, log));
    let [first, .., last] = pmu.counters();
    first.count(SI3.event(cci550::SlaveEvent::ReadDataSnoopHit));
    last.count_from(MI0.event(cci550::MasterEvent::WriteDataBeat), 1000);
    let mut running = pmu.start();
    let _ = running.counts();
    running.acknowledge();
    let _ = running.stop().resume().stop();
}

/// The pages of an SMMU one after the other, so that both are in the block.
struct Pages<P0, P1>(PhantomData<(P0, P1)>);

impl<P0, P1> Space for Pages<P0, P1> {
    type Key = usize;
    type Permit = Infallible;
}

impl<P0: MemorySpace, P1: MemorySpace> MemorySpace for Pages<P0, P1> {
    const LENGTH: usize = P0::LENGTH + P1::LENGTH;
}

impl<P0: MemorySpace, P1: MemorySpace> TwoPages for Pages<P0, P1> {
    type Page0 = P0;
    type Page1 = P1;
    const PAGE0: usize = 0;
    const PAGE1: usize = P0::LENGTH;
}

macro_rules! smmu {
    ($ip:ident) => {
        fn $ip(block: &'static Block, log: &Log) {
            use $ip::registers::{Page0, Page1};
            use $ip::{StreamFilter, TbuEvent, tbu};

            // SAFETY: as above.
            let region = unsafe { block.device::<Pages<Page0, Page1>>(BEFORE) };
            let (page0, page1) = region.into_pages();
            let (page0, page1) = (Recorder::new(page0, 0, log), Recorder::new(page1, 1, log));
            let mut pmu: tbu::Pmu<_, _> = tbu::Pmu::new(page0, page1);
            let [first, .., last] = pmu.counters();
            first.count(TbuEvent::MainTlbMiss);
            last.count_from(TbuEvent::MainTlbLookup, 1000);
            if let Ok(filter) = StreamFilter::span(0x40..0x44) {
                pmu.filter_streams(filter);
            }
            // RAM holds the acknowledged value already.
            let _ = pmu.interrupts([true, false, false, true]);
            let mut running = pmu.start();
            let _ = running.counts();
            let _ = running.capture();
            running.acknowledge();
            let mut pmu = running.stop().resume().stop();
            pmu.acknowledge_all();
        }
    };
}

smmu!(mmu600);
smmu!(mmu700);
