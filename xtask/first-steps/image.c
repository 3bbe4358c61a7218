/* The first image of somebody who writes C: counts instructions of a loop on a Cortex-A55, and prints them on the UART of
 * QEMU's `virt`. The header is what `arm-pmu recipe cortex-a55 --for c` writes. */
#include "cortex_a55_pmu.h"

enum { LOOPS = 1000 };

__asm__(".section .vectors, \"ax\"\n\t"
        ".global start\n"
        "start:\n\t"
        "ldr x0, =stack_top\n\t"
        "mov sp, x0\n\t"
        "b image");

static void put(char letter)
{
    *(volatile uint32_t *)0x09000000 = (uint32_t)letter;
}

static void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

static void put_number(uint32_t number)
{
    if (number >= 10)
        put_number(number / 10);
    put((char)('0' + number % 10));
}

void image(void)
{
    static const uint16_t events[] = { CORTEX_A55_EVENT_INST_RETIRED };
    static cortex_a55_pmu pmu;
    cortex_a55_status status;
    uint64_t count, loops = LOOPS;

    cortex_a55_start(&pmu, events, 1);
    __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
    cortex_a55_stop(&pmu);
    status = cortex_a55_count(&pmu, 0, &count);
    if (status == CORTEX_A55_OK)
        put_number((uint32_t)count);
    else
        put_text(cortex_a55_text(status));
    put('\n');
    /* SYSTEM_OFF of PSCI. */
    __asm__ volatile("mov x0, %0\n\thvc #0" : : "r"((uint64_t)0x84000008) : "x0");
}
