//! Measures two PMUs in one run: a CCI-400, and an MMU-600 TBU that is connected to it.
//!
//! The CCI-400 counts with its cycle counter. The TBU is connected to a slave interface of the CCI-400.
//!
//! One function sets up, runs and reads any PMU. To measure two PMUs at once, pass one measurement as the work of the
//! other. The example runs on simulated devices with made-up traffic:
//!
//! ```text
//! cargo run -p arm-pmu --example two_pmus
//! ```

use arm_pmu::cci400::metrics::ReadRequestsPerCycle;
use arm_pmu::measure::{AssignError, measure};
use arm_pmu::mmu600::tbu::metrics::MainTlbMissRatio;
use arm_pmu::report::{Report, Row, Section};
use arm_pmu::{cci400, mmu600};
use arm_pmu_sim::{Cci400, Mmu600, Security, Stream};

fn main() -> Result<(), AssignError> {
    let (interconnect, buffer) = (Cci400::new(), Mmu600::tbu());
    let mut near = mmu600::tbu::Pmu::new(buffer.page0(), buffer.page1());
    let mut far = cci400::Pmu::new(interconnect.bus());

    // Measures a device with four StreamIDs. It is behind the TBU, and the TBU is on slave
    // interface 1.
    near.filter_streams(mmu600::StreamFilter::span(0x40..0x44).expect("an aligned span of four"));
    let (misses, load) = (MainTlbMissRatio, ReadRequestsPerCycle(cci400::S1));
    let outer = measure(&mut far, load.events(), || {
        measure(&mut near, misses.events(), || traffic(&interconnect, &buffer))
    })?;
    let inner = outer.output.as_ref().map_err(|error| *error)?;
    let of_far = Row::metric(&"reads per cycle", outer.metric(&load));
    let of_near = Row::metric(&"of the lookups miss", inner.metric(&misses));
    let sections = [
        Section { title: &"CCI-400", rows: &(&outer, of_far) },
        Section { title: &"MMU-600 TBU", rows: &(inner, of_near) },
    ];
    print!("{}", Report::new(&sections).bars(20));
    Ok(())
}

fn traffic(interconnect: &Cci400, buffer: &Mmu600) {
    for packet in 0..1_000 {
        let stream = Stream::non_secure(0x40 + packet % 8);
        buffer.signal(mmu600::TbuEvent::MainTlbLookup, stream, 3);
        buffer.signal(mmu600::TbuEvent::MainTlbMiss, stream, u32::from(packet % 10 == 0));
        interconnect.signal_raw(1, 0x00, Security::NonSecure, 3);
        interconnect.clock(40);
    }
}
