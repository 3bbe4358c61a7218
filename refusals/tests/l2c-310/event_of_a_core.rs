use arm_pmu_sim::L2c310;
use l2c_310::Pmu;

/// Events of a core that uses the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, arm_pmu_derive::Event)]
#[event(crate = arm_pmu_core, bits = 8)]
enum OtherEvent {
    /// A cache line was loaded.
    #[event(name = "CACHE_REFILL")]
    CacheRefill = 0x03,
}

fn main() {
    let device = L2c310::new();
    let mut pmu = Pmu::new(device.bus());
    let [first, ..] = pmu.counters();
    first.count(OtherEvent::CacheRefill);
}
