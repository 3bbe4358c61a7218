use cci550::{Mmio, Pmu};

fn main() {
    let _ = Pmu::new(Mmio::new(0x1000));
}
