//! Methods of the drivers, each beside its counterpart written by hand.

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{AssignError, Measurement, measure};

use crate::reading::Reading;
use crate::{cci550_by_hand, hand};

/// The methods that every driver has.
macro_rules! driver {
    ($name:literal, $krate:ident, $Bus:ty, $Flags:ty; $by_hand:ident, $Registers:ty, $HandFlags:ty) => {
        pairs! {
            $name "_start", (pmu: $krate::Pmu<$Bus>) -> $krate::Running<$Bus> {
                pmu.start()
            }
            by hand(pmu: &mut $by_hand::Pmu<$Registers>) {
                pmu.start();
            }

            $name "_stop", (running: $krate::Running<$Bus>) -> $krate::Pmu<$Bus> {
                running.stop()
            }
            by hand(pmu: &mut $by_hand::Pmu<$Registers>) {
                pmu.stop();
            }

            $name "_running_counts",
            (running: &$krate::Running<$Bus>) -> [Count; $krate::events::COUNTERS] {
                running.counts()
            }
            by hand(pmu: &$by_hand::Pmu<$Registers>) -> [Reading; $by_hand::COUNTERS] {
                pmu.running()
            }

            $name "_acknowledge", (running: &mut $krate::Running<$Bus>) -> $Flags {
                running.acknowledge()
            }
            by hand(pmu: &mut $by_hand::Pmu<$Registers>) -> $HandFlags {
                pmu.acknowledge()
            }
        }
    };
}

driver!("cci550", cci550, cci550::Mmio, [bool; 8]; cci550_by_hand, hand::Mapped, [bool; 8]);

pairs! {
    /// Two events around nothing.
    "cci550_measure_nothing",
    (pmu: &mut cci550::Pmu<cci550::Mmio>)
        -> Result<Measurement<cci550::Selection, (), 2>, AssignError>
    {
        use cci550::SlaveEvent::{ReadDataSnoopHit, ReadShareableAllocating};
        let events = [ReadShareableAllocating, ReadDataSnoopHit];
        measure(pmu, events.map(|event| cci550::SI3.event(event)), || ())
    }
    by hand(pmu: &mut cci550_by_hand::Pmu<hand::Mapped>) -> [Reading; 2] {
        pmu.events = [None; cci550_by_hand::COUNTERS];
        pmu.events[0] = Some(0x64);
        pmu.events[1] = Some(0x69);
        pmu.from = [0; cci550_by_hand::COUNTERS];
        pmu.start();
        pmu.stop();
        [pmu.readings[0], pmu.readings[1]]
    }
}

#[cfg(target_arch = "aarch64")]
mod aarch64 {
    use super::*;
    use crate::cortex_a53_by_hand;

    driver!(
        "cortex_a53", cortex_a53, cortex_a53::Sysreg, cortex_a53::Counters;
        cortex_a53_by_hand, hand::System, u32
    );
}

#[cfg(target_arch = "arm")]
mod arm {
    use arm_pmu_core::event::EventOrCycles;
    use cortex_a8::{CortexA8Event, Cp15, Pmu, Selection};

    use super::*;
    use crate::cortex_a8_by_hand;

    driver!("cortex_a8", cortex_a8, Cp15, cortex_a8::Counters; cortex_a8_by_hand, hand::Cp15<9>, u32);

    pairs! {
        /// An event and the cycles around nothing.
        "cortex_a8_measure_nothing",
        (pmu: &mut Pmu<Cp15>)
            -> Result<Measurement<EventOrCycles<Selection>, (), 2>, AssignError>
        {
            let event = EventOrCycles::Event(CortexA8Event::InstructionExecuted.into());
            measure(pmu, [event, EventOrCycles::Cycles], || ())
        }
        by hand(pmu: &mut cortex_a8_by_hand::Pmu<hand::Cp15<9>>) -> [Reading; 2] {
            pmu.wanted.events = [Some(0x08), None, None, None];
            pmu.wanted.from = [0; cortex_a8_by_hand::COUNTERS];
            pmu.wanted.cycles = Some(0);
            pmu.wanted.by_64 = false;
            pmu.start();
            pmu.stop();
            [pmu.readings[0], pmu.cycles]
        }
    }
}
