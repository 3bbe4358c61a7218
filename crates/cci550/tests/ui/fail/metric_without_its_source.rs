use cci550::metrics::SnoopHitRate;
use cci550::{Measurement, Selection};

fn rate(measured: &Measurement<Selection, (), 3>) {
    let _ = measured.metric(&SnoopHitRate);
}

fn main() {}
