// Counts S3:READ_REQUEST_ANY, cycles
// of the CCI-400 of revision 1 at 0x5F090000.
// Made by: arm-pmu recipe cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for c
//
//   const char *problem = pmu_start();      checks the device, and starts the counters
//   uint32_t now = pmu_read(0);             one counter while it runs, without a check
//   problem = pmu_snapshot(counts);         all counters while they run
//   problem = pmu_stop(counts);             stops the counters; the final counts
//
// A function returns NULL, or the text of an error. If pmu_start fails, nothing counts; if another
// function fails, the counts are invalid.
//
// Each access is one load or store of 32 bits at a physical address. Code that runs with an MMU
// enabled, or needs another way to reach the registers, defines PMU_LOAD, PMU_STORE and PMU_BARRIER
// first.
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

#define PMU_COUNTS 2

static const char *const pmu_names[PMU_COUNTS] = { "S3:READ_REQUEST_ANY", "cycles" };

static inline const char *pmu_start(void)
{
    // Check that this is a CCI-400 of revision 1.
    const uint32_t pid0 = PMU_LOAD(0x5F090FE0u);
    if (!((pid0 & 0xFFu) == 0x20u))
        return "PID0: expected PART_0 = 0x20: this is another device, or the device does not respond (0: no access, clock or power)";
    const uint32_t pid1 = PMU_LOAD(0x5F090FE4u);
    if (!((pid1 & 0xFu) == 0x4u))
        return "PID1: expected PART_1 = 0x4: this is another device, or the device does not respond (0: no access, clock or power)";
    const uint32_t pid2 = PMU_LOAD(0x5F090FE8u);
    if (!((pid2 & 0x8u) == 0x8u))
        return "PID2: expected JEDEC = 1: this is another device, or the device does not respond (0: no access, clock or power)";
    if (!(((pid2 & 0xF0u) >= 0x50u) && ((pid2 & 0xF0u) <= 0xF0u)))
        return "PID2: expected REVISION = 0x5 to 0xF: this is another device, or the device does not respond (0: no access, clock or power)";
    const uint32_t pmcr = PMU_LOAD(0x5F090100u);
    if (!((pmcr & 0xF800u) == 0x2000u))
        return "PMCR: expected PMU_CNT_NUM = 0x4: this is another device, or the device does not respond (0: no access, clock or power)";
    // PMCR: read, to keep some of its fields.
    const uint32_t pmcr_b = PMU_LOAD(0x5F090100u);
    // PMCR: DP = 0, CCD = 0, CCR = 1 acts, CEN = 0; EX keeps its value.
    PMU_STORE(0x5F090100u, (pmcr_b & 0x10u) | 0x4u);
    // COUNT_CONTROL[0]: ENABLE = 1.
    PMU_STORE(0x5F09A008u, 0x1u);
    // OVERFLOW_STATUS[0]: clear FLAG.
    PMU_STORE(0x5F09A00Cu, 0x1u);
    // EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x0; selects S3:READ_REQUEST_ANY.
    PMU_STORE(0x5F09A000u, 0x60u);
    // EVENT_COUNT[0]: COUNT = 0x0.
    PMU_STORE(0x5F09A004u, 0x0u);
    const uint32_t event_count_0 = PMU_LOAD(0x5F09A004u);
    if (!(event_count_0 == 0x0u))
        return "EVENT_COUNT[0]: expected COUNT = 0x0: the device ignores writes, or other software uses it";
    const uint32_t overflow_status_0 = PMU_LOAD(0x5F09A00Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        return "OVERFLOW_STATUS[0]: expected FLAG = 0: a flag stays set: start once more";
    // COUNT_CONTROL[1]: ENABLE = 0.
    PMU_STORE(0x5F09B008u, 0x0u);
    // OVERFLOW_STATUS[1]: clear FLAG.
    PMU_STORE(0x5F09B00Cu, 0x1u);
    // COUNT_CONTROL[2]: ENABLE = 0.
    PMU_STORE(0x5F09C008u, 0x0u);
    // OVERFLOW_STATUS[2]: clear FLAG.
    PMU_STORE(0x5F09C00Cu, 0x1u);
    // COUNT_CONTROL[3]: ENABLE = 0.
    PMU_STORE(0x5F09D008u, 0x0u);
    // OVERFLOW_STATUS[3]: clear FLAG.
    PMU_STORE(0x5F09D00Cu, 0x1u);
    // CYCLE_COUNT_CONTROL: ENABLE = 1.
    PMU_STORE(0x5F099008u, 0x1u);
    // CYCLE_OVERFLOW_STATUS: clear FLAG.
    PMU_STORE(0x5F09900Cu, 0x1u);
    // CYCLE_COUNT: COUNT = 0x0.
    PMU_STORE(0x5F099004u, 0x0u);
    const uint32_t cycle_count = PMU_LOAD(0x5F099004u);
    if (!(cycle_count == 0x0u))
        return "CYCLE_COUNT: expected COUNT = 0x0: the device ignores writes, or other software uses it";
    const uint32_t cycle_overflow_status = PMU_LOAD(0x5F09900Cu);
    if (!((cycle_overflow_status & 0x1u) == 0x0u))
        return "CYCLE_OVERFLOW_STATUS: expected FLAG = 0: a flag stays set: start once more";
    const uint32_t pmcr_c = PMU_LOAD(0x5F090100u);
    if (!((pmcr_c & 0xF801u) == 0x2000u))
        return "PMCR: expected PMU_CNT_NUM = 0x4, CEN = 0: the device ignores writes, or other software uses it";
    // PMCR: DP = 0, CCD = 0, CEN = 1; EX keeps its value.
    PMU_STORE(0x5F090100u, (pmcr_b & 0x10u) | 0x1u);
    const uint32_t pmcr_d = PMU_LOAD(0x5F090100u);
    if (!((pmcr_d & 0xF801u) == 0x2001u))
        return "PMCR: expected PMU_CNT_NUM = 0x4, CEN = 1: the device ignores writes, or other software uses it";
    PMU_BARRIER();
    return NULL;
}

static inline uint32_t pmu_read(unsigned counter)
{
    switch (counter) {
    case 0:
        return PMU_LOAD(0x5F09A004u);
    case 1:
        return PMU_LOAD(0x5F099004u);
    default:
        return 0;
    }
}

static inline const char *pmu_snapshot(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    const uint32_t overflow_status_0 = PMU_LOAD(0x5F09A00Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t event_count_0 = PMU_LOAD(0x5F09A004u);
    counts[0] = event_count_0;
    const uint32_t overflow_status_0_b = PMU_LOAD(0x5F09A00Cu);
    if (!((overflow_status_0_b & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t cycle_overflow_status = PMU_LOAD(0x5F09900Cu);
    if (!((cycle_overflow_status & 0x1u) == 0x0u))
        problem = "CYCLE_OVERFLOW_STATUS: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t cycle_count = PMU_LOAD(0x5F099004u);
    counts[1] = cycle_count;
    const uint32_t cycle_overflow_status_b = PMU_LOAD(0x5F09900Cu);
    if (!((cycle_overflow_status_b & 0x1u) == 0x0u))
        problem = "CYCLE_OVERFLOW_STATUS: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t pmcr = PMU_LOAD(0x5F090100u);
    if (!((pmcr & 0xF801u) == 0x2001u))
        problem = "PMCR: expected PMU_CNT_NUM = 0x4, CEN = 1: other software changed settings, or clock or power were lost";
    return problem;
}

static inline const char *pmu_stop(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    PMU_BARRIER();
    const uint32_t pmcr = PMU_LOAD(0x5F090100u);
    if (!((pmcr & 0x29u) == 0x1u))
        problem = "PMCR: expected DP = 0, CCD = 0, CEN = 1: other software changed settings, or clock or power were lost";
    // PMCR: DP = 0, CCD = 0, CEN = 0; EX keeps its value.
    PMU_STORE(0x5F090100u, (pmcr & 0x10u));
    PMU_BARRIER();
    const uint32_t event_count_0 = PMU_LOAD(0x5F09A004u);
    counts[0] = event_count_0;
    const uint32_t event_select_0 = PMU_LOAD(0x5F09A000u);
    if (!((event_select_0 & 0xFFu) == 0x60u))
        problem = "EVENT_SELECT[0]: expected SOURCE = 0x3, EVENT = 0x0: other software changed settings, or clock or power were lost";
    const uint32_t count_control_0 = PMU_LOAD(0x5F09A008u);
    if (!((count_control_0 & 0x1u) == 0x1u))
        problem = "COUNT_CONTROL[0]: expected ENABLE = 1: other software changed settings, or clock or power were lost";
    const uint32_t cycle_count = PMU_LOAD(0x5F099004u);
    counts[1] = cycle_count;
    const uint32_t cycle_count_control = PMU_LOAD(0x5F099008u);
    if (!((cycle_count_control & 0x1u) == 0x1u))
        problem = "CYCLE_COUNT_CONTROL: expected ENABLE = 1: other software changed settings, or clock or power were lost";
    const uint32_t overflow_status_0 = PMU_LOAD(0x5F09A00Cu);
    if (!((overflow_status_0 & 0x1u) == 0x0u))
        problem = "OVERFLOW_STATUS[0]: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t cycle_overflow_status = PMU_LOAD(0x5F09900Cu);
    if (!((cycle_overflow_status & 0x1u) == 0x0u))
        problem = "CYCLE_OVERFLOW_STATUS: expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32";
    const uint32_t pmcr_b = PMU_LOAD(0x5F090100u);
    if (!((pmcr_b & 0xF801u) == 0x2000u))
        problem = "PMCR: expected PMU_CNT_NUM = 0x4, CEN = 0: other software changed settings, or clock or power were lost";
    PMU_BARRIER();
    return problem;
}

#endif
