/// Fields of the example, from the manual.
const SKELETON_IP: Fields = &[
    ("CONTROL", &[("COUNTERS", 15, 11), ("RESET", 1, 1), ("ENABLE", 0, 0)]),
    ("PID0", &[("PART_0", 7, 0)]),
    ("PID1", &[("DES_0", 7, 4), ("PART_1", 3, 0)]),
    ("EVENT_SELECT", &[("EVENT", 7, 0)]),
    ("EVENT_COUNT", &[("COUNT", 31, 0)]),
    ("COUNT_CONTROL", &[("ENABLE", 0, 0)]),
    ("OVERFLOW_STATUS", &[("FLAG", 0, 0)]),
];
