/* Runs a program on a kernel that counts an event wrongly.
 *
 *   faulty EVENT next|double|more PROGRAM ..
 *
 * next: the event selects the event with the next number. double: each count is twice as high. more: each count is a
 * 16th higher. The program is traced, and its calls of perf_event_open and read are changed.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1024, WORDS = 64 };

static char is_faulty[MOST];

/* Moves bytes from or to the memory of the program. */
static void move(int write, pid_t program, uint64_t place, void *bytes, size_t length)
{
    struct iovec own = { bytes, length };
    struct iovec its = { (void *)(uintptr_t)place, length };
    ssize_t moved = write ? process_vm_writev(program, &own, 1, &its, 1, 0)
                          : process_vm_readv(program, &own, 1, &its, 1, 0);

    if (moved != (ssize_t)length)
        exit(3);
}

/* Changes the counts of a reading: a count and two times, or the size of a group, two times and its counts. */
static void change(pid_t program, uint64_t place, size_t length, char how)
{
    uint64_t words[WORDS];
    size_t number = length / sizeof *words, nth;

    if (number > WORDS)
        exit(4);
    move(0, program, place, words, length);
    for (nth = number == 3 ? 0 : 3; nth < (number == 3 ? 1 : number); nth++)
        words[nth] += how == 'd' ? words[nth] : words[nth] / 16;
    move(1, program, place, words, length);
}

int main(int count, char **words)
{
    struct __ptrace_syscall_info info, entry = { 0 };
    struct perf_event_attr event = { 0 };
    uint64_t faulty;
    pid_t program;
    int status;
    char how;

    if (count < 4)
        return 2;
    faulty = strtoull(words[1], NULL, 0);
    how = words[2][0];
    program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execvp(words[3], words + 3);
        return 127;
    }
    waitpid(program, &status, 0);
    ptrace(PTRACE_SETOPTIONS, program, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (;;) {
        ptrace(PTRACE_SYSCALL, program, NULL, NULL);
        waitpid(program, &status, 0);
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80))
            continue;
        ptrace(PTRACE_GET_SYSCALL_INFO, program, sizeof info, &info);
        if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
            entry = info;
            if (info.entry.nr == SYS_perf_event_open) {
                move(0, program, info.entry.args[0], &event, PERF_ATTR_SIZE_VER0);
                if (event.config == faulty && how == 'n') {
                    event.config++;
                    move(1, program, info.entry.args[0], &event, PERF_ATTR_SIZE_VER0);
                    event.config--;
                }
            }
        } else if (entry.entry.nr == SYS_perf_event_open && info.exit.rval >= 0 && info.exit.rval < MOST) {
            is_faulty[info.exit.rval] = event.config == faulty;
            if (event.config == faulty && how == 'n')
                move(1, program, entry.entry.args[0], &event, PERF_ATTR_SIZE_VER0);
        } else if (entry.entry.nr == SYS_read && info.exit.rval > 0 && entry.entry.args[0] < MOST
                   && is_faulty[entry.entry.args[0]] && how != 'n') {
            change(program, entry.entry.args[1], (size_t)info.exit.rval, how);
        } else if (entry.entry.nr == SYS_close && entry.entry.args[0] < MOST) {
            is_faulty[entry.entry.args[0]] = 0;
        }
    }
}
