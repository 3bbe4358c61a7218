// Tests of the interrupt and its acknowledgement.

const AFTER_3: NonZeroU32 = NonZeroU32::new(3).unwrap();

#[test]
fn only_chosen_counters_interrupt() {
    on_every_pmu(|device, mut pmu| {
        let [instructions, _, _, misses, ..] = pmu.counters();
        instructions.overflow_after(INSTRUCTIONS, AFTER_3);
        misses.overflow_after(MISSES, AFTER_3);
        pmu.cycle_counter().overflow_after(Divider::By1, AFTER_3);
        pmu.interrupts(only(&[0, 1], false));
        let mut running = pmu.start();
        assert_eq!(device.peek(PMINTENSET), 0b0001, "a counter that is not in use has none");
        assert!(!device.interrupt(), "starting raises none");
        signal(device, MISSES, 3);
        device.clock(3);
        assert!(!device.interrupt(), "those were not chosen");
        signal(device, INSTRUCTIONS, 3);
        assert!(device.interrupt());
        let up = only(&[0, 3], true);
        assert_eq!(running.acknowledge(), up);
        assert!(!device.interrupt());
        drop(running);
    });
}

#[test]
fn the_cycle_counter_interrupts_if_chosen_and_used() {
    on_every_pmu(|device, mut pmu| {
        pmu.cycle_counter().overflow_after(Divider::By1, AFTER_3);
        pmu.interrupts(Counters { cycles: true, ..Counters::NONE });
        let mut running = pmu.start();
        assert_eq!(device.peek(PMINTENSET), 1 << 31);
        device.clock(2);
        assert!(!device.interrupt());
        device.clock(1);
        assert!(device.interrupt());
        assert_eq!(running.acknowledge(), Counters { cycles: true, ..Counters::NONE });
        assert!(!device.interrupt());
        let mut pmu = running.stop();
        pmu.cycle_counter().off();
        let running = pmu.start();
        assert_eq!(device.peek(PMINTENSET), 0);
        drop(running);
    });
}

#[test]
fn interrupts_of_earlier_owner_are_disabled() {
    on_every_pmu(|device, mut pmu| {
        let [instructions, ..] = pmu.counters();
        instructions.overflow_after(INSTRUCTIONS, AFTER_3);
        let running = pmu.start();
        signal(device, INSTRUCTIONS, 3);
        assert!(!device.interrupt());
        assert_eq!(device.peek(PMINTENSET), 0);
        drop(running);
    });
}

#[test]
fn interrupts_hold_from_the_next_start_on() {
    on_every_pmu(|device, mut pmu| {
        pmu.interrupts(Counters::ALL);
        let mut pmu = pmu.start().stop();
        assert_eq!(device.peek(PMINTENSET), 1 << 31 | 0b1001);
        pmu.interrupts(Counters::NONE);
        let pmu = pmu.resume().stop();
        assert_eq!(device.peek(PMINTENSET), 1 << 31 | 0b1001);
        let pmu = pmu.start().stop();
        assert_eq!(device.peek(PMINTENSET), 0);
        drop(pmu);
    });
}
