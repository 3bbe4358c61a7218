//! The snoop hit rate of an ACE master on slave interface 3 and of an ACE-Lite master on slave
//! interface 2: the worked example of the manual (100282_0100_00_en, 2.4.4).
//!
//! The example runs on a simulated CCI-550 with made-up traffic:
//!
//! ```text
//! cargo run -p cci550 --example snoop_hit_rate
//! ```
//!
//! On a device, only the bus differs: `Pmu::probe(unsafe { Mmio::new(base) })`.

use arm_pmu_sim::{Cci550, Security};
use cci550::arm_pmu_core::report::{Report, Row, Section};
use cci550::metrics::{SnoopHitRate, SnoopHitRateAceLite};
use cci550::{Pmu, SI2, SI3, Selection, SlaveEvent, measure};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Cci550::new();
    // NIDEN is HIGH already. Without SPNIDEN, the rate would be too high: Secure reads are not counted, but their
    // snoop hits are counted, because snoop hits have no security state.
    device.set_spniden(true);
    let mut pmu = Pmu::probe(device.bus()).map_err(|error| error.kind())?;

    let (ace, lite) = (SnoopHitRate(SI3), SnoopHitRateAceLite(SI2));
    let ([hits, plain, allocating], [lite_hits, lite_reads]) = (ace.events(), lite.events());
    let events = [plain, allocating, hits, lite_reads, lite_hits];
    let measured = measure(&mut pmu, events, || traffic(&device))?;

    let rates = [
        Row::metric(&"snoop hit rate of the ACE master on SI3", measured.metric(&ace)),
        Row::metric(&"snoop hit rate of the ACE-Lite master on SI2", measured.metric(&lite)),
    ];
    let sections = [Section { title: &"CCI-550", rows: &(measured, rates) }];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

/// Signals a few thousand reads of a producer (SI3) and of a consumer (SI2) that share buffers.
fn traffic(device: &Cci550) {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut chance = |percent: u64| {
        // xorshift64*; any generator would be suitable.
        random ^= random >> 12;
        random ^= random << 25;
        random ^= random >> 27;
        (random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % 100 < percent
    };
    for _ in 0..5_000 {
        let security = if chance(10) { Security::Secure } else { Security::NonSecure };
        let event = if chance(70) {
            SlaveEvent::ReadShareableAllocating
        } else {
            SlaveEvent::ReadShareableNonAllocating
        };
        signal(device, SI3.event(event), security);
        if chance(35) {
            signal(device, SI3.event(SlaveEvent::ReadDataSnoopHit), security);
        }
    }
    for _ in 0..3_000 {
        signal(device, SI2.event(SlaveEvent::ReadShareableNonAllocating), Security::NonSecure);
        if chance(80) {
            signal(device, SI2.event(SlaveEvent::ReadDataSnoopHit), Security::NonSecure);
        }
    }
}

fn signal(device: &Cci550, what: Selection, security: Security) {
    device.signal(what, security, 1);
}
