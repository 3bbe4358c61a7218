/* Calls the functions of a recipe. Memory stands for the registers, and `traffic` for the device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t registers[0x100000 / 4];
static unsigned stores;

static uint32_t *at(uint64_t address)
{
    uint64_t offset = address - BASE;

    if (offset % 4 || offset >= sizeof registers)
        abort();
    return &registers[offset / 4];
}

static void store(uint64_t address, uint32_t value)
{
    uint64_t offset = address - BASE;

    stores++;
    if (offset == FLAGS_CLEAR)
        *at(BASE + FLAGS) &= ~value;
    else if (FLAGS_CLEAR == FLAGS && (offset & 0xFFF) == (FLAGS & 0xFFF))
        *at(address) &= ~value;
    else if (offset == CONTROL)
        *at(address) = (*at(address) & ~HELD) | (value & HELD);
    else
        *at(address) = value;
}

#define PMU_LOAD(address) (*at(address))
#define PMU_STORE(address, value) store(address, value)
#include RECIPE

static void traffic(uint32_t events)
{
    if (*at(BASE + CONTROL) & 1)
        *at(BASE + COUNT) += events;
}

static void expect(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        exit(1);
    }
}

int main(void)
{
    static const struct { uint32_t offset, value; } identity[] = { IDENTITY };
    uint32_t counts[PMU_COUNTS] = { 0 };
    size_t i;

    expect(pmu_start() != NULL && !stores, "memory without identification is not touched");
    for (i = 0; i < sizeof identity / sizeof *identity; i++)
        *at(BASE + identity[i].offset) = identity[i].value;
    *at(BASE + CONTROL) |= KEPT;
    *at(BASE + COUNT) = 1000;
    *at(BASE + FLAGS) = 1;

    expect(pmu_start() == NULL, "a start");
    traffic(5);
    expect(pmu_snapshot(counts) == NULL && counts[0] == 5 && pmu_read(0) == 5, "5 while it counts");
    traffic(2);
    expect(pmu_stop(counts) == NULL && counts[0] == 7, "7 at the end");
    traffic(3);
    expect(pmu_read(0) == 7, "it stands still");
    expect((*at(BASE + CONTROL) & KEPT) == KEPT, "a bit of another owner is kept");
    expect(strlen(pmu_names[0]) > 4 && pmu_read(PMU_COUNTS) == 0, "names, and no counter behind the last");

    expect(pmu_start() == NULL, "another start");
    *at(BASE + FLAGS) = 1;
    expect(pmu_snapshot(counts) != NULL && pmu_stop(counts) != NULL, "an overflow is a problem");
    return 0;
}
