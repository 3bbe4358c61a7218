#!/bin/sh
# Counts TRANSACTION
# of the Translation Buffer Unit, pages at 0x5F320000 and 0x5F330000.
# Made by: arm-pmu recipe mmu600:tbu --base 0x5F31E000 --count TRANSACTION --no-identify --for devmem
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
    # CR: E = 0.
    devmem 0x5F320E04 32 0x0 || exit 2
    # CNTENCLR0: clear CNTEN 0xF.
    devmem 0x5F320C20 32 0xF || exit 2
    # INTENCLR0: clear INTEN 0xF.
    devmem 0x5F320C60 32 0xF || exit 2
    # SMR0: STREAMID = 0xFFFFFFFF.
    devmem 0x5F320A00 32 0xFFFFFFFF || exit 2
    smr0=$(devmem 0x5F320A00 32) || exit 2
    [ $(( (smr0 != 0) && ((smr0 & (smr0 + 0x1)) == 0) )) = 1 ] ||
        stop_here "SMR0 reads $smr0, expected STREAMID = ones in the low bits, zeros above: the device ignores writes, or other software uses it"
    # EVTYPER[0]: OVFCAP = 0, FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1; selects
    # TRANSACTION.
    devmem 0x5F320400 32 0x20000001 || exit 2
    # EVTYPER[1]: OVFCAP = 0, EVENT = 0x0.
    devmem 0x5F320404 32 0x0 || exit 2
    # EVTYPER[2]: OVFCAP = 0, EVENT = 0x0.
    devmem 0x5F320408 32 0x0 || exit 2
    # EVTYPER[3]: OVFCAP = 0, EVENT = 0x0.
    devmem 0x5F32040C 32 0x0 || exit 2
    # EVCNTR[0]: COUNTER_VALUE = 0xFFFFFFFF.
    devmem 0x5F330000 32 0xFFFFFFFF || exit 2
    evcntr_0=$(devmem 0x5F330000 32) || exit 2
    [ $(( evcntr_0 == 0xFFFFFFFF )) = 1 ] ||
        stop_here "EVCNTR[0] reads $evcntr_0, expected COUNTER_VALUE = 0xFFFFFFFF: the device ignores writes, or other software uses it"
    # EVCNTR[0]: COUNTER_VALUE = 0x0.
    devmem 0x5F330000 32 0x0 || exit 2
    evcntr_0_b=$(devmem 0x5F330000 32) || exit 2
    [ $(( evcntr_0_b == 0x0 )) = 1 ] ||
        stop_here "EVCNTR[0] reads $evcntr_0_b, expected COUNTER_VALUE = 0x0: the device ignores writes, or other software uses it"
    # OVSCLR0: clear OVS 0xF.
    devmem 0x5F330C80 32 0xF || exit 2
    ovsset0=$(devmem 0x5F330CC0 32) || exit 2
    [ $(( (ovsset0 & 0x1) == 0x0 )) = 1 ] ||
        stop_here "OVSSET0 reads $ovsset0, expected OVS & 0x1 = 0x0: a flag stays set: start once more"
    # CNTENSET0: set CNTEN 0x1.
    devmem 0x5F320C00 32 0x1 || exit 2
    # INTENSET0: no bit set, so no effect.
    devmem 0x5F320C40 32 0x0 || exit 2
    evtyper_0=$(devmem 0x5F320400 32) || exit 2
    [ $(( (evtyper_0 & 0x6000FFFF) == 0x20000001 )) = 1 ] ||
        stop_here "EVTYPER[0] reads $evtyper_0, expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: the device ignores writes, or other software uses it"
    smr0_b=$(devmem 0x5F320A00 32) || exit 2
    [ $(( (smr0_b != 0) && ((smr0_b & (smr0_b + 0x1)) == 0) )) = 1 ] ||
        stop_here "SMR0 reads $smr0_b, expected STREAMID = ones in the low bits, zeros above: the device ignores writes, or other software uses it"
    cntenset0=$(devmem 0x5F320C00 32) || exit 2
    [ $(( (cntenset0 & 0x1) == 0x1 )) = 1 ] ||
        stop_here "CNTENSET0 reads $cntenset0, expected CNTEN & 0x1 = 0x1: the device ignores writes, or other software uses it"
    # CR: E = 1.
    devmem 0x5F320E04 32 0x1 || exit 2
    cr=$(devmem 0x5F320E04 32) || exit 2
    [ $(( cr == 0x1 )) = 1 ] ||
        stop_here "CR reads $cr, expected E = 1, bits 0xFFFFFFFE = 0x0: the device ignores writes, or other software uses it"
}

read_counts() {
    ovsset0=$(devmem 0x5F330CC0 32) || exit 2
    [ $(( (ovsset0 & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVSSET0 reads $ovsset0, expected OVS & 0x1 = 0x0: the counter overflowed, so the count is too low by a multiple of 2^32"
    evcntr_0=$(devmem 0x5F330000 32) || exit 2
    printf '%10u  %s\n' "$evcntr_0" TRANSACTION
    ovsset0_b=$(devmem 0x5F330CC0 32) || exit 2
    [ $(( (ovsset0_b & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVSSET0 reads $ovsset0_b, expected OVS & 0x1 = 0x0: the counter overflowed, so the count is too low by a multiple of 2^32"
    cr=$(devmem 0x5F320E04 32) || exit 2
    [ $(( cr == 0x1 )) = 1 ] ||
        doubt "CR reads $cr, expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost"
}

stop() {
    cr=$(devmem 0x5F320E04 32) || exit 2
    [ $(( cr == 0x1 )) = 1 ] ||
        doubt "CR reads $cr, expected E = 1, bits 0xFFFFFFFE = 0x0: other software changed settings, or clock or power were lost"
    # CR: E = 0.
    devmem 0x5F320E04 32 0x0 || exit 2
    cr_b=$(devmem 0x5F320E04 32) || exit 2
    [ $(( (cr_b & 0x1) == 0x0 )) = 1 ] ||
        doubt "CR reads $cr_b, expected E = 0: other software changed settings, or clock or power were lost"
    evcntr_0=$(devmem 0x5F330000 32) || exit 2
    printf '%10u  %s\n' "$evcntr_0" TRANSACTION
    ovsset0=$(devmem 0x5F330CC0 32) || exit 2
    [ $(( (ovsset0 & 0x1) == 0x0 )) = 1 ] ||
        doubt "OVSSET0 reads $ovsset0, expected OVS & 0x1 = 0x0: the counter overflowed, so the count is too low by a multiple of 2^32"
    evtyper_0=$(devmem 0x5F320400 32) || exit 2
    [ $(( (evtyper_0 & 0x6000FFFF) == 0x20000001 )) = 1 ] ||
        doubt "EVTYPER[0] reads $evtyper_0, expected FILTER_SEC_SID = 0, FILTER_SID_SPAN = 1, EVENT = 0x1: other software changed settings, or clock or power were lost"
    smr0=$(devmem 0x5F320A00 32) || exit 2
    [ $(( (smr0 != 0) && ((smr0 & (smr0 + 0x1)) == 0) )) = 1 ] ||
        doubt "SMR0 reads $smr0, expected STREAMID = ones in the low bits, zeros above: other software changed settings, or clock or power were lost"
    cntenset0=$(devmem 0x5F320C00 32) || exit 2
    [ $(( (cntenset0 & 0x1) == 0x1 )) = 1 ] ||
        doubt "CNTENSET0 reads $cntenset0, expected CNTEN & 0x1 = 0x1: other software changed settings, or clock or power were lost"
}

case "${1:-}" in
    start) start ;;
    read) read_counts ;;
    stop) stop ;;
    *) echo "usage: sh $0 start|read|stop" >&2; exit 2 ;;
esac
exit $status
