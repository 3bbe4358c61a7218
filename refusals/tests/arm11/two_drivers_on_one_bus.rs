use arm11::Cp15;
use arm11::arm1176::Pmu;

fn both(bus: Cp15) {
    let _first = Pmu::new(bus);
    let _second = Pmu::new(bus);
}

fn main() {}
