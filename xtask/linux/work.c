/* Executes a known number of instructions: `work LOOPS` has two in each loop. */
#include <stdint.h>
#include <stdlib.h>

int main(int count, char **arguments)
{
    unsigned long loops = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;

    if (loops == 0)
        return 1;
#ifdef __aarch64__
    __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(loops) : : "cc");
#else
    __asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(loops) : : "cc");
#endif
    return 0;
}
