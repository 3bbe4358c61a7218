@ The same by hand, with the guarantees of the driver: the same accesses in the same order, what was programmed read back, enables and selections compared at
@ the stop, the selector found where it was left, flags taken and acknowledged, each count judged; and what the
@ counters are told after a stop is kept apart until the next start, so that counting can be resumed.
@
@ It works on an `EventSet`, which `by_hand.rs` declares.

    .set    EVENT, 0            @ four; NONE for a counter that is not used
    .set    FROM, 16            @ four
    .set    CLOCK, 32           @ 1 if the cycles are counted
    .set    CLOCK_FROM, 36
    .set    CONTROL, 40         @ D and DP of PMCR
    .set    INTERRUPTS, 44
    .set    LOST, 48            @ one bit each; the cycle counter is bit 31
    .set    OVERFLOWED, 52
    .set    IN_USE, 56
    .set    CYCLES_NTH, 60
    .set    COUNTS, 64          @ five times a value and a verdict
    .set    NEXT, 104           @ as from EVENT to CLOCK_FROM
    .set    CHANGED, 144        @ whether the next start is to take over what is there

    .set    SWITCHED, 148       @ whether a switch programmed the last settings

    @ A task: four events as above, and five times 64 bits and a verdict.
    .set    TASK_IN_USE, 16
    .set    TASK_TOTALS, 24
    .set    TASK_WHY, 64
    .set    TASK_FROM, 0x80000000

    .set    ALL, 0x8000000F
    .set    CLOCK_BIT, 0x80000000

    @ Verdicts. Exact is 0. Bit 0: the counter overflowed. Bit 1: it is below where it started.
    .set    LOST_COUNT, 4
    .set    NOTHING, 5

    .macro  read_pmcr to
    mrc     p15, 0, \to, c9, c12, 0
    .endm
    .macro  write_pmcr from
    mcr     p15, 0, \from, c9, c12, 0
    .endm
    .macro  select number, scratch
    mov     \scratch, #\number
    mcr     p15, 0, \scratch, c9, c12, 5
    barrier
    .endm
    .macro  read_flags to
    mrc     p15, 0, \to, c9, c12, 3
    .endm
    .macro  read_counter to
    mrc     p15, 0, \to, c9, c13, 2
    .endm
    .macro  read_cycles to
    mrc     p15, 0, \to, c9, c13, 0
    .endm
    .macro  barrier
    dsb
    isb
    .endm

    @ The difference of `value` and `from`, and the verdict on it. All registers differ.
    .macro  judge value, from, verdict, overflowed, lost, bit
    subs    \value, \value, \from
    movhs   \verdict, #0
    movlo   \verdict, #2
    tst     \overflowed, #\bit
    orrne   \verdict, \verdict, #1
    tst     \lost, #\bit
    movne   \verdict, #LOST_COUNT
    .endm

    .text
    .arm
    .syntax unified

@ r0: the plan.
    .global by_hand_start
by_hand_start:
    push    {r4, r5, r6, lr}
    ldr     r1, [r0, #CHANGED]
    cmp     r1, #0
    bne     9f
8:  read_pmcr r1
    ldr     r2, [r0, #CONTROL]
    and     r1, r1, #0x10
    orr     r12, r1, r2
    write_pmcr r12
    mov     r2, #ALL
    mcr     p15, 0, r2, c9, c12, 2      @ PMCNTENCLR
    barrier
    mov     r3, #0                      @ in use
    mov     r4, #0                      @ did not take its start value
    .irp    n, 0, 1, 2, 3
    ldr     r5, [r0, #EVENT + 4 * \n]
    cmn     r5, #1
    beq     1f
    select  \n, r6
    mcr     p15, 0, r5, c9, c13, 1      @ PMXEVTYPER
    ldr     r5, [r0, #FROM + 4 * \n]
    mcr     p15, 0, r5, c9, c13, 2      @ PMXEVCNTR
    orr     r3, r3, #1 << \n
1:
    .endr
    .irp    n, 0, 1, 2, 3               @ a second round, as somebody may have moved the selector
    tst     r3, #1 << \n
    beq     1f
    select  \n, r6
    ldr     r5, [r0, #EVENT + 4 * \n]
    mrc     p15, 0, r6, c9, c13, 1      @ PMXEVTYPER
    uxtb    r6, r6
    cmp     r6, r5
    ldr     r5, [r0, #FROM + 4 * \n]
    read_counter r6
    cmpeq   r6, r5
    mrc     p15, 0, r6, c9, c12, 5      @ PMSELR
    and     r6, r6, #0x1F
    cmpeq   r6, #\n
    orrne   r4, r4, #1 << \n
1:
    .endr
    ldr     r5, [r0, #CLOCK]
    cmp     r5, #0
    beq     2f
    ldr     r5, [r0, #CLOCK_FROM]
    mcr     p15, 0, r5, c9, c13, 0      @ PMCCNTR
    read_cycles r6
    cmp     r6, r5
    orrne   r4, r4, #CLOCK_BIT
    orr     r3, r3, #CLOCK_BIT
2:  mcr     p15, 0, r2, c9, c12, 3      @ PMOVSR
    ldr     r5, [r0, #INTERRUPTS]
    mcr     p15, 0, r2, c9, c14, 2      @ PMINTENCLR
    and     r5, r5, r3
    mcr     p15, 0, r5, c9, c14, 1      @ PMINTENSET
    mcr     p15, 0, r3, c9, c12, 1      @ PMCNTENSET
by_hand_enable:
    barrier
    orr     r5, r12, #1
    write_pmcr r5
    read_pmcr r5
    barrier
    mov     r6, #0
    tst     r5, #1
    mvneq   r4, #0
    cmn     r5, #1                      @ ones are not PMCR
    mvneq   r4, #0
    str     r4, [r0, #LOST]
    str     r6, [r0, #OVERFLOWED]
    str     r3, [r0, #IN_USE]
    pop     {r4, r5, r6, pc}
9:  mov     r1, #0                      @ what was said since the last start, kept apart from what a resume needs
    str     r1, [r0, #CHANGED]
    add     r12, r0, #NEXT
    ldm     r12!, {r1, r2, r3, r4, r5}
    mov     lr, r0
    stm     lr!, {r1, r2, r3, r4, r5}
    ldm     r12, {r1, r2, r3, r4, r5}
    stm     lr, {r1, r2, r3, r4, r5}
    b       8b

@ r0: the plan.
    .global by_hand_stop
by_hand_stop:
    push    {r4, r5, r6, r7, r8, lr}
    barrier
    read_pmcr r1
    and     r2, r1, #0x38
    write_pmcr r2
    barrier
    ldr     r3, [r0, #IN_USE]
    ldr     r4, [r0, #LOST]
    .irp    n, 0, 1, 2, 3
    tst     r3, #1 << \n
    beq     1f
    select  \n, r5
    read_counter r7
    ldr     r5, [r0, #EVENT + 4 * \n]
    mrc     p15, 0, r6, c9, c13, 1      @ PMXEVTYPER
    uxtb    r6, r6
    cmp     r6, r5
    orrne   r4, r4, #1 << \n
    mrc     p15, 0, r6, c9, c12, 5      @ PMSELR
    str     r7, [r0, #COUNTS + 8 * \n]
    and     r6, r6, #0x1F
    cmp     r6, #\n
    orrne   r4, r4, #1 << \n
1:
    .endr
    tst     r3, #CLOCK_BIT
    beq     2f
    read_cycles r7
    ldr     r5, [r0, #CONTROL]
    and     r6, r1, #0x28
    cmp     r6, r5
    orrne   r4, r4, #CLOCK_BIT
    str     r7, [r0, #COUNTS + 8 * 4]
2:  read_flags r5
    ldr     r6, [r0, #OVERFLOWED]
    ands    r5, r5, r3
    beq     3f
    mcr     p15, 0, r5, c9, c12, 3      @ PMOVSR
    barrier
    orr     r6, r6, r5
    str     r6, [r0, #OVERFLOWED]
    read_flags r2
    and     r2, r2, r5
    orr     r4, r4, r2
3:  mrc     p15, 0, r2, c9, c12, 1      @ PMCNTENSET
    bic     r2, r3, r2
    orr     r4, r4, r2
    read_pmcr r2
    tst     r1, #1
    mvneq   r4, #0
    tst     r2, #1
    mvnne   r4, #0
    str     r4, [r0, #LOST]
    .irp    n, 0, 1, 2, 3
    tst     r3, #1 << \n
    mov     r1, #NOTHING
    beq     4f
    ldr     r7, [r0, #COUNTS + 8 * \n]
    ldr     r8, [r0, #FROM + 4 * \n]
    judge   r7, r8, r1, r6, r4, 1 << \n
    str     r7, [r0, #COUNTS + 8 * \n]
4:  str     r1, [r0, #COUNTS + 8 * \n + 4]
    .endr
    tst     r3, #CLOCK_BIT
    mov     r1, #NOTHING
    beq     5f
    ldr     r7, [r0, #COUNTS + 8 * 4]
    ldr     r8, [r0, #CLOCK_FROM]
    judge   r7, r8, r1, r6, r4, CLOCK_BIT
    str     r7, [r0, #COUNTS + 8 * 4]
5:  str     r1, [r0, #COUNTS + 8 * 4 + 4]
    pop     {r4, r5, r6, r7, r8, pc}

@ r0: the plan. r1: the task to suspend, and r2: the task to resume; 0 for none. Only events that differ are written,
@ if the stop found nothing else changed.
    .global by_hand_switch
by_hand_switch:
    push    {r4, r5, r6, lr}
    push    {r7, r8}
    mov     r5, r2
    movs    r4, r1
    beq     4f
    bl      by_hand_stop
    ldr     r3, [r0, #IN_USE]
    .irp    n, 0, 1, 2, 3, 4
    tst     r3, #1 << (\n + \n / 4 * 27)
    beq     1f
    ldr     r1, [r0, #COUNTS + 8 * \n]
    ldr     r2, [r0, #COUNTS + 8 * \n + 4]
    ldrd    r6, r7, [r4, #TASK_TOTALS + 8 * \n]
    cmp     r2, #0
    cmpne   r2, #3                      @ overflowed, and below where it started: once
    beq     3f
    ldr     r12, [r4, #TASK_WHY + 4 * \n]
    cmp     r12, r2
    movlo   r12, r2
    str     r12, [r4, #TASK_WHY + 4 * \n]
    cmp     r2, #1
    bne     1f
    add     r7, r7, #1
3:  adds    r6, r6, r1
    adc     r7, r7, #0
    strd    r6, r7, [r4, #TASK_TOTALS + 8 * \n]
1:
    .endr
4:  cmp     r5, #0
    beq     9f
    ldr     r3, [r5, #TASK_IN_USE]
    ldr     r1, [r0, #IN_USE]
    ldr     r2, [r0, #LOST]
    ldr     r4, [r0, #SWITCHED]
    read_pmcr r12
    eor     r1, r1, r3
    orr     r2, r2, r1
    and     r1, r12, #1
    orr     r2, r2, r1
    eor     r4, r4, #1
    orrs    r2, r2, r4
    bne     7f
    mov     r4, #0                      @ did not take what was written
    mov     r7, #TASK_FROM
    mov     r8, #0                      @ events that were written
    .irp    n, 0, 1, 2, 3
    tst     r3, #1 << \n
    beq     1f
    select  \n, r6
    ldr     r1, [r5, #4 * \n]
    ldr     r2, [r0, #EVENT + 4 * \n]
    cmp     r1, r2
    beq     2f
    mcr     p15, 0, r1, c9, c13, 1      @ PMXEVTYPER
    str     r1, [r0, #EVENT + 4 * \n]
    orr     r8, r8, #1 << \n
2:  mcr     p15, 0, r7, c9, c13, 2      @ PMXEVCNTR
1:
    .endr
    .irp    n, 0, 1, 2, 3               @ a second round, as somebody may have moved the selector
    tst     r3, #1 << \n
    beq     1f
    select  \n, r6
    tst     r8, #1 << \n
    beq     2f
    ldr     r1, [r0, #EVENT + 4 * \n]
    mrc     p15, 0, r6, c9, c13, 1      @ PMXEVTYPER
    uxtb    r6, r6
    cmp     r6, r1
    orrne   r4, r4, #1 << \n
2:  read_counter r6
    cmp     r6, r7
    mrc     p15, 0, r6, c9, c12, 5      @ PMSELR
    and     r6, r6, #0x1F
    cmpeq   r6, #\n
    orrne   r4, r4, #1 << \n
1:
    .endr
    tst     r3, #CLOCK_BIT
    beq     2f
    mcr     p15, 0, r7, c9, c13, 0      @ PMCCNTR
    read_cycles r6
    cmp     r6, r7
    orrne   r4, r4, #CLOCK_BIT
2:  mov     r2, #ALL
    ldr     r5, [r0, #CONTROL]
    mcr     p15, 0, r2, c9, c12, 3      @ PMOVSR
    and     r12, r12, #0x10
    orr     r12, r12, r5
    pop     {r7, r8}
    b       by_hand_enable
7:  pop     {r7, r8}
    ldr     r6, [r5, #TASK_IN_USE]
    ldm     r5, {r1, r2, r3, r4}
    stm     r0, {r1, r2, r3, r4}
    mov     r1, #TASK_FROM
    mov     r2, r1
    mov     r3, r1
    mov     r4, r1
    add     r12, r0, #FROM
    stm     r12, {r1, r2, r3, r4}
    lsr     r6, r6, #31
    mov     r2, #1
    mov     r3, #0
    str     r6, [r0, #CLOCK]
    str     r1, [r0, #CLOCK_FROM]
    str     r2, [r0, #SWITCHED]
    str     r3, [r0, #CHANGED]
    pop     {r4, r5, r6, lr}
    b       by_hand_start
9:  pop     {r7, r8}
    pop     {r4, r5, r6, pc}

@ r0: the plan. r1: five times a value and a verdict.
    .global by_hand_read
by_hand_read:
    push    {r4, r5, r6, r7, r8, lr}
    ldr     r3, [r0, #IN_USE]
    ldr     r4, [r0, #LOST]
    ldr     r5, [r0, #OVERFLOWED]
    .irp    n, 0, 1, 2, 3
    tst     r3, #1 << \n
    mov     r12, #NOTHING
    beq     1f
    select  \n, r6
    read_flags r6
    read_counter r7
    read_flags r8
    eor     r2, r6, r8
    orr     r6, r6, r8
    tst     r2, #1 << \n
    mrcne   p15, 0, r7, c9, c13, 2      @ PMXEVCNTR, after the wrap
    mrc     p15, 0, r2, c9, c12, 5      @ PMSELR
    orr     r6, r6, r5
    ldr     r8, [r0, #FROM + 4 * \n]
    judge   r7, r8, r12, r6, r4, 1 << \n
    and     r2, r2, #0x1F
    cmp     r2, #\n
    movne   r12, #LOST_COUNT
    str     r7, [r1, #8 * \n]
1:  str     r12, [r1, #8 * \n + 4]
    .endr
    tst     r3, #CLOCK_BIT
    mov     r12, #NOTHING
    beq     2f
    read_flags r6
    read_cycles r7
    read_flags r8
    eor     r2, r6, r8
    orr     r6, r6, r8
    tst     r2, #CLOCK_BIT
    mrcne   p15, 0, r7, c9, c13, 0      @ PMCCNTR, after the wrap
    orr     r6, r6, r5
    ldr     r8, [r0, #CLOCK_FROM]
    judge   r7, r8, r12, r6, r4, CLOCK_BIT
    str     r7, [r1, #8 * 4]
2:  str     r12, [r1, #8 * 4 + 4]
    read_pmcr r2                        @ after all of them
    cmn     r2, #1                      @ ones are not PMCR
    tstne   r2, #1
    popne   {r4, r5, r6, r7, r8, pc}
    mov     r12, #LOST_COUNT
    .irp    n, 0, 1, 2, 3
    tst     r3, #1 << \n
    strne   r12, [r1, #8 * \n + 4]
    .endr
    tst     r3, #CLOCK_BIT
    strne   r12, [r1, #8 * 4 + 4]
    pop     {r4, r5, r6, r7, r8, pc}

@ r0: the plan. Gives the counters that overflowed.
    .global by_hand_acknowledge
by_hand_acknowledge:
    mov     r1, r0
    ldr     r2, [r1, #IN_USE]
    read_flags r0
    ands    r0, r0, r2
    bxeq    lr
    mcr     p15, 0, r0, c9, c12, 3      @ PMOVSR
    barrier
    ldr     r2, [r1, #OVERFLOWED]
    ldr     r3, [r1, #LOST]
    read_flags r12
    orr     r2, r2, r0
    and     r12, r12, r0
    orr     r3, r3, r12
    str     r2, [r1, #OVERFLOWED]
    str     r3, [r1, #LOST]
    bx      lr

@ r0: the plan. r1: what to count. r2: how many. r3: a value and a verdict for each.
@ Gives 0; 1 if these cannot be counted at once, and then the plan is as it was.
    .global by_hand_measure
by_hand_measure:
    push    {r3, r4, r5, r6, r7, r8, r9, lr}
    sub     sp, sp, #16
    mov     r4, r0
    mov     r5, r3
    mov     r6, r2
    mvn     r7, #0                      @ which of them is the cycles
    mov     r8, #0                      @ events
    mov     r9, #0
    mvn     r3, #0
    str     r3, [sp]
    str     r3, [sp, #4]
    str     r3, [sp, #8]
    str     r3, [sp, #12]
1:  cmp     r9, r6
    bhs     4f
    ldr     r3, [r1], #4
    cmp     r3, #0x10000                @ CYCLES
    bne     2f
    cmn     r7, #1
    bne     8f
    mov     r7, r9
    b       3f
2:  cmp     r8, #4
    bhs     8f
    str     r3, [sp, r8, lsl #2]
    add     r8, r8, #1
3:  add     r9, r9, #1
    b       1b
4:  ldr     r3, [r4, #IN_USE]           @ to be kept for a resume?
    mov     r0, r4
    cmp     r3, #0
    addne   r0, r4, #NEXT
    movne   r3, #1
    str     r3, [r4, #CHANGED]
    ldm     sp, {r1, r2, r3, r12}
    stm     r0, {r1, r2, r3, r12}
    mov     r1, #0
    str     r1, [r0, #FROM]
    str     r1, [r0, #FROM + 4]
    str     r1, [r0, #FROM + 8]
    str     r1, [r0, #FROM + 12]
    str     r1, [r0, #CLOCK_FROM]
    cmn     r7, #1
    movne   r1, #1
    str     r1, [r0, #CLOCK]
    ldr     r1, [r4, #CONTROL]
    bic     r1, r1, #8                  @ each cycle
    str     r1, [r4, #CONTROL]
    str     r7, [r4, #CYCLES_NTH]
    mov     r0, r4
    bl      by_hand_start
    mov     r0, r4
    bl      by_hand_stop
    add     r1, r4, #COUNTS
    mov     r9, #0
5:  cmp     r9, r6
    bhs     6f
    cmp     r9, r7
    addeq   r8, r4, #COUNTS + 8 * 4
    movne   r8, r1
    addne   r1, r1, #8
    ldm     r8, {r2, r3}
    stm     r5!, {r2, r3}
    add     r9, r9, #1
    b       5b
6:  mov     r0, #0
7:  add     sp, sp, #16
    pop     {r3, r4, r5, r6, r7, r8, r9, pc}
8:  mov     r0, #1
    b       7b
