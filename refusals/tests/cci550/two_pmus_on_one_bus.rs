use cci550::{Mmio, Pmu};

fn main() {
    // SAFETY: never run.
    let bus = unsafe { Mmio::new(0x1000) };
    let _first = Pmu::new(bus);
    let _second = Pmu::new(bus);
}
