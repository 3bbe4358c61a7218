//! The bounds of the Cortex-A53.

use crate::bound::Limit;

pub const START: Limit = Limit {
    percent: 109,
    reason: "an event is cut out of a word and masked for its register; by hand it is stored so",
};

pub const READ: Limit = Limit {
    percent: 124,
    reason: "each of six counters is looked at before and after the reads, in use or not, and of one that is not in use \
             the value is written, too: with six in use it is less than by hand",
};

pub const STOP: Limit =
    Limit { percent: 95, reason: "what was counted is judged when it is asked for; by hand, here" };

pub const ACKNOWLEDGE: Limit = Limit {
    percent: 182,
    reason: "flags are given as a set of bool, one for each counter, not as bits",
};

pub const BY_VALUE: Limit = Limit {
    percent: 138,
    reason: "what the driver holds is kept in more places than there are registers; without the counts, \
             which by hand are part of the stop, it is less than by hand",
};

pub const MOVED: Limit = Limit {
    percent: 198,
    reason: "the driver is moved, field by field, as nothing is known of it when this is compiled; \
             `measure` and `Monitor::run` move nothing",
};

pub const MEASURE: Limit = Limit {
    percent: 109,
    reason: "selections are looked at twice, so that nothing has changed if they are refused, and given \
             back with the counts; but the compiler knows how many there are, the assembly does not",
};

pub const MEASURE_AGAIN: Limit = Limit {
    percent: 145,
    reason: "what is to be counted is kept apart from what was, until the start; this target has no unaligned accesses, \
             so the compiler copies that twice by calls of `memcpy`",
};
