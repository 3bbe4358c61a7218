//! Tests of event names, with a test directory as `/sys`.

use std::fs;

use arm_pmu_linux::perf::Sysfs;
use arm_pmu_lookup::kernel::{KernelPmu, Node};
use tempfile::TempDir;

use super::open::{Whom, open};
use super::wanted::{Names, Wanted};
use super::*;
use crate::linux::cores::kernel_pmu;

/// A system with these PMUs and their identifiers.
fn system(pmus: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (name, identifier) in pmus {
        let device = root.path().join("sys/bus/event_source/devices").join(name);
        fs::create_dir_all(device.join("events")).expect("a directory");
        fs::write(device.join("type"), "10\n").expect("a file");
        if !identifier.is_empty() {
            fs::write(device.join("identifier"), identifier).expect("a file");
        }
        if name.starts_with("armv8") {
            for event in ["inst_retired", "retired"] {
                fs::write(device.join("events").join(event), "event=0x08\n").expect("a file");
            }
        }
    }
    root
}

const JUNO: &[(&str, &str)] = &[
    ("CCI_400", ""),
    ("armv8_cortex_a53", ""),
    ("armv8_cortex_a57", ""),
    ("armv7_cortex_a15", ""),
    ("software", ""),
];

const TWO_TBUS: &[(&str, &str)] = &[
    ("smmuv3_pmcg_5f300", "0x4832243b"),
    ("smmuv3_pmcg_5f320", "0x4842243b"),
    ("smmuv3_pmcg_5f340", "0x4842243b"),
    ("smmuv3_pmcg_5f360", ""),
];

fn wanted(
    pmus: &[(&str, &str)],
    platform: Option<&str>,
    events: &[&str],
    metrics: &[&str],
) -> Result<Vec<Wanted>, Failure> {
    let root = system(pmus);
    let sysfs = Sysfs::at(root.path());
    let platform = platform.map(|name| platform::find(name).expect("a platform"));
    let texts = |all: &[&str]| all.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    Names::new(&sysfs, platform, "aarch64").wanted(&texts(events), &texts(metrics))
}

fn columns(wanted: Result<Vec<Wanted>, Failure>) -> Vec<String> {
    wanted.expect("names").iter().flat_map(names).collect()
}

fn failure(wanted: Result<Vec<Wanted>, Failure>) -> String {
    wanted.expect_err("a mistake").to_string()
}

#[test]
fn events_belong_to_the_named_or_only_pmu() {
    let event = |text| columns(wanted(JUNO, None, &[text], &[]));
    // The kernel's PMU gives the revision.
    assert_eq!(event("cci400:S3:READ_REQUEST_ANY"), ["cci400:r0.S3:READ_REQUEST_ANY"]);
    assert_eq!(event("cci400:r1:S3:READ_REQUEST_ANY"), ["cci400:r1.S3:READ_REQUEST_ANY"]);
    assert_eq!(event("S3:READ_REQUEST_ANY"), ["cci400:r0.S3:READ_REQUEST_ANY"]);
    assert_eq!(event("CCI_400:S3:READ_REQUEST_ANY"), ["cci400:r0.S3:READ_REQUEST_ANY"]);
    assert_eq!(event("cci400:cycles"), ["cci400:r0.CYCLES"]);
    assert_eq!(event("armv7_cortex_a15:0x11"), ["armv7_cortex_a15/0x11/"]);
    assert_eq!(event("armv8_cortex_a53:inst_retired"), ["cortex-a53.INST_RETIRED"]);
    assert_eq!(event("armv8_cortex_a57:inst_retired"), ["cortex-a72.INST_RETIRED"]);
    assert_eq!(event("PREFETCH_LINEFILL"), ["cortex-a53.PREFETCH_LINEFILL"]);
    // No document lists this event.
    assert_eq!(event("cortex-a72:0x06"), ["armv8_cortex_a57/0x06/"]);
    assert_eq!(event("armv8_cortex_a57:0x06"), ["armv8_cortex_a57/0x06/"]);
    assert!(failure(wanted(JUNO, None, &["CCI_400:0x3ff"], &[])).contains("no event"));
    // Only the kernel has this name.
    assert_eq!(event("armv8_cortex_a53:retired"), ["cortex-a53.INST_RETIRED"]);
    assert_eq!(event("arm1176:DATA_CACHE_MISS"), ["arm11:arm1176.DATA_CACHE_MISS"]);
}

#[test]
fn identifiers_distinguish_smmu_units() {
    let event = |text| wanted(TWO_TBUS, None, &[text], &[]);
    assert_eq!(
        columns(event("smmuv3_pmcg_5f340:TRANSACTION")),
        ["mmu600:tbu.smmuv3_pmcg_5f340.TRANSACTION"]
    );
    assert_eq!(columns(event("WALK_CACHE_READ")), ["mmu600:tcu.smmuv3_pmcg_5f300.WALK_CACHE_READ"]);
    // An MMU-700 has no identifier, so the unit can be given.
    assert_eq!(
        columns(event("mmu700:tbu:smmuv3_pmcg_5f340:TRANSACTION")),
        ["mmu700:tbu.smmuv3_pmcg_5f340.TRANSACTION"]
    );
    let text = failure(event("mmu600:TRANSACTION"));
    assert!(text.contains("name one: mmu600:tcu, mmu600:tbu"), "{text}");
    let text = failure(event("MAIN_TLB_LOOKUP"));
    assert!(text.ends_with("smmuv3_pmcg_5f320:MAIN_TLB_LOOKUP, smmuv3_pmcg_5f340:MAIN_TLB_LOOKUP"));
}

#[test]
fn a_platform_names_interfaces_and_instances() {
    let zynqmp = |events: &[&str], metrics: &[&str]| wanted(&[], Some("zynqmp"), events, metrics);
    assert_eq!(columns(zynqmp(&["apu:READ_REQUEST_ANY"], &[])), ["cci400:r1.S3:READ_REQUEST_ANY"]);
    assert_eq!(
        columns(zynqmp(&["cci:S4:READ_REQUEST_ANY"], &[])),
        ["cci400:r1.S4:READ_REQUEST_ANY"]
    );
    let rate = columns(zynqmp(&["apu:READ_REQUEST_ANY"], &["SNOOP_HIT_RATE:apu"]));
    assert_eq!(rate[0], "cci400:r1.S3:READ_REQUEST_ANY");
    // The two options have an event in common, which is counted once.
    assert!(rate.len() >= 3 && rate.iter().all(|name| name.contains(".S3:")), "{rate:?}");
    let tcu = wanted(&[], Some("altra"), &["rca0-tcu:TLB_MISS"], &[]);
    assert_eq!(columns(tcu), ["mmu600:tcu.smmuv3_pmcg_33ffe0002.TLB_MISS"]);
    let text = failure(zynqmp(&["gpu:READ_REQUEST_ANY"], &[]));
    assert!(text.contains("no source `gpu`"), "{text}");
}

#[test]
fn two_pmus_count_in_separate_groups() {
    let all = wanted(
        JUNO,
        None,
        &["armv8_cortex_a53:0x8", "S3:READ_REQUEST_ANY", "armv8_cortex_a53:0x11"],
        &["SNOOP_HIT_RATE:S4"],
    );
    let all = all.expect("names");
    let sizes: Vec<_> = all.iter().map(|one| (one.columns.len(), one.groups.clone())).collect();
    assert_eq!(sizes[0], (2, vec![vec![0], vec![1]]));
    assert_eq!((sizes.len(), sizes[1].0), (2, 3));
    assert_eq!(sizes[1].1, [vec![0], vec![1, 2]]);
}

#[test]
fn each_cluster_counts_beside_the_cores() {
    let system = &[("armv8_cortex_a76", ""), ("arm_dsu_0", ""), ("arm_dsu_1", "")];
    let of = |events: &[&str], metrics: &[&str]| columns(wanted(system, None, events, metrics));
    let both = ["dsu.arm_dsu_0.L3D_CACHE_REFILL", "dsu.arm_dsu_1.L3D_CACHE_REFILL"];
    assert_eq!(of(&["dsu:L3D_CACHE_REFILL"], &[]), both);
    assert_eq!(of(&["arm_dsu_1:0x2a"], &[]), both[1..]);
    assert_eq!(of(&["BUS_ACCESS"], &[]), ["cortex-a76.BUS_ACCESS"], "also an event of the cluster");
    assert_eq!(of(&["SCU_SNP_ACCESS"], &[]).len(), 2);
    let all = of(&["cortex-a76:INST_RETIRED"], &["dsu:L3_READ_HIT_RATE"]);
    assert_eq!(all.len(), 1 + 2 * 2);
}

#[test]
fn a_device_selects_its_unit() {
    let root = system(&[]);
    let sysfs = Sysfs::at(root.path());
    let agilex = platform::find("agilex5").ok();
    let of_stream = |stream| {
        let names = Names::new(&sysfs, agilex, "aarch64").of_stream(stream);
        names.wanted(&["TRANSACTION".to_owned()], &[])
    };
    // StreamID 1 is gmac0, behind a TBU.
    assert_eq!(columns(of_stream(Some(1))), ["mmu600:tbu.smmuv3_pmcg_160a2.TRANSACTION"]);
    assert!(failure(of_stream(None)).contains("name one: "));
    assert!(failure(of_stream(Some(0x42))).contains("name one: "));
}

#[test]
fn an_event_is_counted_on_several_pmus() {
    let tbu = |address: &str| format!("mmu600:tbu.smmuv3_pmcg_{address}.TRANSACTION");
    // A unit names all TBUs of the board.
    let all = columns(wanted(&[], Some("agilex5"), &["tbu:TRANSACTION"], &[]));
    assert_eq!(all.len(), 6, "{all:?}");
    assert_eq!(all[..2], [tbu("16042"), tbu("16062")]);
    let root = system(TWO_TBUS);
    let sysfs = Sysfs::at(root.path());
    let of_pmus = |pmus: &[&str], events: &str| {
        let pmus: Vec<_> = pmus.iter().map(|name| (*name).to_owned()).collect();
        let events: Vec<_> = events.split(' ').map(str::to_owned).collect();
        Names::new(&sysfs, None, "aarch64").of_pmus(&pmus).wanted(&events, &[])
    };
    let both = ["smmuv3_pmcg_5f320", "smmuv3_pmcg_5f340"];
    for event in ["TRANSACTION", "mmu600:tbu:TRANSACTION"] {
        assert_eq!(columns(of_pmus(&both, event)), [tbu("5f320"), tbu("5f340")], "{event}");
    }
    // An event with a PMU is counted on that PMU only.
    for event in ["cci400:S3:READ_REQUEST_ANY", "smmuv3_pmcg_5f300:WALK_CACHE_READ"] {
        let all = columns(of_pmus(&both, &format!("{event} TRANSACTION")));
        assert_eq!(all.len(), 3, "{all:?}");
        let error = failure(of_pmus(&both, event));
        assert!(error.starts_with("--pmu smmuv3_pmcg_5f320: no event is counted there"), "{error}");
    }
    let error = failure(of_pmus(&["smmuv3_pmcg_99"], "TRANSACTION"));
    assert!(error.contains("as in mmu700:tbu:TRANSACTION"), "{error}");
}

#[test]
fn a_filter_is_for_units_of_an_smmu() {
    let streams = device::find(Path::new("/"), None, "0x42").expect("a stream");
    let mut both = wanted(TWO_TBUS, None, &["WALK_CACHE_READ", "cci400:S3:READ_REQUEST_ANY"], &[])
        .expect("names");
    filter(&mut both, &streams, None).expect("an SMMU");
    assert_eq!(both.iter().map(|one| one.stream.is_some()).collect::<Vec<_>>(), [true, false]);
    let mut none = wanted(JUNO, None, &["S3:READ_REQUEST_ANY"], &[]).expect("names");
    assert!(
        filter(&mut none, &streams, None)
            .expect_err("no SMMU")
            .to_string()
            .contains("none is counted")
    );
    let wide = device::find(Path::new("/"), None, "0x1000000").expect("a stream");
    let error =
        filter(&mut both, &wide, None).expect_err("more bits than an MMU-600 has").to_string();
    assert!(error.starts_with("--device 0x1000000: on mmu600:tcu, "), "{error}");
    let mmu700 = "mmu700:tbu:smmuv3_pmcg_5f360:TRANSACTION";
    let mut both = wanted(TWO_TBUS, None, &[mmu700], &[]).expect("names");
    filter(&mut both, &wide, None).expect("32 bits");
    assert_eq!(both[0].stream.map(|filter| filter.stream_id()), Some(0x100_0000));
}

#[test]
fn several_devices_are_counted_in_turn_on_each_unit() {
    let root = system(TWO_TBUS);
    let sysfs = Sysfs::at(root.path());
    let names = Names::new(&sysfs, None, "aarch64");
    let count = |devices: &[&str], events: &[&str]| {
        let streams = devices.iter().map(|text| device::find(Path::new("/"), None, text));
        let streams: Vec<_> = streams.collect::<Result<_, _>>().expect("streams");
        let events: Vec<_> = events.iter().map(|text| (*text).to_owned()).collect();
        let pmus = by_pmu(all(&names, &streams, &events, &[]).expect("names"));
        let texts = |pmu: &Vec<Wanted>| pmu.iter().flat_map(super::names).collect::<Vec<_>>();
        pmus.iter().map(texts).collect::<Vec<_>>()
    };
    let events = ["cci400:S3:READ_REQUEST_ANY", "WALK_CACHE_READ"];
    let pmus = count(&["0x42", "0x40..0x48", "all"], &events);
    let unit = "mmu600:tcu.smmuv3_pmcg_5f300";
    assert_eq!(pmus[0], ["cci400:r1.S3:READ_REQUEST_ANY"], "counted once, all the time");
    assert_eq!(
        pmus[1],
        ["0x42", "0x40-0x47", "all"].map(|mark| format!("{unit}:{mark}.WALK_CACHE_READ"))
    );
    assert_eq!(pmus.len(), 2);
    // A report can parse the names.
    let name = arm_pmu_lookup::perf_name::PerfName::read(&pmus[1][1]).expect("a name");
    assert_eq!(name.label.as_deref(), Some("smmuv3_pmcg_5f300:0x40-0x47"));
    assert_eq!(name.to_string(), pmus[1][1]);
    // A single filter needs no mark.
    assert_eq!(count(&["0x42"], &events[1..]), [[format!("{unit}.WALK_CACHE_READ")]]);
}

#[test]
fn failures_name_the_fix() {
    let text = failure(wanted(&[("software", "")], None, &["S3:READ_REQUEST_ANY"], &[]));
    assert!(text.contains("the kernel has no known PMU") && text.contains("software"), "{text}");
    assert!(failure(wanted(JUNO, None, &[], &[])).contains("Give -m METRIC or -e EVENT"));
    let text = failure(wanted(JUNO, None, &["armv7_cortex_a15:zebra"], &[]));
    assert!(text.contains("no event `zebra`"), "{text}");
    let text = failure(wanted(JUNO, None, &["S3:READ_REQUEST_AN"], &[]));
    assert!(text.contains("near: READ_REQUEST_ANY"), "{text}");
    let text = failure(wanted(JUNO, None, &[], &["armv7_cortex_a15:IPC"]));
    assert!(text.contains("no metrics here"), "{text}");

    let all = wanted(&[], None, &["cci400:S3:READ_REQUEST_ANY"], &[]).expect("names");
    let opened = |pmus: &[(&str, &str)]| {
        let root = system(pmus);
        let opened = open(&Sysfs::at(root.path()), &all[0], Whom::Everything);
        opened.err().expect("no PMU").to_string()
    };
    assert!(opened(&[]).contains("no perf events"));
    let text = opened(&[("software", "")]);
    assert!(text.contains("no PMU CCI_400_r1; it needs CONFIG_ARM_CCI_PMU"), "{text}");
}

#[test]
fn another_machine_is_reported_before_its_kernel() {
    let root = system(&[("software", "")]);
    let sysfs = Sysfs::at(root.path());
    let names = Names::new(&sysfs, None, "x86_64");
    let text = failure(names.wanted(&["cycles".to_owned()], &[]));
    assert!(text.contains("this is a machine of x86_64, which has none. Run this on"), "{text}");
    assert_eq!(names.on_arm().expect_err("no Arm").to_string(), text);
    assert!(Names::new(&sysfs, None, "arm").on_arm().is_ok());
}

/// The error shows the kernel name of the PMU, so a driver exists.
#[test]
fn every_kernel_pmu_can_be_opened() {
    for known in KernelPmu::all().filter(|known| known.node != Node::None) {
        let (name, pmu) = (known.pmu.to_string(), known.pmu);
        let selection = pmu.selections().next().expect("an event").to_string();
        let all = wanted(&[], None, &[&format!("{name}:{selection}")], &[]).expect("names");
        let root = system(&[("software", "")]);
        let opened = open(&Sysfs::at(root.path()), &all[0], Whom::Everything);
        let text = opened.err().expect("no such PMU here").to_string();
        // Several products can share a kernel PMU; the first name is used.
        let first = KernelPmu::of(known.pmu).expect("a driver");
        let any = if first.is_numbered() { "*" } else { "" };
        let missing = format!("the kernel has no PMU {}{any};", first.name);
        assert!(text.contains(&missing), "{name}: {text}");
    }
}

#[test]
fn two_programs_alternate_their_order() {
    let runs = |rounds, commands| order(rounds, commands).collect::<Vec<_>>();
    assert_eq!(runs(4, 2), [0, 1, 1, 0, 0, 1, 1, 0]);
    assert_eq!(runs(3, 1), [0, 0, 0]);
}

#[test]
fn the_part_number_in_an_identifier_names_the_unit() {
    let of = |identifier: &str| {
        let root = system(&[("smmuv3_pmcg_5f300", identifier)]);
        let sysfs = Sysfs::at(root.path());
        let device = sysfs.device("smmuv3_pmcg_5f300").expect("a PMU")?;
        kernel_pmu(&sysfs, &device).map(|pmu| pmu.to_string())
    };
    let named = |part: u64| of(&format!("{:#x}", part << 20));
    assert_eq!(named(0x483).as_deref(), Some("mmu600:tcu"));
    assert_eq!(named(0x484).as_deref(), Some("mmu600:tbu"));
    assert_eq!(named(0x488).as_deref(), Some("mmu700:tbu"));
    assert_eq!(named(0x487), None, "a TCU or a TBU of an MMU-700");
    assert_eq!(of(""), None);
}
