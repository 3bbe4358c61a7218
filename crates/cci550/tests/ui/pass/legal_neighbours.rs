//! Correct versions of the cases that fail.

use arm_pmu_core::bus::{Bus, Location, RegisterSpec};
use arm_pmu_sim::Cci550;
use cci550::registers::{overflow_status, pmcr};
use cci550::{Count, GlobalEvent, MI0, MasterEvent, Mmio, Pmu, SI3, SI6, SlaveEvent, Space};

fn main() {
    let _ = MI0.event(MasterEvent::ReadDataBeat);
    let _ = SI6.event(SlaveEvent::ReadRequestAny);
    assert_eq!(pmcr::W::encode(|w| w.ex().set_bit().rst().set_bit()), 0b1_0010);
    assert_eq!(pmcr::R::from_bits(0x4000).pmu_cnt_num().bits(), 8);
    assert_eq!(overflow_status::W::encode(|w| w.flag().clear_bit_by_one()), 1);

    let device = Cci550::new();
    let mut pmu = Pmu::new(device.bus());
    let [a, _b, _c, _d, _e, _f, _g, h] = pmu.counters();
    a.count(SI3.event(SlaveEvent::ReadRequestAny));
    h.count(GlobalEvent::GeneratedWrite);
    pmu.registers().pmcr().modify(|_, w| w.ex().set_bit());
    let running = pmu.start();
    let [reads, ..] = running.counts();
    assert_eq!(reads.exact().map(|reads| reads + 1), Ok(1));
    let bus = running.stop().release();
    let _again = Pmu::new(bus);
    assert_eq!(Count::new(7).to_string(), "7");
    assert_eq!(device.bus().load::<Alias>(0), device.peek(0x100));
}

/// A copied location is that of the same register.
struct Alias;

impl RegisterSpec for Alias {
    type Space = Space;
    type Ux = u32;
    const LOCATION: Location<Space> = pmcr::PmcrSpec::LOCATION;
    const INITIAL: u32 = 0;
    const KEEP: u32 = 0;
}

/// A PMU can live in a `static`, and move to another thread.
#[allow(dead_code)]
fn moved(base: usize) {
    // SAFETY: never run.
    static PMU: std::sync::Mutex<Option<Pmu<Mmio>>> = std::sync::Mutex::new(None);
    let pmu = Pmu::new(unsafe { Mmio::new(base) });
    *PMU.lock().unwrap() = Some(pmu);
    std::thread::spawn(|| PMU.lock().unwrap().take().map(Pmu::start));
}
