use mmu600::tbu;
use mmu600::tcu::metrics::WalksPerRequest;
use mmu600::arm_pmu_core::measure::Measurement;
use mmu600::tcu;

fn walks(measured: &Measurement<tbu::Selection, (), 2>, other: &Measurement<tcu::Selection, (), 2>) {
    let _ = other.metric(&WalksPerRequest);
    let _ = measured.metric(&WalksPerRequest);
}

fn main() {}
