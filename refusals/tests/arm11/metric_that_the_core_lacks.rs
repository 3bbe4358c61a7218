use arm11::arm1136::metrics::ReturnMispredictionRatio;

fn main() {
    let _ = ReturnMispredictionRatio.events();
}
