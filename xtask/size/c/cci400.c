/* The same as the driver of cci400 does, in C. */
#include "pmu.h"

#define COUNTERS 4
#define PMCR MMIO(pmu->base, 0x100)
#define CEN 1u
#define CCR 4u
#define KEEP 0x39u
#define NUMBER 0xF800u /* of counters; a device that does not answer has another */
#define ANSWERS(pmcr, cen) (((pmcr) & (NUMBER | CEN)) == (COUNTERS << 11 | (cen)))
#define BLOCK(i) (pmu->base + 0xA000 + 0x1000 * (i))
#define CLOCK (pmu->base + 0x9000)
#define SELECT 0x0
#define COUNT 0x4
#define CONTROL 0x8
#define FLAG 0xC
#define CYCLES (1u << COUNTERS)

struct pmu {
    uintptr_t base;
    struct slot slots[COUNTERS], clock;
    uint32_t setting; /* CCD and DP of PMCR */
    uint32_t in_use, lost, overflowed;
    struct count counts[COUNTERS + 1];
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
    PMCR = (PMCR & 0x10) | CCR | pmu->setting;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        const struct slot *slot = &pmu->slots[i];
        MMIO(BLOCK(i), CONTROL) = slot->used;
        MMIO(BLOCK(i), FLAG) = 1;
        if (slot->used) {
            MMIO(BLOCK(i), SELECT) = slot->event;
            MMIO(BLOCK(i), COUNT) = slot->from;
            bool taken = MMIO(BLOCK(i), COUNT) == slot->from;
            if (MMIO(BLOCK(i), FLAG) & 1 || !taken)
                lost |= 1u << i;
            in_use |= 1u << i;
        }
    }
    MMIO(CLOCK, CONTROL) = pmu->clock.used;
    MMIO(CLOCK, FLAG) = 1;
    if (pmu->clock.used) {
        MMIO(CLOCK, COUNT) = pmu->clock.from;
        bool taken = MMIO(CLOCK, COUNT) == pmu->clock.from;
        if (MMIO(CLOCK, FLAG) & 1 || !taken)
            lost |= CYCLES;
        in_use |= CYCLES;
    }
    /* Otherwise the read at the end would confirm nothing. */
    if (!ANSWERS(PMCR, 0))
        lost = ~0u;
    PMCR = (PMCR & KEEP) | CEN;
    if (!ANSWERS(wait_for_writes(pmu), CEN))
        lost = ~0u;
    pmu->in_use = in_use;
    pmu->lost = lost;
    pmu->overflowed = 0;
}

static void stop(struct pmu *pmu)
{
    uint32_t values[COUNTERS + 1], in_use = pmu->in_use, lost = pmu->lost;
    BARRIER();
    uint32_t before = PMCR;
    PMCR = before & KEEP & ~CEN;
    BARRIER();
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (!(in_use >> i & 1))
            continue;
        values[i] = MMIO(BLOCK(i), COUNT);
        uint32_t select = MMIO(BLOCK(i), SELECT);
        if (!(MMIO(BLOCK(i), CONTROL) & 1) || (select & 0xFF) != pmu->slots[i].event)
            lost |= 1u << i;
    }
    if (in_use & CYCLES) {
        values[COUNTERS] = MMIO(CLOCK, COUNT);
        if (!(MMIO(CLOCK, CONTROL) & 1) || (before & 0x28) != pmu->setting)
            lost |= CYCLES;
    }
    for (uint32_t i = 0; i <= COUNTERS; i++) {
        uintptr_t block = i == COUNTERS ? CLOCK : BLOCK(i);
        if (in_use >> i & 1 && MMIO(block, FLAG) & 1) {
            MMIO(block, FLAG) = 1;
            pmu->overflowed |= 1u << i;
        }
    }
    if (!ANSWERS(wait_for_writes(pmu), 0) || !(before & CEN))
        lost = ~0u;
    pmu->lost = lost;
    for (uint32_t i = 0; i <= COUNTERS; i++) {
        uint32_t from = i == COUNTERS ? pmu->clock.from : pmu->slots[i].from;
        pmu->counts[i] = in_use >> i & 1
                             ? judge(values[i], from, lost >> i & 1, pmu->overflowed >> i & 1)
                             : NOTHING;
    }
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
