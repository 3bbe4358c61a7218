/* Calls the functions of a core's header on QEMU, where each instruction takes one cycle. Ends with the number of the
 * line that fails, or with 0. The word CORE stands for the name of the core. */
#include "core_pmu.h"

enum { TURNS = 1000, INSTRUCTION = 0x08 };

static char stack[4096] __attribute__((aligned(16), used));
static const uint16_t events[CORE_COUNTERS + 1] = { INSTRUCTION, INSTRUCTION };

#ifdef __aarch64__
#define BRANCH "b.ne 1b"
#define SELECT_FIRST()
#define OTHER_COUNT(value) CORE_MSR(CORE_PMEVCNTR_EL0_0_SYSREG, value)
#define OTHER_EVENT(event) CORE_MSR(CORE_PMEVTYPER_EL0_0_SYSREG, event)
#define OTHER_CONTROL(value) CORE_MSR(CORE_PMCR_EL0_SYSREG, value)
#define DISABLE(counters) CORE_MSR(CORE_PMCNTENCLR_EL0_SYSREG, counters)
/* Unprivileged code changes its access with SVC. Another exception ends the program with 255. */
__asm__(".global start\nstart:\n"
        "   ldr x0, =stack + 2048\n   mov sp, x0\n   ldr x0, =stack + 4096\n   msr sp_el0, x0\n"
        "   ldr x0, =vectors\n   msr vbar_el1, x0\n"
#ifdef CORE_UNPRIVILEGED
        "   mov x0, #0x3c0\n   msr spsr_el1, x0\n   ldr x0, =image\n   msr elr_el1, x0\n   eret\n"
#else
        "   b image\n"
#endif
        "   .ltorg\n   .balign 0x800\nvectors: .rept 16\n   .balign 0x80\n"
        "   mrs x1, esr_el1\n   lsr x1, x1, #26\n   cmp x1, #0x15\n   mov x0, #255\n   b.ne end\n"
        "   msr pmuserenr_el0, x2\n   eret\n   .endr\n");

#ifdef CORE_UNPRIVILEGED
static void permit(uint64_t permitted)
{
    register uint64_t x2 __asm__("x2") = permitted;
    __asm__ volatile("svc #0" : : "r"(x2) : "x0", "x1", "memory", "cc");
}
#endif

void end(uint64_t status)
{
    const uint64_t reason[2] = { 0x20026, status };
    register uint64_t x0 __asm__("x0") = 0x18;
    register const uint64_t *x1 __asm__("x1") = reason;
    for (;;)
        __asm__ volatile("hlt #0xf000" : : "r"(x0), "r"(x1) : "memory");
}
#else
#define BRANCH "bne 1b"
#define SELECT_FIRST() core_select(0)
#define OTHER_COUNT(value) CORE_MCR(CORE_PMXEVCNTR_CP15, value)
#define OTHER_EVENT(event) CORE_MCR(CORE_PMXEVTYPER_CP15, event)
#define OTHER_CONTROL(value) CORE_MCR(CORE_PMCR_CP15, value)
#define DISABLE(counters) CORE_MCR(CORE_PMCNTENCLR_CP15, counters)
__asm__(".arm\n.global start\nstart:\n   ldr sp, =stack + 2048\n"
#ifdef CORE_UNPRIVILEGED
        "   ldr r0, =vectors\n   mcr p15, 0, r0, c12, c0, 0\n   cps #0x1f\n   ldr sp, =stack + 4096\n   cps #0x10\n"
#endif
        "   b image\n   .ltorg\n   .balign 32\n"
        "vectors:\n   b .\n   b undefined\n   mcr p15, 0, r2, c9, c14, 0\n   movs pc, lr\n   .rept 4\n   b .\n   .endr\n"
        "undefined:\n   mov r0, #255\n   b end\n");

#ifdef CORE_UNPRIVILEGED
static void permit(uint32_t permitted)
{
    register uint32_t r2 __asm__("r2") = permitted;
    __asm__ volatile("svc #0" : : "r"(r2) : "lr", "memory");
}
#endif

void end(uint32_t status)
{
    const uint32_t reason[2] = { 0x20026, status };
    register uint32_t r0 __asm__("r0") = 0x20;
    register const uint32_t *r1 __asm__("r1") = reason;
    for (;;)
        __asm__ volatile("svc #0x123456" : : "r"(r0), "r"(r1) : "memory");
}
#endif

#if defined(CORE_EL0) && defined(CORE_UNPRIVILEGED)
#define LEVEL CORE_EL0
#elif defined(CORE_EL0)
#define LEVEL CORE_EL1
#elif defined(CORE_USER) && defined(CORE_UNPRIVILEGED)
#define LEVEL CORE_USER
#elif defined(CORE_USER)
#define LEVEL CORE_PRIVILEGED
#endif

#define EXPECT(holds)      \
    do {                   \
        if (!(holds))      \
            end(__LINE__); \
    } while (0)

static core_status status_of(const core_pmu *pmu, unsigned index)
{
    uint64_t count;
    return core_count(pmu, index, &count);
}

#ifndef CORE_PMNC_CP15
__attribute__((noinline)) static void spin(unsigned long turns)
{
    __asm__ volatile("1: subs %0, %0, #1\n\t" BRANCH : "+r"(turns) : : "cc");
}

static uint64_t exact(const core_pmu *pmu, unsigned index)
{
    uint64_t count = 0;
    EXPECT(core_count(pmu, index, &count) == CORE_OK);
    return count;
}

/* The same code for each number of turns. */
__attribute__((noinline)) static void measure(core_status (*start)(core_pmu *, const uint16_t *), core_pmu *pmu,
                                              unsigned long turns)
{
    EXPECT(start(pmu, events) == CORE_OK);
    spin(turns);
    core_stop(pmu);
}

/* Counts two events and the cycles of additional turns. */
static void expect_counts(core_status (*start)(core_pmu *, const uint16_t *), uint64_t instructions)
{
    static core_pmu few, more;
    unsigned index;

    measure(start, &few, 1);
    measure(start, &more, TURNS + 1);
    for (index = 0; index < 2; index++)
        EXPECT(exact(&more, index) - exact(&few, index) == instructions);
    EXPECT(exact(&more, CORE_CYCLES) - exact(&few, CORE_CYCLES) == instructions);
    EXPECT(status_of(&more, 2) == CORE_NOT_COUNTED);
}

static core_status everywhere(core_pmu *pmu, const uint16_t *of)
{
    return core_start(pmu, of, 2);
}

#ifdef LEVEL
static core_status here(core_pmu *pmu, const uint16_t *of)
{
    return core_start_at(pmu, of, 2, LEVEL);
}

static core_status elsewhere(core_pmu *pmu, const uint16_t *of)
{
    return core_start_at(pmu, of, 2, ~(unsigned)(LEVEL));
}
#endif

static void refusals(core_pmu *pmu)
{
#ifdef CORE_UNPRIVILEGED
    EXPECT(core_start(pmu, events, 2) == CORE_NO_ACCESS && status_of(pmu, 0) == CORE_NO_ACCESS);
    permit(1);
#endif
    EXPECT(core_start(pmu, events, CORE_COUNTERS + 1) == CORE_TOO_MANY_EVENTS);
}

static void wraps(core_pmu *pmu)
{
    uint64_t running;

    EXPECT(everywhere(pmu, events) == CORE_OK);
    SELECT_FIRST();
    OTHER_COUNT(-1);
    spin(TURNS);
    core_read(pmu);
    running = exact(pmu, 1);
    EXPECT(status_of(pmu, 0) == CORE_OVERFLOWED && running >= 2 * TURNS);
    core_stop(pmu);
    EXPECT(status_of(pmu, 0) == CORE_OVERFLOWED && exact(pmu, 1) > running);
}

#ifdef __aarch64__
/* Cycles have 64 bits, and events too if the core has LP. */
static void counts_beyond_32_bits(core_pmu *pmu)
{
    const uint64_t end_of_32_bits = 0xFFFFFFFF;

    EXPECT(everywhere(pmu, events) == CORE_OK);
    OTHER_COUNT(end_of_32_bits);
    CORE_MSR(CORE_PMCCNTR_EL0_SYSREG, end_of_32_bits);
    spin(TURNS);
    core_stop(pmu);
    EXPECT(exact(pmu, CORE_CYCLES) > end_of_32_bits);
#ifdef CORE_PMCR_EL0_LP_MASK
    EXPECT(exact(pmu, 0) > end_of_32_bits);
#else
    EXPECT(status_of(pmu, 0) == CORE_OVERFLOWED);
#endif
}
#endif

/* Other software changes an event, disables a counter, and disables all. */
static void interference(core_pmu *pmu)
{
    EXPECT(everywhere(pmu, events) == CORE_OK);
    SELECT_FIRST();
    OTHER_EVENT(0x11);
    core_stop(pmu);
    EXPECT(status_of(pmu, 0) == CORE_DISTURBED && status_of(pmu, 1) == CORE_OK);
    EXPECT(everywhere(pmu, events) == CORE_OK);
    DISABLE(2);
    core_stop(pmu);
    EXPECT(status_of(pmu, 0) == CORE_OK && status_of(pmu, 1) == CORE_DISTURBED);
    EXPECT(everywhere(pmu, events) == CORE_OK);
    OTHER_CONTROL(0);
    core_read(pmu);
    EXPECT(status_of(pmu, 0) == CORE_DISTURBED && status_of(pmu, CORE_CYCLES) == CORE_DISTURBED);
    core_stop(pmu);
    EXPECT(core_text(status_of(pmu, 0))[0] == 'd');
}

void image(void)
{
    static core_pmu pmu;

    refusals(&pmu);
    expect_counts(everywhere, 2 * TURNS);
#ifdef LEVEL
    expect_counts(here, 2 * TURNS);
    expect_counts(elsewhere, 0);
#endif
    wraps(&pmu);
#ifdef __aarch64__
    counts_beyond_32_bits(&pmu);
#endif
    interference(&pmu);
    end(0);
}
#else
/* QEMU has no counters of these cores: their registers read as zero. */
void image(void)
{
    static core_pmu pmu;

    EXPECT(core_start(&pmu, events, 2) == CORE_DISTURBED && status_of(&pmu, 0) == CORE_DISTURBED);
    core_stop(&pmu);
    EXPECT(status_of(&pmu, CORE_CYCLES) == CORE_DISTURBED);
    end(0);
}
#endif
