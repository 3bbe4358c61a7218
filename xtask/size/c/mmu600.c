/* The same as the driver of mmu600 does for a TBU, in C. */
#include "pmu.h"

#define COUNTERS 4
#define ALL 0xFu
#define ALL_STREAMS (~0u)
#define PAGE0(offset) MMIO(pmu->page0, offset)
#define PAGE1(offset) MMIO(pmu->page1, offset)
#define EVCNTR(i) PAGE1(0x000 + 4 * (i))
#define EVTYPER(i) PAGE0(0x400 + 4 * (i))
#define SMR0 PAGE0(0xA00)
#define CNTENSET PAGE0(0xC00)
#define CNTENCLR PAGE0(0xC20)
#define INTENSET PAGE0(0xC40)
#define INTENCLR PAGE0(0xC60)
#define OVSCLR PAGE1(0xC80)
#define OVSSET PAGE1(0xCC0)
#define SCR PAGE0(0xDF8)
#define CR PAGE0(0xE04)
#define SPAN 0x20000000u
#define SECURE 0x40000000u
#define OVFCAP 31

struct pmu {
    uintptr_t page0, page1;
    struct slot slots[COUNTERS];
    uint32_t interrupts, captures;
    uint32_t filter, stream_id, smr; /* SPAN and SECURE; SMR0 wanted, and as it holds */
    bool smr_taken;
    uint32_t in_use, lost, overflowed;
    struct count counts[COUNTERS];
};

/* What the event tables say of an event: the driver has them, too. */
static bool secure_only(uint32_t event)
{
    return (event >= 0x85 && event <= 0x87) || event == 0xC0;
}

static bool filterable(uint32_t event)
{
    return !secure_only(event);
}

static bool set_smr(struct pmu *pmu, uint32_t wanted)
{
    SMR0 = wanted;
    pmu->smr = SMR0;
    return pmu->smr == wanted;
}

static bool match_streams(struct pmu *pmu)
{
    uint32_t wanted = pmu->stream_id;
    if (!(pmu->filter & SPAN) || (wanted & (wanted + 1)))
        return set_smr(pmu, wanted);
    set_smr(pmu, ALL_STREAMS);
    uint32_t there = pmu->smr;
    if (there == 0 || (there & (there + 1)))
        return false;
    if (wanted == ALL_STREAMS)
        return true;
    return set_smr(pmu, wanted < there >> 1 ? wanted : there >> 1);
}

static uint32_t filtered(struct pmu *pmu)
{
    uint32_t counters = 0;
    for (uint32_t i = 0; i < COUNTERS; i++)
        if (pmu->slots[i].used && filterable(pmu->slots[i].event))
            counters |= 1u << i;
    return counters;
}

static uint32_t not_observed(struct pmu *pmu)
{
    uint32_t need = 0;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        uint32_t event = pmu->slots[i].event;
        if (pmu->slots[i].used
            && (secure_only(event) || ((pmu->filter & SECURE) && filterable(event))))
            need |= 1u << i;
    }
    return need && (SCR & 0x80000001) == 0x80000000 ? need : 0;
}

static uint32_t changed(struct pmu *pmu)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < COUNTERS; i++) {
        uint32_t value = EVTYPER(i);
        if (pmu->slots[i].used && (value & 0xFFFF) != pmu->slots[i].event)
            changed |= 1u << i;
        if (i == 0 && (value & (SPAN | SECURE)) != pmu->filter)
            changed |= filtered(pmu);
    }
    if (SMR0 != pmu->smr || !pmu->smr_taken)
        changed |= filtered(pmu);
    uint32_t on = CNTENSET;
    return on == ~0u ? pmu->in_use : changed | (pmu->in_use & ~on);
}

static bool enabled(struct pmu *pmu)
{
    bool enabled = CR == 1;
    BARRIER();
    return enabled;
}

static void start(struct pmu *pmu)
{
    uint32_t in_use = 0, lost = 0;
    CR = 0;
    CNTENCLR = ALL;
    INTENCLR = ALL;
    pmu->smr_taken = match_streams(pmu);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        EVTYPER(i) = (pmu->slots[i].used ? pmu->slots[i].event : 0) | (i ? 0 : pmu->filter)
                     | (pmu->captures >> i & 1) << OVFCAP;
        in_use |= pmu->slots[i].used << i;
    }
    for (uint32_t i = 0; i < COUNTERS; i++) {
        if (!pmu->slots[i].used)
            continue;
        uint32_t value = ~pmu->slots[i].from;
        for (int turn = 0; turn < 2; turn++, value = ~value) {
            EVCNTR(i) = value;
            if (EVCNTR(i) != value)
                lost |= 1u << i;
        }
    }
    OVSCLR = ALL;
    lost |= OVSSET & in_use;
    pmu->in_use = in_use;
    CNTENSET = in_use;
    INTENSET = in_use & pmu->interrupts;
    lost |= not_observed(pmu);
    lost |= changed(pmu);
    CR = 1;
    if (!enabled(pmu))
        lost = ~0u;
    pmu->lost = lost;
    pmu->overflowed = 0;
}

static void stop(struct pmu *pmu)
{
    uint32_t values[COUNTERS], in_use = pmu->in_use, lost = pmu->lost;
    BARRIER();
    bool before = CR == 1;
    CR = 0;
    bool still = enabled(pmu);
    for (uint32_t i = 0; i < COUNTERS; i++)
        if (in_use >> i & 1)
            values[i] = EVCNTR(i);
    uint32_t up = OVSSET & in_use;
    if (up) {
        OVSCLR = up;
        lost |= OVSSET & up;
        BARRIER();
        pmu->overflowed |= up;
    }
    lost |= not_observed(pmu);
    lost |= changed(pmu);
    if (still)
        lost |= in_use;
    if (!before)
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
    pmu.page0 = base + 0x2000;
    pmu.page1 = base + 0x12000;
    pmu.slots[0] = (struct slot){ true, 0x80, 0 };
    pmu.filter = SPAN;
    pmu.stream_id = ALL_STREAMS;
    start(&pmu);
    work();
    stop(&pmu);
    return answer(pmu.counts[0], result);
}
