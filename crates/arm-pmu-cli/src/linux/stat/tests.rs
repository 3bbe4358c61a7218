//! Tests of the names of events, metrics and devices, with a test directory as `/sys`.

use std::fs;

use arm_pmu_lookup::kernel::{KernelPmu, Node};
use arm_pmu_lookup::perf_name::PerfName;
use clap::Parser;

use super::*;
use crate::base::arguments::{Arguments, Command};
use crate::base::made_up::{self, Cluster, PMUS, System};
use crate::linux::cores::kernel_pmu;
use crate::linux::report::record::Record;

/// A system with these PMUs and their identifiers.
fn system(pmus: &[(&str, &str)]) -> System {
    pmus.iter().fold(System::new(), |system, (name, identifier)| {
        let system = match *identifier {
            "" => system.file(&format!("{PMUS}/{name}/type"), "10\n"),
            identifier => system.pmu(name, "identifier", identifier),
        };
        if !name.starts_with("armv8") {
            return system;
        }
        let system = system.pmu(name, "events/inst_retired", "event=0x08\n");
        system.pmu(name, "events/retired", "event=0x08\n")
    })
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

const DSUS: &[(&str, &str)] = &[("armv8_cortex_a76", ""), ("arm_dsu_0", ""), ("arm_dsu_1", "")];

const A53: Cluster =
    Cluster { pmu: "armv8_cortex_a53", cpus: (0, 4), main_id: 0x410F_D034, hidden: &[] };

const A78: Cluster =
    Cluster { pmu: "armv8_cortex_a78", cpus: (0, 4), main_id: 0x411F_D410, hidden: &[] };

/// Returns the system that has this name in the stored text.
fn named(name: &str) -> System {
    let cores = |clusters: &[Cluster]| System::new().cores(clusters);
    let [little, big] = made_up::RK3588 else { panic!("two clusters") };
    let [pi] = made_up::RASPBERRY_PI_5 else { panic!("a cluster") };
    match name {
        "none" => system(&[]),
        "software" | "x86" => system(&[("software", "")]),
        "juno" => system(JUNO),
        "tbus" => system(TWO_TBUS),
        "dsus" => system(DSUS),
        "pi" => cores(&[*pi]),
        "pi-cci" => system(&[("CCI_400", "")]).cores(&[*pi]),
        "pi-pmuv3" => cores(&[Cluster { pmu: "armv8_pmuv3", ..*pi }]),
        "pi-1-cpu" => cores(&[Cluster { cpus: (0, 1), ..*pi }]),
        "pi-no-pmu" => {
            let root = cores(&[*pi]);
            let pmus = root.path().join(PMUS);
            fs::rename(pmus.join("armv8_cortex_a76"), pmus.join("software")).expect("a PMU");
            root
        }
        "server" => cores(made_up::SERVER),
        "no-table" => cores(made_up::NO_TABLE),
        "guest" => cores(made_up::GUEST),
        "rk3588" => cores(&[*little, *big]),
        "little" => cores(&[*little]),
        "a53" => cores(&[A53]),
        "a78" => cores(&[A78]),
        "a78-slots" => cores(&[A78]).pmu("armv8_cortex_a78", "caps/slots", "0x00000004\n"),
        _ => panic!("no system {name}"),
    }
}

/// Options of `arm-pmu stat`.
fn options(words: &[&str]) -> super::Arguments {
    let words = ["arm-pmu", "stat"].iter().chain(words);
    match Arguments::try_parse_from(words).expect("options").command {
        Command::Stat(options) => options,
        other => panic!("{other:?}"),
    }
}

/// Returns, for each PMU, its columns, its groups of more than one column, and its notes.
fn selected(name: &str, words: &[&str]) -> Result<String, Failure> {
    let root = named(name);
    let mut options = options(words);
    let board = match options.platform.as_deref() {
        Some("half-rk3588") => made_up::HALF_RK3588,
        Some("one-interrupt") => made_up::ONE_INTERRUPT,
        _ => "",
    };
    if !board.is_empty() {
        let file = root.path().join("board.yaml");
        fs::write(&file, board).expect("a file");
        options.platform = Some(file.display().to_string());
    }
    let machine = if name == "x86" { "x86_64" } else { "aarch64" };
    let Selected { streams, pmus, .. } =
        select(&options, root.path(), &Sysfs::at(root.path()), machine)?;
    let mut text = String::new();
    let screen = Screen::terminal(96);
    for pmu in &pmus {
        let columns: Vec<_> = pmu.iter().flat_map(names).collect();
        for name in columns.iter().filter(|name| !name.contains('/')) {
            let read = PerfName::read(name).expect(name);
            assert_eq!(read.to_string(), *name, "a report can parse this name");
        }
        text += &screen.paragraph("", &columns.join(" "));
        let groups = pmu.iter().flat_map(|one| &one.groups).filter(|group| group.len() > 1);
        text += &groups.map(|group| format!("  together: {group:?}\n")).collect::<String>();
        let notes = pmu.iter().flat_map(|one| &one.notes);
        text += &notes.map(|note| screen.paragraph("  - ", note)).collect::<String>();
        let filters = pmu.iter().filter_map(|one| one.stream);
        text +=
            &filters.map(|one| format!("  filter {:#x}\n", one.stream_id())).collect::<String>();
    }
    for one in streams {
        text += &screen.paragraph("  - ", &format!("{}: {}", one.label(), one.how));
    }
    Ok(text)
}

/// Compares the events that each command selects on its system with the stored text.
#[test]
fn names_select_pmus_events_and_streams() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stat-names.txt");
    let text = fs::read_to_string(&stored).expect("a text");
    let typed = text.lines().filter_map(|line| line.strip_prefix("$ ")).map(|line| {
        let (system, words) = line.split_once(": stat ").expect("a system");
        let output = selected(system, &words.split(' ').collect::<Vec<_>>());
        let error = |of: Failure| Screen::terminal(96).paragraph("error: ", &of.to_string());
        format!("$ {line}\n{}", output.unwrap_or_else(error))
    });
    let stored = snapbox::Data::read_from(&stored, None).raw();
    snapbox::assert_data_eq!(typed.collect::<String>(), stored);
}

/// An error that contains the kernel's name of the missing PMU shows that `open` supports it.
#[test]
fn every_kernel_pmu_can_be_opened() {
    let opened = |event: &str, pmus: &[(&str, &str)]| {
        let sysfs = Sysfs::at("/no/such");
        let of = select(&options(&["-e", event]), Path::new("/no/such"), &sysfs, "aarch64");
        let root = system(pmus);
        let pmu = &of.expect("a PMU").pmus[0][0];
        let opened = open(&Sysfs::at(root.path()), pmu, Whom::Everything);
        opened.err().expect("no PMU").to_string()
    };
    for known in KernelPmu::all().filter(|known| known.node != Node::None) {
        let selection = known.pmu.selections().next().expect("an event");
        let text = opened(&format!("{}:{selection}", known.pmu), &[("software", "")]);
        // Several products can share a kernel PMU; the first name is used.
        let first = KernelPmu::of(known.pmu).expect("a driver");
        let any = if first.is_numbered() { "*" } else { "" };
        let missing = format!("the kernel has no PMU {}{any}; it needs CONFIG_", first.name);
        assert!(text.contains(&missing), "{}: {text}", known.pmu);
    }
    assert!(opened("cci400:S3:READ_REQUEST_ANY", &[]).contains("no perf events"));
}

#[test]
fn a_report_has_the_reason_of_a_failed_run() {
    let record = Record::parse(include_str!("../../../tests/runs/repeated.jsonl"));
    let mut record = record.expect("a recording").expect("its lines");
    record.end.as_mut().expect("an end").failed = Some("no program".to_owned());
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut show = Show {
        to: Box::new(file.reopen().expect("a file")),
        format: Format::Json,
        screen: Screen::FILE,
        given: Given::default(),
        names: Vec::new(),
        caveats: false,
        has_text_above: false,
        broken: None,
    };
    show.total(&record, vec!["a note".to_owned()]).expect("a report");
    let printed = fs::read_to_string(file.path()).expect("a report");
    assert!(printed.ends_with("\"notes\":[\"a note\",\"no program\"]}\n"), "{printed}");
}

#[test]
fn two_programs_alternate_their_order() {
    let runs = |rounds, commands| order(rounds, commands).collect::<Vec<_>>();
    assert_eq!(runs(4, 2), [0, 1, 1, 0, 0, 1, 1, 0]);
    assert_eq!(runs(3, 1), [0, 0, 0]);
    for (text, expected) in [
        ("sh -c 'exit 7; # $x'", &["sh", "-c", "exit 7; # $x"][..]),
        (" ", &[]),
        ("sh 'a", &[]),
        ("a\\", &[]),
    ] {
        let given = commands(&options(&["--compare", text, "x"]));
        let first = given.map_or_else(|_| Vec::new(), |mut all| all.swap_remove(0));
        assert_eq!(first, expected, "{text}");
    }
}

#[test]
fn the_part_number_in_an_identifier_names_the_unit() {
    let of = |identifier: &str| {
        let root = system(&[("smmuv3_pmcg_5f300", identifier)]);
        let sysfs = Sysfs::at(root.path());
        let device = sysfs.device("smmuv3_pmcg_5f300").expect("a PMU")?;
        kernel_pmu(&sysfs, &device).map(|pmu| pmu.to_string())
    };
    for (identifier, unit) in [
        ("0x48300000", Some("mmu600:tcu")),
        ("0x48400000", Some("mmu600:tbu")),
        ("0x48800000", Some("mmu700:tbu")),
        // A TCU or a TBU of an MMU-700.
        ("0x48700000", None),
        ("", None),
    ] {
        assert_eq!(of(identifier).as_deref(), unit, "{identifier}");
    }
}
