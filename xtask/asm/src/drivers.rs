//! Methods of the drivers, each with a bound for its number of instructions. The images of `xtask/firmware` compare
//! the executed instructions with assembly, and `xtask/size` compares the size with C.

use arm_pmu_core::count::Count;
use arm_pmu_core::measure::{AssignError, Measurement, measure};

/// Defines a function for each driver method. The function's symbol in the object file is `$name`
/// followed by `$end`.
macro_rules! methods {
    ($($name:literal $end:literal, $argument:ident: $Type:ty => $Result:ty, $body:expr;)*) => {$(
        const _: () = {
            // No other symbol has this name.
            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!($name, $end))]
            pub fn method($argument: $Type) -> $Result {
                $body
            }
        };
    )*};
}

/// The methods that every driver has.
macro_rules! driver {
    ($name:literal, $krate:ident, $Bus:ident, $Flags:ty) => {
        methods! {
            $name "_start", pmu: $krate::Pmu<$krate::$Bus> => $krate::Running<$krate::$Bus>, pmu.start();
            $name "_stop", running: $krate::Running<$krate::$Bus> => $krate::Pmu<$krate::$Bus>, running.stop();
            $name "_running_counts", running: &$krate::Running<$krate::$Bus>
                => [Count; $krate::events::COUNTERS], running.counts();
            $name "_acknowledge", running: &mut $krate::Running<$krate::$Bus>
                => $Flags, running.acknowledge();
        }
    };
}

driver!("cci550", cci550, Mmio, [bool; 8]);
#[cfg(target_arch = "aarch64")]
driver!("cortex_a53", cortex_a53, Sysreg, cortex_a53::Counters);
#[cfg(target_arch = "arm")]
driver!("cortex_a8", cortex_a8, Cp15, cortex_a8::Counters);

methods! {
    "cci550" "_measure_nothing", pmu: &mut cci550::Pmu<cci550::Mmio>
        => Result<Measurement<cci550::Selection, (), 2>, AssignError>, {
            use cci550::SlaveEvent::{ReadDataSnoopHit, ReadShareableAllocating};
            let events = [ReadShareableAllocating, ReadDataSnoopHit];
            measure(pmu, events.map(|event| cci550::SI3.event(event)), || ())
        };
}

#[cfg(target_arch = "arm")]
methods! {
    "cortex_a8" "_measure_nothing", pmu: &mut cortex_a8::Pmu<cortex_a8::Cp15>
        => Result<Measurement<cortex_a8::EventOrCycles<cortex_a8::Selection>, (), 2>, AssignError>, {
            use cortex_a8::{CortexA8Event::InstructionExecuted, EventOrCycles};
            measure(pmu, [InstructionExecuted.into(), EventOrCycles::Cycles], || ())
        };
}
