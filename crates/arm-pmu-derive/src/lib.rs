//! arm-pmu-derive
