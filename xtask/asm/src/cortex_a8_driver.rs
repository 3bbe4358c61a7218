//! The methods of the Cortex-A8's driver.
#![allow(unsafe_code)]

use arm_pmu_core::count::Count;
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{AssignError, Measurement, measure};
use cortex_a8::events::COUNTERS;
use cortex_a8::{CortexA8Event, Counters, Cp15, Pmu, Running, Selection};

use crate::cortex_a8_by_hand as by_hand;
use crate::hand;
use crate::reading::Reading;

/// The registers of this core.
pub struct Own(());

impl by_hand::Registers for Own {
    #[inline(always)]
    fn read<const CRM: u8, const OPC2: u8>(&self) -> u32 {
        let value: u32;
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!("mrc p15, 0, {}, c9, c{}, {}", out(reg) value, const CRM, const OPC2,
                options(nostack, preserves_flags));
        }
        value
    }

    #[inline(always)]
    fn write<const CRM: u8, const OPC2: u8>(&self, value: u32) {
        // SAFETY: a performance monitor register, which cannot break memory safety.
        unsafe {
            core::arch::asm!("mcr p15, 0, {}, c9, c{}, {}", in(reg) value, const CRM, const OPC2,
                options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn barrier(&self) {
        hand::barrier();
    }
}

#[unsafe(no_mangle)]
pub fn cortex_a8_start(pmu: Pmu<Cp15>) -> Running<Cp15> {
    pmu.start()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_start_by_hand(pmu: &mut by_hand::Pmu<Own>) {
    pmu.start();
}

#[unsafe(no_mangle)]
pub fn cortex_a8_stop(running: Running<Cp15>) -> Pmu<Cp15> {
    running.stop()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_stop_by_hand(pmu: &mut by_hand::Pmu<Own>) {
    pmu.stop();
}

#[unsafe(no_mangle)]
pub fn cortex_a8_running_counts(running: &Running<Cp15>) -> [Count; COUNTERS] {
    running.counts()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_running_counts_by_hand(pmu: &by_hand::Pmu<Own>) -> [Reading; COUNTERS] {
    pmu.running()
}

#[unsafe(no_mangle)]
pub fn cortex_a8_acknowledge(running: &mut Running<Cp15>) -> Counters {
    running.acknowledge()
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_acknowledge_by_hand(pmu: &mut by_hand::Pmu<Own>) -> u32 {
    pmu.acknowledge()
}

/// An event and the cycles around nothing.
#[unsafe(no_mangle)]
pub fn cortex_a8_measure_nothing(
    pmu: &mut Pmu<Cp15>,
) -> Result<Measurement<EventOrCycles<Selection>, (), 2>, AssignError> {
    let event = EventOrCycles::Event(CortexA8Event::InstructionExecuted.into());
    measure(pmu, [event, EventOrCycles::Cycles], || ())
}

#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.by_hand")]
pub fn cortex_a8_measure_nothing_by_hand(pmu: &mut by_hand::Pmu<Own>) -> [Reading; 2] {
    pmu.wanted.events = [Some(0x08), None, None, None];
    pmu.wanted.from = [0; COUNTERS];
    pmu.wanted.cycles = Some(0);
    pmu.wanted.by_64 = false;
    pmu.start();
    pmu.stop();
    [pmu.readings[0], pmu.cycles]
}
