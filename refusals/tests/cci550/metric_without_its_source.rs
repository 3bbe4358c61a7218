use cci550::metrics::SnoopHitRate;
use cci550::arm_pmu_core::measure::Measurement;
use cci550::Selection;

fn rate(measured: &Measurement<Selection, (), 3>) {
    let _ = measured.metric(&SnoopHitRate);
}

fn main() {}
