/* What the drivers share: what each counter is to count, what it counted, and what speaks against it. */
#include <stdbool.h>
#include <stdint.h>

#if defined(__aarch64__)
#define BARRIER() __asm__ volatile("dsb sy\n\tisb" ::: "memory")
__asm__(".global work\nwork: ret");
#elif __ARM_ARCH >= 7
#define BARRIER() __asm__ volatile("dsb\n\tisb" ::: "memory")
__asm__(".global work\nwork: bx lr");
#else
#define BARRIER()                                                                                  \
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 4\n\tmcr p15, 0, %0, c7, c5, 4" ::"r"(0) : "memory")
__asm__(".global work\nwork: bx lr");
#endif

/* What is measured: nothing, which the compiler does not know. */
void work(void);

enum verdict { EXACT, OVERFLOWED, LOST, NOT_COUNTED };

struct slot {
    bool used;
    uint16_t event;
    uint32_t from;
};

struct count {
    uint32_t value;
    uint8_t verdict;
    bool beyond; /* 2^32 are certain beyond the value */
};

static inline struct count judge(uint32_t value, uint32_t from, bool lost, bool overflowed)
{
    struct count count = { value - from, EXACT, value >= from };
    if (lost)
        count.verdict = LOST;
    else if (overflowed)
        count.verdict = OVERFLOWED;
    else if (value < from)
        count.verdict = LOST;
    return count;
}

static const struct count NOTHING = { 0, NOT_COUNTED, false };

static inline uint32_t answer(struct count count, uint32_t *result)
{
    if (count.verdict == EXACT)
        *result = count.value;
    return count.verdict;
}

#define MMIO(base, offset) (*(volatile uint32_t *)((base) + (offset)))
#define CP15_READ(crn, crm, opc2)                                                                  \
    ({                                                                                             \
        uint32_t value_;                                                                           \
        __asm__ volatile("mrc p15, 0, %0, " #crn ", " #crm ", " #opc2 : "=r"(value_)::"memory");    \
        value_;                                                                                    \
    })
#define CP15_WRITE(crn, crm, opc2, value)                                                          \
    __asm__ volatile("mcr p15, 0, %0, " #crn ", " #crm ", " #opc2 ::"r"(value) : "memory")
