use cci550::{Mmio, Pmu};

fn main() {
    // SAFETY: never run.
    let pmu = Pmu::new(unsafe { Mmio::new(0x1000) });
    std::thread::scope(|scope| {
        scope.spawn(|| println!("{:?}", &pmu));
    });
}
