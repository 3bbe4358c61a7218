//! One API for all PMUs, for a program that depends on the facade alone.
#![cfg(all(
    feature = "cci400",
    feature = "cci550",
    feature = "mmu600",
    feature = "cortex-a8",
    feature = "cortex-a53"
))]

use arm_pmu::bus::{Bus, Location, RegisterSpec};
use arm_pmu::cci550::registers::pmcr::PmcrSpec;
use arm_pmu::count::Count;
use arm_pmu::event::Event;
use arm_pmu::measure::{AssignError, Monitor, measure};
use arm_pmu_sim::{Cci400, Cci550, Mmu600, Security, Stream};

/// Events of a user-defined IP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Event)]
#[event(crate = arm_pmu, bits = 4)]
enum OwnEvent {
    /// A door was opened.
    #[event(name = "DOOR_OPENED")]
    DoorOpened = 0x3,
}

#[test]
fn the_derive_finds_the_facade() {
    assert_eq!(OwnEvent::from_code(3), Some(OwnEvent::DoorOpened));
    assert_eq!("door_opened".parse(), Ok(OwnEvent::DoorOpened));
}

/// Returns the first selection with a count above zero; generic over the IP.
fn first_seen<M: Monitor>(
    pmu: &mut M,
    candidates: [M::Selection; 2],
    work: impl FnOnce(),
) -> Result<Option<usize>, AssignError> {
    let counts = measure(pmu, candidates, work)?.counts;
    Ok(counts.iter().position(|count| *count != Count::new(0)))
}

#[test]
fn generic_code_runs_on_every_ip() {
    let device = Cci400::new();
    let mut pmu = arm_pmu::cci400::Pmu::new(device.bus());
    let events = [arm_pmu::cci400::SlaveEvent::Evict, arm_pmu::cci400::SlaveEvent::WriteUnique];
    let candidates = events.map(|event| arm_pmu::cci400::S1.event(event).into());
    let work = || device.signal_raw(1, 0x10, Security::NonSecure, 5);
    assert_eq!(first_seen(&mut pmu, candidates, work), Ok(Some(1)));

    let device = Cci550::new();
    let mut pmu = arm_pmu::cci550::Pmu::new(device.bus());
    let events = [arm_pmu::cci550::SlaveEvent::Evict, arm_pmu::cci550::SlaveEvent::WriteUnique];
    let candidates = events.map(|event| arm_pmu::cci550::SI1.event(event));
    let work = || device.signal_raw(1, 0x10, Security::NonSecure, 5);
    assert_eq!(first_seen(&mut pmu, candidates, work), Ok(Some(0)), "another numbering");

    let device = Mmu600::tcu();
    let mut pmu = arm_pmu::mmu600::tcu::Pmu::new(device.page0(), device.page1());
    let events = [arm_pmu::mmu600::TcuEvent::TlbMiss, arm_pmu::mmu600::TcuEvent::WalkCacheRead];
    let work = || device.signal_raw(0x90, Stream::non_secure(7), 5);
    assert_eq!(first_seen(&mut pmu, events.map(Into::into), work), Ok(Some(1)));

    let device = Mmu600::tbu();
    let mut pmu = arm_pmu::mmu600::tbu::Pmu::new(device.page0(), device.page1());
    let events = [arm_pmu::mmu600::TbuEvent::TlbMiss, arm_pmu::mmu600::TbuEvent::Transaction];
    let work = || device.signal_raw(0x01, Stream::non_secure(7), 5);
    assert_eq!(first_seen(&mut pmu, events.map(Into::into), work), Ok(Some(1)));
}

/// A PMU can live in a `static` behind a mutex, and move to a handler of its overflows.
#[test]
fn a_pmu_moves_between_threads() {
    fn moves<T: Send>() {}
    moves::<arm_pmu::cci550::Pmu<arm_pmu::cci550::Mmio>>();
    moves::<arm_pmu::cortex_a53::Pmu<arm_pmu::cortex_a53::Sysreg>>();
    moves::<arm_pmu::cortex_a8::Pmu<arm_pmu::cortex_a8::Cp15>>();
}

/// A second name of a register.
struct Alias;

impl RegisterSpec for Alias {
    type Space = arm_pmu::cci550::Space;
    type Ux = u32;
    const LOCATION: Location<Self::Space> = PmcrSpec::LOCATION;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

#[test]
fn a_copied_location_is_the_same_register() {
    let device = Cci550::new();
    assert_eq!(device.bus().load::<Alias>(0), device.peek(0x100));
}
