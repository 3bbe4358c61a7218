# Counts S3:READ_REQUEST_ANY, cycles
# of the CCI-400 of revision 1 at 0x5F090000.
# Made by: arm-pmu recipe cci400 --base 0x5F090000 --count S3:READ_REQUEST_ANY cycles --for gdb
#
#   (gdb) source FILE
#   (gdb) pmu_start     checks the device, and starts the counters
#   (gdb) continue      .. interrupt it, or stop at a breakpoint
#   (gdb) pmu_read      prints the counts while the counters run
#   (gdb) pmu_stop      stops the counters and prints the counts
#
# GDB accesses memory as the program does at that moment: the MMU, if on, has to map these addresses.
# $pmu_ok is 1 if the last command found what it expected.

set mem inaccessible-by-default off

define pmu_start
    set $pmu_ok = 0
    # A loop that runs once, because loop_break leaves it where an expectation fails.
    while 1
        # Check that this is a CCI-400 of revision 1.
        set $pmu_pid0 = {unsigned int}0x5F090FE0
        if !(($pmu_pid0 & 0xFF) == 0x20)
            printf "Stopped here: PID0 reads 0x%x, expected PART_0 = 0x20: this is another device, or the device does not respond (0: no access, clock or power)\n", $pmu_pid0
            loop_break
        end
        set $pmu_pid1 = {unsigned int}0x5F090FE4
        if !(($pmu_pid1 & 0xF) == 0x4)
            printf "Stopped here: PID1 reads 0x%x, expected PART_1 = 0x4: this is another device, or the device does not respond (0: no access, clock or power)\n", $pmu_pid1
            loop_break
        end
        set $pmu_pid2 = {unsigned int}0x5F090FE8
        if !(($pmu_pid2 & 0x8) == 0x8)
            printf "Stopped here: PID2 reads 0x%x, expected JEDEC = 1: this is another device, or the device does not respond (0: no access, clock or power)\n", $pmu_pid2
            loop_break
        end
        if !((($pmu_pid2 & 0xF0) >= 0x50) && (($pmu_pid2 & 0xF0) <= 0xF0))
            printf "Stopped here: PID2 reads 0x%x, expected REVISION = 0x5 to 0xF: this is another device, or the device does not respond (0: no access, clock or power)\n", $pmu_pid2
            loop_break
        end
        set $pmu_pmcr = {unsigned int}0x5F090100
        if !(($pmu_pmcr & 0xF800) == 0x2000)
            printf "Stopped here: PMCR reads 0x%x, expected PMU_CNT_NUM = 0x4: this is another device, or the device does not respond (0: no access, clock or power)\n", $pmu_pmcr
            loop_break
        end
        # PMCR: read, to keep some of its fields.
        set $pmu_pmcr_b = {unsigned int}0x5F090100
        # PMCR: DP = 0, CCD = 0, CCR = 1 acts, CEN = 0; EX keeps its value.
        set {unsigned int}0x5F090100 = ($pmu_pmcr_b & 0x10) | 0x4
        # COUNT_CONTROL[0]: ENABLE = 1.
        set {unsigned int}0x5F09A008 = 0x1
        # OVERFLOW_STATUS[0]: clear FLAG.
        set {unsigned int}0x5F09A00C = 0x1
        # EVENT_SELECT[0]: SOURCE = 0x3, EVENT = 0x0; selects S3:READ_REQUEST_ANY.
        set {unsigned int}0x5F09A000 = 0x60
        # EVENT_COUNT[0]: COUNT = 0x0.
        set {unsigned int}0x5F09A004 = 0x0
        set $pmu_event_count_0 = {unsigned int}0x5F09A004
        if !($pmu_event_count_0 == 0x0)
            printf "Stopped here: EVENT_COUNT[0] reads 0x%x, expected COUNT = 0x0: the device ignores writes, or other software uses it\n", $pmu_event_count_0
            loop_break
        end
        set $pmu_overflow_status_0 = {unsigned int}0x5F09A00C
        if !(($pmu_overflow_status_0 & 0x1) == 0x0)
            printf "Stopped here: OVERFLOW_STATUS[0] reads 0x%x, expected FLAG = 0: a flag stays set: start once more\n", $pmu_overflow_status_0
            loop_break
        end
        # COUNT_CONTROL[1]: ENABLE = 0.
        set {unsigned int}0x5F09B008 = 0x0
        # OVERFLOW_STATUS[1]: clear FLAG.
        set {unsigned int}0x5F09B00C = 0x1
        # COUNT_CONTROL[2]: ENABLE = 0.
        set {unsigned int}0x5F09C008 = 0x0
        # OVERFLOW_STATUS[2]: clear FLAG.
        set {unsigned int}0x5F09C00C = 0x1
        # COUNT_CONTROL[3]: ENABLE = 0.
        set {unsigned int}0x5F09D008 = 0x0
        # OVERFLOW_STATUS[3]: clear FLAG.
        set {unsigned int}0x5F09D00C = 0x1
        # CYCLE_COUNT_CONTROL: ENABLE = 1.
        set {unsigned int}0x5F099008 = 0x1
        # CYCLE_OVERFLOW_STATUS: clear FLAG.
        set {unsigned int}0x5F09900C = 0x1
        # CYCLE_COUNT: COUNT = 0x0.
        set {unsigned int}0x5F099004 = 0x0
        set $pmu_cycle_count = {unsigned int}0x5F099004
        if !($pmu_cycle_count == 0x0)
            printf "Stopped here: CYCLE_COUNT reads 0x%x, expected COUNT = 0x0: the device ignores writes, or other software uses it\n", $pmu_cycle_count
            loop_break
        end
        set $pmu_cycle_overflow_status = {unsigned int}0x5F09900C
        if !(($pmu_cycle_overflow_status & 0x1) == 0x0)
            printf "Stopped here: CYCLE_OVERFLOW_STATUS reads 0x%x, expected FLAG = 0: a flag stays set: start once more\n", $pmu_cycle_overflow_status
            loop_break
        end
        set $pmu_pmcr_c = {unsigned int}0x5F090100
        if !(($pmu_pmcr_c & 0xF801) == 0x2000)
            printf "Stopped here: PMCR reads 0x%x, expected PMU_CNT_NUM = 0x4, CEN = 0: the device ignores writes, or other software uses it\n", $pmu_pmcr_c
            loop_break
        end
        # PMCR: DP = 0, CCD = 0, CEN = 1; EX keeps its value.
        set {unsigned int}0x5F090100 = ($pmu_pmcr_b & 0x10) | 0x1
        set $pmu_pmcr_d = {unsigned int}0x5F090100
        if !(($pmu_pmcr_d & 0xF801) == 0x2001)
            printf "Stopped here: PMCR reads 0x%x, expected PMU_CNT_NUM = 0x4, CEN = 1: the device ignores writes, or other software uses it\n", $pmu_pmcr_d
            loop_break
        end
        set $pmu_ok = 1
        loop_break
    end
end
document pmu_start
Check the PMU and start its counters: S3:READ_REQUEST_ANY, cycles.
end

define pmu_read
    set $pmu_ok = 1
    while 1
        set $pmu_overflow_status_0 = {unsigned int}0x5F09A00C
        if !(($pmu_overflow_status_0 & 0x1) == 0x0)
            printf "Counts not valid: OVERFLOW_STATUS[0] reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_overflow_status_0
            set $pmu_ok = 0
        end
        set $pmu_event_count_0 = {unsigned int}0x5F09A004
        printf "%10u  S3:READ_REQUEST_ANY\n", $pmu_event_count_0
        set $pmu_overflow_status_0_b = {unsigned int}0x5F09A00C
        if !(($pmu_overflow_status_0_b & 0x1) == 0x0)
            printf "Counts not valid: OVERFLOW_STATUS[0] reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_overflow_status_0_b
            set $pmu_ok = 0
        end
        set $pmu_cycle_overflow_status = {unsigned int}0x5F09900C
        if !(($pmu_cycle_overflow_status & 0x1) == 0x0)
            printf "Counts not valid: CYCLE_OVERFLOW_STATUS reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_cycle_overflow_status
            set $pmu_ok = 0
        end
        set $pmu_cycle_count = {unsigned int}0x5F099004
        printf "%10u  cycles\n", $pmu_cycle_count
        set $pmu_cycle_overflow_status_b = {unsigned int}0x5F09900C
        if !(($pmu_cycle_overflow_status_b & 0x1) == 0x0)
            printf "Counts not valid: CYCLE_OVERFLOW_STATUS reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_cycle_overflow_status_b
            set $pmu_ok = 0
        end
        set $pmu_pmcr = {unsigned int}0x5F090100
        if !(($pmu_pmcr & 0xF801) == 0x2001)
            printf "Counts not valid: PMCR reads 0x%x, expected PMU_CNT_NUM = 0x4, CEN = 1: other software changed settings, or clock or power were lost\n", $pmu_pmcr
            set $pmu_ok = 0
        end
        loop_break
    end
end
document pmu_read
Print the counts while the counters run.
end

define pmu_stop
    set $pmu_ok = 1
    while 1
        set $pmu_pmcr = {unsigned int}0x5F090100
        if !(($pmu_pmcr & 0x29) == 0x1)
            printf "Counts not valid: PMCR reads 0x%x, expected DP = 0, CCD = 0, CEN = 1: other software changed settings, or clock or power were lost\n", $pmu_pmcr
            set $pmu_ok = 0
        end
        # PMCR: DP = 0, CCD = 0, CEN = 0; EX keeps its value.
        set {unsigned int}0x5F090100 = ($pmu_pmcr & 0x10)
        set $pmu_event_count_0 = {unsigned int}0x5F09A004
        printf "%10u  S3:READ_REQUEST_ANY\n", $pmu_event_count_0
        set $pmu_event_select_0 = {unsigned int}0x5F09A000
        if !(($pmu_event_select_0 & 0xFF) == 0x60)
            printf "Counts not valid: EVENT_SELECT[0] reads 0x%x, expected SOURCE = 0x3, EVENT = 0x0: other software changed settings, or clock or power were lost\n", $pmu_event_select_0
            set $pmu_ok = 0
        end
        set $pmu_count_control_0 = {unsigned int}0x5F09A008
        if !(($pmu_count_control_0 & 0x1) == 0x1)
            printf "Counts not valid: COUNT_CONTROL[0] reads 0x%x, expected ENABLE = 1: other software changed settings, or clock or power were lost\n", $pmu_count_control_0
            set $pmu_ok = 0
        end
        set $pmu_cycle_count = {unsigned int}0x5F099004
        printf "%10u  cycles\n", $pmu_cycle_count
        set $pmu_cycle_count_control = {unsigned int}0x5F099008
        if !(($pmu_cycle_count_control & 0x1) == 0x1)
            printf "Counts not valid: CYCLE_COUNT_CONTROL reads 0x%x, expected ENABLE = 1: other software changed settings, or clock or power were lost\n", $pmu_cycle_count_control
            set $pmu_ok = 0
        end
        set $pmu_overflow_status_0 = {unsigned int}0x5F09A00C
        if !(($pmu_overflow_status_0 & 0x1) == 0x0)
            printf "Counts not valid: OVERFLOW_STATUS[0] reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_overflow_status_0
            set $pmu_ok = 0
        end
        set $pmu_cycle_overflow_status = {unsigned int}0x5F09900C
        if !(($pmu_cycle_overflow_status & 0x1) == 0x0)
            printf "Counts not valid: CYCLE_OVERFLOW_STATUS reads 0x%x, expected FLAG = 0: the counter overflowed, so the count is too low by a multiple of 2^32\n", $pmu_cycle_overflow_status
            set $pmu_ok = 0
        end
        set $pmu_pmcr_b = {unsigned int}0x5F090100
        if !(($pmu_pmcr_b & 0xF801) == 0x2000)
            printf "Counts not valid: PMCR reads 0x%x, expected PMU_CNT_NUM = 0x4, CEN = 0: other software changed settings, or clock or power were lost\n", $pmu_pmcr_b
            set $pmu_ok = 0
        end
        loop_break
    end
end
document pmu_stop
Stop the counters and print the counts.
end
