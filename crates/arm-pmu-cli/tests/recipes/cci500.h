// Counts SI3:READ_DATA_SNOOP_HIT
// of the CoreLink CCI-500 Cache Coherent Interconnect at 0x5F100000.
// Made by: arm-pmu recipe cci500 --base 0x5F100000 --count SI3:READ_DATA_SNOOP_HIT --for c
//
//   const char *problem = pmu_start();      checks the device, and starts the counters
//   uint32_t now = pmu_read(0);             one counter while it runs, without a check
//   problem = pmu_snapshot(counts);         all counters while they run
//   problem = pmu_stop(counts);             stops the counters; the final counts
//
// A function returns NULL, or what is wrong. After a problem of pmu_start nothing counts; after one of
// the others the counts are not valid.
//
// Each access is one load or store of 32 bits at a physical address. Code that runs behind an MMU, or
// needs another way to reach the registers, defines PMU_LOAD, PMU_STORE and PMU_BARRIER first.
#ifndef PMU_RECIPE_H
#define PMU_RECIPE_H

#include <stddef.h>
#include <stdint.h>

#ifndef PMU_LOAD
#define PMU_LOAD(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define PMU_STORE(address, value) (*(volatile uint32_t *)(uintptr_t)(address) = (value))
#endif

// Waits until earlier accesses are complete, before later code runs.
#ifndef PMU_BARRIER
#if defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
#define PMU_BARRIER() __asm__ volatile("dsb sy\n\tisb" ::: "memory")
#else
#define PMU_BARRIER() __sync_synchronize()
#endif
#endif

#define PMU_COUNTS 1

static const char *const pmu_names[PMU_COUNTS] = { "SI3:READ_DATA_SNOOP_HIT" };

static inline const char *pmu_start(void)
{
    // Check that this is a CoreLink CCI-500 Cache Coherent Interconnect.
    const uint32_t pid0 = PMU_LOAD(0x5F100FE0u);
    if (!((pid0 & 0xFFu) == 0x22u))
        return "PID0: expected PART_0 = 0x22: this is another device, or it does not answer (0: no access, clock or power)";
    const uint32_t pid1 = PMU_LOAD(0x5F100FE4u);
    if (!((pid1 & 0xFu) == 0x4u))
        return "PID1: expected PART_1 = 0x4: this is another device, or it does not answer (0: no access, clock or power)";
    const uint32_t pmcr = PMU_LOAD(0x5F100100u);
    if (!((pmcr & 0xF800u) == 0x4000u))
        return "PMCR: expected PMU_CNT_NUM = 0x8: this is another device, or it does not answer (0: no access, clock or power)";
    // PMCR: read, to keep some of its fields.
    const uint32_t pmcr_b = PMU_LOAD(0x5F100100u);
    // PMCR: CEN = 0; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr_b & 0x10u));
    // EVENT_SELECT[0]: SOURCE = 0x8, EVENT = 0x1F.
    PMU_STORE(0x5F110000u, 0x11Fu);
    // COUNT_CONTROL[0]: ENABLE = 1.
    PMU_STORE(0x5F110008u, 0x1u);
    // COUNT_CONTROL[1]: ENABLE = 0.
    PMU_STORE(0x5F120008u, 0x0u);
    // COUNT_CONTROL[2]: ENABLE = 0.
    PMU_STORE(0x5F130008u, 0x0u);
    // COUNT_CONTROL[3]: ENABLE = 0.
    PMU_STORE(0x5F140008u, 0x0u);
    // COUNT_CONTROL[4]: ENABLE = 0.
    PMU_STORE(0x5F150008u, 0x0u);
    // COUNT_CONTROL[5]: ENABLE = 0.
    PMU_STORE(0x5F160008u, 0x0u);
    // COUNT_CONTROL[6]: ENABLE = 0.
    PMU_STORE(0x5F170008u, 0x0u);
    // COUNT_CONTROL[7]: ENABLE = 0.
    PMU_STORE(0x5F180008u, 0x0u);
    // PMCR: CEN = 1; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr_b & 0x10u) | 0x1u);
    // PMCR: RST = 1 acts, CEN = 1; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr_b & 0x10u) | 0x3u);
    // OVERFLOW_STATUS[0]: clear FLAG.
    PMU_STORE(0x5F11000Cu, 0x1u);
    // EVENT_COUNT[0]: COUNT = 0x0.
    PMU_STORE(0x5F110004u, 0x0u);
    // OVERFLOW_STATUS[1]: clear FLAG.
    PMU_STORE(0x5F12000Cu, 0x1u);
    // OVERFLOW_STATUS[2]: clear FLAG.
    PMU_STORE(0x5F13000Cu, 0x1u);
    // OVERFLOW_STATUS[3]: clear FLAG.
    PMU_STORE(0x5F14000Cu, 0x1u);
    // OVERFLOW_STATUS[4]: clear FLAG.
    PMU_STORE(0x5F15000Cu, 0x1u);
    // OVERFLOW_STATUS[5]: clear FLAG.
    PMU_STORE(0x5F16000Cu, 0x1u);
    // OVERFLOW_STATUS[6]: clear FLAG.
    PMU_STORE(0x5F17000Cu, 0x1u);
    // OVERFLOW_STATUS[7]: clear FLAG.
    PMU_STORE(0x5F18000Cu, 0x1u);
    // PMCR: CEN = 0; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr_b & 0x10u));
    const uint32_t pmcr_c = PMU_LOAD(0x5F100100u);
    if (!((pmcr_c & 0xF801u) == 0x4000u))
        return "PMCR: expected PMU_CNT_NUM = 0x8, CEN = 0: the device ignores writes, or other software uses it";
    // OVERFLOW_STATUS[0]: clear FLAG.
    PMU_STORE(0x5F11000Cu, 0x1u);
    const uint32_t event_count_0 = PMU_LOAD(0x5F110004u);
    if (!(event_count_0 == 0x0u))
        return "EVENT_COUNT[0]: expected COUNT = 0x0: the device ignores writes, or other software uses it";
    const uint32_t overflow_status_0 = PMU_LOAD(0x5F11000Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        return "OVERFLOW_STATUS[0]: expected FLAG = 0: a flag stays set: start once more";
    // EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x9; selects SI3:READ_DATA_SNOOP_HIT.
    PMU_STORE(0x5F110000u, 0x69u);
    // OVERFLOW_STATUS[1]: clear FLAG.
    PMU_STORE(0x5F12000Cu, 0x1u);
    // OVERFLOW_STATUS[2]: clear FLAG.
    PMU_STORE(0x5F13000Cu, 0x1u);
    // OVERFLOW_STATUS[3]: clear FLAG.
    PMU_STORE(0x5F14000Cu, 0x1u);
    // OVERFLOW_STATUS[4]: clear FLAG.
    PMU_STORE(0x5F15000Cu, 0x1u);
    // OVERFLOW_STATUS[5]: clear FLAG.
    PMU_STORE(0x5F16000Cu, 0x1u);
    // OVERFLOW_STATUS[6]: clear FLAG.
    PMU_STORE(0x5F17000Cu, 0x1u);
    // OVERFLOW_STATUS[7]: clear FLAG.
    PMU_STORE(0x5F18000Cu, 0x1u);
    // PMCR: CEN = 1; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr_b & 0x10u) | 0x1u);
    const uint32_t pmcr_d = PMU_LOAD(0x5F100100u);
    if (!((pmcr_d & 0xF801u) == 0x4001u))
        return "PMCR: expected PMU_CNT_NUM = 0x8, CEN = 1: the device ignores writes, or other software uses it";
    PMU_BARRIER();
    return NULL;
}

static inline uint32_t pmu_read(unsigned counter)
{
    switch (counter) {
    case 0:
        return PMU_LOAD(0x5F110004u);
    default:
        return 0;
    }
}

static inline const char *pmu_snapshot(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    const uint32_t overflow_status_0 = PMU_LOAD(0x5F11000Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t event_count_0 = PMU_LOAD(0x5F110004u);
    counts[0] = event_count_0;
    const uint32_t overflow_status_0_b = PMU_LOAD(0x5F11000Cu);
    if (!((overflow_status_0_b & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t pmcr = PMU_LOAD(0x5F100100u);
    if (!((pmcr & 0xF801u) == 0x4001u))
        problem = "PMCR: expected PMU_CNT_NUM = 0x8, CEN = 1: other software changed settings, or clock or power were lost";
    return problem;
}

static inline const char *pmu_stop(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    PMU_BARRIER();
    const uint32_t pmcr = PMU_LOAD(0x5F100100u);
    if (!((pmcr & 0x1u) == 0x1u))
        problem = "PMCR: expected CEN = 1: other software changed settings, or clock or power were lost";
    // PMCR: CEN = 0; EX keeps its value.
    PMU_STORE(0x5F100100u, (pmcr & 0x10u));
    PMU_BARRIER();
    const uint32_t event_count_0 = PMU_LOAD(0x5F110004u);
    counts[0] = event_count_0;
    const uint32_t event_select_0 = PMU_LOAD(0x5F110000u);
    if (!((event_select_0 & 0x1FFu) == 0x69u))
        problem = "EVENT_SELECT[0]: expected SOURCE = 0x3, EVENT = 0x9: other software changed settings, or clock or power were lost";
    const uint32_t count_control_0 = PMU_LOAD(0x5F110008u);
    if (!((count_control_0 & 0x1u) == 0x1u))
        problem = "COUNT_CONTROL[0]: expected ENABLE = 1: other software changed settings, or clock or power were lost";
    const uint32_t overflow_status_0 = PMU_LOAD(0x5F11000Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t pmcr_b = PMU_LOAD(0x5F100100u);
    if (!((pmcr_b & 0xF801u) == 0x4000u))
        problem = "PMCR: expected PMU_CNT_NUM = 0x8, CEN = 0: other software changed settings, or clock or power were lost";
    PMU_BARRIER();
    return problem;
}

#endif
