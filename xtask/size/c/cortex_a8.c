/* The same as the driver of cortex-a8 does, in C. */
#include "pmu.h"

#define COUNTERS 4
#define ALL 0x8000000Fu
#define CYCLES 0x80000000u

struct pmu {
    struct slot slots[COUNTERS], clock;
    uint32_t control, interrupts; /* D and DP of PMCR; PMINTENSET */
    uint32_t in_use, lost, overflowed;
    struct count counts[COUNTERS], cycles;
};

static void select_counter(uint32_t number)
{
    CP15_WRITE(c9, c12, 5, number);
    BARRIER();
}

static void start(struct pmu *pmu)
{
    uint32_t in_use = 0, lost = 0;
    CP15_WRITE(c9, c12, 0, (CP15_READ(c9, c12, 0) & 0x10) | pmu->control);
    CP15_WRITE(c9, c12, 2, ALL);
    BARRIER();
    for (uint32_t i = 0; i < COUNTERS; i++) {
        const struct slot *slot = &pmu->slots[i];
        if (!slot->used)
            continue;
        select_counter(i);
        CP15_WRITE(c9, c13, 1, slot->event);
        CP15_WRITE(c9, c13, 2, slot->from);
        in_use |= 1u << i;
    }
    /* A second round, as somebody may have moved the selector in the first. */
    for (uint32_t i = 0; i < COUNTERS; i++) {
        const struct slot *slot = &pmu->slots[i];
        if (!slot->used)
            continue;
        select_counter(i);
        if ((CP15_READ(c9, c13, 1) & 0xFF) != slot->event || CP15_READ(c9, c13, 2) != slot->from
            || (CP15_READ(c9, c12, 5) & 0x1F) != i)
            lost |= 1u << i;
    }
    if (pmu->clock.used) {
        CP15_WRITE(c9, c13, 0, pmu->clock.from);
        if (CP15_READ(c9, c13, 0) != pmu->clock.from)
            lost |= CYCLES;
        in_use |= CYCLES;
    }
    CP15_WRITE(c9, c12, 3, ALL);
    CP15_WRITE(c9, c14, 2, ALL);
    CP15_WRITE(c9, c14, 1, pmu->interrupts & in_use);
    CP15_WRITE(c9, c12, 1, in_use);
    BARRIER();
    CP15_WRITE(c9, c12, 0, (CP15_READ(c9, c12, 0) & 0x38) | 1);
    uint32_t running = CP15_READ(c9, c12, 0);
    if (!(running & 1) || running == ~0u)
        lost = ~0u;
    BARRIER();
    pmu->in_use = in_use;
    pmu->lost = lost;
    pmu->overflowed = 0;
}

static void stop(struct pmu *pmu)
{
    uint32_t values[COUNTERS], cycles = 0, in_use = pmu->in_use, lost = pmu->lost;
    BARRIER();
    uint32_t before = CP15_READ(c9, c12, 0);
    CP15_WRITE(c9, c12, 0, before & 0x38);
    BARRIER();
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (!(in_use >> i & 1))
            continue;
        select_counter(i);
        values[i] = CP15_READ(c9, c13, 2);
        bool same = (CP15_READ(c9, c13, 1) & 0xFF) == pmu->slots[i].event;
        if ((CP15_READ(c9, c12, 5) & 0x1F) != i || !same)
            lost |= 1u << i;
    }
    if (in_use & CYCLES) {
        cycles = CP15_READ(c9, c13, 0);
        if ((before & 0x28) != pmu->control)
            lost |= CYCLES;
    }
    uint32_t up = CP15_READ(c9, c12, 3) & in_use;
    if (up) {
        CP15_WRITE(c9, c12, 3, up);
        BARRIER();
        pmu->overflowed |= up;
        lost |= up & CP15_READ(c9, c12, 3);
    }
    lost |= in_use & ~CP15_READ(c9, c12, 1);
    if (!(before & 1) || CP15_READ(c9, c12, 0) & 1)
        lost = ~0u;
    pmu->lost = lost;
    for (uint32_t i = 0; i < COUNTERS; i++)
        pmu->counts[i] = in_use >> i & 1 ? judge(values[i], pmu->slots[i].from, lost >> i & 1,
                                                 pmu->overflowed >> i & 1)
                                         : NOTHING;
    pmu->cycles = in_use & CYCLES ? judge(cycles, pmu->clock.from, lost >> 31, pmu->overflowed >> 31)
                                  : NOTHING;
}

static struct pmu pmu;

uint32_t _start(uint32_t *result)
{
    pmu.slots[0] = (struct slot){ true, 0x08, 0 };
    start(&pmu);
    work();
    stop(&pmu);
    return answer(pmu.counts[0], result);
}
