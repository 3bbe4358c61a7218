/* Reads and writes physical memory in the guest, so that a script can play the device behind a PMU.
 *
 * Each argument is a step. Numbers are hexadecimal and addresses are physical. Accesses have 32 bits, or 64 with
 * an x in front of the address:
 *
 *   ADDRESS           prints the value, as ADDRESS=VALUE
 *   ADDRESS=VALUE     writes it
 *   ADDRESS+VALUE     adds to it, as a counter does
 *   @TICKS            sleeps for so many milliseconds (decimal)
 *   ~TICKS:SELECT,ENABLE,COUNT[:SELECT,ENABLE,COUNT]..
 *                     for so many milliseconds, adds the lowest byte of SELECT, plus 1, to each COUNT once a
 *                     millisecond while bit 0 of ENABLE is set; ENABLE 0 means always
 *
 *   !ENABLE,COUNT+VALUE
 *                     waits until bit 0 of ENABLE is set, adds VALUE to COUNT, and waits until the bit is clear; gives
 *                     up after ten seconds
 *
 * /dev/mem maps the registers of a bound driver only on a kernel that was started with iomem=relaxed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 256, COUNTERS = 32 };

static void fail(const char *what, const char *step)
{
    fprintf(stderr, "device: %s: %s\n", step, what);
    exit(1);
}

static volatile void *mapped_at(uint64_t address, unsigned bytes)
{
    static struct {
        uint64_t page;
        char *memory;
    } mapped[PAGES];
    static int count;
    static int file = -1;
    uint64_t page = address & ~(uint64_t)(PAGE - 1);
    int i;

    if (address % bytes)
        fail("not aligned", "address");
    for (i = 0; i < count && mapped[i].page != page; i++)
        ;
    if (i == count) {
        if (file < 0 && (file = open("/dev/mem", O_RDWR | O_SYNC)) < 0)
            fail(strerror(errno), "/dev/mem");
        if (count == PAGES)
            fail("too many pages", "address");
        mapped[i].memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)page);
        if (mapped[i].memory == MAP_FAILED)
            fail(strerror(errno), "mmap of /dev/mem");
        mapped[i].page = page;
        count++;
    }
    return mapped[i].memory + (address - page);
}

/* A register of 32 or 64 bits. */
struct reg {
    uint64_t address;
    bool wide;
};

static struct reg parse(const char *text, const char **end, const char *step)
{
    struct reg reg = { .wide = *text == 'x' };
    const char *digits = text + reg.wide;
    char *stop;

    reg.address = strtoull(digits, &stop, 16);
    if (stop == digits)
        fail("no address", step);
    *end = stop;
    return reg;
}

static uint64_t load(struct reg reg)
{
    if (reg.wide)
        return *(volatile uint64_t *)mapped_at(reg.address, 8);
    return *(volatile uint32_t *)mapped_at(reg.address, 4);
}

static void store(struct reg reg, uint64_t value)
{
    if (reg.wide)
        *(volatile uint64_t *)mapped_at(reg.address, 8) = value;
    else
        *(volatile uint32_t *)mapped_at(reg.address, 4) = (uint32_t)value;
}

/* Counts at a rate that depends on the event, so that a count shows which event it is of. */
static void play(const char *step)
{
    struct {
        struct reg select, enable, count;
    } counters[COUNTERS];
    int n = 0;
    char *end;
    long ticks = strtol(step + 1, &end, 10);
    const char *text = end;

    for (; *text == ':'; n++) {
        if (n == COUNTERS)
            fail("too many counters", step);
        counters[n].select = parse(text + 1, &text, step);
        if (*text != ',')
            fail("no register that enables", step);
        counters[n].enable = parse(text + 1, &text, step);
        if (*text != ',')
            fail("no register that counts", step);
        counters[n].count = parse(text + 1, &text, step);
    }
    if (*text || ticks <= 0 || !n)
        fail("not ~TICKS:SELECT,ENABLE,COUNT", step);
    for (; ticks; ticks--) {
        for (int i = 0; i < n; i++)
            if (!counters[i].enable.address || load(counters[i].enable) & 1)
                store(counters[i].count, load(counters[i].count) + (load(counters[i].select) & 0xff) + 1);
        usleep(1000);
    }
}

static void wait_for(struct reg enable, unsigned value, const char *step)
{
    for (int i = 0; (load(enable) & 1) != value; i++) {
        if (i == 100000)
            fail("nothing happened", step);
        usleep(100);
    }
}

/* Counts once in a run. */
static void once(const char *step)
{
    const char *text;
    char *end;
    struct reg enable = parse(step + 1, &text, step), count;
    uint64_t value;

    if (*text != ',')
        fail("no register that counts", step);
    count = parse(text + 1, &text, step);
    value = strtoull(text + 1, &end, 16);
    if (*text != '+' || end == text + 1 || *end)
        fail("not !ENABLE,COUNT+VALUE", step);
    wait_for(enable, 1, step);
    store(count, load(count) + value);
    wait_for(enable, 0, step);
}

static void access_register(const char *step)
{
    const char *text;
    struct reg reg = parse(step, &text, step);
    uint64_t value = 0;
    char kind = *text;

    if (kind) {
        const char *digits = text + 1;
        char *end;

        value = strtoull(digits, &end, 16);
        if ((kind != '=' && kind != '+') || end == digits || *end)
            fail("not ADDRESS, ADDRESS=VALUE or ADDRESS+VALUE", step);
    }
    if (kind == '=')
        store(reg, value);
    else if (kind == '+')
        store(reg, load(reg) + value);
    else
        printf("%s=%llx\n", step, (unsigned long long)load(reg));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '@')
            usleep((useconds_t)(1000 * atoi(argv[i] + 1)));
        else if (argv[i][0] == '~')
            play(argv[i]);
        else if (argv[i][0] == '!')
            once(argv[i]);
        else
            access_register(argv[i]);
    }
    return 0;
}
