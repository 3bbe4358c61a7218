use arm_pmu::measure::{Bank, BankedPmu};
use arm_pmu::{cortex_a53, cortex_a72};

fn main() {
    let (little, big) = (arm_pmu_sim::CortexA53::new(), arm_pmu_sim::CortexA72::new());
    let mut little = BankedPmu::new(cortex_a53::Pmu::new(little.bus()));
    let mut big = BankedPmu::new(cortex_a72::Pmu::new(big.bus()));
    let bank = Bank::new([cortex_a53::CortexA53Event::InstRetired]).unwrap();
    little.switch(Some(bank));
    let bank = little.switch(None);
    big.switch(bank);
}
