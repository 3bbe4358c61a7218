/* Prints what the kernel answers to perf_event_open: for each way to ask, the name of the error, or ok.
 *
 *   refusals PMU CONFIG [all]
 *
 * The PMU is a name of /sys/bus/event_source/devices, and the config is that of an event which it has. With `all`, it
 * also asks for groups, and for bits of config that the event does not have. Linux 6.12.95 reads through a null
 * pointer when the driver of a CCI refuses one of these.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NO_CPU = -1, EVERYONE = -1, CALLER = 0, ALONE = -1 };

static struct perf_event_attr event;

static int ask(const char *how, int pid, int cpu, int leader)
{
    int file = (int)syscall(SYS_perf_event_open, &event, pid, cpu, leader, 0);

    if (how)
        printf("%-36s %s\n", how, file < 0 ? strerrorname_np(errno) : "ok");
    return file;
}

/* Asks for the event on processor 0, and forgets it. */
static void once(const char *how)
{
    close(ask(how, EVERYONE, 0, ALONE));
}

int main(int count, char **words)
{
    struct perf_event_attr plain = { .size = sizeof plain, .disabled = 1 };
    char path[256];
    FILE *file;
    int leader, group;

    if (count != 3 && count != 4)
        return 2;
    snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/type", words[1]);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%u", &plain.type) != 1)
        return 1;
    plain.config = strtoull(words[2], NULL, 0);

    event = plain;
    once("for everyone, on processor 0");
    close(ask("for everyone, on processor 7", EVERYONE, 7, ALONE));
    close(ask("for everyone, on no processor", EVERYONE, NO_CPU, ALONE));
    close(ask("for the caller", CALLER, NO_CPU, ALONE));
    close(ask("for the caller, on processor 0", CALLER, 0, ALONE));
    event.exclude_kernel = 1;
    once("without the kernel");
    event = plain;
    event.exclude_user = 1;
    once("without user mode");
    event = plain;
    event.sample_period = 1000;
    once("a sample each 1000 events");
    event = plain;
    event.inherit = 1;
    once("inherited by children");
    event = plain;
    event.pinned = 1;
    once("pinned");
    event = plain;
    event.exclusive = 1;
    once("exclusive");
    event = plain;
    event.config1 = 1ull << 34;
    once("bit 34 of config1");
    event = plain;
    event.config2 = 1;
    once("bit 0 of config2");

    if (count == 3)
        return 0;
    event = plain;
    event.config |= 1 << 16;
    once("bit 16 of config");
    event = plain;
    event.config |= 1ull << 63;
    once("bit 63 of config");
    event = plain;
    event.type = PERF_TYPE_HARDWARE;
    event.config = PERF_COUNT_HW_CPU_CYCLES;
    leader = ask(NULL, EVERYONE, 0, ALONE);
    event = plain;
    event.disabled = 0;
    close(ask("beside the cycles of a core", EVERYONE, 0, leader));
    event = plain;
    leader = ask(NULL, EVERYONE, 0, ALONE);
    event.disabled = 0;
    for (group = 1; group < 80 && ask(NULL, EVERYONE, 0, leader) >= 0; group++)
        ;
    printf("largest group: %d\n", group);
    return 0;
}
