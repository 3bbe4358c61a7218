use arm_pmu::cortex_a53::{CortexA53Event, Pmu};
use arm_pmu::measure::{Bank, BankedPmu};

fn main() {
    let (first, second) = (arm_pmu_sim::CortexA53::new(), arm_pmu_sim::CortexA53::new());
    let mut first = BankedPmu::new(Pmu::new(first.bus()));
    let mut second = BankedPmu::new(Pmu::new(second.bus()));
    let bank = Bank::new([CortexA53Event::InstRetired]).unwrap();
    first.switch(Some(bank));
    second.switch(Some(bank));
}
