use arm_pmu::diagnose::Diagnose;
use arm_pmu::cci400::{Mmio, Pmu};

fn why<D: Diagnose>(pmu: &mut D) {
    println!("{}", pmu.diagnose());
}

fn main() {
    let mut running = Pmu::new(unsafe { Mmio::new(0x1000) }).start();
    why(&mut running);
}
