fn main() {
    let mut counter = 0;
    let _ = arm_pmu::measure(&mut counter, [1, 2], || ());
}
