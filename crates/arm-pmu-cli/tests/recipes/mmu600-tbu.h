// Counts TRANSACTION
// of the Translation Buffer Unit, pages at 0x5F320000 and 0x5F330000.
// Made by: arm-pmu recipe mmu600:tbu --base 0x5F31E000 --count TRANSACTION --for c
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

static const char *const pmu_names[PMU_COUNTS] = { "TRANSACTION" };

static inline const char *pmu_start(void)
{
    // Check that this is a Translation Buffer Unit.
    const uint32_t pidr0 = PMU_LOAD(0x5F320FE0u);
    if (!((pidr0 & 0xFFu) == 0x84u))
        return "PIDR0: expected PART_0 = 0x84: this is another device, or it does not answer (0: no access, clock or power)";
    const uint32_t pidr1 = PMU_LOAD(0x5F320FE4u);
    if (!((pidr1 & 0xFu) == 0x4u))
        return "PIDR1: expected PART_1 = 0x4: this is another device, or it does not answer (0: no access, clock or power)";
    const uint32_t cfgr = PMU_LOAD(0x5F320E00u);
    if (!(cfgr == 0xD01F03u))
        return "CFGR: expected SID_FILTER_TYPE = 1, CAPTURE = 1, MSI = 0, RELOC_CTRS = 1, SIZE = 0x1F, NCTR = 0x3, bits 0xFF0FC0C0 = 0x0: this is another device, or it does not answer (0: no access, clock or power)";
    const uint32_t pmdevarch = PMU_LOAD(0x5F320FBCu);
    if (!(pmdevarch == 0x47702A56u))
        return "PMDEVARCH: expected ARCHITECT = 0x23B, PRESENT = 1, REVISION = 0x0, ARCHID = 0x2A56: this is another device, or it does not answer (0: no access, clock or power)";
    // CR: E = 0.
    PMU_STORE(0x5F320E04u, 0x0u);
    // CNTENCLR0: clear CNTEN 0xF.
    PMU_STORE(0x5F320C20u, 0xFu);
    // INTENCLR0: clear INTEN 0xF.
    PMU_STORE(0x5F320C60u, 0xFu);
    // SMR0: STREAMID = 0xFFFFFFFF.
    PMU_STORE(0x5F320A00u, 0xFFFFFFFFu);
    const uint32_t smr0 = PMU_LOAD(0x5F320A00u);
    if (!((smr0 != 0) && ((smr0 & (smr0 + 0x1u)) == 0)))
        return "SMR0: expected STREAMID = ones below zeros: the device ignores writes, or other software uses it";
    // EVTYPER[0]: OVFCAP = 0, FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1; selects
    // TRANSACTION.
    PMU_STORE(0x5F320400u, 0x20000001u);
    // EVTYPER[1]: OVFCAP = 0, EVENT = 0x0.
    PMU_STORE(0x5F320404u, 0x0u);
    // EVTYPER[2]: OVFCAP = 0, EVENT = 0x0.
    PMU_STORE(0x5F320408u, 0x0u);
    // EVTYPER[3]: OVFCAP = 0, EVENT = 0x0.
    PMU_STORE(0x5F32040Cu, 0x0u);
    // EVCNTR[0]: COUNTER_VALUE = 0xFFFFFFFF.
    PMU_STORE(0x5F330000u, 0xFFFFFFFFu);
    const uint32_t evcntr_0 = PMU_LOAD(0x5F330000u);
    if (!(evcntr_0 == 0xFFFFFFFFu))
        return "EVCNTR[0]: expected COUNTER_VALUE = 0xFFFFFFFF: the device ignores writes, or other software uses it";
    // EVCNTR[0]: COUNTER_VALUE = 0x0.
    PMU_STORE(0x5F330000u, 0x0u);
    const uint32_t evcntr_0_b = PMU_LOAD(0x5F330000u);
    if (!(evcntr_0_b == 0x0u))
        return "EVCNTR[0]: expected COUNTER_VALUE = 0x0: the device ignores writes, or other software uses it";
    // OVSCLR0: clear OVS 0xF.
    PMU_STORE(0x5F330C80u, 0xFu);
    const uint32_t ovsset0 = PMU_LOAD(0x5F330CC0u);
    if (!((ovsset0 & 0x1u) == 0x0u))
        return "OVSSET0: expected OVS & 0x1 = 0x0: a flag stays set: start once more";
    // CNTENSET0: set CNTEN 0x1.
    PMU_STORE(0x5F320C00u, 0x1u);
    // INTENSET0: no bit set, so no effect.
    PMU_STORE(0x5F320C40u, 0x0u);
    const uint32_t evtyper_0 = PMU_LOAD(0x5F320400u);
    if (!((evtyper_0 & 0x6000FFFFu) == 0x20000001u))
        return "EVTYPER[0]: expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: the device ignores writes, or other software uses it";
    const uint32_t smr0_b = PMU_LOAD(0x5F320A00u);
    if (!((smr0_b != 0) && ((smr0_b & (smr0_b + 0x1u)) == 0)))
        return "SMR0: expected STREAMID = ones below zeros: the device ignores writes, or other software uses it";
    const uint32_t cntenset0 = PMU_LOAD(0x5F320C00u);
    if (!((cntenset0 & 0x1u) == 0x1u))
        return "CNTENSET0: expected CNTEN & 0x1 = 0x1: the device ignores writes, or other software uses it";
    // CR: E = 1.
    PMU_STORE(0x5F320E04u, 0x1u);
    const uint32_t cr = PMU_LOAD(0x5F320E04u);
    if (!(cr == 0x1u))
        return "CR: expected E = 1, bits 0xFFFFFFFE = 0x0: the device ignores writes, or other software uses it";
    PMU_BARRIER();
    return NULL;
}

static inline uint32_t pmu_read(unsigned counter)
{
    switch (counter) {
    case 0:
        return PMU_LOAD(0x5F330000u);
    default:
        return 0;
    }
}

static inline const char *pmu_snapshot(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    const uint32_t ovsset0 = PMU_LOAD(0x5F330CC0u);
    if (!((ovsset0 & 0x1u) == 0x0u))
        problem = "OVSSET0: expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t evcntr_0 = PMU_LOAD(0x5F330000u);
    counts[0] = evcntr_0;
    const uint32_t ovsset0_b = PMU_LOAD(0x5F330CC0u);
    if (!((ovsset0_b & 0x1u) == 0x0u))
        problem = "OVSSET0: expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t cr = PMU_LOAD(0x5F320E04u);
    if (!(cr == 0x1u))
        problem = "CR: expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost";
    return problem;
}

static inline const char *pmu_stop(uint32_t counts[PMU_COUNTS])
{
    const char *problem = NULL;

    PMU_BARRIER();
    const uint32_t cr = PMU_LOAD(0x5F320E04u);
    if (!(cr == 0x1u))
        problem = "CR: expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost";
    // CR: E = 0.
    PMU_STORE(0x5F320E04u, 0x0u);
    const uint32_t cr_b = PMU_LOAD(0x5F320E04u);
    if (!((cr_b & 0x1u) == 0x0u))
        problem = "CR: expected E = 0: other software changed settings, or clock or power were lost";
    PMU_BARRIER();
    const uint32_t evcntr_0 = PMU_LOAD(0x5F330000u);
    counts[0] = evcntr_0;
    const uint32_t ovsset0 = PMU_LOAD(0x5F330CC0u);
    if (!((ovsset0 & 0x1u) == 0x0u))
        problem = "OVSSET0: expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that";
    const uint32_t evtyper_0 = PMU_LOAD(0x5F320400u);
    if (!((evtyper_0 & 0x6000FFFFu) == 0x20000001u))
        problem = "EVTYPER[0]: expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: other software changed settings, or clock or power were lost";
    const uint32_t smr0 = PMU_LOAD(0x5F320A00u);
    if (!((smr0 != 0) && ((smr0 & (smr0 + 0x1u)) == 0)))
        problem = "SMR0: expected STREAMID = ones below zeros: other software changed settings, or clock or power were lost";
    const uint32_t cntenset0 = PMU_LOAD(0x5F320C00u);
    if (!((cntenset0 & 0x1u) == 0x1u))
        problem = "CNTENSET0: expected CNTEN & 0x1 = 0x1: other software changed settings, or clock or power were lost";
    return problem;
}

#endif
