use cci550::Count;

fn main() {
    let count = Count::exactly(7);
    let _ = count + 1;
}
