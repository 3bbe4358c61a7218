//! One generic function measures every PMU.
//!
//! It runs on simulated devices with made-up work:
//!
//! ```text
//! cargo run -p arm-pmu --example every_pmu
//! ```
//!
//! `survey.rs` needs a driver and a writer for text. The bare-metal image in `xtask/firmware` uses
//! the same file, and `cargo xtask arm test` runs it on QEMU.

mod survey;

use arm_pmu::event::EventOrCycles;
use arm_pmu::schedule::{EventSetError, SpreadError};
use arm_pmu::{
    arm_pmuv3, arm11, cci400, cci500, cci550, cortex_a7, cortex_a8, cortex_a9, cortex_a53,
    cortex_a55, cortex_a72, l2c_310, mmu600, mmu700,
};
use arm_pmu_sim::{
    Arm11, ArmPmuv3, Cci400, Cci500, Cci550, CortexA7, CortexA8, CortexA9, CortexA53, CortexA55,
    CortexA72, L2c310, Mmu600, Mmu700, Security, Stream,
};
use survey::{Survey, survey};

/// Surveys a core with these events, each so often in a run of the work, and so many cycles.
macro_rules! of_core {
    (
        $text:ident, $title:literal, $device:expr, $Pmu:ty,
        $Event:ty { $($event:ident: $times:literal,)* }, $metric:expr, $cycles:literal
    ) => {{
        let core = $device;
        let events = [$(<$Event>::$event),*];
        let work = || {
            $(core.signal(<$Event>::$event, $times);)*
            core.clock($cycles);
        };
        let pmu = <$Pmu>::new(core.bus());
        let of_pmu = survey($title, pmu, $metric, events.map(Into::into), work, &mut $text)?;
        warn_if_passes_differ(&of_pmu, &mut $text);
    }};
}

fn main() -> Result<(), EventSetError> {
    let mut text = String::new();

    of_core!(
        text,
        "ARM1176",
        Arm11::arm1176(),
        arm11::arm1176::Pmu<_>,
        arm11::Arm1176Event {
            BranchMispredicted: 1_100,
            BranchExecuted: 20_000,
            DataCacheMiss: 300,
            DataCacheAccess: 30_000,
            InstructionExecuted: 120_000,
        },
        arm11::arm1176::metrics::BranchMispredictionRatio,
        180_000
    );
    of_core!(
        text,
        "Cortex-A7",
        CortexA7::new(),
        cortex_a7::Pmu<_>,
        cortex_a7::CortexA7Event {
            L2dCacheRefill: 300,
            L2dCache: 4_000,
            L1dCacheRefill: 1_500,
            L1dCache: 30_000,
            InstRetired: 90_000,
        },
        cortex_a7::metrics::L2CacheMissRatio,
        110_000
    );
    of_core!(
        text,
        "Cortex-A8",
        CortexA8::new(),
        cortex_a8::Pmu<_>,
        cortex_a8::CortexA8Event {
            L2CacheMiss: 450,
            L2CacheAccess: 9_000,
            DataCacheRefill: 2_000,
            DataCacheAccess: 40_000,
            InstructionExecuted: 130_000,
        },
        cortex_a8::metrics::L2CacheMissRatio,
        100_000
    );
    of_core!(
        text,
        "Cortex-A9",
        CortexA9::new(),
        cortex_a9::Pmu<_>,
        cortex_a9::CortexA9Event {
            L1dCacheRefill: 1_200,
            L1dCache: 40_000,
            BrMisPred: 700,
            BrPred: 16_000,
            InstRenamed: 150_000,
            DcDepStall: 9_000,
            IssueNoDispatch: 20_000,
        },
        cortex_a9::metrics::L1DataCacheMissRatio,
        120_000
    );
    of_core!(
        text,
        "Cortex-A53",
        CortexA53::new(),
        cortex_a53::Pmu<_>,
        cortex_a53::CortexA53Event {
            L1dCacheRefill: 900,
            L1dCache: 45_000,
            L2dCacheRefill: 200,
            L2dCache: 1_600,
            BrMisPred: 400,
            BrPred: 20_000,
            InstRetired: 140_000,
        },
        cortex_a53::metrics::L1DataCacheMissRatio,
        130_000
    );
    of_core!(
        text,
        "Cortex-A55",
        CortexA55::new(),
        cortex_a55::Pmu<_>,
        cortex_a55::CortexA55Event {
            L3dCacheRefill: 90,
            L3dCache: 600,
            L2dCacheRefill: 600,
            L2dCache: 2_400,
            StallFrontend: 9_000,
            StallBackend: 30_000,
            InstRetired: 160_000,
        },
        cortex_a55::metrics::L3CacheMissRatio,
        130_000
    );
    of_core!(
        text,
        "Cortex-A72",
        CortexA72::new(),
        cortex_a72::Pmu<_>,
        cortex_a72::CortexA72Event {
            BrMisPred: 500,
            BrPred: 25_000,
            L2dCacheRefill: 300,
            L2dCache: 3_000,
            L1dCacheRefill: 2_000,
            L1dCache: 60_000,
            InstRetired: 230_000,
        },
        cortex_a72::metrics::BranchMispredictionRatio,
        140_000
    );
    of_core!(
        text,
        "A core with PMUv3",
        ArmPmuv3::new(),
        arm_pmuv3::Pmu<_>,
        arm_pmuv3::CommonEvent {
            BrMisPredRetired: 600,
            BrRetired: 30_000,
            StallFrontend: 12_000,
            StallBackend: 40_000,
            InstRetired: 300_000,
        },
        arm_pmuv3::metrics::RetiredBranchMispredictionRatio,
        150_000
    );

    let interconnect = Cci400::new();
    let events = {
        use cci400::SlaveEvent::*;
        [ReadDataSnoopHit, ReadRequestShareable, ReadRequestAny, WriteRequestAny, ReadDataStall]
    };
    let what = events.map(|event| EventOrCycles::Event(cci400::S3.event(event)));
    let pmu = cci400::Pmu::new(interconnect.bus());
    let of_pmu = survey(
        "CCI-400",
        pmu,
        cci400::metrics::SnoopHitRate(cci400::S3),
        what,
        || {
            let times = [900, 4_000, 5_000, 1_200, 60];
            for (event, times) in events.into_iter().zip(times) {
                interconnect.signal_raw(3, event.code() as u8, Security::NonSecure, times);
            }
            interconnect.clock(50_000);
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let interconnect = Cci500::new();
    let events = {
        use cci500::MasterEvent::*;
        [ReadDataStall, ReadDataBeat, WriteDataStall, WriteDataBeat]
    };
    let pmu = cci500::Pmu::new(interconnect.bus());
    let of_pmu = survey(
        "CCI-500",
        pmu,
        cci500::metrics::MasterReadDataStallShareOfPending(cci500::MI0),
        events.map(|event| cci500::MI0.event(event)),
        || {
            for (event, times) in events.into_iter().zip([800, 16_000, 150, 5_000]) {
                interconnect.signal_raw(0x8, event.code() as u8, Security::NonSecure, times);
            }
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let interconnect = Cci550::new();
    let events = {
        use cci550::GlobalEvent::*;
        [SnoopFilterMissBank0Or1, SnoopFilterAccessBank0Or1]
    };
    let pmu = cci550::Pmu::new(interconnect.bus());
    let of_pmu = survey(
        "CCI-550",
        pmu,
        cci550::metrics::SnoopFilterMissRatioBank0Or1,
        events.map(cci550::Selection::from),
        || {
            for (event, times) in events.into_iter().zip([700, 7_000]) {
                interconnect.signal_raw(0xF, event.code() as u8, Security::NonSecure, times);
            }
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let cache = L2c310::new();
    let events = {
        use l2c_310::L2c310Event::*;
        [DataReadHit, DataReadRequest, DataWriteHit, DataWriteRequest]
    };
    let pmu = l2c_310::Pmu::new(cache.bus());
    let of_pmu = survey(
        "L2C-310",
        pmu,
        l2c_310::metrics::DataReadHitRatio,
        events.map(Into::into),
        || {
            for (event, times) in events.into_iter().zip([9_000, 10_000, 2_500, 4_000]) {
                cache.signal(event, times);
            }
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let walks = Mmu600::tcu();
    let events = {
        use mmu600::TcuEvent::*;
        [TlbMiss, Transaction, ConfigurationCacheMiss, TranslationTableWalkAccess]
    };
    let pmu = mmu600::tcu::Pmu::new(walks.page0(), walks.page1());
    let of_pmu = survey(
        "MMU-600 TCU",
        pmu,
        mmu600::tcu::metrics::WalksPerRequest,
        events.map(Into::into),
        || {
            for (event, times) in events.into_iter().zip([60, 3_000, 2, 180]) {
                walks.signal(event, Stream::non_secure(7), times);
            }
            walks.clock(40_000);
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let buffer = Mmu700::tbu();
    let events = {
        use mmu700::TbuEvent::*;
        [MainTlbMiss, MainTlbLookup, Transaction, StashFail]
    };
    let pmu = mmu700::tbu::Pmu::new(buffer.page0(), buffer.page1());
    let of_pmu = survey(
        "MMU-700 TBU",
        pmu,
        mmu700::tbu::metrics::MainTlbMissRatio,
        events.map(Into::into),
        || {
            for (event, times) in events.into_iter().zip([300, 4_000, 9_000, 2]) {
                buffer.signal(event, Stream::non_secure(7), times);
            }
            buffer.clock(40_000);
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    print!("{text}");
    Ok(())
}

/// Reports passes whose amounts differ by more than 1 %.
fn warn_if_passes_differ<S: Copy + PartialEq, const N: usize>(
    survey: &Survey<S, N>,
    text: &mut String,
) {
    let (passes, ..) = survey;
    match passes.spread() {
        Ok(spread) if spread.per_mille() > 10 => {
            *text += &format!("Warning: the passes differ by {spread}\n\n");
        }
        Err(SpreadError::Unknown(why)) => {
            *text += &format!("Warning: it is unknown how far the passes differ: {why}\n\n");
        }
        _ => {}
    }
}
