use cci550::registers::pmcr;

fn main() {
    let _ = pmcr::W::encode(|w| w.pmu_cnt_num().set(4));
}
