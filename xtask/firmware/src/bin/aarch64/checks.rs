//! No QEMU machine has a CCI or an MMU-600, so RAM stands for them.

use firmware::Checks;
use firmware::memory_mapped;
use firmware::ram::Block;

static BLOCK: Block = Block::new();

pub fn all(checks: &mut Checks) {
    #[allow(unsafe_code)]
    // SAFETY: no other code has the block.
    unsafe {
        memory_mapped::all(&BLOCK, checks);
    }
}
