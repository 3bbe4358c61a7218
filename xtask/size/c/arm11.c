/* The same as the driver of arm11 does for an ARM1176, in C. */
#include "pmu.h"

#define COUNTERS 2
#define IDLE 0x20u
#define CYCLES 4u
#define ALL 7u
/* PMNC */
#define E 1u
#define P 2u
#define C 4u
#define D 8u
#define X 0x800u
#define FLAGS(pmnc) ((pmnc) >> 8 & 7)
#define SETTING 0x0FFFF879u /* what is written and read */
#define EVENT(pmnc, i) ((pmnc) >> ((i) ? 12 : 20) & 0xFF)

struct pmu {
    struct slot slots[COUNTERS], clock;
    bool by_64;
    uint32_t interrupts; /* one bit each, the cycle counter third */
    uint32_t setting; /* all of PMNC but X and what acts */
    uint32_t in_use, lost, overflowed;
    uint32_t changed; /* settings that the last stop found changed, of idle counters too */
    struct count counts[COUNTERS + 1];
};

static uint32_t state(void)
{
    return CP15_READ(c15, c12, 0);
}

static void program(uint32_t setting, uint32_t action)
{
    CP15_WRITE(c15, c12, 0, (state() & X) | setting | action);
}

static void act(uint32_t action)
{
    CP15_WRITE(c15, c12, 0, (state() & (SETTING & ~E)) | action);
}

static void clear_flags(uint32_t divider)
{
    uint32_t action = E | P | C | ALL << 8;
    program(IDLE << 20 | IDLE << 12 | divider, action);
    if (FLAGS(state()))
        act(action);
    act(0);
}

static uint32_t changed(const struct pmu *pmu, uint32_t now)
{
    uint32_t changed = (now ^ pmu->setting) & D ? CYCLES : 0;
    for (uint32_t i = 0; i < COUNTERS; i++)
        if (EVENT(now, i) != EVENT(pmu->setting, i))
            changed |= 1u << i;
    return changed;
}

static bool is_stopped(const struct pmu *pmu, uint32_t now)
{
    return !(now & E) && (now || !pmu->setting);
}

static void check_enabled(struct pmu *pmu)
{
    uint32_t now = state();
    if (!(now & E) || now == ~0u || changed(pmu, now) & ~pmu->changed)
        pmu->lost = ALL;
    BARRIER();
}

static void start(struct pmu *pmu)
{
    uint32_t in_use = 0, reset = P | C, events[COUNTERS], divider = pmu->by_64 ? D : 0;
    const struct slot *slots = pmu->slots;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        events[i] = slots[i].used ? slots[i].event : IDLE;
        in_use |= slots[i].used << i;
    }
    if (pmu->clock.used)
        in_use |= CYCLES;
    pmu->in_use = in_use;
    pmu->lost = pmu->overflowed = pmu->changed = 0;
    clear_flags(divider);
    pmu->setting = events[0] << 20 | events[1] << 12 | divider | (pmu->interrupts & in_use) << 4;
    program(pmu->setting, 0);
    /* Otherwise the read at the end would not confirm the reset. */
    if (state() & E)
        pmu->lost = ALL;
    if (slots[0].from || slots[1].from) {
        reset &= ~P;
        CP15_WRITE(c15, c12, 2, slots[0].from);
        CP15_WRITE(c15, c12, 3, slots[1].from);
        BARRIER();
        if (CP15_READ(c15, c12, 2) != slots[0].from)
            pmu->lost |= 1;
        if (CP15_READ(c15, c12, 3) != slots[1].from)
            pmu->lost |= 2;
    }
    if (pmu->clock.from) {
        reset &= ~C;
        CP15_WRITE(c15, c12, 1, pmu->clock.from);
        BARRIER();
        if (CP15_READ(c15, c12, 1) != pmu->clock.from)
            pmu->lost |= CYCLES;
    }
    act(E | reset);
    check_enabled(pmu);
}

static void stop(struct pmu *pmu)
{
    uint32_t values[COUNTERS + 1], in_use = pmu->in_use, lost = pmu->lost;
    BARRIER();
    uint32_t before = state();
    act(0);
    BARRIER();
    values[0] = CP15_READ(c15, c12, 2);
    values[1] = CP15_READ(c15, c12, 3);
    values[2] = CP15_READ(c15, c12, 1);
    uint32_t after = state();
    uint32_t flags = FLAGS(after);
    bool stopped = is_stopped(pmu, after);
    pmu->changed = changed(pmu, after);
    if (flags) {
        clear_flags(pmu->setting & D);
        program(pmu->setting, 0);
        CP15_WRITE(c15, c12, 2, values[0]);
        CP15_WRITE(c15, c12, 3, values[1]);
        CP15_WRITE(c15, c12, 1, values[2]);
        BARRIER();
        for (uint32_t i = 0; i < COUNTERS; i++)
            stopped &= (i ? CP15_READ(c15, c12, 3) : CP15_READ(c15, c12, 2)) == values[i];
        stopped &= CP15_READ(c15, c12, 1) == values[COUNTERS];
        uint32_t now = state();
        stopped &= is_stopped(pmu, now) && !(changed(pmu, now) & ~pmu->changed);
    }
    lost |= pmu->changed;
    if (!(before & E) || before == ~0u || !stopped)
        lost = ALL;
    pmu->lost = lost;
    pmu->overflowed |= flags & in_use;
    for (uint32_t i = 0; i <= COUNTERS; i++) {
        uint32_t from = i == COUNTERS ? pmu->clock.from : pmu->slots[i].from;
        pmu->counts[i] = in_use >> i & 1
                             ? judge(values[i], from, lost >> i & 1, pmu->overflowed >> i & 1)
                             : NOTHING;
    }
}

static struct pmu pmu;

uint32_t _start(uint32_t *result)
{
    pmu.slots[0] = (struct slot){ true, 0x07, 0 };
    start(&pmu);
    work();
    stop(&pmu);
    return answer(pmu.counts[0], result);
}
