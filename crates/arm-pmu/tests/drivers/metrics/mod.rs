//! Tests every metric against values calculated by hand from the documents. The tests give the events as codes and the
//! expected values as text. Each metric is also computed without counts, from invalid counts, and on a simulated
//! device.

mod arm11;
mod arm_pmuv3;
mod armv7_pmu;
mod cci400;
mod cci5xx;
mod dsu;
mod l2c_310;
mod smmuv3_pmcg;
mod support;
