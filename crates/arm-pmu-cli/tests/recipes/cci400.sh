#!/bin/sh
# Counts S3:READ_REQUEST_ANY, cycles
# of the CCI-400 of revision 1 at 0x5F090000.
# Made by: arm-pmu recipe cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for devmem
#
#   sh FILE start     checks the device, and starts the counters
#   sh FILE read      prints the counts while the counters run
#   sh FILE stop      stops the counters and prints the counts
#
# Run it as root. The kernel needs /dev/mem (CONFIG_DEVMEM), and its own driver of this PMU must not be
# in use. Where only Secure software has access, devmem ends with a bus error.
# Exit status: 0 the counts are valid, 1 they are not, 2 devmem failed.

status=0
stop_here() { echo "Stopped here: $1" >&2; exit 1; }
doubt() { echo "Counts not valid: $1" >&2; status=1; }

start() {
    # Check that this is a CCI-400 of revision 1.
    pid0=$(devmem 0x5F090FE0 32) || exit 2
    [ $(( (pid0 & 0xFF) == 0x20 )) = 1 ] ||
        stop_here "PID0 reads $pid0, expected PART_0 = 0x20: this is another device, or the device does not respond (0: no access, clock or power)"
    pid1=$(devmem 0x5F090FE4 32) || exit 2
    [ $(( (pid1 & 0xF) == 0x4 )) = 1 ] ||
        stop_here "PID1 reads $pid1, expected PART_1 = 0x4: this is another device, or the device does not respond (0: no access, clock or power)"
    pid2=$(devmem 0x5F090FE8 32) || exit 2
    [ $(( (pid2 & 0x8) == 0x8 )) = 1 ] ||
        stop_here "PID2 reads $pid2, expected JEDEC = 1: this is another device, or the device does not respond (0: no access, clock or power)"
    [ $(( ((pid2 & 0xF0) >= 0x50) && ((pid2 & 0xF0) <= 0xF0) )) = 1 ] ||
        stop_here "PID2 reads $pid2, expected REVISION = 0x5 to 0xF: this is another device, or the device does not respond (0: no access, clock or power)"
    pmcr=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr & 0xF800) == 0x2000 )) = 1 ] ||
        stop_here "PMCR reads $pmcr, expected PMU_CNT_NUM = 0x4: this is another device, or the device does not respond (0: no access, clock or power)"
    # PMCR: read, to keep some of its fields.
    pmcr_b=$(devmem 0x5F090100 32) || exit 2
    # PMCR: DP = 0, CCD = 0, CCR = 1 acts, CEN = 0; EX keeps its value.
    devmem 0x5F090100 32 $(( (pmcr_b & 0x10) | 0x4 )) || exit 2
    # COUNT_CONTROL[0]: ENABLE = 1.
    devmem 0x5F09A008 32 0x1 || exit 2
    # OVERFLOW_STATUS[0]: clear FLAG.
    devmem 0x5F09A00C 32 0x1 || exit 2
    # EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x0; selects S3:READ_REQUEST_ANY.
    devmem 0x5F09A000 32 0x60 || exit 2
    # EVENT_COUNT[0]: COUNT = 0x0.
    devmem 0x5F09A004 32 0x0 || exit 2
    event_count_0=$(devmem 0x5F09A004 32) || exit 2
    [ $(( event_count_0 == 0x0 )) = 1 ] ||
        stop_here "EVENT_COUNT[0] reads $event_count_0, expected COUNT = 0x0: the device ignores writes, or other software uses it"
    overflow_status_0=$(devmem 0x5F09A00C 32) || exit 2
    [ $(( (overflow_status_0 & 0x1) == 0x0 )) = 1 ] ||
        stop_here "OVERFLOW_STATUS[0] reads $overflow_status_0, expected FLAG = 0: a flag stays set: start once more"
    # COUNT_CONTROL[1]: ENABLE = 0.
    devmem 0x5F09B008 32 0x0 || exit 2
    # OVERFLOW_STATUS[1]: clear FLAG.
    devmem 0x5F09B00C 32 0x1 || exit 2
    # COUNT_CONTROL[2]: ENABLE = 0.
    devmem 0x5F09C008 32 0x0 || exit 2
    # OVERFLOW_STATUS[2]: clear FLAG.
    devmem 0x5F09C00C 32 0x1 || exit 2
    # COUNT_CONTROL[3]: ENABLE = 0.
    devmem 0x5F09D008 32 0x0 || exit 2
    # OVERFLOW_STATUS[3]: clear FLAG.
    devmem 0x5F09D00C 32 0x1 || exit 2
    # CYCLE_COUNT_CONTROL: ENABLE = 1.
    devmem 0x5F099008 32 0x1 || exit 2
    # CYCLE_OVERFLOW_STATUS: clear FLAG.
    devmem 0x5F09900C 32 0x1 || exit 2
    # CYCLE_COUNT: COUNT = 0x0.
    devmem 0x5F099004 32 0x0 || exit 2
    cycle_count=$(devmem 0x5F099004 32) || exit 2
    [ $(( cycle_count == 0x0 )) = 1 ] ||
        stop_here "CYCLE_COUNT reads $cycle_count, expected COUNT = 0x0: the device ignores writes, or other software uses it"
    cycle_overflow_status=$(devmem 0x5F09900C 32) || exit 2
    [ $(( (cycle_overflow_status & 0x1) == 0x0 )) = 1 ] ||
        stop_here "CYCLE_OVERFLOW_STATUS reads $cycle_overflow_status, expected FLAG = 0: a flag stays set: start once more"
    pmcr_c=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr_c & 0xF801) == 0x2000 )) = 1 ] ||
        stop_here "PMCR reads $pmcr_c, expected PMU_CNT_NUM = 0x4, CEN = 0: the device ignores writes, or other software uses it"
    # PMCR: DP = 0, CCD = 0, CEN = 1; EX keeps its value.
    devmem 0x5F090100 32 $(( (pmcr_b & 0x10) | 0x1 )) || exit 2
    pmcr_d=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr_d & 0xF801) == 0x2001 )) = 1 ] ||
        stop_here "PMCR reads $pmcr_d, expected PMU_CNT_NUM = 0x4, CEN = 1: the device ignores writes, or other software uses it"
}

read_counts() {
    overflow_status_0=$(devmem 0x5F09A00C 32) || exit 2
    [ $(( (overflow_status_0 & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVERFLOW_STATUS[0] reads $overflow_status_0, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    event_count_0=$(devmem 0x5F09A004 32) || exit 2
    printf '%10u  %s\n' "$event_count_0" S3:READ_REQUEST_ANY
    overflow_status_0_b=$(devmem 0x5F09A00C 32) || exit 2
    [ $(( (overflow_status_0_b & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVERFLOW_STATUS[0] reads $overflow_status_0_b, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    cycle_overflow_status=$(devmem 0x5F09900C 32) || exit 2
    [ $(( (cycle_overflow_status & 0x1) == 0x0 )) = 1 ] ||
        doubt "CYCLE_OVERFLOW_STATUS reads $cycle_overflow_status, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    cycle_count=$(devmem 0x5F099004 32) || exit 2
    printf '%10u  %s\n' "$cycle_count" cycles
    cycle_overflow_status_b=$(devmem 0x5F09900C 32) || exit 2
    [ $(( (cycle_overflow_status_b & 0x1) == 0x0 )) = 1 ] ||
        doubt "CYCLE_OVERFLOW_STATUS reads $cycle_overflow_status_b, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    pmcr=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr & 0xF801) == 0x2001 )) = 1 ] ||
        doubt "PMCR reads $pmcr, expected PMU_CNT_NUM = 0x4, CEN = 1: other software changed settings, or clock or power were lost"
}

stop() {
    pmcr=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr & 0x29) == 0x1 )) = 1 ] ||
        doubt "PMCR reads $pmcr, expected DP = 0, CCD = 0, CEN = 1: other software changed settings, or clock or power were lost"
    # PMCR: DP = 0, CCD = 0, CEN = 0; EX keeps its value.
    devmem 0x5F090100 32 $(( (pmcr & 0x10) )) || exit 2
    event_count_0=$(devmem 0x5F09A004 32) || exit 2
    printf '%10u  %s\n' "$event_count_0" S3:READ_REQUEST_ANY
    event_select_0=$(devmem 0x5F09A000 32) || exit 2
    [ $(( (event_select_0 & 0xFF) == 0x60 )) = 1 ] ||
        doubt "EVENT_SELECT[0] reads $event_select_0, expected SOURCE = 0x3, EVENT = 0x0: other software changed settings, or clock or power were lost"
    count_control_0=$(devmem 0x5F09A008 32) || exit 2
    [ $(( (count_control_0 & 0x1) == 0x1 )) = 1 ] ||
        doubt "COUNT_CONTROL[0] reads $count_control_0, expected ENABLE = 1: other software changed settings, or clock or power were lost"
    cycle_count=$(devmem 0x5F099004 32) || exit 2
    printf '%10u  %s\n' "$cycle_count" cycles
    cycle_count_control=$(devmem 0x5F099008 32) || exit 2
    [ $(( (cycle_count_control & 0x1) == 0x1 )) = 1 ] ||
        doubt "CYCLE_COUNT_CONTROL reads $cycle_count_control, expected ENABLE = 1: other software changed settings, or clock or power were lost"
    overflow_status_0=$(devmem 0x5F09A00C 32) || exit 2
    [ $(( (overflow_status_0 & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVERFLOW_STATUS[0] reads $overflow_status_0, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    cycle_overflow_status=$(devmem 0x5F09900C 32) || exit 2
    [ $(( (cycle_overflow_status & 0x1) == 0x0 )) = 1 ] ||
        doubt "CYCLE_OVERFLOW_STATUS reads $cycle_overflow_status, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32"
    pmcr_b=$(devmem 0x5F090100 32) || exit 2
    [ $(( (pmcr_b & 0xF801) == 0x2000 )) = 1 ] ||
        doubt "PMCR reads $pmcr_b, expected PMU_CNT_NUM = 0x4, CEN = 0: other software changed settings, or clock or power were lost"
}

case "${1:-}" in
    start) start ;;
    read) read_counts ;;
    stop) stop ;;
    *) echo "usage: sh $0 start|read|stop" >&2; exit 2 ;;
esac
exit $status
