//! The filter by Exception level, on the simulated device.

use arm_pmu_core::bus::SystemRegister;
use arm_pmu_core::measure::Interference;
use arm_pmu_sim::{CortexA53, ExceptionLevel, SysregBus};
use cortex_a53::{CortexA53Event, CountError, Diagnose, Filter, Pmu, Space};

const INSTRUCTIONS: CortexA53Event = CortexA53Event::InstRetired;

/// Each level, and the filter that lets it through alone.
const LEVELS: [(ExceptionLevel, Filter); 6] = [
    (ExceptionLevel::SecureEl0, Filter::SECURE_EL0),
    (ExceptionLevel::SecureEl1, Filter::SECURE_EL1),
    (ExceptionLevel::NonSecureEl0, Filter::NON_SECURE_EL0),
    (ExceptionLevel::NonSecureEl1, Filter::NON_SECURE_EL1),
    (ExceptionLevel::El2, Filter::EL2),
    (ExceptionLevel::El3, Filter::EL3),
];

const PMCCFILTR: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 15, op2: 7 };

fn filter_of_cycles(device: &CortexA53) -> u32 {
    device.peek(PMCCFILTR) as u32
}

/// Counts instructions on the first and the last counter, and cycles.
fn counting<'d>(device: &'d CortexA53, levels: Filter) -> Pmu<SysregBus<'d, Space>> {
    let mut pmu = Pmu::new(device.bus());
    let [first, .., last] = pmu.counters();
    first.count(INSTRUCTIONS);
    last.count(INSTRUCTIONS);
    pmu.cycle_counter().count();
    pmu.count_in(levels);
    pmu
}

/// All 63 sets of levels, at each of the six levels.
#[test]
fn counters_count_only_at_filtered_levels() {
    let device = CortexA53::new();
    for set in 0..1_u32 << LEVELS.len() {
        let chosen = LEVELS.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
        // The set of no levels is no filter that has a name.
        let Some(levels) = chosen.map(|(_, (_, filter))| *filter).reduce(Filter::and) else {
            continue;
        };
        let mut pmu = counting(&device, levels);
        for (n, (level, _)) in LEVELS.iter().enumerate() {
            let running = pmu.start();
            device.set_level(*level);
            device.signal(INSTRUCTIONS, 7);
            device.clock(50);
            pmu = running.stop();
            let (events, cycles) = if set >> n & 1 == 1 { (7, 50) } else { (0, 0) };
            let [first, .., last] = pmu.counts().map(|count| count.exact());
            assert_eq!((first, last), (Ok(events), Ok(events)), "{levels:?} at {level:?}");
            assert_eq!(pmu.cycles().exact(), Ok(cycles), "{levels:?} at {level:?}");
            assert_eq!(pmu.interference(), None);
        }
    }
    assert_eq!(device.violations(), []);
}

#[test]
fn default_filter_counts_at_all_levels() {
    let device = CortexA53::new();
    device.power_up_with(arm_pmu_sim::Noise::Ones);
    let mut pmu = Pmu::new(device.bus());
    assert_eq!(pmu.counts_in(), Filter::ALL);
    let [first, ..] = pmu.counters();
    first.count(INSTRUCTIONS);
    pmu.cycle_counter().count();
    let running = pmu.start();
    assert_eq!((device.peek_type(0), filter_of_cycles(&device)), (0x0800_0008, 0x0800_0000));
    drop(running);
}

/// The bits that Linux writes: bit 31 excludes the kernel, bit 30 programs, bit 27 includes a hypervisor. Bit 26, which
/// Linux leaves 0, makes EL3 differ from EL1.
#[test]
fn filters_have_the_bits_of_linux() {
    for (levels, bits) in [
        (Filter::EL0, 1 << 31),
        (Filter::EL1.and(Filter::EL3), 1 << 30),
        (Filter::EL0.and(Filter::EL1).and(Filter::EL3), 0),
        (Filter::EL0.and(Filter::EL1), 1 << 26),
        (Filter::EL0.and(Filter::EL2), 1 << 31 | 1 << 27),
        (Filter::EL2, 1 << 31 | 1 << 30 | 1 << 27),
    ] {
        assert_eq!(levels.bits(), bits, "{levels:?}");
        let device = CortexA53::new();
        let running = counting(&device, levels).start();
        assert_eq!(device.peek_type(5), bits | 0x08, "{levels:?}");
        assert_eq!(filter_of_cycles(&device), bits);
        drop(running);
    }
}

#[test]
fn a_new_filter_takes_effect_at_the_next_start() {
    let device = CortexA53::new();
    let mut pmu = counting(&device, Filter::ALL).start().stop();
    pmu.count_in(Filter::EL0);
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
    for bit in 26..32 {
        let device = CortexA53::new();
        let running = counting(&device, Filter::ALL).start();
        device.other_owner_filters(5, device.peek_type(5) ^ 1 << bit);
        let pmu = running.stop();
        assert_eq!(pmu.interference().map(|lost| lost.counters), Some(1 << 5), "{bit}");
        let [first, .., last] = pmu.counts().map(|count| count.exact());
        assert_eq!((first, last), (Ok(0), Err(CountError::Disturbed)));

        let running = pmu.start();
        device.other_owner_filters_cycles(filter_of_cycles(&device) ^ 1 << bit);
        let pmu = running.stop();
        let cycles = 1 << Interference::CYCLE_COUNTER;
        assert_eq!(pmu.interference().map(|lost| lost.counters), Some(cycles), "{bit}");
        assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
        assert_eq!(pmu.counts()[5].exact(), Ok(0));
    }
}

/// The diagnosis counts at all levels, and restores the filter.
#[test]
fn diagnosis_ignores_and_keeps_the_filter() {
    for (level, _) in LEVELS {
        let device = CortexA53::new();
        device.set_level(level);
        let none = 1 << 31 | 1 << 30;
        for counter in 0..6 {
            device.other_owner_filters(counter, none | 0x04);
        }
        device.other_owner_filters_cycles(none);
        let mut pmu = Pmu::new(device.bus());
        let diagnosis = pmu.diagnose_with(None, || {
            device.signal(INSTRUCTIONS, 50);
            device.clock(100);
        });
        assert!(diagnosis.found_nothing(), "{level:?}: {diagnosis}");
        assert_eq!((device.peek_type(2), filter_of_cycles(&device)), (none | 0x04, none));
    }
}
