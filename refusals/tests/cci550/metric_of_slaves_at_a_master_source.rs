use cci550::MI0;
use cci550::metrics::SnoopHitRate;

fn main() {
    let _ = SnoopHitRate(MI0).events();
}
