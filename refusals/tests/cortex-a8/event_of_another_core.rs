use arm_pmu_sim::CortexA8;
use cortex_a8::Pmu;

/// Events of another core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, arm_pmu_derive::Event)]
#[event(crate = arm_pmu_core, bits = 8)]
enum OtherEvent {
    /// A cache line was loaded.
    #[event(name = "CACHE_REFILL")]
    CacheRefill = 0x0B,
}

fn main() {
    let device = CortexA8::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    first.count(OtherEvent::CacheRefill);
}
