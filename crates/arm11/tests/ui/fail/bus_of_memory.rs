use arm_pmu_core::Mmio;
use arm11::arm1176::Pmu;

fn take(bus: Mmio<0x1000>) {
    let _ = Pmu::new(bus);
}

fn main() {}
