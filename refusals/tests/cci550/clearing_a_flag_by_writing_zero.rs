use cci550::registers::overflow_status;

fn main() {
    let _ = overflow_status::W::encode(|w| w.flag().clear_bit());
}
