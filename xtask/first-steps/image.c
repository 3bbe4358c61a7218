/* The first image of somebody who writes C: counts instructions of a loop on a Cortex-A53, and prints them on the UART of
 * QEMU's `virt`. The header is what `arm-pmu export c cortex-a53` writes. */
#include <stdint.h>

#include "cortex-a53.h"

#define WRITE(reg, value) \
    __asm__ volatile("msr " CORTEX_A53_##reg##_SYSREG ", %0\n\tisb" : : "r"((uint64_t)(value)))

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

static void put_number(uint32_t number)
{
    if (number >= 10)
        put_number(number / 10);
    put((char)('0' + number % 10));
}

void image(void)
{
    uint64_t count, loops = LOOPS;

    WRITE(PMEVTYPER_EL0_0, CORTEX_A53_EVENT_INST_RETIRED);
    WRITE(PMCNTENSET_EL0, 1);
    WRITE(PMCR_EL0, CORTEX_A53_PMCR_EL0_P_MASK | CORTEX_A53_PMCR_EL0_E_MASK);
    __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
    WRITE(PMCR_EL0, 0);
    __asm__ volatile("mrs %0, " CORTEX_A53_PMEVCNTR_EL0_0_SYSREG : "=r"(count));
    put_number((uint32_t)count);
    put('\n');
    /* SYSTEM_OFF of PSCI. */
    __asm__ volatile("mov x0, %0\n\thvc #0" : : "r"((uint64_t)0x84000008) : "x0");
}
