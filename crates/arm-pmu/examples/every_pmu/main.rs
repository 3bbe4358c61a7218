//! Measures every kind of PMU with one generic function: here one PMU of each architecture.
//!
//! The example runs on simulated devices with made-up work:
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
use arm_pmu::{arm11, cci400, cci550, cortex_a8, cortex_a53, l2c_310, mmu600};
use arm_pmu_sim::{Arm11, Cci400, Cci550, CortexA8, CortexA53, L2c310, Mmu600, Security, Stream};
use survey::{Survey, survey};

/// Surveys a core. The work causes each event `$times` times, and takes `$cycles` cycles.
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

    print!("{text}");
    Ok(())
}

/// Warns about passes whose amounts differ by more than 1 %.
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
