use arm_pmu_core::Mmio;
use cci550::Pmu;

fn main() {
    // SAFETY: never run.
    let too_short: Mmio<0x1000> = unsafe { Mmio::new(0x1000) };
    let _ = Pmu::new(too_short);
}
