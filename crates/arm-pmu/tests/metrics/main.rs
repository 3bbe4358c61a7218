//! Every metric with numbers worked out by hand from the documents: events are given by their codes, and
//! figures as text. Each is also computed from nothing, from counts that cannot be relied on, and on a
//! simulated device.
#![cfg(feature = "default")]

mod arm11;
mod arm_pmuv3;
mod armv7_pmu;
mod cci400;
mod l2c_310;
mod smmuv3_pmcg;
mod support;

mod cci550 {
    use arm_pmu::cci550 as ip;
    use arm_pmu_sim::Cci550 as Device;
    include!("cci5xx.rs");
}

/// The same as the CCI-550, whose events are assumed to be the same.
mod cci500 {
    use arm_pmu::cci500 as ip;
    use arm_pmu_sim::Cci500 as Device;
    include!("cci5xx.rs");
}
