//! The filter by mode, on the simulated device.

use arm_pmu_core::measure::Interference;
use arm_pmu_sim::{CortexA7, Cp15Bus, ExecutionMode};
use cortex_a7::{CortexA7Event, CountError, Diagnose, Divider, Filter, Pmu, Space};

const INSTRUCTIONS: CortexA7Event = CortexA7Event::InstRetired;

/// Each mode, and the filter that lets it through alone.
const MODES: [(ExecutionMode, Filter); 5] = [
    (ExecutionMode::SecureUser, Filter::SECURE_USER),
    (ExecutionMode::SecurePrivileged, Filter::SECURE_PRIVILEGED),
    (ExecutionMode::NonSecureUser, Filter::NON_SECURE_USER),
    (ExecutionMode::NonSecurePrivileged, Filter::NON_SECURE_PRIVILEGED),
    (ExecutionMode::Hyp, Filter::HYP),
];

/// Counts instructions on the first and the last counter, and cycles.
fn counting<'d>(device: &'d CortexA7, modes: Filter) -> Pmu<Cp15Bus<'d, Space>> {
    let mut pmu = Pmu::new(device.bus());
    let [first, .., last] = pmu.counters();
    first.count(INSTRUCTIONS);
    last.count(INSTRUCTIONS);
    pmu.cycle_counter().count(Divider::By1);
    pmu.count_in(modes);
    pmu
}

/// All 32 sets of modes, in each of the five modes.
#[test]
fn counters_count_only_in_filtered_modes() {
    let device = CortexA7::new();
    for set in 0..1_u32 << MODES.len() {
        let chosen = MODES.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
        // The set of no modes is no filter that has a name.
        let Some(modes) = chosen.map(|(_, (_, filter))| *filter).reduce(Filter::and) else {
            continue;
        };
        let mut pmu = counting(&device, modes);
        for (n, (mode, _)) in MODES.iter().enumerate() {
            let running = pmu.start();
            device.set_mode(*mode);
            device.signal(INSTRUCTIONS, 7);
            device.clock(50);
            pmu = running.stop();
            let (events, cycles) = if set >> n & 1 == 1 { (7, 50) } else { (0, 0) };
            let [first, .., last] = pmu.counts().map(|count| count.exact());
            assert_eq!((first, last), (Ok(events), Ok(events)), "{modes:?} in {mode:?}");
            assert_eq!(pmu.cycles().exact(), Ok(cycles), "{modes:?} in {mode:?}");
            assert_eq!(pmu.interference(), None);
        }
    }
    assert_eq!(device.violations(), []);
}

#[test]
fn default_filter_counts_in_all_modes() {
    let device = CortexA7::new();
    device.power_up_with(arm_pmu_sim::Noise::Ones);
    let mut pmu = Pmu::new(device.bus());
    assert_eq!(pmu.counts_in(), Filter::ALL);
    let [first, ..] = pmu.counters();
    first.count(INSTRUCTIONS);
    pmu.cycle_counter().count(Divider::By1);
    let running = pmu.start();
    assert_eq!((device.peek_type(0), device.peek_type_of_cycles()), (0x0800_0008, 0x0800_0000));
    drop(running);
}

/// The bits that Linux writes: bit 31 excludes the kernel, bit 30 programs, bit 27 includes a hypervisor.
#[test]
fn filters_have_the_bits_of_linux() {
    for (modes, bits) in [
        (Filter::USER, 1 << 31),
        (Filter::PRIVILEGED, 1 << 30),
        (Filter::USER.and(Filter::PRIVILEGED), 0),
        (Filter::USER.and(Filter::HYP), 1 << 31 | 1 << 27),
        (Filter::HYP, 1 << 31 | 1 << 30 | 1 << 27),
    ] {
        assert_eq!(modes.bits(), bits, "{modes:?}");
        let device = CortexA7::new();
        let running = counting(&device, modes).start();
        assert_eq!(device.peek_type(3), bits | 0x08, "{modes:?}");
        assert_eq!(device.peek_type_of_cycles(), bits);
        drop(running);
    }
}

#[test]
fn a_new_filter_takes_effect_at_the_next_start() {
    let device = CortexA7::new();
    let mut pmu = counting(&device, Filter::ALL).start().stop();
    pmu.count_in(Filter::USER);
    let running = pmu.resume();
    device.signal(INSTRUCTIONS, 5);
    device.clock(50);
    let pmu = running.stop();
    assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(5), Ok(50)));
    assert_eq!(pmu.interference(), None);
    let running = pmu.start();
    device.signal(INSTRUCTIONS, 5);
    device.clock(50);
    let pmu = running.stop();
    assert_eq!((pmu.counts()[0].exact(), pmu.cycles().exact()), (Ok(0), Ok(0)));
}

#[test]
fn filter_changed_by_another_owner_is_interference() {
    for bit in 27..32 {
        let device = CortexA7::new();
        let running = counting(&device, Filter::ALL).start();
        device.other_owner_filters(3, device.peek_type(3) ^ 1 << bit);
        let pmu = running.stop();
        assert_eq!(pmu.interference().map(|lost| lost.counters), Some(1 << 3), "{bit}");
        let [first, .., last] = pmu.counts().map(|count| count.exact());
        assert_eq!((first, last), (Ok(0), Err(CountError::Disturbed)));

        let running = pmu.start();
        device.other_owner_filters_cycles(device.peek_type_of_cycles() ^ 1 << bit);
        let pmu = running.stop();
        let cycles = 1 << Interference::CYCLE_COUNTER;
        assert_eq!(pmu.interference().map(|lost| lost.counters), Some(cycles), "{bit}");
        assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.counts()[3].exact(), Ok(0));
    }
}

/// The diagnosis counts in all modes, and restores the filter.
#[test]
fn diagnosis_ignores_and_keeps_the_filter() {
    for (mode, _) in MODES {
        let device = CortexA7::new();
        device.set_mode(mode);
        let none = 1 << 31 | 1 << 30;
        for counter in 0..4 {
            device.other_owner_filters(counter, none | 0x04);
        }
        device.other_owner_filters_cycles(none);
        let mut pmu = Pmu::new(device.bus());
        let diagnosis = pmu.diagnose_with(None, || {
            device.signal(INSTRUCTIONS, 50);
            device.clock(100);
        });
        assert!(diagnosis.found_nothing(), "{mode:?}: {diagnosis}");
        assert_eq!((device.peek_type(2), device.peek_type_of_cycles()), (none | 0x04, none));
    }
}
