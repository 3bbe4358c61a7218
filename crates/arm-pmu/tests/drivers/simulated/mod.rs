//! Tests of behaviour that all simulated devices share. They run on each device of `for_each_pmu`. Tests of single
//! devices are in `crates/arm-pmu-sim/tests`.

mod accesses;
mod cci;
mod counting;
mod sequences;
