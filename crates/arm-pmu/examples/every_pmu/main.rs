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
use arm_pmu::{arm11, cci400, cci500, cci550, cortex_a8, l2c_310, mmu600, mmu700};
use arm_pmu_sim::{
    Arm11, Cci400, Cci500, Cci550, CortexA8, L2c310, Mmu600, Mmu700, Security, Stream,
};
use survey::{Survey, survey};

fn main() -> Result<(), EventSetError> {
    let mut text = String::new();

    let core = Arm11::arm1176();
    let events = {
        use arm11::Arm1176Event::*;
        [BranchMispredicted, BranchExecuted, DataCacheMiss, DataCacheAccess, InstructionExecuted]
    };
    let pmu = arm11::arm1176::Pmu::new(core.bus());
    let of_pmu = survey(
        "ARM1176",
        pmu,
        arm11::arm1176::metrics::BranchMispredictionRatio,
        events.map(Into::into),
        || {
            let times = [1_100, 20_000, 300, 30_000, 120_000];
            for (event, times) in events.into_iter().zip(times) {
                core.signal(event, times);
            }
            core.clock(180_000);
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

    let core = CortexA8::new();
    let events = {
        use cortex_a8::CortexA8Event::*;
        [L2CacheMiss, L2CacheAccess, DataCacheRefill, DataCacheAccess, InstructionExecuted]
    };
    let pmu = cortex_a8::Pmu::new(core.bus());
    let of_pmu = survey(
        "Cortex-A8",
        pmu,
        cortex_a8::metrics::L2CacheMissRatio,
        events.map(Into::into),
        || {
            let times = [450, 9_000, 2_000, 40_000, 130_000];
            for (event, times) in events.into_iter().zip(times) {
                core.signal(event, times);
            }
            core.clock(100_000);
        },
        &mut text,
    )?;
    warn_if_passes_differ(&of_pmu, &mut text);

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
