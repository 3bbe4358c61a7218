//! The bounds of the Cortex-A8.

use crate::bound::Limit;

pub const START: Limit = Limit {
    percent: 105,
    reason: "an event is cut out of a word, and the bits of PMCR are put together; by hand they are stored so",
};

pub const READ: Limit = Limit {
    percent: 103,
    reason: "of a counter that is not in use the value is written, too, which counts where few are used",
};

pub const STOP: Limit =
    Limit { percent: 82, reason: "what was counted is judged when it is asked for; by hand, here" };

pub const ACKNOWLEDGE: Limit = Limit {
    percent: 188,
    reason: "flags are given as a set of bool, one for each counter, not as bits",
};

pub const BY_VALUE: Limit = Limit {
    percent: 146,
    reason: "what the driver holds is kept in more places than there are registers; without the counts, \
             which by hand are part of the stop, it is less than by hand",
};

pub const MOVED: Limit = Limit {
    percent: 252,
    reason: "the driver is moved, field by field, as nothing is known of it when this is compiled; \
             `measure` and `Monitor::run` move nothing",
};

pub const MEASURE: Limit = Limit {
    percent: 105,
    reason: "selections are looked at twice, so that nothing has changed if they are refused, and given \
             back with the counts; but the compiler knows how many there are, the assembly does not",
};

pub const MEASURE_AGAIN: Limit = Limit {
    percent: 107,
    reason: "as the first time; what is to be counted is kept apart from what was, until the start, and with it \
             which of the selections is the cycles",
};
