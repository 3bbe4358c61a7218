use cortex_a8::{CoreCp15, Pmu};

fn both(bus: CoreCp15) {
    let _first = Pmu::new(bus);
    let _second = Pmu::new(bus);
}

fn main() {}
