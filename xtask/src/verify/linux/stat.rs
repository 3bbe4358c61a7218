//! What `arm-pmu stat` has to count on the bench: the command runs in the guest, and `device` plays the PMUs.

use super::board::{Board, Pmu};

/// The columns of CSV without times: name, value and state of an event.
const COLUMNS: &str = "tail -n +2 /tmp/stat | cut -d, -f5,8,9";

/// A command for the guest. `{cci}` and `{tbu}` are the addresses of the first counters.
struct Claim {
    command: &'static str,
    expected: &'static str,
}

impl Claim {
    /// The command for a TBU with this PMU, and its expected output.
    fn on(&self, tbu: &Pmu) -> (String, String) {
        // The console is a terminal.
        let command = format!("export NO_COLOR=1; {}", self.command)
            .replace("{tbu0}", &tbu.counters[0].value_address())
            .replace("{columns}", COLUMNS);
        (command, self.expected.to_owned())
    }
}

const CLAIMS: &[Claim] = &[
    // Intervals: the device counts in the first and the second, on two PMUs.
    Claim {
        command: "arm-pmu stat -I 100ms -e cci400:S3:READ_REQUEST_ANY -e smmuv3_pmcg_5f320:TRANSACTION \
                  --csv -o /tmp/stat -- device {cci0}+5 @150 {cci0}+7 {tbu0}+3 @110; {columns}",
        expected: "S3:READ_REQUEST_ANY,5,exact\nTRANSACTION,0,exact\n\
                   S3:READ_REQUEST_ANY,7,exact\nTRANSACTION,3,exact\n\
                   S3:READ_REQUEST_ANY,0,exact\nTRANSACTION,0,exact\n\
                   S3:READ_REQUEST_ANY,12,exact\nTRANSACTION,3,exact\n",
    },
    // Short intervals come in time.
    Claim {
        command: "arm-pmu stat -I 10ms -e S3:READ_REQUEST_ANY --csv -o /tmp/stat -- sleep 1; \
                  grep -c '^count,[0-9]' /tmp/stat | awk '{ print ($1 >= 99 && $1 <= 102) }'",
        expected: "1\n",
    },
    // A metric with all its events. The exit status is the program's.
    Claim {
        command: "arm-pmu stat -m SNOOP_HIT_RATE:S3 --csv -o /tmp/stat -- \
                  sh -c 'device {cci0}+f {cci1}+14; exit 7'; echo $?; {columns}",
        expected: "7\nS3:READ_DATA_SNOOP_HIT,15,exact\nS3:READ_REQUEST_SHAREABLE,20,exact\n\
                   SNOOP_HIT_RATE:S3,0.75,exact\n",
    },
    // Several runs: progress, and the mean.
    Claim {
        command: "arm-pmu stat -r 3 -e S3:READ_REQUEST_ANY --csv -o /tmp/stat -- device {cci0}+9; {columns}",
        expected: "run 1 of 3\nrun 2 of 3\nrun 3 of 3\nS3:READ_REQUEST_ANY,9,exact\n",
    },
    // Two programs in turn, five times each. The recording says the same again.
    Claim {
        command: "arm-pmu stat -e S3:READ_REQUEST_ANY --compare 'device {cci0}+64' 'device {cci0}+6e' \
                  --record /tmp/runs --csv -o /tmp/stat 2>/dev/null; grep ^count /tmp/stat; \
                  arm-pmu report /tmp/runs --csv | cmp - /tmp/stat && echo same; \
                  grep -c '\"line\":\"run\"' /tmp/runs; grep -c '\"line\":\"idle\"' /tmp/runs",
        expected: "count,cci400:r1 S3:READ_REQUEST_ANY,5,110,110,110,5,100,100,100,10,10,10,higher\nsame\n10\n1\n",
    },
    // Six events on four counters. Each counter adds its event's number and 1 in a millisecond.
    Claim {
        command: "arm-pmu stat -e S0:READ_REQUEST_ANY -e S1:READ_REQUEST_ANY -e S2:READ_REQUEST_ANY \
                  -e S3:READ_REQUEST_ANY -e S4:READ_REQUEST_ANY -e S4:READ_REQUEST_DVM_MESSAGE --csv -o /tmp/stat -- \
                  device '~600{play}'; \
                  {columns} | awk -F, '{ print $1, $3, ($2 > 0 ? \"counted\" : \"zero\") }'",
        expected: "S0:READ_REQUEST_ANY estimate counted\nS1:READ_REQUEST_ANY estimate counted\n\
                   S2:READ_REQUEST_ANY estimate counted\nS3:READ_REQUEST_ANY estimate counted\n\
                   S4:READ_REQUEST_ANY estimate counted\nS4:READ_REQUEST_DVM_MESSAGE estimate counted\n",
    },
    // A core and an interconnect in one run. The core counts the program, and no other work.
    Claim {
        command: "arm-pmu stat -e armv8_cortex_a53:inst_retired -e S3:READ_REQUEST_ANY --csv -o /tmp/stat -- \
                  device {cci0}+4; {columns} | \
                  awk -F, '{ print $1, ($1 ~ /INST/ ? ($2 > 10000 && $2 < 20000000) : $2), $3 }'",
        expected: "INST_RETIRED 1 exact\nS3:READ_REQUEST_ANY 4 exact\n",
    },
    // Without a program, until Ctrl-C.
    Claim {
        command: "arm-pmu stat -e S3:READ_REQUEST_ANY --csv > /tmp/stat & \
                  device @300 {cci0}+b; kill -INT $!; wait $!; echo $?; {columns}",
        expected: "0\nS3:READ_REQUEST_ANY,11,exact\n",
    },
    // What cannot be counted has the status 125, and what cannot be run 127.
    Claim {
        command: "arm-pmu stat -e cci550:SI3:READ_REQUEST_ANY -- true; echo $?; \
                  arm-pmu stat -e S3:READ_REQUEST_ANY -- no-such-program; echo $?",
        expected: "arm-pmu: the kernel has no PMU CCI_550; it needs CONFIG_ARM_CCI_PMU (arm-cci-pmu), and in the \
                   device tree the node of the CCI with its `pmu`. It has CCI_400_r1, armv8_cortex_a53, breakpoint, \
                   kprobe, smmuv3_pmcg_5f300, smmuv3_pmcg_5f320, smmuv3_pmcg_5f340, software, tracepoint, uprobe\n\
                   125\n\
                   arm-pmu: `no-such-program` cannot be run: No such file or directory (os error 2)\n127\n",
    },
    // A counter overflows while the command counts: the kernel takes its interrupt, and the count goes on.
    Claim {
        command: "arm-pmu stat -e smmuv3_pmcg_5f300:TLB_MISS --csv -o /tmp/stat -- \
                  device 5f310000=5 5f310cc0=1 800021c=400000 @5; {columns}",
        expected: "TLB_MISS,2147483654,exact\n",
    },
    // One device: the span of its StreamIDs is in SMR0.
    Claim {
        command: "arm-pmu stat -e smmuv3_pmcg_5f320:TRANSACTION --device 0x40..0x48 --csv -o /tmp/stat -- \
                  device {tbu0}+9 5f320400 5f320a00; {columns}; \
                  arm-pmu stat -e smmuv3_pmcg_5f320:TRANSACTION --device eth0 -- true; echo $?; \
                  arm-pmu stat -e S3:READ_REQUEST_ANY --device 1 -- true",
        expected: "5f320400=20000001\n5f320a00=43\nTRANSACTION,9,exact\n\
                   arm-pmu: --device eth0: there is no such device, network interface or disk\n125\n\
                   arm-pmu: --device is for events of an SMMU, as in -e mmu600:tbu:TRANSACTION; none is counted here\n",
    },
    // One device and all, in turn: the device adds the lowest byte of SMR0, plus 1, in each millisecond. That is 0x43 with
    // the filter, and 0x100 without. The CCI counts all the time.
    Claim {
        command: "arm-pmu stat -e smmuv3_pmcg_5f320:TRANSACTION -e S3:READ_REQUEST_ANY --device 0x42 --device all \
                  --csv -o /tmp/stat -- device {cci0}+7 '~600:5f320a00,0,{tbu0}'; grep ^count /tmp/stat | \
                  awk -F, '{ print $3, $9 ($9 == \"exact\" ? \" \" $8 : \"\") } /:0x42/ { one = $8 } /:all/ { all = $8 } \
                  END { print (all > 3.4 * one && all < 4.3 * one) }'",
        expected: "mmu600:tbu smmuv3_pmcg_5f320:0x42 estimate\nmmu600:tbu smmuv3_pmcg_5f320:all estimate\n\
                   cci400:r1 exact 7\n1\n",
    },
    // Known memory traffic. The device counts 100 requests in the idle system, and then one for each of 1048576 lines
    // in a pass that reads, and one for every second line in a pass that writes. QEMU counts instructions, and nothing of
    // caches.
    Claim {
        command: "device {idle} {lines} {lines} {lines} {idle} {half} {half} {half} & \
                  arm-pmu check --platform zynqmp > /tmp/check; echo $?; wait; \
                  awk '/INST_RETIRED|L2D_CACHE_WB|REQUEST_ANY +[0-9]/ { print $1, $2, $NF }' /tmp/check; \
                  grep -c 'Nothing of caches' /tmp/check",
        expected: "1\nread INST_RETIRED right\nwrite INST_RETIRED right\nwrite L2D_CACHE_WB ZERO\n\
                   read S3:READ_REQUEST_ANY right\nwrite S3:WRITE_REQUEST_ANY LOW\n1\n",
    },
    // As JSON, of the core alone, and why not more.
    Claim {
        command: "arm-pmu check --size 4 --json > /tmp/check; \
                  tr -d ' \\n' < /tmp/check | grep -o '\"quantity\":\"instructions\",\"with_kernel\":false,\"expected\":[0-9]*' ; \
                  grep -c 'give --platform' /tmp/check",
        expected: "\"quantity\":\"instructions\",\"with_kernel\":false,\"expected\":196608\n\
                   \"quantity\":\"instructions\",\"with_kernel\":false,\"expected\":327680\n1\n",
    },
    // An ordinary user may count the own thread in user mode, and no interconnect; on most systems, nothing.
    Claim {
        command: "echo 2 > /proc/sys/kernel/perf_event_paranoid; \
                  linux-guest nobody arm-pmu check --platform zynqmp --size 4 > /tmp/check; echo $?; \
                  awk '/INST_RETIRED/ { print $1, $2, $NF }' /tmp/check; \
                  grep -A1 '^- CCI' /tmp/check",
        expected: "1\nread INST_RETIRED right\nwrite INST_RETIRED right\n- CCI_400_r1: \
                   counting the whole system is not allowed: perf_event_paranoid is\n  2; run as root, with CAP_PERFMON \
                   (also in a container), or let root run\n",
    },
    // A container without sysfs.
    Claim {
        command: "umount /sys; arm-pmu check | tail -n 6; arm-pmu stat -e cci400:S3:READ_REQUEST_ANY -- true; echo $?; \
                  arm-pmu doctor --live | grep -A5 Missing; mount -t sysfs sysfs /sys",
        expected: "Not counted\n- perf events: this system has no perf events: the kernel needs\n  \
                   CONFIG_PERF_EVENTS, sysfs has to be mounted at /sys, and a container has to\n  allow the system \
                   call perf_event_open\n\nNothing was counted, so nothing is known.\n\
                   arm-pmu: this system has no perf events: the kernel needs CONFIG_PERF_EVENTS, sysfs has to be \
                   mounted at /sys, and a container has to allow the system call perf_event_open\n125\n\
                   Missing\n\
                   - perf events: the kernel shows no PMU at all. This system has no perf events:\n  \
                   the kernel needs CONFIG_PERF_EVENTS, sysfs has to be mounted at /sys, and a\n  \
                   container has to allow the system call perf_event_open.\n\
                   - device tree: this system shows neither a device tree nor tables of ACPI. A\n  \
                   container or a virtual machine hides them: look on the host.\n",
    },
    // What the doctor sees. It takes no counters away from another program.
    Claim {
        command: "arm-pmu doctor --live > /tmp/live; echo $?; grep -E '^(CCI|arm|smmu)' /tmp/live; grep -c Missing /tmp/live",
        expected: "0\nCCI_400_r1         cci400:r1                   CPU 0  4 counters, all free\n\
                   armv8_cortex_a53   cortex-a53                  CPU 0\n\
                   smmuv3_pmcg_5f300  mmu600:tcu                  CPU 0  4 counters, all free\n\
                   smmuv3_pmcg_5f320  mmu600:tbu                  CPU 0  4 counters, all free\n\
                   smmuv3_pmcg_5f340  an SMMU that is no MMU-600  CPU 0\n0\n",
    },
    // Memory that nothing uses has PMCR of a CCI-400 with four counters, and no clock. Without consent it is not
    // accessed; a device with a kernel driver never is.
    Claim {
        command: "device 5fa00100=2000; mine='arm-pmu doctor --live cci400 --base 0x5fa00000'; \
                  $mine | grep -c 'nothing was$'; device 5fa00100; \
                  $mine --i-may-crash --json > /tmp/live; echo $?; grep -oE '\"(outcome|finding)\": .*\"' /tmp/live; \
                  device 5fa00100; \
                  arm-pmu doctor --live cci400 --base 0x5f090000 --i-may-crash | grep -A1 '^- cci400'",
        expected: "1\n5fa00100=2000\n0\n\"outcome\": \"wrong\"\n\"finding\": \"CLOCK_STANDS_STILL\"\n5fa00100=0\n\
                   - cci400:r1 at 0x5F090000: not accessed: the kernel's driver of 5f099000.pmu\n  pmu@9000 has the \
                   registers at 0x5f090000; count with the kernel (`perf`,\n",
    },
    Claim {
        command: "perf stat -a -e CCI_400_r1/event=0,source=0/ -- sleep 60 >/dev/null 2>&1 & \
                  device @200; arm-pmu doctor --live | grep -E '^CCI|perf \\(' | sed 's/^[0-9]* //'; kill -INT $!",
        expected: "CCI_400_r1         cci400:r1                   CPU 0  4 counters, not tried while other programs \
                   count\nperf (1 events)\n",
    },
    Claim {
        command: "echo 2 > /proc/sys/kernel/perf_event_paranoid; \
                  linux-guest nobody arm-pmu doctor --live | grep -E '^(CCI|- )'",
        expected: "CCI_400_r1         cci400:r1                   CPU 0  4 counters, which cannot be opened\n\
                   - Counting the whole system is not allowed: perf_event_paranoid is 2; run as\n",
    },
    Claim {
        command: "echo 2 > /proc/sys/kernel/perf_event_paranoid; \
                  linux-guest nobody arm-pmu stat -e S3:READ_REQUEST_ANY -- true; echo $?",
        expected: "arm-pmu: counting the whole system is not allowed: perf_event_paranoid is 2; run as root, with \
                   CAP_PERFMON (also in a container), or let root run `sysctl kernel.perf_event_paranoid=0`\n125\n",
    },
];

/// On an MMU-700, whose units have no identifier: the text says which it is.
const NAMED: Claim = Claim {
    command: "arm-pmu stat -e mmu700:tbu:smmuv3_pmcg_5f3a0:TRANSACTION --device 0x12345678 --csv -o /tmp/stat -- \
              device {tbu0}+9 5f3a0a00; {columns}; \
              arm-pmu stat -e mmu600:tbu:smmuv3_pmcg_5f3a0:TRANSACTION --device 0x12345678 -- true",
    // SMR0 has all 32 bits.
    expected: "5f3a0a00=12345678\nTRANSACTION,9,exact\n\
               arm-pmu: --device 0x12345678: on mmu600:tbu, the StreamID 0x12345678 has more than 24 bits\n",
};

/// The commands for a board, and their expected output.
pub fn checks(board: &Board) -> Vec<(String, String)> {
    if let Some(tbu) = board.pmu("smmuv3_pmcg_5f3a0") {
        return vec![NAMED.on(tbu)];
    }
    let (Some(cci), Some(tbu)) = (board.pmu("CCI_400_r1"), board.pmu("smmuv3_pmcg_5f320")) else {
        return Vec::new();
    };
    // The first counter of the CCI is the cycle counter.
    let events = &cci.counters[1..];
    let play: String = events.iter().map(|counter| counter.played()).collect();
    let (enable, value) = (events[0].enable.unwrap_or_default(), events[0].value_address());
    let once = |count: u32| format!("'!{enable:x},{value}+{count:x}'");
    let claims = CLAIMS.iter().map(|claim| {
        let (command, expected) = claim.on(tbu);
        let command = command
            .replace("{cci0}", &events[0].value_address())
            .replace("{cci1}", &events[1].value_address())
            .replace("{play}", &play)
            .replace("{idle}", &once(64))
            .replace("{lines}", &once(0x10_0000))
            .replace("{half}", &once(0x8_0000));
        (command, expected)
    });
    claims.collect()
}
