//! The pairs of functions that are compared, and the expected results.

/// A pair of functions of `xtask/asm`: `name` and `name_by_hand`.
pub struct Case {
    pub name: &'static str,
    pub expected: Expected,
}

pub enum Expected {
    /// Both functions are the same.
    Equal,
    /// Ours may be longer, for this reason, by this many instructions on each of the
    /// [targets](super::TARGETS); `None` on targets without the IP.
    Longer { because: &'static str, at_most: [Option<usize>; 5] },
}

const fn equal(name: &'static str) -> Case {
    Case { name, expected: Expected::Equal }
}

/// Each bound is the measured number plus a tenth of our size, and at least plus 8: another version of the
/// compiler may need it.
const fn longer(name: &'static str, because: &'static str, at_most: [Option<usize>; 5]) -> Case {
    Case { name, expected: Expected::Longer { because, at_most } }
}

/// Ours may be shorter, and is: it computes counts when the caller reads them, not at the stop.
const fn no_longer(name: &'static str) -> Case {
    longer(name, "must not be longer", [Some(0); 5])
}

pub const CASES: &[Case] = &[
    equal("cci550_select_event"),
    equal("cci550_select_any_event"),
    equal("cci550_write_encoded"),
    equal("cci550_enable_counter"),
    equal("cci550_modify_control"),
    equal("cci550_read_counter"),
    equal("cci550_read_twice"),
    equal("cci550_synchronize"),
    equal("cci550_set_up_five"),
    equal("cortex_a8_select_event"),
    equal("cortex_a8_write_encoded"),
    equal("cortex_a8_enable_counter"),
    equal("cortex_a8_modify_control"),
    equal("cortex_a8_read_counter"),
    equal("cortex_a53_select_event"),
    equal("cortex_a53_write_encoded"),
    equal("cortex_a53_enable_counter"),
    equal("cortex_a53_modify_control"),
    equal("cortex_a53_read_counter"),
    equal("mmu600_select_event"),
    equal("mmu600_change_event"),
    equal("mmu600_enable_counters"),
    equal("arm1176_modify_control"),
    equal("arm1176_read_counter"),
    no_longer("mmu600_read_counter"),
    longer(
        "cci550_start",
        "the same accesses; for ARMv6 the compiler lays out the loops over the counters longer",
        [Some(16), Some(0), Some(0), Some(0), Some(0)],
    ),
    no_longer("cci550_stop"),
    no_longer("cci550_running_counts"),
    longer(
        "cci550_acknowledge",
        "the same accesses; for RISC-V the compiler lays out the loops over the counters longer",
        [Some(0), Some(0), Some(0), Some(0), Some(13)],
    ),
    no_longer("cci550_measure_nothing"),
    no_longer("cortex_a8_start"),
    no_longer("cortex_a8_stop"),
    no_longer("cortex_a8_running_counts"),
    longer(
        "cortex_a8_acknowledge",
        "flags are given as a set of bool, one for each counter, not as bits",
        [Some(26), Some(23), None, None, None],
    ),
    longer(
        "cortex_a8_measure_nothing",
        "any number of selections, looked at when it runs",
        [Some(20), Some(25), None, None, None],
    ),
    longer(
        "cortex_a53_start",
        "the same accesses; the driver is moved into the running one, together with the pending configuration",
        [None, None, Some(36), None, None],
    ),
    no_longer("cortex_a53_stop"),
    no_longer("cortex_a53_running_counts"),
    longer(
        "cortex_a53_acknowledge",
        "flags are given as a set of bool, one for each counter, not as bits",
        [None, None, Some(43), None, None],
    ),
];
