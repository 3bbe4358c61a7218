use arm11::CoreCp15;
use arm11::arm1176::Pmu;

fn both(bus: CoreCp15) {
    let _first = Pmu::new(bus);
    let _second = Pmu::new(bus);
}

fn main() {}
