use cci550::registers::pmcr;

fn main() {
    let _ = pmcr::R::from_bits(0).rst();
}
