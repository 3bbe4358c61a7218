//! What is compared, and what is known of it.

/// A pair of functions of `xtask/asm`: `name` and `name_by_hand`.
pub struct Case {
    pub name: &'static str,
    pub expected: Expected,
}

pub enum Expected {
    /// The same.
    Equal,
    /// Ours may be longer, for this reason, by so many instructions on each of the
    /// [targets](super::TARGETS); `None` where the IP is not.
    Longer { because: &'static str, at_most: [Option<usize>; 4] },
    /// Not the same: the one by hand lacks an access. This shows that it is noticed.
    Different,
}

const fn equal(name: &'static str) -> Case {
    Case { name, expected: Expected::Equal }
}

/// The room above what was measured is a tenth of our size, and 8 at least: another version of the
/// compiler may need it.
const fn longer(name: &'static str, because: &'static str, at_most: [Option<usize>; 4]) -> Case {
    Case { name, expected: Expected::Longer { because, at_most } }
}

const fn different(name: &'static str) -> Case {
    Case { name, expected: Expected::Different }
}

pub const CASES: &[Case] = &[
    equal("cci550_select_event"),
    equal("cci550_select_any_event"),
    equal("cci550_write_encoded"),
    equal("cci550_enable_counter"),
    equal("cci550_modify_control"),
    equal("cci550_read_counter"),
    equal("cci550_set_up_five"),
    equal("cortex_a8_select_event"),
    equal("cortex_a8_write_encoded"),
    equal("cortex_a8_enable_counter"),
    equal("cortex_a8_modify_control"),
    equal("cortex_a8_read_counter"),
    equal("mmu600_select_event"),
    equal("mmu600_change_event"),
    equal("mmu600_enable_counters"),
    equal("mmu600_read_counter"),
    equal("arm1176_modify_control"),
    equal("arm1176_read_counter"),
    longer(
        "cci550_start",
        "PMCR is read before each of five writes, not once; the driver is moved into Running",
        [Some(0), Some(0), Some(0), Some(66)],
    ),
    longer(
        "cci550_stop",
        "each count is judged by a copy of the code, for its number; the driver is moved",
        [Some(95), Some(93), Some(174), Some(204)],
    ),
    longer(
        "cci550_running_counts",
        "each counter has a copy of the code, with its addresses",
        [Some(332), Some(333), Some(87), Some(0)],
    ),
    longer(
        "cci550_acknowledge",
        "both are unrolled, to other extents",
        [Some(0), Some(0), Some(7), Some(0)],
    ),
    longer(
        "cci550_measure_nothing",
        "as start and stop; any number of selections, looked at when it runs",
        [Some(24), Some(26), Some(182), Some(235)],
    ),
    longer(
        "cortex_a8_start",
        "PMNC is read twice, not once; counters in use are found anew; the driver is moved",
        [Some(70), Some(68), None, None],
    ),
    longer(
        "cortex_a8_stop",
        "each count is judged by a copy of the code, for its number; the driver is moved",
        [Some(131), Some(134), None, None],
    ),
    longer(
        "cortex_a8_running_counts",
        "both are unrolled, to other extents",
        [Some(0), Some(0), None, None],
    ),
    longer(
        "cortex_a8_acknowledge",
        "flags are given as a set of bool, one for each counter, not as bits",
        [Some(44), Some(45), None, None],
    ),
    longer(
        "cortex_a8_measure_nothing",
        "as start and stop; any number of selections, looked at when it runs",
        [Some(284), Some(281), None, None],
    ),
    different("worse_select_event"),
    different("worse_modify_control"),
];
