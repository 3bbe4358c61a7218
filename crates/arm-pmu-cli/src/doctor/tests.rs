//! Forms of readings.

use super::dump::{Dump, Word};

fn words(text: &str) -> Vec<(u64, u32)> {
    let dump = Dump::parse(text);
    assert!(dump.unread.is_empty(), "{:?}", dump.unread);
    dump.words.iter().map(|word| (word.address, word.value)).collect()
}

#[test]
fn each_program_has_its_form() {
    let all = [
        ("# devmem 0xFD6E0100 32\n0x00002001\n", vec![(0xFD6E_0100, 0x2001)]),
        (
            "$ sudo devmem 0xFD6E0100\n[ 3.1] usb 1-1: new device\n0x00002001\n",
            vec![(0xFD6E_0100, 0x2001)],
        ),
        ("Value at address 0xFD6E0100 (0xb6f5a100): 0x2001\n", vec![(0xFD6E_0100, 0x2001)]),
        ("Read at address  0xFD6E0100 (0xb6f5a100): 0x00002001\n", vec![(0xFD6E_0100, 0x2001)]),
        (
            "fd6e0100: 00002001 00000002    . ......\n",
            vec![(0xFD6E_0100, 0x2001), (0xFD6E_0104, 2)],
        ),
        // Characters that look like a word.
        ("fd6e0100: 00002001    deadbeef\n", vec![(0xFD6E_0100, 0x2001)]),
        ("0xfd6e0100: 00002001 00000002 \n", vec![(0xFD6E_0100, 0x2001), (0xFD6E_0104, 2)]),
        ("FD6E0100:   00002001\n", vec![(0xFD6E_0100, 0x2001)]),
        (
            "0xfd6e0100 <pmu+256>:\t0x00002001\t0x00000002\n",
            vec![(0xFD6E_0100, 0x2001), (0xFD6E_0104, 2)],
        ),
        ("0x33ffe0022000:\t0x7fffffff\n", vec![(0x33FF_E002_2000, 0x7FFF_FFFF)]),
    ];
    for (text, expected) in all {
        assert_eq!(words(text), expected, "{text}");
        // Serial consoles end lines with both characters.
        assert_eq!(words(&text.replace('\n', "\r\n")), expected, "{text}");
    }
}

#[test]
fn other_text_is_no_reading() {
    for text in [
        "12:30:11 up 3 min\n",
        "login: root\n",
        "=> version\nU-Boot 2023.01 (Jan 2023)\n",
        "(gdb) x/4xw 0x16042fe0\n",
        "devices: 0x1000\n",
        "0x00002001\n",
        "[    1.234567] smmu: probed\n",
    ] {
        let dump = Dump::parse(text);
        assert!(dump.is_empty() && dump.unread.is_empty(), "{text}: {dump:?}");
    }
}

#[test]
fn a_write_and_a_failure_end_what_was_asked() {
    let dump = Dump::parse(
        "# devmem 0x1000 32 0x21\n0x00000021\n# devmem 0x1004\nBus error\n0x00000005\n",
    );
    assert_eq!((dump.words.as_slice(), dump.failed.len()), (&[][..] as &[Word], 1));
    assert_eq!(dump.failed[0].address, Some(0x1004));
}

#[test]
fn what_is_read_of_a_line_is_kept() {
    let dump = Dump::parse("fd6e0100: 00002001 0000zz01 00000002\n");
    assert_eq!((dump.words.len(), dump.unread.len()), (1, 1));
    assert_eq!(dump.unread[0].line, 1);
}
