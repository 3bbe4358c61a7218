//! Tests of selections and kernel arguments, with PMU descriptions recorded on the Linux bench.

use std::fs;
use std::path::Path;

use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{AssignError, Monitor};
use arm_pmu_linux::perf::{AnyCore, Error, Kind, Options, Pmu, Sysfs, Target};
use mmu600::{StreamFilter, tbu, tcu};
use tempfile::TempDir;

/// A directory tree from recordings of `cargo xtask linux record`, with lines such as `format/event: config:0-4`.
fn tree(recordings: &[&str]) -> TempDir {
    let tree = tempfile::tempdir().expect("a folder");
    let devices = tree.path().join("sys/bus/event_source/devices");
    fs::create_dir_all(&devices).expect("a folder");
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arm-pmu-cli/tests/perf/6.12");
    for recording in recordings {
        let (_, name) = recording.split_once("sysfs-").expect("a name");
        let text = fs::read_to_string(recorded.join(recording).with_extension("txt"));
        for line in text.expect("a recording").lines() {
            let (file, content) = line.split_once(": ").expect("a file");
            let file = devices.join(name).join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, format!("{content}\n")).expect("a file");
        }
    }
    tree
}

/// Adds a core PMU without `format/`, such as an ARM1176.
fn bare(tree: &TempDir, name: &str) {
    let directory = tree.path().join("sys/bus/event_source/devices").join(name);
    fs::create_dir_all(&directory).expect("a folder");
    fs::write(directory.join("type"), "4\n").expect("a file");
}

fn options(tree: &TempDir) -> Options {
    Options::new().sysfs(Sysfs::at(tree.path()))
}

fn open<S: Kind>(tree: &TempDir) -> Pmu<S> {
    Pmu::with(options(tree)).expect("a PMU")
}

const CCI_400_R0: &str = "cci400-r0/sysfs-CCI_400";
const CCI_400_R1: &str = "cci400-r1/sysfs-CCI_400_r1";
const TCU: &str = "cci400-r0/sysfs-smmuv3_pmcg_5f300";
const TBU: &str = "cci400-r0/sysfs-smmuv3_pmcg_5f320";
const OTHER: &str = "cci400-r0/sysfs-smmuv3_pmcg_5f340";

/// Checks that each listed event is translated to a `config` equal to its event id, and that other events are not
/// translated.
fn listed_events_are_translated<S: Kind>(recording: &str, is_listed: impl Fn(u16) -> bool) {
    let pmu = open::<S>(&tree(&[recording]));
    let mut translated = 0;
    for id in 0..=u16::MAX {
        let Some(selection) = S::of_id(id) else { continue };
        match pmu.event(selection) {
            Ok(event) => {
                assert!(is_listed(id), "{selection}");
                assert_eq!((event.config[0], event.config[1]), (id.into(), 0), "{selection}");
                assert_eq!(event.pmu, pmu.device().number());
                translated += 1;
            }
            Err(Error::NotListed { .. }) => assert!(!is_listed(id), "{selection}"),
            Err(error) => panic!("{selection}: {error}"),
        }
    }
    let listed = (0..=u16::MAX).filter(|id| is_listed(*id)).count();
    assert!(translated == listed && listed > 100, "{translated} of {listed}");
}

#[test]
fn exactly_the_listed_interconnect_events_are_translated() {
    use cci400::r0;
    listed_events_are_translated::<r0::Selection>(CCI_400_R0, |id| {
        r0::Selection::from_id(id).is_some()
    });
    listed_events_are_translated::<cci400::Selection>(CCI_400_R1, |id| {
        cci400::Selection::from_id(id).is_some()
    });
    listed_events_are_translated::<cci500::Selection>("cci500/sysfs-CCI_500", |id| {
        cci500::Selection::from_id(id).is_some()
    });
    listed_events_are_translated::<cci550::Selection>("cci550/sysfs-CCI_550", |id| {
        cci550::Selection::from_id(id).is_some()
    });
}

#[test]
fn cycles_use_the_drivers_event_number() {
    let event = open::<cci400::Selection>(&tree(&[CCI_400_R1])).event(EventOrCycles::Cycles);
    assert_eq!(event.expect("an event").config[0], 0xFF);
    let tree = tree(&[]);
    bare(&tree, "armv6_1176");
    let arm1176 = open::<arm11::arm1176::events::Selection>(&tree);
    assert_eq!(arm1176.event(EventOrCycles::Cycles).expect("an event").config[0], 0xFF);
    let miss = arm11::Arm1176Event::DataCacheMiss;
    assert_eq!(arm1176.event(EventOrCycles::Event(miss.into())).expect("an event").config[0], 0x0B);
}

/// The kernel's PMU of a Cortex-A57 is suitable for a Cortex-A72.
#[test]
fn a_core_can_have_the_pmu_name_of_another_core() {
    let tree = tree(&[]);
    bare(&tree, "armv8_cortex_a57");
    assert_eq!(open::<cortex_a72::Selection>(&tree).device().name(), "armv8_cortex_a57");
}

#[test]
fn smmu_units_are_distinguished_by_identifier() {
    let tree = tree(&[TCU, TBU, OTHER]);
    assert_eq!(open::<tcu::Selection>(&tree).device().name(), "smmuv3_pmcg_5f300");
    assert_eq!(open::<tbu::Selection>(&tree).device().name(), "smmuv3_pmcg_5f320");
    let named = |name: &str| Pmu::<tbu::Selection>::with(options(&tree).device(name)).map(|_| ());
    assert_eq!(
        named("smmuv3_pmcg_5f300").expect_err("a TCU").to_string(),
        "smmuv3_pmcg_5f300 is another PMU: its identifier 0x4832243b does not begin with the part number 0x484"
    );
    // A PMU without an identifier is accepted by its name.
    assert_eq!(named("smmuv3_pmcg_5f340"), Ok(()));
    let at = Pmu::<tbu::Selection>::with(options(&tree).smmu_at(0x5F32_0000)).expect("a PMU");
    assert_eq!(at.device().name(), "smmuv3_pmcg_5f320");
}

#[test]
fn an_mmu700_tbu_may_have_the_part_number_of_its_tcu() {
    let tree = tree(&[OTHER]);
    let device = tree.path().join("sys/bus/event_source/devices/smmuv3_pmcg_5f340");
    let is_one_of = |identifier: &str| {
        fs::write(device.join("identifier"), identifier).expect("a file");
        [
            Pmu::<tcu::Selection>::with(options(&tree)).is_ok(),
            Pmu::<mmu700::tcu::Selection>::with(options(&tree)).is_ok(),
            Pmu::<mmu700::tbu::Selection>::with(options(&tree)).is_ok(),
        ]
    };
    assert_eq!(is_one_of("0x48700000"), [false, true, true]);
    assert_eq!(is_one_of("0x48800000"), [false, false, true]);
    assert_eq!(is_one_of("0x48300000"), [true, false, false]);
    // The StreamID has 32 bits.
    let filter = mmu700::StreamFilter::exactly(0x8000_0042).expect("a filter");
    let named = options(&tree).device("smmuv3_pmcg_5f340").stream(filter);
    fs::remove_file(device.join("identifier")).expect("a file");
    let pmu = Pmu::<mmu700::tbu::Selection>::with(named).expect("a PMU");
    let event = pmu.event(mmu700::tbu::TbuEvent::ClockCycle.into()).expect("an event");
    assert_eq!(event.config[1], 0x2_8000_0042);
}

#[test]
fn one_of_several_pmus_must_be_named() {
    let tree = tree(&[TBU, OTHER]);
    let second = tree.path().join("sys/bus/event_source/devices/smmuv3_pmcg_6f320");
    fs::create_dir_all(&second).expect("a folder");
    fs::write(second.join("type"), "20\n").expect("a file");
    fs::write(second.join("identifier"), "0x4842243b\n").expect("a file");
    let error = Pmu::<tbu::Selection>::with(options(&tree)).expect_err("two TBUs").to_string();
    assert!(error.contains("smmuv3_pmcg_5f320, smmuv3_pmcg_6f320"), "{error}");
}

#[test]
fn filters_set_their_argument_bits() {
    let tree = tree(&[TBU]);
    let event = |filter| {
        let pmu = Pmu::<tbu::Selection>::with(options(&tree).stream(filter)).expect("a PMU");
        pmu.event(tbu::TbuEvent::Transaction.into())
    };
    let one = event(StreamFilter::exactly(0x42).expect("a filter")).expect("an event");
    assert_eq!((one.config[0], one.config[1]), (1, 0x2_0000_0042));
    let two = event(StreamFilter::span(0x46..0x48).expect("a filter")).expect("an event");
    assert_eq!((two.config[0], two.config[1]), (1, 0x3_0000_0046));
    let secure = event(StreamFilter::ALL_SECURE).expect_err("Linux has no Secure filter");
    assert!(matches!(secure, Error::NoArgument { argument: "filter_secure", .. }), "{secure:?}");
    let cci = self::tree(&[CCI_400_R1]);
    let filtered = options(&cci).stream(StreamFilter::ALL_NON_SECURE);
    let pmu = Pmu::<cci400::Selection>::with(filtered).expect("a PMU");
    let error = pmu.event(EventOrCycles::Cycles).expect_err("a CCI has no filter");
    assert!(matches!(error, Error::NoArgument { argument: "filter_enable", .. }), "{error:?}");
}

#[test]
fn thresholds_set_their_argument_bits() {
    let condition = neoverse_n3::Thresholds::of_width(12).and_then(|all| all.less_than(0xABC));
    let condition = condition.expect("a threshold").count_cycles();
    let event = |tree: &TempDir, selection: neoverse_n3::Selection| {
        let options = options(tree).device("armv8_cortex_a53");
        Pmu::<neoverse_n3::Selection>::with(options).expect("a PMU").event(selection.into())
    };
    let plain = neoverse_n3::NeoverseN3Event::StallSlot;
    let new = tree(&["cci400-r0/sysfs-armv8_cortex_a53"]);
    assert_eq!(event(&new, plain.into()).expect("an event").config, [0x3F, 0, 0, 0]);
    let config = event(&new, plain.when(condition)).expect("an event").config;
    assert_eq!(config, [0x3F, 0xABC << 5 | 3 << 3 | 1 << 2, 0, 0]);
    // Kernels before 6.9 have no thresholds.
    let old = tree(&["../6.1/cci400-r0/sysfs-armv8_cortex_a53"]);
    let error = event(&old, plain.when(condition)).expect_err("no argument");
    assert!(matches!(error, Error::NoArgument { argument: "threshold", .. }), "{error:?}");
}

#[test]
fn a_missing_pmu_error_names_the_kernel_option() {
    let empty = tempfile::tempdir().expect("a folder");
    assert_eq!(Pmu::<cci550::Selection>::with(options(&empty)).err(), Some(Error::NoPerf));
    let tree = tree(&[CCI_400_R0]);
    let error = Pmu::<cci400::Selection>::with(options(&tree)).expect_err("revision 0");
    let error = error.to_string();
    assert!(error.contains("no PMU CCI_400_r1") && error.contains("It has CCI_400"), "{error}");
    assert!(error.contains("CONFIG_ARM_CCI_PMU"), "{error}");
    assert!(Pmu::<AnyCore>::with(options(&tree)).is_err());
}

#[test]
fn a_damaged_description_is_reported() {
    let tree = tree(&[CCI_400_R1]);
    let device = tree.path().join("sys/bus/event_source/devices/CCI_400_r1");
    fs::write(device.join("cpumask"), "0,x\n").expect("a file");
    let error = open::<cci400::Selection>(&tree).device().cpu_mask().expect_err("x").to_string();
    assert!(error.ends_with("cpumask: names no processor"), "{error}");
    fs::write(device.join("format/event"), "nonsense").expect("a file");
    let error = Pmu::<cci400::Selection>::with(options(&tree)).expect_err("nonsense").to_string();
    assert!(error.ends_with("format/event: has an unknown form: nonsense"), "{error}");
}

#[test]
fn uncountable_selections_never_reach_the_kernel() {
    let tree = tree(&[CCI_400_R1]);
    let event = EventOrCycles::Event(cci400::S3.event(cci400::SlaveEvent::ReadRequestAny));
    let unknown = EventOrCycles::Event(cci400::Selection::raw(0x1F).expect("8 bits"));
    let options = options(&tree);
    // The kernel opens five events, because it counts the cycle counter as a fifth event counter.
    let five = AssignError::TooMany { asked: 5, counters: 4 };
    let thread = options.clone().target(Target::ThisThread);
    for (options, selections, refused, reason) in [
        (&options, &[event; 5][..], five, ""),
        (&options, &[EventOrCycles::Cycles; 2], AssignError::CyclesTwice, ""),
        (&options, &[unknown], AssignError::Refused, "the manual lists no event 0x1f"),
        (
            &thread,
            &[event],
            AssignError::Refused,
            "CCI_400_r1 counts the whole system; it cannot count one thread or process",
        ),
        (
            &options.clone().user_only(),
            &[event],
            AssignError::Refused,
            "CCI_400_r1 cannot exclude the kernel; count both modes (without `user_only`)",
        ),
    ] {
        let mut pmu = Pmu::<cci400::Selection>::with(options.clone()).expect("a PMU");
        assert_eq!(pmu.assign(selections), Err(refused));
        let error = pmu.error().map(ToString::to_string).unwrap_or_default();
        assert!(error.starts_with(reason), "{error}");
    }
}
