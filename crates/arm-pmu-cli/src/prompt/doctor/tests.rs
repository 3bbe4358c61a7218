//! Tests of the parser for dumps.

use super::dump::{Dump, Word};

fn words(text: &str) -> Vec<(u64, u32)> {
    let dump = Dump::parse(text);
    assert!(dump.unread.is_empty(), "{:?}", dump.unread);
    dump.words.iter().map(|word| (word.address, word.value)).collect()
}

#[test]
fn unusual_dumps_are_parsed() {
    let all = [
        (
            "$ sudo devmem 0xFD6E0100\n[ 3.1] usb 1-1: new device\n0x00002001\n",
            vec![(0xFD6E_0100, 0x2001)],
        ),
        ("Read at address  0xFD6E0100 (0xb6f5a100): 0x00002001\n", vec![(0xFD6E_0100, 0x2001)]),
        // In a full row, fewer spaces precede the text column.
        (
            "4fd0a000: 00000060 00000000 00000001 00000000  `...............\n",
            vec![(0x4FD0_A000, 0x60), (0x4FD0_A004, 0), (0x4FD0_A008, 1), (0x4FD0_A00C, 0)],
        ),
        ("(gdb) (gdb) 0x4fd00100:\t0x00002001\n", vec![(0x4FD0_0100, 0x2001)]),
        // The text column of a dump can look like a word of memory.
        ("fd6e0100: 00002001    deadbeef\n", vec![(0xFD6E_0100, 0x2001)]),
        (
            "0xfd6e0100 <pmu+256>:\t0x00002001\t0x00000002\n",
            vec![(0xFD6E_0100, 0x2001), (0xFD6E_0104, 2)],
        ),
        // Only words after an address of four digits or more are readings.
        (
            "12:30:11 up 3 min\nadd: 1\ndevices: 0x1000\n[    1.234567] smmu: probed\n\
             0x00002001\n=> version\nU-Boot 2023.01 (Jan 2023)\n1000: 00000002\n",
            vec![(0x1000, 2)],
        ),
    ];
    for (text, expected) in all {
        assert_eq!(words(text), expected, "{text}");
        // Serial consoles end lines with CR and LF.
        assert_eq!(words(&text.replace('\n', "\r\n")), expected, "{text}");
    }
}

#[test]
fn words_before_a_damaged_one_are_kept() {
    let dump = Dump::parse("fd6e0100: 00002001 0000zz01 00000002\n");
    assert_eq!(dump.words, [Word { address: 0xFD6E_0100, value: 0x2001, line: 1 }]);
    assert_eq!((dump.unread.len(), dump.unread[0].line), (1, 1));
}

#[test]
fn writes_are_not_readings() {
    for line in [
        "# devmem 0xFD6E0100 32 0x21",
        "=> mw.l fd6e0100 21",
        "> mww 0xfd6e0100 0x21",
        "xsdb% mwr -force 0xFD6E0100 0x21",
        "(gdb) set {unsigned int}0xFD6E0100 = 0x21",
    ] {
        let dump = Dump::parse(line);
        assert!(dump.words.is_empty() && dump.unread.is_empty(), "{line}: {dump:?}");
        assert_eq!(dump.writes, [Word { address: 0xFD6E_0100, value: 0x21, line: 1 }], "{line}");
    }
}

#[test]
fn counts_of_a_stream_belong_to_their_pmu() {
    for (name, pmu) in [
        ("smmuv3_pmcg_5f320:0x42.TRANSACTION", "smmuv3_pmcg_5f320"),
        ("TRANSACTION", "smmuv3_pmcg_*"),
    ] {
        let dump = Dump::parse(&format!("  5   mmu600:tbu.{name}\n"));
        let [count] = &dump.counts[..] else { panic!("{name}: {dump:?}") };
        assert_eq!((&*count.pmu, &*count.event), (pmu, "TRANSACTION"));
    }
}
