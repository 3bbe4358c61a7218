mod mmu600;
mod mmu700;
