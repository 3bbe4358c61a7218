/* The same as the driver of cci550 does, in C. */
#include "pmu.h"

#define COUNTERS 8
#define PMCR MMIO(pmu->base, 0x100)
#define CEN 1u
#define RST 2u
#define NUMBER 0xF800u /* of counters; a device that does not answer has another */
#define ANSWERS(pmcr, cen) (((pmcr) & (NUMBER | CEN)) == (COUNTERS << 11 | (cen)))
#define KEEP 0x11u
#define BLOCK(i) (pmu->base + 0x10000 + 0x10000 * (i))
#define SELECT 0x0
#define COUNT 0x4
#define CONTROL 0x8
#define FLAG 0xC
#define STANDSTILL 0x11F

struct pmu {
    uintptr_t base;
    struct slot slots[COUNTERS];
    uint32_t in_use, lost, overflowed;
    struct count counts[COUNTERS];
};

static uint32_t wait_for_writes(struct pmu *pmu)
{
    uint32_t pmcr = PMCR;
    BARRIER();
    return pmcr;
}

static void start(struct pmu *pmu)
{
    uint32_t in_use = 0, lost = 0;
    PMCR = PMCR & KEEP & ~CEN;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (pmu->slots[i].used) {
            MMIO(BLOCK(i), SELECT) = STANDSTILL;
            in_use |= 1u << i;
        }
        MMIO(BLOCK(i), CONTROL) = pmu->slots[i].used;
    }
    PMCR = (PMCR & KEEP) | CEN;
    PMCR = (PMCR & KEEP) | CEN | RST;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        MMIO(BLOCK(i), FLAG) = 1;
        if (pmu->slots[i].used)
            MMIO(BLOCK(i), COUNT) = pmu->slots[i].from;
    }
    PMCR = PMCR & KEEP & ~CEN;
    /* Otherwise the read at the end would confirm nothing. */
    if (!ANSWERS(PMCR, 0))
        lost = ~0u;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        MMIO(BLOCK(i), FLAG) = 1;
        if (!pmu->slots[i].used)
            continue;
        if (MMIO(BLOCK(i), COUNT) != pmu->slots[i].from || MMIO(BLOCK(i), FLAG) & 1)
            lost |= 1u << i;
        MMIO(BLOCK(i), SELECT) = pmu->slots[i].event;
    }
    PMCR = (PMCR & KEEP) | CEN;
    if (!ANSWERS(wait_for_writes(pmu), CEN))
        lost = ~0u;
    pmu->in_use = in_use;
    pmu->lost = lost;
    pmu->overflowed = 0;
}

static void stop(struct pmu *pmu)
{
    uint32_t values[COUNTERS], in_use = pmu->in_use, lost = pmu->lost;
    BARRIER();
    uint32_t before = PMCR;
    PMCR = before & KEEP & ~CEN;
    BARRIER();
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (!(in_use >> i & 1))
            continue;
        values[i] = MMIO(BLOCK(i), COUNT);
        uint32_t select = MMIO(BLOCK(i), SELECT);
        if (!(MMIO(BLOCK(i), CONTROL) & 1) || (select & 0x1FF) != pmu->slots[i].event)
            lost |= 1u << i;
    }
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (in_use >> i & 1 && MMIO(BLOCK(i), FLAG) & 1) {
            MMIO(BLOCK(i), FLAG) = 1;
            pmu->overflowed |= 1u << i;
        }
    }
    if (!ANSWERS(wait_for_writes(pmu), 0) || !(before & CEN))
        lost = ~0u;
    pmu->lost = lost;
    for (uint32_t i = 0; i < COUNTERS; i++)
        pmu->counts[i] = in_use >> i & 1 ? judge(values[i], pmu->slots[i].from, lost >> i & 1,
                                                 pmu->overflowed >> i & 1)
                                         : NOTHING;
}

static struct pmu pmu;

uint32_t _start(uintptr_t base, uint32_t *result)
{
    pmu.base = base;
    pmu.slots[0] = (struct slot){ true, 0x60, 0 };
    start(&pmu);
    work();
    stop(&pmu);
    return answer(pmu.counts[0], result);
}
