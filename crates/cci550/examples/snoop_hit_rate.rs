//! The snoop hit rate of an ACE master on slave interface 3 and of an ACE-Lite master on slave
//! interface 2: the worked example of the manual (100282_0100_00_en, 2.4.4).
//!
//! It runs on a simulated CCI-550 with made-up traffic:
//!
//! ```text
//! cargo run -p cci550 --example snoop_hit_rate
//! ```
//!
//! On a device, only the bus is another one: `Pmu::probe(unsafe { Mmio::new(base) })`.

use arm_pmu_sim::{Cci550, Security};
use cci550::{
    Amount, Bus, Count, Percent, Pmu, Reason, Refused, Report, Row, SI2, SI3, Section, Selection,
    SlaveEvent,
};

/// The events of the example, one for each counter.
const EVENTS: [Selection; 5] = [
    SI3.event(SlaveEvent::ReadShareableNonAllocating),
    SI3.event(SlaveEvent::ReadShareableAllocating),
    SI3.event(SlaveEvent::ReadDataSnoopHit),
    SI2.event(SlaveEvent::ReadShareableNonAllocating),
    SI2.event(SlaveEvent::ReadDataSnoopHit),
];

fn main() -> Result<(), Reason> {
    let device = Cci550::new();
    // NIDEN is HIGH already. Without SPNIDEN, Secure reads are not counted, but their snoop hits
    // are, because that event carries no security state: the rate would be too high.
    device.set_spniden(true);
    let counts = measure(device.bus(), || traffic(&device)).map_err(|refused| refused.reason)?;
    print!("{}", report(&counts));
    Ok(())
}

/// Counts the events of the example while `work` runs.
fn measure<B: Bus<Space = cci550::registers::Space>>(
    bus: B,
    work: impl FnOnce(),
) -> Result<[Count; 5], Refused<B>> {
    let mut pmu = Pmu::probe(bus)?;
    let [a, b, c, d, e, ..] = pmu.counters();
    for (counter, event) in [a, b, c, d, e].into_iter().zip(EVENTS) {
        counter.count(event);
    }
    let running = pmu.start();
    work();
    let pmu = running.stop();
    let [a, b, c, d, e, ..] = pmu.counts();
    Ok([a, b, c, d, e])
}

/// The counts, and what they say about both masters.
fn report(counts: &[Count; 5]) -> String {
    let amounts = counts.map(Amount::from);
    let counted: Vec<(Selection, Amount)> = EVENTS.into_iter().zip(amounts).collect();
    let [plain, allocating, hits, lite_reads, lite_hits] = amounts;
    let rates = [
        Row::percent(&"snoop hit rate of the ACE master on SI3", rate(hits, &[plain, allocating])),
        Row::percent(
            &"snoop hit rate of the ACE-Lite master on SI2",
            rate(lite_hits, &[lite_reads]),
        ),
    ];
    let sections = [Section { title: &"CCI-550", rows: &(&counted[..], rates) }];
    Report::new(&sections).bars(20).to_string()
}

/// Hits as a share of reads, if all of the counts can be believed.
fn rate(hits: Amount, reads: &[Amount]) -> Percent {
    let sum = reads.iter().map(|reads| reads.estimate()).sum::<Result<u64, _>>();
    let whole = sum.map_or_else(|why| Amount::doubtful(0, why), Amount::exactly);
    Percent { part: hits, whole }
}

/// A few thousand reads of both masters, in the proportions of a producer (SI3) and of a consumer
/// (SI2) that share buffers.
fn traffic(device: &Cci550) {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut chance = |percent: u64| {
        // xorshift64*: any generator will do.
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
    device.signal(what.source_id() as u8, what.code() as u8, security, 1);
}
