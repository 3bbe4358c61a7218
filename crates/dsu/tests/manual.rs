//! Events from gator and the manual of the DSU-120AE, extracted independently of the specs.

use dsu::{DsuEvent, Event as _};

/// Each event's code, its name, and what one count stands for.
const EVENTS: [(u16, &str, &str); 50] = [
    (0x11, "CPU_CYCLES", "cycles"),
    (0x19, "BUS_ACCESS", "beats"),
    (0x1A, "MEMORY_ERROR", "occurrences"),
    (0x1D, "BUS_CYCLES", "cycles"),
    (0x1E, "CHAIN", "occurrences"),
    (0x29, "L3D_CACHE_ALLOCATE", "occurrences"),
    (0x2A, "L3D_CACHE_REFILL", "occurrences"),
    (0x2B, "L3D_CACHE", "occurrences"),
    (0x2C, "L3D_CACHE_WB", "occurrences"),
    (0x60, "BUS_ACCESS_RD", "beats"),
    (0x61, "BUS_ACCESS_WR", "beats"),
    (0x62, "BUS_ACCESS_SHARED", "beats"),
    (0x63, "BUS_ACCESS_NOT_SHARED", "beats"),
    (0x64, "BUS_ACCESS_NORMAL", "beats"),
    (0x65, "BUS_ACCESS_PERIPH", "beats"),
    (0xA0, "L3D_CACHE_RD", "occurrences"),
    (0xA1, "L3D_CACHE_WR", "occurrences"),
    (0xA2, "L3D_CACHE_REFILL_RD", "occurrences"),
    (0xA3, "L3D_CACHE_REFILL_WR", "occurrences"),
    (0xC0, "SCU_SNP_ACCESS", "occurrences"),
    (0xC1, "SCU_SNP_EVICT", "occurrences"),
    (0xC2, "SCU_SNP_NO_CPU_SNP", "occurrences"),
    (0xD0, "SCU_HZD_ADDRESS", "occurrences"),
    (0xF3, "SCU_BIB_ACCESS", "occurrences"),
    (0xF4, "SCU_BACK_INVALIDATE", "occurrences"),
    (0xF5, "SCU_BIB_ECC", "occurrences"),
    (0x119, "ACP_ACCESS", "beats"),
    (0x11D, "ACP_CYCLES", "cycles"),
    (0x160, "ACP_ACCESS_RD", "beats"),
    (0x161, "ACP_ACCESS_WR", "beats"),
    (0x219, "PP_ACCESS", "beats"),
    (0x21D, "PP_CYCLES", "cycles"),
    (0x260, "PP_ACCESS_RD", "beats"),
    (0x261, "PP_ACCESS_WR", "beats"),
    (0x500, "SCU_PFTCH_CPU_ACCESS", "occurrences"),
    (0x501, "SCU_PFTCH_CPU_MISS", "occurrences"),
    (0x502, "SCU_PFTCH_CPU_HIT", "occurrences"),
    (0x503, "SCU_PFTCH_CPU_MATCH", "occurrences"),
    (0x504, "SCU_PFTCH_CPU_KILL", "occurrences"),
    (0x510, "SCU_STASH_ICN_ACCESS", "occurrences"),
    (0x511, "SCU_STASH_ICN_MISS", "occurrences"),
    (0x512, "SCU_STASH_ICN_HIT", "occurrences"),
    (0x513, "SCU_STASH_ICN_MATCH", "occurrences"),
    (0x514, "SCU_STASH_ICN_KILL", "occurrences"),
    (0x515, "SCU_STASH_ICN_DROPPED", "occurrences"),
    (0x520, "SCU_STASH_ACP_ACCESS", "occurrences"),
    (0x521, "SCU_STASH_ACP_MISS", "occurrences"),
    (0x522, "SCU_STASH_ACP_HIT", "occurrences"),
    (0x523, "SCU_STASH_ACP_MATCH", "occurrences"),
    (0x524, "SCU_STASH_ACP_KILL", "occurrences"),
];

#[test]
fn events_match_the_table() {
    let events =
        DsuEvent::ALL.iter().map(|event| (event.code(), event.name(), event.unit().to_string()));
    assert!(events.eq(EVENTS.map(|(code, name, unit)| (code, name, unit.to_owned()))));
}
