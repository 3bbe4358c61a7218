// The same by hand, with the guarantees of the driver: the same accesses in the same order, counters that are not there are not accessed, what was programmed read
// back, enables, events and filters compared at the stop, flags taken and acknowledged, each count judged; and what
// the counters are told after a stop is kept apart until the next start, so that counting can be resumed.
//
// It works on an `EventSet`, which `by_hand.rs` declares.

    .set    EVENT, 0            // six; NONE for a counter that is not used
    .set    FROM, 24            // six
    .set    CLOCK, 48           // 1 if the cycles are counted
    .set    CLOCK_FROM, 52
    .set    CONTROL, 56         // DP of PMCR_EL0
    .set    INTERRUPTS, 60
    .set    LOST, 64            // one bit each; the cycle counter is bit 31
    .set    OVERFLOWED, 68
    .set    IN_USE, 72
    .set    CYCLES_NTH, 76
    .set    COUNTS, 80          // seven times a value and a verdict
    .set    NEXT, 136           // as from EVENT to CLOCK_FROM
    .set    CHANGED, 192        // whether the next start is to take over what is there
    .set    NEXT_FILTER, 196
    .set    FILTER, 200         // of the last start
    .set    AVAILABLE, 204      // counters of this software at the last start
    .set    WRAPS, 208          // the upper half of PMCCNTR_EL0 at its last acknowledgement

    .set    SWITCHED, 212       // whether a switch programmed the last settings

    // A task: six events as above, and seven times 64 bits and a verdict.
    .set    TASK_IN_USE, 24
    .set    TASK_TOTALS, 32
    .set    TASK_WHY, 88
    .set    TASK_FROM, 0x80000000

    .set    COUNTERS, 6
    .set    CLOCK_BIT, 0x80000000

    // PMCR_EL0.
    .set    E, 0x01
    .set    D, 0x08
    .set    X, 0x10
    .set    DP, 0x20
    .set    LC, 0x40

    // PMEVTYPER<n>_EL0: the filter, and the event.
    .set    FILTER_BITS, 0xFC000000
    .set    FILTER_OF_OTHERS, 0x3C000000 // zero without EL2 or EL3
    .set    TYPE_BITS, 0xFC00FFFF

    // Verdicts. Exact is 0. Bit 0: the counter overflowed. Bit 1: it is below where it started.
    .set    LOST_COUNT, 4
    .set    NOTHING, 5

    // The number of counters in a value of PMCR_EL0, at most \limit.
    .macro  available to, pmcr, limit
    ubfx    \to, \pmcr, #11, #5
    cmp     \to, \limit
    csel    \to, \to, \limit, lo
    .endm

    // The bits of so many counters, and of the cycle counter.
    .macro  all_there to, available
    mov     \to, #1
    lsl     \to, \to, \available
    sub     \to, \to, #1
    orr     \to, \to, #CLOCK_BIT
    .endm

    // The difference of `value` and `from`, and the verdict on it. All registers differ; w15 is LOST_COUNT, w16 is
    // free.
    .macro  judge value, from, verdict, overflowed, lost, number
    subs    \value, \value, \from
    cset    w16, lo
    ubfx    \verdict, \overflowed, #\number, #1
    orr     \verdict, \verdict, w16, lsl #1
    tst     \lost, #1 << \number
    csel    \verdict, w15, \verdict, ne
    .endm

    // Of the counters w7: gives those that overflowed in w9, and adds to w4 those that are disturbed. The cycle
    // counter overflows when its upper half changes. Its flag is set the first time, when that half is all ones.
    .macro  take_flags
    mrs     x8, pmovsclr_el0
    and     w8, w8, w7
    and     w9, w8, #~CLOCK_BIT & 0xFFFFFFFF
    tbz     w7, #31, 5f
    mrs     x10, pmccntr_el0
    lsr     x10, x10, #32
    ldr     w11, [x0, #WRAPS]
    cmp     w10, w11
    b.eq    6f
    orr     w9, w9, #CLOCK_BIT
    mrs     x12, pmovsclr_el0           // it may have wrapped since
    and     w12, w12, #CLOCK_BIT
    orr     w8, w8, w12
    str     w10, [x0, #WRAPS]
    cmn     w11, #1
    b.ne    6f
    tbnz    w8, #31, 5f
    orr     w4, w4, #CLOCK_BIT          // the first wrap has a flag
    b       5f
6:  and     w12, w8, #CLOCK_BIT         // nothing else has
    orr     w4, w4, w12
5:  cbz     w8, 7f
    msr     pmovsclr_el0, x8
    isb
    mrs     x12, pmovsclr_el0
    and     w12, w12, w8
    orr     w4, w4, w12
7:
    .endm

    .text

// x0: the plan.
    .global by_hand_start
by_hand_start:
    ldr     w1, [x0, #CHANGED]
    cbnz    w1, 9f
8:  mrs     x2, pmcr_el0
    mov     w4, #COUNTERS
    available w3, w2, w4
    all_there w5, w3
    and     w6, w2, #X | DP
    orr     w6, w6, #LC
    msr     pmcr_el0, x6
    msr     pmcntenclr_el0, x5
    isb
    mov     w6, #0                      // in use
    ldr     w12, [x0, #NEXT_FILTER]
    msr     pmccfiltr_el0, x12          // shows the bits that the core has, for all counters
    mrs     x8, pmccfiltr_el0
    and     w8, w8, #FILTER_BITS
    eor     w9, w8, w12
    and     w12, w12, #FILTER_OF_OTHERS
    bics    wzr, w9, w12
    csetm   w7, ne                      // did not take what was written
    .irp    n, 0, 1, 2, 3, 4, 5
    ldr     w9, [x0, #EVENT + 4 * \n]
    cmn     w9, #1
    b.eq    1f
    orr     w6, w6, #1 << \n
    cmp     w3, #\n
    b.ls    2f
    orr     w9, w9, w8
    ldr     w10, [x0, #FROM + 4 * \n]
    msr     pmevtyper\n\()_el0, x9
    msr     pmevcntr\n\()_el0, x10
    mrs     x11, pmevtyper\n\()_el0
    mrs     x12, pmevcntr\n\()_el0
    and     w11, w11, #TYPE_BITS
    cmp     w11, w9
    ccmp    w12, w10, #0, eq
    b.eq    1f
2:  orr     w7, w7, #1 << \n
1:
    .endr
    ldr     w9, [x0, #CLOCK]
    cbz     w9, 3f
    orr     w6, w6, #CLOCK_BIT
    ldr     w9, [x0, #CLOCK_FROM]
    orr     x9, x9, #0xFFFFFFFF00000000
    msr     pmccntr_el0, x9
    mrs     x10, pmccntr_el0
    cmp     x10, x9
    b.eq    3f
    orr     w7, w7, #CLOCK_BIT
3:  and     w7, w7, w6
    msr     pmovsclr_el0, x5
    msr     pmintenclr_el1, x5
    ldr     w9, [x0, #INTERRUPTS]
    and     w9, w9, w6
    bic     w9, w9, w7
    msr     pmintenset_el1, x9
    and     w9, w6, w5
    msr     pmcntenset_el0, x9
by_hand_enable:
    isb
    ldr     w10, [x0, #CONTROL]
    and     w9, w2, #X
    orr     w9, w9, w10
    orr     w9, w9, #LC
    orr     w9, w9, #E
    mov     w10, #-1
    str     w7, [x0, #LOST]
    str     wzr, [x0, #OVERFLOWED]
    str     w6, [x0, #IN_USE]
    str     w8, [x0, #FILTER]
    str     w10, [x0, #WRAPS]
    msr     pmcr_el0, x9
    mrs     x9, pmcr_el0
    isb
    ubfx    w11, w9, #11, #5
    cmp     w11, w3                     // taken away meanwhile: lost until the next start
    csel    w3, w11, w3, lo
    str     w3, [x0, #AVAILABLE]
    tbz     w9, #0, 4f
    cmn     w9, #1                      // ones are not PMCR_EL0
    b.eq    4f
    ret
4:  str     w10, [x0, #LOST]
    ret
9:  str     wzr, [x0, #CHANGED]         // what was said since the last start, kept apart from what a resume needs
    add     x1, x0, #NEXT
    ldp     x2, x3, [x1]
    ldp     x4, x5, [x1, #16]
    ldp     x6, x7, [x1, #32]
    ldr     x8, [x1, #48]
    stp     x2, x3, [x0]
    stp     x4, x5, [x0, #16]
    stp     x6, x7, [x0, #32]
    str     x8, [x0, #48]
    b       8b

// x0: the plan.
    .global by_hand_stop
by_hand_stop:
    isb
    mrs     x1, pmcr_el0
    and     w2, w1, #X | DP | LC | D
    msr     pmcr_el0, x2
    isb
    ldr     w3, [x0, #AVAILABLE]
    available w2, w1, w3
    ldr     w3, [x0, #IN_USE]
    ldr     w4, [x0, #LOST]
    ldr     w5, [x0, #FILTER]
    .irp    n, 0, 1, 2, 3, 4, 5
    tbz     w3, #\n, 1f
    cmp     w2, #\n
    b.ls    2f
    mrs     x6, pmevcntr\n\()_el0
    mrs     x7, pmevtyper\n\()_el0
    ldr     w8, [x0, #EVENT + 4 * \n]
    str     w6, [x0, #COUNTS + 8 * \n]
    orr     w8, w8, w5
    and     w7, w7, #TYPE_BITS
    cmp     w7, w8
    b.eq    1f
2:  orr     w4, w4, #1 << \n
1:
    .endr
    tbz     w3, #31, 3f
    mrs     x6, pmccntr_el0
    mrs     x7, pmccfiltr_el0
    ldr     w8, [x0, #CONTROL]
    str     w6, [x0, #COUNTS + 8 * COUNTERS]
    and     w7, w7, #FILTER_BITS
    and     w9, w1, #DP | LC
    orr     w8, w8, #LC
    cmp     w7, w5
    ccmp    w9, w8, #0, eq
    b.eq    3f
    orr     w4, w4, #CLOCK_BIT
3:  all_there w7, w2
    and     w7, w7, w3
    take_flags
    ldr     w6, [x0, #OVERFLOWED]
    orr     w6, w6, w9
    str     w6, [x0, #OVERFLOWED]
    mrs     x7, pmcntenset_el0
    bic     w7, w3, w7
    orr     w4, w4, w7
    mrs     x7, pmcr_el0
    bic     w7, w1, w7                  // was enabled and is not
    tst     w7, #E
    csinv   w4, w4, wzr, ne
    str     w4, [x0, #LOST]
    mov     w15, #LOST_COUNT
    .irp    n, 0, 1, 2, 3, 4, 5
    mov     w1, #NOTHING
    tbz     w3, #\n, 4f
    ldr     w7, [x0, #COUNTS + 8 * \n]
    ldr     w8, [x0, #FROM + 4 * \n]
    judge   w7, w8, w1, w6, w4, \n
    str     w7, [x0, #COUNTS + 8 * \n]
4:  str     w1, [x0, #COUNTS + 8 * \n + 4]
    .endr
    mov     w1, #NOTHING
    tbz     w3, #31, 5f
    ldr     w7, [x0, #COUNTS + 8 * COUNTERS]
    ldr     w8, [x0, #CLOCK_FROM]
    judge   w7, w8, w1, w6, w4, 31
    str     w7, [x0, #COUNTS + 8 * COUNTERS]
5:  str     w1, [x0, #COUNTS + 8 * COUNTERS + 4]
    ret

// x0: the plan. x1: the task to suspend, and x2: the task to resume; 0 for none. Only events that differ are written,
// if the stop found nothing else changed.
    .global by_hand_switch
by_hand_switch:
    stp     x29, x30, [sp, #-32]!
    stp     x19, x20, [sp, #16]
    mov     x20, x2
    cbz     x1, 4f
    mov     x19, x1
    bl      by_hand_stop
    ldr     w3, [x0, #IN_USE]
    .irp    n, 0, 1, 2, 3, 4, 5, 6
    tbz     w3, #\n + \n / 6 * 25, 1f
    ldp     w7, w8, [x0, #COUNTS + 8 * \n]
    ldr     x9, [x19, #TASK_TOTALS + 8 * \n]
    cbz     w8, 3f
    cmp     w8, #3                      // overflowed, and below where it started: once
    b.eq    3f
    ldr     w10, [x19, #TASK_WHY + 4 * \n]
    cmp     w10, w8
    csel    w10, w10, w8, hi
    str     w10, [x19, #TASK_WHY + 4 * \n]
    cmp     w8, #1
    b.ne    1f
    orr     x7, x7, #0x100000000
3:  add     x9, x9, x7
    str     x9, [x19, #TASK_TOTALS + 8 * \n]
1:
    .endr
4:  cbz     x20, 9f
    ldr     w6, [x20, #TASK_IN_USE]
    ldr     w4, [x0, #IN_USE]
    ldr     w5, [x0, #LOST]
    ldr     w3, [x0, #AVAILABLE]
    ldr     w1, [x0, #SWITCHED]
    mrs     x2, pmcr_el0
    mov     w9, #COUNTERS
    available w10, w2, w9
    eor     w4, w4, w6
    eor     w10, w10, w3
    orr     w5, w5, w4
    orr     w5, w5, w10
    and     w9, w2, #E
    orr     w5, w5, w9
    cbz     w1, 7f
    cbnz    w5, 7f
    all_there w5, w3
    ldr     w8, [x0, #FILTER]
    mov     w7, #0                      // did not take what was written
    mov     w10, #TASK_FROM
    .irp    n, 0, 1, 2, 3, 4, 5
    tbz     w6, #\n, 1f
    ldr     w9, [x20, #4 * \n]
    ldr     w11, [x0, #EVENT + 4 * \n]
    msr     pmevcntr\n\()_el0, x10
    cmp     w9, w11
    b.eq    2f
    str     w9, [x0, #EVENT + 4 * \n]
    orr     w9, w9, w8
    msr     pmevtyper\n\()_el0, x9
    mrs     x11, pmevtyper\n\()_el0
    and     w11, w11, #TYPE_BITS
    cmp     w11, w9
    b.ne    3f
2:  mrs     x12, pmevcntr\n\()_el0
    cmp     w12, w10
    b.eq    1f
3:  orr     w7, w7, #1 << \n
1:
    .endr
    tbz     w6, #31, 3f
    orr     x9, x10, #0xFFFFFFFF00000000
    msr     pmccntr_el0, x9
    mrs     x11, pmccntr_el0
    cmp     x11, x9
    b.eq    3f
    orr     w7, w7, #CLOCK_BIT
3:  msr     pmovsclr_el0, x5
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #32
    b       by_hand_enable
7:  ldp     x1, x2, [x20]
    ldr     x3, [x20, #16]
    mov     w4, #TASK_FROM
    orr     x4, x4, x4, lsl #32
    lsr     w5, w6, #31
    mov     w7, #1
    stp     x1, x2, [x0, #EVENT]
    str     x3, [x0, #EVENT + 16]
    stp     x4, x4, [x0, #FROM]
    str     x4, [x0, #FROM + 16]
    stp     w5, w4, [x0, #CLOCK]
    str     w7, [x0, #SWITCHED]
    str     wzr, [x0, #CHANGED]
    ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #32
    b       by_hand_start
9:  ldp     x19, x20, [sp, #16]
    ldp     x29, x30, [sp], #32
    ret

// x0: the plan. x1: seven times a value and a verdict.
    .global by_hand_read
by_hand_read:
    mrs     x10, pmcr_el0               // before all of them
    ldr     w11, [x0, #AVAILABLE]
    ldr     w3, [x0, #IN_USE]
    mov     w15, #LOST_COUNT
    tbz     w10, #0, 6f
    cmn     w10, #1                     // ones are not PMCR_EL0
    b.eq    6f
    available w2, w10, w11
    ldr     w4, [x0, #LOST]
    ldr     w5, [x0, #OVERFLOWED]
    .irp    n, 0, 1, 2, 3, 4, 5
    mov     w12, #NOTHING
    tbz     w3, #\n, 1f
    mov     w12, w15
    cmp     w2, #\n
    b.ls    1f
    mrs     x6, pmovsclr_el0
    mrs     x7, pmevcntr\n\()_el0
    mrs     x8, pmovsclr_el0
    eor     w9, w6, w8
    orr     w6, w6, w8
    tbz     w9, #\n, 3f
    mrs     x7, pmevcntr\n\()_el0       // after the wrap
3:  orr     w6, w6, w5
    ldr     w8, [x0, #FROM + 4 * \n]
    judge   w7, w8, w12, w6, w4, \n
    str     w7, [x1, #8 * \n]
1:  str     w12, [x1, #8 * \n + 4]
    .endr
    mov     w12, #NOTHING
    tbz     w3, #31, 4f
    ldr     w9, [x0, #WRAPS]
    mrs     x7, pmccntr_el0
    lsr     x8, x7, #32
    cmp     w8, w9
    cset    w6, ne
    orr     w6, w5, w6, lsl #31
    ldr     w8, [x0, #CLOCK_FROM]
    judge   w7, w8, w12, w6, w4, 31
    str     w7, [x1, #8 * COUNTERS]
4:  str     w12, [x1, #8 * COUNTERS + 4]
    mrs     x10, pmcr_el0               // after all of them
    tbz     w10, #0, 6f
    cmn     w10, #1
    b.eq    6f
    ubfx    w11, w10, #11, #5
    cmp     w11, w2
    b.lo    8f
    ret
8:
    .irp    n, 0, 1, 2, 3, 4, 5         // those that were taken away
    tbz     w3, #\n, 1f
    cmp     w11, #\n
    b.hi    1f
    str     w15, [x1, #8 * \n + 4]
1:
    .endr
    ret
6:
    .irp    n, 0, 1, 2, 3, 4, 5
    tbz     w3, #\n, 1f
    str     w15, [x1, #8 * \n + 4]
1:
    .endr
    tbz     w3, #31, 7f
    str     w15, [x1, #8 * COUNTERS + 4]
7:  ret

// x0: the plan. Gives the counters that overflowed.
    .global by_hand_acknowledge
by_hand_acknowledge:
    mrs     x10, pmcr_el0
    ldr     w11, [x0, #AVAILABLE]
    ldr     w3, [x0, #IN_USE]
    ldr     w4, [x0, #LOST]
    available w2, w10, w11
    all_there w7, w2
    bic     w8, w3, w7
    orr     w4, w4, w8
    tst     w10, #E
    csinv   w4, w4, wzr, ne
    cmn     w10, #1
    csinv   w4, w4, wzr, ne
    and     w7, w7, w3
    take_flags
    ldr     w6, [x0, #OVERFLOWED]
    orr     w6, w6, w9
    str     w4, [x0, #LOST]
    str     w6, [x0, #OVERFLOWED]
    mov     w0, w9
    ret

// x0: the plan. x1: what to count. x2: how many. x3: a value and a verdict for each.
// Gives 0; 1 if these cannot be counted at once, and then the plan is as it was.
    .global by_hand_measure
by_hand_measure:
    stp     x29, x30, [sp, #-80]!
    stp     x19, x20, [sp, #16]
    stp     x21, x22, [sp, #32]
    mov     x19, x0
    mov     x20, x3
    mov     w21, w2
    mov     w22, #-1                    // which of them is the cycles
    mov     w8, #0                      // events
    mov     w9, #0
    mov     x10, #-1
    add     x11, sp, #48
    stp     x10, x10, [x11]
    str     x10, [x11, #16]
1:  cmp     w9, w21
    b.hs    4f
    ldr     w12, [x1], #4
    cmp     w12, #0x10000               // CYCLES
    b.ne    2f
    cmn     w22, #1
    b.ne    8f
    mov     w22, w9
    b       3f
2:  cmp     w8, #COUNTERS
    b.hs    8f
    str     w12, [x11, w8, uxtw #2]
    add     w8, w8, #1
3:  add     w9, w9, #1
    b       1b
4:  ldr     w3, [x19, #IN_USE]          // to be kept for a resume?
    add     x4, x19, #NEXT
    cmp     w3, #0
    csel    x4, x4, x19, ne
    cset    w3, ne
    str     w3, [x19, #CHANGED]
    ldp     x5, x6, [x11]
    ldr     x7, [x11, #16]
    cmn     w22, #1
    cset    w8, ne
    stp     x5, x6, [x4]
    str     x7, [x4, #16]
    stp     xzr, xzr, [x4, #FROM]
    str     xzr, [x4, #FROM + 16]
    stp     w8, wzr, [x4, #CLOCK]
    str     w22, [x19, #CYCLES_NTH]
    mov     x0, x19
    bl      by_hand_start
    mov     x0, x19
    bl      by_hand_stop
    add     x1, x19, #COUNTS
    mov     w9, #0
5:  cmp     w9, w21
    b.hs    6f
    cmp     w9, w22
    b.eq    2f
    ldr     x2, [x1], #8
    b       3f
2:  ldr     x2, [x19, #COUNTS + 8 * COUNTERS]
3:  str     x2, [x20], #8
    add     w9, w9, #1
    b       5b
6:  mov     w0, #0
7:  ldp     x19, x20, [sp, #16]
    ldp     x21, x22, [sp, #32]
    ldp     x29, x30, [sp], #80
    ret
8:  mov     w0, #1
    b       7b
