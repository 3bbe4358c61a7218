# Counts TRANSACTION
# of the Translation Buffer Unit, pages at 0x5F320000 and 0x5F330000.
# Made by: arm-pmu recipe mmu600:tbu --base 0x5F31E000 --count TRANSACTION --for gdb
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
        # Check that this is a Translation Buffer Unit.
        set $pmu_pidr0 = {unsigned int}0x5F320FE0
        if !(($pmu_pidr0 & 0xFF) == 0x84)
            printf "Stopped here: PIDR0 reads 0x%x, expected PART_0 = 0x84: this is another device, or it does not answer (0: no access, clock or power)\n", $pmu_pidr0
            loop_break
        end
        set $pmu_pidr1 = {unsigned int}0x5F320FE4
        if !(($pmu_pidr1 & 0xF) == 0x4)
            printf "Stopped here: PIDR1 reads 0x%x, expected PART_1 = 0x4: this is another device, or it does not answer (0: no access, clock or power)\n", $pmu_pidr1
            loop_break
        end
        set $pmu_cfgr = {unsigned int}0x5F320E00
        if !($pmu_cfgr == 0xD01F03)
            printf "Stopped here: CFGR reads 0x%x, expected SID_FILTER_TYPE = 1, CAPTURE = 1, MSI = 0, RELOC_CTRS = 1, SIZE = 0x1F, NCTR = 0x3, bits 0xFF0FC0C0 = 0x0: this is another device, or it does not answer (0: no access, clock or power)\n", $pmu_cfgr
            loop_break
        end
        set $pmu_pmdevarch = {unsigned int}0x5F320FBC
        if !($pmu_pmdevarch == 0x47702A56)
            printf "Stopped here: PMDEVARCH reads 0x%x, expected ARCHITECT = 0x23B, PRESENT = 1, REVISION = 0x0, ARCHID = 0x2A56: this is another device, or it does not answer (0: no access, clock or power)\n", $pmu_pmdevarch
            loop_break
        end
        # CR: E = 0.
        set {unsigned int}0x5F320E04 = 0x0
        # CNTENCLR0: clear CNTEN 0xF.
        set {unsigned int}0x5F320C20 = 0xF
        # INTENCLR0: clear INTEN 0xF.
        set {unsigned int}0x5F320C60 = 0xF
        # SMR0: STREAMID = 0xFFFFFFFF.
        set {unsigned int}0x5F320A00 = 0xFFFFFFFF
        set $pmu_smr0 = {unsigned int}0x5F320A00
        if !(($pmu_smr0 != 0) && (($pmu_smr0 & ($pmu_smr0 + 0x1)) == 0))
            printf "Stopped here: SMR0 reads 0x%x, expected STREAMID = ones below zeros: the device ignores writes, or other software uses it\n", $pmu_smr0
            loop_break
        end
        # EVTYPER[0]: OVFCAP = 0, FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1; selects
        # TRANSACTION.
        set {unsigned int}0x5F320400 = 0x20000001
        # EVTYPER[1]: OVFCAP = 0, EVENT = 0x0.
        set {unsigned int}0x5F320404 = 0x0
        # EVTYPER[2]: OVFCAP = 0, EVENT = 0x0.
        set {unsigned int}0x5F320408 = 0x0
        # EVTYPER[3]: OVFCAP = 0, EVENT = 0x0.
        set {unsigned int}0x5F32040C = 0x0
        # EVCNTR[0]: COUNTER_VALUE = 0xFFFFFFFF.
        set {unsigned int}0x5F330000 = 0xFFFFFFFF
        set $pmu_evcntr_0 = {unsigned int}0x5F330000
        if !($pmu_evcntr_0 == 0xFFFFFFFF)
            printf "Stopped here: EVCNTR[0] reads 0x%x, expected COUNTER_VALUE = 0xFFFFFFFF: the device ignores writes, or other software uses it\n", $pmu_evcntr_0
            loop_break
        end
        # EVCNTR[0]: COUNTER_VALUE = 0x0.
        set {unsigned int}0x5F330000 = 0x0
        set $pmu_evcntr_0_b = {unsigned int}0x5F330000
        if !($pmu_evcntr_0_b == 0x0)
            printf "Stopped here: EVCNTR[0] reads 0x%x, expected COUNTER_VALUE = 0x0: the device ignores writes, or other software uses it\n", $pmu_evcntr_0_b
            loop_break
        end
        # OVSCLR0: clear OVS 0xF.
        set {unsigned int}0x5F330C80 = 0xF
        set $pmu_ovsset0 = {unsigned int}0x5F330CC0
        if !(($pmu_ovsset0 & 0x1) == 0x0)
            printf "Stopped here: OVSSET0 reads 0x%x, expected OVS & 0x1 = 0x0: a flag stays set: start once more\n", $pmu_ovsset0
            loop_break
        end
        # CNTENSET0: set CNTEN 0x1.
        set {unsigned int}0x5F320C00 = 0x1
        # INTENSET0: no bit set, so no effect.
        set {unsigned int}0x5F320C40 = 0x0
        set $pmu_evtyper_0 = {unsigned int}0x5F320400
        if !(($pmu_evtyper_0 & 0x6000FFFF) == 0x20000001)
            printf "Stopped here: EVTYPER[0] reads 0x%x, expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: the device ignores writes, or other software uses it\n", $pmu_evtyper_0
            loop_break
        end
        set $pmu_smr0_b = {unsigned int}0x5F320A00
        if !(($pmu_smr0_b != 0) && (($pmu_smr0_b & ($pmu_smr0_b + 0x1)) == 0))
            printf "Stopped here: SMR0 reads 0x%x, expected STREAMID = ones below zeros: the device ignores writes, or other software uses it\n", $pmu_smr0_b
            loop_break
        end
        set $pmu_cntenset0 = {unsigned int}0x5F320C00
        if !(($pmu_cntenset0 & 0x1) == 0x1)
            printf "Stopped here: CNTENSET0 reads 0x%x, expected CNTEN & 0x1 = 0x1: the device ignores writes, or other software uses it\n", $pmu_cntenset0
            loop_break
        end
        # CR: E = 1.
        set {unsigned int}0x5F320E04 = 0x1
        set $pmu_cr = {unsigned int}0x5F320E04
        if !($pmu_cr == 0x1)
            printf "Stopped here: CR reads 0x%x, expected E = 1, bits 0xFFFFFFFE = 0x0: the device ignores writes, or other software uses it\n", $pmu_cr
            loop_break
        end
        set $pmu_ok = 1
        loop_break
    end
end
document pmu_start
Check the PMU and start its counters: TRANSACTION.
end

define pmu_read
    set $pmu_ok = 1
    while 1
        set $pmu_ovsset0 = {unsigned int}0x5F330CC0
        if !(($pmu_ovsset0 & 0x1) == 0x0)
            printf "Counts not valid: OVSSET0 reads 0x%x, expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that\n", $pmu_ovsset0
            set $pmu_ok = 0
        end
        set $pmu_evcntr_0 = {unsigned int}0x5F330000
        printf "%10u  TRANSACTION\n", $pmu_evcntr_0
        set $pmu_ovsset0_b = {unsigned int}0x5F330CC0
        if !(($pmu_ovsset0_b & 0x1) == 0x0)
            printf "Counts not valid: OVSSET0 reads 0x%x, expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that\n", $pmu_ovsset0_b
            set $pmu_ok = 0
        end
        set $pmu_cr = {unsigned int}0x5F320E04
        if !($pmu_cr == 0x1)
            printf "Counts not valid: CR reads 0x%x, expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost\n", $pmu_cr
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
        set $pmu_cr = {unsigned int}0x5F320E04
        if !($pmu_cr == 0x1)
            printf "Counts not valid: CR reads 0x%x, expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost\n", $pmu_cr
            set $pmu_ok = 0
        end
        # CR: E = 0.
        set {unsigned int}0x5F320E04 = 0x0
        set $pmu_cr_b = {unsigned int}0x5F320E04
        if !(($pmu_cr_b & 0x1) == 0x0)
            printf "Counts not valid: CR reads 0x%x, expected E = 0: other software changed settings, or clock or power were lost\n", $pmu_cr_b
            set $pmu_ok = 0
        end
        set $pmu_evcntr_0 = {unsigned int}0x5F330000
        printf "%10u  TRANSACTION\n", $pmu_evcntr_0
        set $pmu_ovsset0 = {unsigned int}0x5F330CC0
        if !(($pmu_ovsset0 & 0x1) == 0x0)
            printf "Counts not valid: OVSSET0 reads 0x%x, expected OVS & 0x1 = 0x0: the counter overflowed: its count is 2^32 too low, or a multiple of that\n", $pmu_ovsset0
            set $pmu_ok = 0
        end
        set $pmu_evtyper_0 = {unsigned int}0x5F320400
        if !(($pmu_evtyper_0 & 0x6000FFFF) == 0x20000001)
            printf "Counts not valid: EVTYPER[0] reads 0x%x, expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: other software changed settings, or clock or power were lost\n", $pmu_evtyper_0
            set $pmu_ok = 0
        end
        set $pmu_smr0 = {unsigned int}0x5F320A00
        if !(($pmu_smr0 != 0) && (($pmu_smr0 & ($pmu_smr0 + 0x1)) == 0))
            printf "Counts not valid: SMR0 reads 0x%x, expected STREAMID = ones below zeros: other software changed settings, or clock or power were lost\n", $pmu_smr0
            set $pmu_ok = 0
        end
        set $pmu_cntenset0 = {unsigned int}0x5F320C00
        if !(($pmu_cntenset0 & 0x1) == 0x1)
            printf "Counts not valid: CNTENSET0 reads 0x%x, expected CNTEN & 0x1 = 0x1: other software changed settings, or clock or power were lost\n", $pmu_cntenset0
            set $pmu_ok = 0
        end
        loop_break
    end
end
document pmu_stop
Stop the counters and print the counts.
end
