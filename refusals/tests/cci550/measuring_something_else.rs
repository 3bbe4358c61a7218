fn main() {
    let mut counter = 0;
    let _ = cci550::measure(&mut counter, [1, 2], || ());
}
