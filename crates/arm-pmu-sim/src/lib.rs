//! arm-pmu-sim
