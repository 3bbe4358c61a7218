//! The methods of the CCI-550's driver.
#![allow(unsafe_code)]

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{AssignError, Measurement, measure};
use cci550::events::COUNTERS;
use cci550::{Pmu, Running, SI3, Selection, SlaveEvent};

use crate::cci550_by_hand as by_hand;
use crate::hand::Mapped;
use crate::reading::Reading;

type Bus = cci550::Mmio;

#[unsafe(no_mangle)]
pub fn cci550_start(pmu: Pmu<Bus>) -> Running<Bus> {
    pmu.start()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cci550_start_by_hand(pmu: &mut by_hand::Pmu<Mapped>) {
    pmu.start();
}

#[unsafe(no_mangle)]
pub fn cci550_stop(running: Running<Bus>) -> Pmu<Bus> {
    running.stop()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cci550_stop_by_hand(pmu: &mut by_hand::Pmu<Mapped>) {
    pmu.stop();
}

#[unsafe(no_mangle)]
pub fn cci550_running_counts(running: &Running<Bus>) -> [Count; COUNTERS] {
    running.counts()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cci550_running_counts_by_hand(pmu: &by_hand::Pmu<Mapped>) -> [Reading; by_hand::COUNTERS] {
    pmu.running()
}

#[unsafe(no_mangle)]
pub fn cci550_acknowledge(running: &mut Running<Bus>) -> [bool; COUNTERS] {
    running.acknowledge()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cci550_acknowledge_by_hand(pmu: &mut by_hand::Pmu<Mapped>) -> [bool; by_hand::COUNTERS] {
    pmu.acknowledge()
}

/// Two events around nothing.
#[unsafe(no_mangle)]
pub fn cci550_measure_nothing(
    pmu: &mut Pmu<Bus>,
) -> Result<Measurement<Selection, (), 2>, AssignError> {
    let events = [SlaveEvent::ReadShareableAllocating, SlaveEvent::ReadDataSnoopHit];
    measure(pmu, events.map(|event| SI3.event(event)), || ())
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cci550_measure_nothing_by_hand(pmu: &mut by_hand::Pmu<Mapped>) -> [Reading; 2] {
    pmu.events = [None; COUNTERS];
    pmu.events[0] = Some(0x64);
    pmu.events[1] = Some(0x69);
    pmu.from = [0; COUNTERS];
    pmu.start();
    pmu.stop();
    [pmu.readings[0], pmu.readings[1]]
}
