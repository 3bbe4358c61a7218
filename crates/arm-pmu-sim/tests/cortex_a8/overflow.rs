//! Effects of an overflow of a Cortex-A8's counter.

use crate::words::*;

#[test]
fn a_wrap_sets_the_flag_of_its_counter() {
    for counter in 0..4 {
        let device = running([0x00; 4]);
        device.poke_event(counter, EXCEPTION);
        device.poke_counter(counter, u32::MAX - 1);
        device.signal_raw(EXCEPTION, 1);
        assert_eq!(device.peek(PMOVSR), 0);
        device.signal_raw(EXCEPTION, 1);
        assert_eq!((device.peek(PMOVSR), device.peek_counter(counter)), (1 << counter, 0));
        device.signal_raw(EXCEPTION, 1);
        assert_eq!((device.peek(PMOVSR), device.peek_counter(counter)), (1 << counter, 1));
    }
    let device = running([0x11; 4]);
    device.poke(PMCCNTR, u32::MAX);
    device.clock(1);
    assert_eq!((device.peek(PMOVSR), device.peek(PMCCNTR)), (CYCLES, 0));
    device.clock(1 << 32);
    assert_eq!((device.peek(PMOVSR), device.peek(PMCCNTR)), (EACH, 0), "a whole round");
}

#[test]
fn a_flag_and_its_enable_make_an_interrupt() {
    let device = quiet();
    let bits = [0x1, 0x2, 0x4, 0x8, CYCLES];
    for flag in bits {
        for enable in bits {
            device.poke(PMOVSR, flag);
            device.poke(PMINTENSET, 0);
            assert!(!device.interrupt());
            device.poke(PMINTENSET, enable);
            assert_eq!(device.interrupt(), flag == enable, "whether or not anything counts");
        }
    }
    device.poke(PMOVSR, 0);
    device.poke(PMINTENSET, EACH);
    assert!(!device.interrupt());
}

#[test]
fn a_flag_falls_when_written_as_one() {
    let device = running([EXCEPTION; 4]);
    let bus = device.bus();
    for pmcr in [RESET, RESET | E] {
        device.poke(PMCR, pmcr);
        device.poke(PMOVSR, EACH);
        device.poke(PMINTENSET, CYCLES);
        write(&bus, PMOVSR, 0);
        write(&bus, PMOVSR, 0x5);
        assert_eq!((device.peek(PMOVSR), device.interrupt()), (0x8000_000A, true));
        bus.mcr(PMOVSR, CYCLES);
        assert!(device.interrupt(), "not in effect yet");
        let _ = bus.mrc(PMOVSR);
        assert_eq!((device.peek(PMOVSR), device.interrupt()), (0xA, false));
    }
}
