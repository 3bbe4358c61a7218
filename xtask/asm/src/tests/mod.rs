//! The drivers and the code by hand make the same accesses, whatever the registers hold.

mod recorder;

use recorder::{Recorder, RecordingBus, assert_same, encoding, operands};

/// Runs both with each seed, and compares accesses and results after each call.
macro_rules! both_do_the_same {
    (
        $name:ident and $by_hand:ident, seeds $seeds:expr, control $control:expr, constant $constant:expr,
        |$seed:ident, $pmu:ident, $other:ident| $set_up:block
        flags $flags:expr, $(cycles $cycles:ident,)?
    ) => {
        #[test]
        fn $name() {
            let (mut stops, mut overflows) = (0, 0);
            for $seed in 0..$seeds {
                let [ours, hand] = [(); 2].map(|()| Recorder::new($seed, $control, $constant));
                let mut $pmu = $name::Pmu::new(RecordingBus::<$name::Space>::new(&ours));
                let mut $other = crate::$by_hand::Pmu::new(&hand);
                $set_up
                let mut running = $pmu.start();
                $other.start();
                assert_eq!(ours.accesses(), hand.accesses());

                for (count, reading) in running.counts().into_iter().zip($other.running()) {
                    assert_same(count, reading);
                }
                assert_eq!(ours.accesses(), hand.accesses());

                let up = $flags(running.acknowledge());
                assert_eq!(up, $other.acknowledge());
                overflows += usize::from(up != $flags(Default::default()));
                assert_eq!(ours.accesses(), hand.accesses());

                let stopped = running.stop();
                $other.stop();
                assert_eq!(ours.accesses(), hand.accesses());
                for (count, reading) in stopped.counts().into_iter().zip($other.readings) {
                    assert_same(count, reading);
                    stops += usize::from(count.exact().is_ok());
                }
                $( assert_same(stopped.$cycles(), $other.$cycles); )?
            }
            assert!(stops > 0 && overflows > 0, "{stops}, {overflows}");
        }
    };
}

/// The start value of a seed.
fn from(seed: u32) -> u32 {
    if seed.is_multiple_of(3) { seed << 20 } else { 0 }
}

both_do_the_same! {
    cci550 and cci550_by_hand, seeds 2000, control 0x100, constant (0x1F << 11, 8 << 11),
    |seed, pmu, other| {
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let (id, from) = ((seed as u16 ^ 0x55) & 0x1FF, from(seed));
                counter.count_from(cci550::Selection::raw(id).unwrap(), from);
                (other.events[n], other.from[n]) = (Some(id), from);
            }
        }
    }
    flags (|up: [bool; 8]| up),
}

both_do_the_same! {
    cortex_a8 and cortex_a8_by_hand, seeds 2000, control operands(12, 0), constant (0, 0),
    |seed, pmu, other| {
        let from = from(seed);
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let id = (seed >> 3) as u8;
                counter.count_from(cortex_a8::Selection::raw(id.into()).unwrap(), from);
                (other.wanted.events[n], other.wanted.from[n]) = (Some(id), from);
            }
        }
        if seed & 1 << 4 != 0 {
            pmu.cycle_counter().count_from(cortex_a8::Divider::By64, from);
            (other.wanted.cycles, other.wanted.by_64) = (Some(from), true);
        }
        pmu.cycles_need_debug(seed & 1 << 5 != 0);
        other.wanted.needs_debug = seed & 1 << 5 != 0;
        if seed & 1 << 6 != 0 {
            pmu.interrupts(cortex_a8::Counters::ALL);
            other.wanted.interrupts = u32::MAX;
        }
    }
    flags (|up: cortex_a8::Counters| up.bits() | u32::from(up.cycles) << 31), cycles cycles,
}

both_do_the_same! {
    cortex_a53 and cortex_a53_by_hand, seeds 4000, control encoding(3, 9, 12, 0),
    constant (0x1F << 11, 6 << 11),
    |seed, pmu, other| {
        let from = from(seed);
        for (n, counter) in pmu.counters().into_iter().enumerate() {
            if seed >> n & 1 == 1 {
                let id = (seed >> 3) as u16 & 0x3FF;
                counter.count_from(cortex_a53::Selection::raw(id).unwrap(), from);
                (other.wanted.events[n], other.wanted.from[n]) = (Some(id), from);
            }
        }
        if seed & 1 << 6 != 0 {
            pmu.cycle_counter().count_from(from);
            other.wanted.cycles = Some(from);
        }
        pmu.cycles_need_debug(seed & 1 << 7 != 0);
        other.wanted.needs_debug = seed & 1 << 7 != 0;
        if seed & 1 << 8 != 0 {
            pmu.interrupts(cortex_a53::Counters::ALL);
            other.wanted.interrupts = u32::MAX;
        }
        if seed & 1 << 9 != 0 {
            pmu.count_in(cortex_a53::Filter::EL0);
            other.wanted.filter = cortex_a53::Filter::EL0.bits();
        }
    }
    flags (|up: cortex_a53::Counters| up.bits() | u32::from(up.cycles) << 31), cycles cycles,
}
