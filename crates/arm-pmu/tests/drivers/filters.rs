//! Tests filters by mode on a Cortex-A7, and filters by Exception level on a Cortex-A53. Then tests each kind of filter
//! on other cores that share the driver.

use crate::devices::{self, Device, Registers as _};
use arm_pmu::bus::SystemRegister;
use arm_pmu::count::CountError;
use arm_pmu::diagnose::Diagnose as _;
use arm_pmu::measure::{Interference, Monitor as _};
use arm_pmu_sim::{CortexA7, CortexA53, ExceptionLevel, ExecutionMode, Noise};

/// Filter that excludes all modes and all levels.
const NONE: u32 = 1 << 31 | 1 << 30;

/// Generates the tests of a core. The module of the core has to define the filter of each level or mode, the bits that
/// Linux writes for some filters, the range of filter bits, and functions of the simulated device.
macro_rules! tests {
    ($pmu:ident) => {
        use super::*;
        use arm_pmu::$pmu::Filter;
        use devices::$pmu::Simulated;

        type Pmu<'d> = <Simulated as Device>::Pmu<'d>;

        /// Number of event counters.
        const COUNTERS: usize = Pmu::COUNTERS - 1;

        /// Counts instructions on every counter, and cycles.
        fn counting(device: &Simulated, filter: Filter) -> Pmu<'_> {
            let mut pmu = device.pmu();
            let instructions = [Simulated::selections()[0]; COUNTERS];
            let all: Vec<_> = instructions.into_iter().chain(Pmu::CLOCK).collect();
            pmu.assign(&all).unwrap();
            pmu.count_in(filter);
            pmu
        }

        fn happen(device: &Simulated) {
            device.signal(0, 7);
            device.cycles(50);
        }

        /// Returns the count of instructions, on which two counters must agree, and the count of
        /// cycles.
        fn counts(pmu: &Pmu<'_>) -> (Result<u32, CountError>, Result<u32, CountError>) {
            let [first, .., last] = pmu.counts().map(|count| count.exact());
            assert_eq!((first, pmu.interference()), (last, None));
            (first, pmu.cycles().exact())
        }

        /// Tests every filter, that is, every set of levels, while software runs at each level. The
        /// empty set has no named filter.
        #[test]
        fn counters_count_only_at_filtered_levels() {
            let device = Simulated::new();
            for set in 1..1_u32 << LEVELS.len() {
                let chosen = LEVELS.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
                let filter = chosen.map(|(_, (_, filter))| *filter).reduce(Filter::and).unwrap();
                let mut pmu = counting(&device, filter);
                for (n, (level, _)) in LEVELS.iter().enumerate() {
                    let running = pmu.start();
                    set_level(&device.0, *level);
                    happen(&device);
                    pmu = running.stop();
                    let expected = if set >> n & 1 == 1 { (Ok(7), Ok(50)) } else { (Ok(0), Ok(0)) };
                    assert_eq!(counts(&pmu), expected, "{filter:?} at {level:?}");
                }
            }
            assert_eq!(device.0.violations(), []);
        }

        #[test]
        fn default_filter_counts_all_levels() {
            let device = Simulated::new();
            device.power_up_with(Noise::Ones);
            assert_eq!(device.pmu().counts_in(), Filter::ALL);
            let _running = counting(&device, Filter::ALL).start();
            assert_eq!(types(&device.0), (0x0800_0008, 0x0800_0000));
        }

        #[test]
        fn filters_have_the_bits_of_linux() {
            for (filter, bits) in LINUX {
                assert_eq!(filter.bits(), bits, "{filter:?}");
                let device = Simulated::new();
                let _running = counting(&device, filter).start();
                assert_eq!(types(&device.0), (bits | 0x08, bits), "{filter:?}");
            }
        }

        #[test]
        fn a_new_filter_takes_effect_at_the_next_start() {
            let device = Simulated::new();
            let mut pmu = counting(&device, Filter::ALL).start().stop();
            pmu.count_in(LEVELS[0].1);
            for (resumes, expected) in [(true, (Ok(7), Ok(50))), (false, (Ok(0), Ok(0)))] {
                let running = if resumes { pmu.resume() } else { pmu.start() };
                set_level(&device.0, LEVELS[1].0);
                happen(&device);
                pmu = running.stop();
                assert_eq!(counts(&pmu), expected);
            }
        }

        #[test]
        fn filter_changed_by_another_owner_is_interference() {
            for bit in BITS {
                let device = Simulated::new();
                let running = counting(&device, Filter::ALL).start();
                device.0.other_owner_filters(COUNTERS - 1, types(&device.0).0 ^ 1 << bit);
                let pmu = running.stop();
                assert_eq!(pmu.interference(), Interference::new(1 << (COUNTERS - 1), false));
                let [first, .., last] = pmu.counts().map(|count| count.exact());
                assert_eq!((first, last), (Ok(0), Err(CountError::Disturbed)), "{bit}");

                let running = pmu.start();
                device.0.other_owner_filters_cycles(types(&device.0).1 ^ 1 << bit);
                let pmu = running.stop();
                let cycles = 1 << Interference::CYCLE_COUNTER;
                assert_eq!(pmu.interference(), Interference::new(cycles, false), "{bit}");
                assert_eq!(pmu.cycles().exact(), Err(CountError::Disturbed));
                assert_eq!(pmu.counts()[COUNTERS - 1].exact(), Ok(0));
            }
        }

        /// The diagnosis counts at all levels, and restores the filter.
        #[test]
        fn diagnosis_ignores_and_keeps_the_filter() {
            for (level, _) in LEVELS {
                let device = Simulated::new();
                set_level(&device.0, level);
                (0..COUNTERS).for_each(|n| device.0.other_owner_filters(n, NONE | 0x04));
                device.0.other_owner_filters_cycles(NONE);
                let diagnosis = device.pmu().diagnose_with(None, || happen(&device));
                assert!(diagnosis.found_nothing(), "{level:?}: {diagnosis}");
                assert_eq!(types(&device.0), (NONE | 0x04, NONE));
            }
        }
    };
}

mod cortex_a7 {
    tests!(cortex_a7);

    const LEVELS: [(ExecutionMode, Filter); 5] = [
        (ExecutionMode::SecureUser, Filter::SECURE_USER),
        (ExecutionMode::SecurePrivileged, Filter::SECURE_PRIVILEGED),
        (ExecutionMode::NonSecureUser, Filter::NON_SECURE_USER),
        (ExecutionMode::NonSecurePrivileged, Filter::NON_SECURE_PRIVILEGED),
        (ExecutionMode::Hyp, Filter::HYP),
    ];

    /// Bit 31 excludes the kernel, bit 30 excludes user space, and bit 27 includes a hypervisor.
    const LINUX: [(Filter, u32); 5] = [
        (Filter::USER, 1 << 31),
        (Filter::PRIVILEGED, 1 << 30),
        (Filter::USER.and(Filter::PRIVILEGED), 0),
        (Filter::USER.and(Filter::HYP), 1 << 31 | 1 << 27),
        (Filter::HYP, 1 << 31 | 1 << 30 | 1 << 27),
    ];

    const BITS: std::ops::Range<u32> = 27..32;

    fn set_level(device: &CortexA7, mode: ExecutionMode) {
        device.set_mode(mode);
    }

    /// Returns event and filter of the last counter, and the filter of the cycle counter.
    fn types(device: &CortexA7) -> (u32, u32) {
        (device.peek_type(COUNTERS - 1), device.peek_type_of_cycles())
    }
}

mod cortex_a53 {
    tests!(cortex_a53);

    const LEVELS: [(ExceptionLevel, Filter); 6] = [
        (ExceptionLevel::SecureEl0, Filter::SECURE_EL0),
        (ExceptionLevel::SecureEl1, Filter::SECURE_EL1),
        (ExceptionLevel::NonSecureEl0, Filter::NON_SECURE_EL0),
        (ExceptionLevel::NonSecureEl1, Filter::NON_SECURE_EL1),
        (ExceptionLevel::El2, Filter::EL2),
        (ExceptionLevel::El3, Filter::EL3),
    ];

    /// The same bits as on a Cortex-A7. With bit 26 clear, as in Linux, EL3 counts if EL1 counts.
    const LINUX: [(Filter, u32); 6] = [
        (Filter::EL0, 1 << 31),
        (Filter::EL1.and(Filter::EL3), 1 << 30),
        (Filter::EL0.and(Filter::EL1).and(Filter::EL3), 0),
        (Filter::EL0.and(Filter::EL1), 1 << 26),
        (Filter::EL0.and(Filter::EL2), 1 << 31 | 1 << 27),
        (Filter::EL2, 1 << 31 | 1 << 30 | 1 << 27),
    ];

    const BITS: std::ops::Range<u32> = 26..32;
    const PMCCFILTR: SystemRegister = SystemRegister { op0: 3, op1: 3, crn: 14, crm: 15, op2: 7 };

    fn set_level(device: &CortexA53, level: ExceptionLevel) {
        device.set_level(level);
    }

    /// Returns event and filter of the last counter, and the filter of the cycle counter.
    fn types(device: &CortexA53) -> (u32, u32) {
        (device.peek_type(COUNTERS - 1), device.peek(PMCCFILTR) as u32)
    }
}
