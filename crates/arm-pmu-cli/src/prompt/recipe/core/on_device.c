/* Counts with the functions of a core's header. The parent process has the registers, and does the work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t mrc(const char *name)
{
    unsigned value;

    printf("mrc %s\n", name);
    fflush(stdout);
    if (scanf("%x", &value) != 1)
        exit(1);
    return value;
}

#define CORE_MRC(value, name) (value = mrc(name))
#define CORE_MCR(name, value) printf("mcr %s = %x\n", name, (unsigned)(value))
#define CORE_BARRIER() puts("barrier")
#include "core_pmu.h"

static core_pmu pmu;

static void print_count(void)
{
    uint64_t count = 0;
    const char *status = core_text(core_count(&pmu, 0, &count));

    printf("count %.10s %lu\n", status, (unsigned long)count);
}

int main(void)
{
    static const uint16_t events[] = { EVENT };

    core_start(&pmu, events, 1);
    printf("work\n");
    core_read(&pmu);
    print_count();
    printf("work\n");
    core_stop(&pmu);
    print_count();
    core_start(&pmu, events, 1);
    printf("wrap\n");
    core_read(&pmu);
    print_count();
    core_stop(&pmu);
    print_count();
    core_start(&pmu, events, 1);
    printf("work\n");
    core_stop(&pmu);
    print_count();
    core_start(&pmu, events, 1);
    printf("power\n");
    core_stop(&pmu);
    print_count();
    return 0;
}
