//! Tests of core events on systems in a test directory.

use std::fs;

use arm_pmu_linux::perf::Sysfs;

use super::names;
use super::wanted::{Names, Wanted};
use crate::base::made_up::{self, Cluster};

/// Returns the counted events of a system, and the notes.
fn counted(clusters: &[Cluster], event: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let root = tempfile::tempdir().expect("a directory");
    made_up::add(root.path(), clusters);
    let sysfs = Sysfs::at(root.path());
    let all = Names::new(&sysfs, None, "aarch64").wanted(&[event.to_owned()], &[]);
    let all = all.map_err(|failure| failure.to_string())?;
    let notes = all.iter().flat_map(|one| one.notes.clone()).collect();
    Ok((all.iter().flat_map(names).collect(), notes))
}

#[test]
fn the_main_id_names_the_core() {
    let names = |clusters, event| {
        let (names, notes) = counted(clusters, event).expect("events");
        assert!(notes.is_empty(), "{notes:?}");
        names
    };
    for (clusters, name) in [
        (made_up::RASPBERRY_PI_5, "cortex-a76"),
        (made_up::SERVER, "neoverse-n1.armv8_pmuv3_0"),
        (made_up::NO_TABLE, "arm-pmuv3.armv8_pmuv3_0"),
    ] {
        for event in ["INST_RETIRED", "inst_retired", "instructions", "r8", "0x08", "pmuv3:0x08"] {
            let name = if event.contains(':') { "arm-pmuv3" } else { name };
            let [counted] = &names(clusters, event)[..] else { panic!("{name}") };
            assert!(counted.starts_with(name) && counted.ends_with(".INST_RETIRED"), "{counted}");
        }
    }
    let by_product = ["neoverse-n1.armv8_pmuv3_0.LL_CACHE_RD"];
    assert_eq!(names(made_up::SERVER, "neoverse-n1:LL_CACHE_RD"), by_product);
    // On a core without tables, only common events have names.
    assert_eq!(names(made_up::NO_TABLE, "armv8_pmuv3_0:0xc0"), ["armv8_pmuv3_0/0xc0/"]);
    assert_eq!(names(made_up::NO_TABLE, "rc0"), ["arm-pmuv3.armv8_pmuv3_0.0xc0"]);
    let error = counted(made_up::NO_TABLE, "PREFETCH_LINEFILL").expect_err("an own event");
    assert!(
        error.contains("no table has this core (part 0xfff of Arm r0p0): common events"),
        "{error}"
    );
    assert!(error.ends_with("and others numbers, as in armv8_pmuv3_0:0xc0"), "{error}");
}

#[test]
fn a_platform_counts_on_every_cluster() {
    let of = |clusters: &[Cluster], board: &str, event: &str| {
        let root = tempfile::tempdir().expect("a directory");
        made_up::add(root.path(), clusters);
        let sysfs = Sysfs::at(root.path());
        let board = made_up::board(board);
        let all = Names::new(&sysfs, Some(board), "aarch64").wanted(&[event.to_owned()], &[]);
        let all = all.map_err(|failure| failure.to_string())?;
        let notes: Vec<_> = all.iter().flat_map(|one| one.notes.clone()).collect();
        Ok::<_, String>((all.iter().flat_map(names).collect::<Vec<_>>(), notes))
    };
    let half = made_up::HALF_RK3588;
    let both = ["cortex-a55.INST_RETIRED", "cortex-a76.INST_RETIRED"];
    let (names, notes) = of(made_up::RK3588, half, "INST_RETIRED").expect("events");
    assert!(names == both && notes.is_empty(), "{names:?} {notes:?}");
    let (names, _) = of(made_up::RK3588, half, "a76:L1D_TLB_RD").expect("an event");
    assert_eq!(names, ["cortex-a76.L1D_TLB_RD"]);
    let little = &made_up::RK3588[..1];
    let (names, notes) = of(little, half, "INST_RETIRED").expect("an event");
    assert_eq!(names, both[..1]);
    assert_eq!(
        notes,
        [
            "INST_RETIRED is counted on armv8_cortex_a55 only: a76 (Cortex-A76) has no PMU in the kernel."
        ]
    );
    for event in ["a76:INST_RETIRED", "L1D_TLB_RD"] {
        let error = of(little, half, event).expect_err("no PMU");
        assert_eq!(
            error,
            "board:a76 (Cortex-A76): Linux has no armv8_cortex_a76: the device trees of Linux have no node for the PMU. \
             `arm-pmu device-tree board:a76` prints what to add."
        );
    }
    // The running tree can have a node for any core, and a node can have too few interrupts.
    let any = [Cluster { pmu: "armv8_pmuv3", ..made_up::RASPBERRY_PI_5[0] }];
    let (names, _) = of(&any, made_up::ONE_INTERRUPT, "core:INST_RETIRED").expect("an event");
    assert_eq!(names, ["cortex-a76.armv8_pmuv3.INST_RETIRED"]);
    let one = [Cluster { cpus: (0, 1), ..made_up::RASPBERRY_PI_5[0] }];
    let (_, notes) = of(&one, made_up::ONE_INTERRUPT, "INST_RETIRED").expect("an event");
    assert!(notes[0].starts_with("Linux counts on CPU 0 only"), "{notes:?}");
}

#[test]
fn clusters_count_the_same_event() {
    let (names, notes) = counted(made_up::RK3588, "INST_RETIRED").expect("events");
    assert_eq!(names, ["cortex-a55.INST_RETIRED", "cortex-a76.INST_RETIRED"]);
    assert!(notes.is_empty(), "{notes:?}");
    let (names, notes) = counted(made_up::RK3588, "L1D_TLB_RD").expect("an event");
    assert_eq!(names, ["cortex-a76.L1D_TLB_RD"]);
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(
        note,
        "L1D_TLB_RD is counted on armv8_cortex_a76 only: armv8_cortex_a55 has no such event."
    );
    assert!(counted(made_up::RK3588, "ZEBRA").expect_err("no event").contains("ZEBRA"));
    // Without Main ID Registers in sysfs, the kernel's names of PMUs identify the cores.
    let (names, _) = counted(made_up::RK3588, "armv8_cortex_a55:0x08").expect("an event");
    assert_eq!(names, ["cortex-a55.INST_RETIRED"]);
}

#[test]
fn hidden_events_are_counted_with_a_note() {
    let (names, notes) = counted(made_up::GUEST, "L2D_CACHE_REFILL").expect("an event");
    assert_eq!(names, ["neoverse-n1.armv8_pmuv3.L2D_CACHE_REFILL"]);
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.starts_with("L2D_CACHE_REFILL of armv8_pmuv3 is not in the kernel's list"));
    for listed in ["INST_RETIRED", "SW_INCR", "L1D_TLB_RD", "CYCLES"] {
        let (_, notes) = counted(made_up::GUEST, listed).expect("an event");
        assert!(notes.is_empty(), "{notes:?}");
    }
}

/// Returns the counted events of a topic, and the notes. `slots` is the kernel's file, and `set` an option `--set`.
fn topic(
    clusters: &[Cluster],
    topic: &str,
    slots: Option<&str>,
    set: &[(String, f64)],
) -> Result<(String, Vec<Wanted>), String> {
    let root = tempfile::tempdir().expect("a directory");
    made_up::add(root.path(), clusters);
    let devices = root.path().join("sys/bus/event_source/devices");
    if let Some(slots) = slots {
        let caps = devices.join(clusters[0].pmu).join("caps");
        fs::create_dir_all(&caps).expect("a directory");
        fs::write(caps.join("slots"), slots).expect("a file");
    }
    // An interconnect has no topic.
    fs::create_dir_all(devices.join("CCI_400")).expect("a directory");
    fs::write(devices.join("CCI_400/type"), "11\n").expect("a file");
    let sysfs = Sysfs::at(root.path());
    let all = Names::new(&sysfs, None, "aarch64").set(set).wanted(&[], &[topic.to_owned()]);
    let all = all.map_err(|failure| failure.to_string())?;
    Ok((all.iter().flat_map(names).collect::<Vec<_>>().join(" "), all))
}

#[test]
fn a_topic_counts_the_events_of_its_metrics() {
    let topic = |clusters, name| topic(clusters, name, None, &[]);
    // A core without slots counts stalled cycles.
    let (events, _) = topic(made_up::RASPBERRY_PI_5, "topdown").expect("a topic");
    assert_eq!(events, "cortex-a76.STALL_FRONTEND cortex-a76.CYCLES cortex-a76.STALL_BACKEND");
    // One note lists all hidden events.
    let (events, all) = topic(made_up::GUEST, "topdown").expect("a topic");
    let note = "STALL_FRONTEND, STALL_BACKEND of armv8_pmuv3 are not in the kernel's list";
    assert!(all[0].notes.len() == 1 && all[0].notes[0].starts_with(note), "{events} {all:?}");
    assert_eq!(topic(made_up::RK3588, "caches").expect("a topic").1.len(), 2);
    let error = topic(made_up::RASPBERRY_PI_5, "cachs").expect_err("no topic");
    assert!(error.contains("near: caches"), "{error}");
    let error = topic(made_up::SERVER, "topdwn").expect_err("no topic");
    assert!(error.contains("near: topdown"), "{error}");
}

#[test]
fn topdown_without_slots_counts_stalled_cycles() {
    let a78 =
        [Cluster { pmu: "armv8_cortex_a78", cpus: (0, 4), main_id: 0x411F_D410, hidden: &[] }];
    for clusters in [&a78[..], made_up::NO_TABLE] {
        for unknown in [None, Some("0x00000000\n")] {
            let (events, all) = topic(clusters, "topdown", unknown, &[]).expect("a topic");
            assert!(!events.contains("STALL_SLOT") && events.contains("STALL_BACKEND"), "{events}");
            let [note] = &all[0].notes[..] else { panic!("{all:?}") };
            assert!(note.contains("counts stalled cycles in place of slots"), "{note}");
        }
        let given = [("slots".to_owned(), 4.0)];
        for (slots, set) in [(Some("0x00000004\n"), &[][..]), (None, &given)] {
            let (events, all) = topic(clusters, "Topdown", slots, set).expect("a topic");
            assert!(events.contains("STALL_SLOT_BACKEND") && all[0].notes.is_empty(), "{all:?}");
            assert_eq!((all[0].columns.len(), all[0].groups.len()), (6, 4));
        }
    }
}

#[test]
fn a_missing_topic_names_the_core() {
    let a53 =
        [Cluster { pmu: "armv8_cortex_a53", cpus: (0, 4), main_id: 0x410F_D034, hidden: &[] }];
    let error = topic(&a53, "topdown", None, &[]).expect_err("no topic");
    assert_eq!(
        error,
        "cortex-a53 has no `topdown`: it lacks the events STALL_FRONTEND, STALL_BACKEND; it has the topics basics, \
         caches, fetch, memory, tlb, branches, as in -m basics"
    );
    let error = topic(made_up::RASPBERRY_PI_5, "sve", None, &[]).expect_err("no topic");
    assert!(error.starts_with("cortex-a76 has no `sve`: it lacks the events"), "{error}");
}

#[test]
fn a_core_without_pmu_is_named() {
    let root = tempfile::tempdir().expect("a directory");
    made_up::add(root.path(), made_up::RASPBERRY_PI_5);
    let devices = root.path().join("sys/bus/event_source/devices");
    fs::rename(devices.join("armv8_cortex_a76"), devices.join("software")).expect("a PMU");
    let sysfs = Sysfs::at(root.path());
    let names = Names::new(&sysfs, None, "aarch64");
    for (event, metric) in [
        ("INST_RETIRED", ""),
        ("armv8_cortex_a76:0x08", ""),
        ("", "topdown"),
        ("", "cortex-a76:topdown"),
    ] {
        let list = |text: &str| [text.to_owned()].into_iter().filter(|one| !one.is_empty());
        let (events, metrics): (Vec<_>, Vec<_>) = (list(event).collect(), list(metric).collect());
        let found = names.wanted(&events, &metrics).map(drop);
        let error = found.expect_err("no PMU").to_string();
        for part in
            ["CPU 0-3", "Cortex-A76 r4p1", "\"arm,cortex-a76-pmu\"", "arm-pmu device-tree BOARD"]
        {
            assert!(error.contains(part), "{event}{metric}: {error}");
        }
    }
}
