use cortex_a8::{Cp15, Pmu};

fn both(bus: Cp15) {
    let _first = Pmu::new(bus);
    let _second = Pmu::new(bus);
}

fn main() {}
