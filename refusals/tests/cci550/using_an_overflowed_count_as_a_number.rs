use cci550::Count;

fn main() {
    let count = Count::new(7);
    let _ = count + 1;
}
