use mmu600::tcu::{Pmu, Region};

fn both(region: Region) {
    let _first = Pmu::at(region);
    let _second = Pmu::at(region);
}

fn main() {}
