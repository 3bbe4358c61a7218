//! Tests of plans, with a test directory as `/sys`, and of the report.

use super::expect::Expected;
use super::*;
use crate::base::made_up::system;

const PMUS: &str = "sys/bus/event_source/devices";

/// The planned counts, as `PMU EVENT CPUS`, and the missing PMUs.
fn planned(pmus: &[(&str, &str)], board: Option<&str>) -> (Vec<String>, Vec<Missing>) {
    let mut files = Vec::new();
    for (name, cpus) in pmus {
        files.push((format!("{PMUS}/{name}/type"), "10\n".to_owned()));
        if !cpus.is_empty() {
            files.push((format!("{PMUS}/{name}/cpus"), format!("{cpus}\n")));
        }
        if *name == "armv8_cortex_z9" {
            for (event, code) in [("inst_retired", 8), ("l1d_cache_refill", 3)] {
                files.push((
                    format!("{PMUS}/{name}/events/{event}"),
                    format!("event=0x{code:02x}\n"),
                ));
            }
        }
    }
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let root = system(&files);
    let platform = board.map(|name| platform::find(name).expect("a platform"));
    let (plans, missing) = plan::plans(&Sysfs::at(root.path()), platform);
    let line = |plan: &plan::Plan| format!("{} {} {:?}", plan.pmu, plan.event, plan.cpus);
    (plans.iter().map(line).collect(), missing)
}

#[test]
fn core_traffic_is_expected_at_its_cluster() {
    let pmus = [("armv8_cortex_a53", "0,3-5"), ("armv8_cortex_a57", "1-2"), ("CCI_400", "")];
    let (plans, missing) = planned(&pmus, Some("juno"));
    let of_cci: Vec<_> = plans.iter().filter(|plan| plan.starts_with("CCI")).collect();
    assert_eq!(
        of_cci,
        [
            "CCI_400 S3:READ_REQUEST_ANY Some([0, 3, 4, 5])",
            "CCI_400 S3:WRITE_REQUEST_ANY Some([0, 3, 4, 5])",
            "CCI_400 S4:READ_REQUEST_ANY Some([1, 2])",
            "CCI_400 S4:WRITE_REQUEST_ANY Some([1, 2])",
        ]
    );
    assert_eq!(missing, []);
    // The board's file does not know which of two interfaces the traffic passes.
    let (plans, _) = planned(&[("armv8_cortex_a53", ""), ("CCI_400", "")], Some("rk3368"));
    assert!(plans.contains(&"CCI_400 S3+S4:READ_REQUEST_ANY None".to_owned()), "{plans:?}");
}

#[test]
fn a_core_is_checked_with_its_events() {
    let of = |name: &str| {
        let (plans, _) = planned(&[(name, "")], None);
        plans
            .iter()
            .map(|plan| plan.split(' ').nth(1).unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("armv8_cortex_a53")[..3], ["INST_RETIRED", "LD_RETIRED", "ST_RETIRED"]);
    assert_eq!(of("armv8_cortex_a53").len(), 11);
    // A Cortex-A72 has no `LD_RETIRED`; the names of a Cortex-A8 are the ones of its manual.
    assert!(!of("armv8_cortex_a72").contains(&"LD_RETIRED".to_owned()));
    let a8 = [
        "INSTRUCTION_EXECUTED",
        "DATA_READ",
        "DATA_WRITE",
        "DATA_CACHE_ACCESS",
        "DATA_CACHE_REFILL",
        "L2_CACHE_MISS",
    ];
    assert_eq!(of("armv7_cortex_a8"), a8);
    assert!(of("armv6_1176").contains(&"DATA_CACHE_MISS".to_owned()));
    // Without tables, events come from the list of the kernel.
    assert_eq!(of("armv8_cortex_z9"), ["INST_RETIRED", "L1D_CACHE_REFILL"]);
}

#[test]
fn uncountable_events_are_named() {
    let why = |pmus: &[(&str, &str)], board| {
        let (plans, missing) = planned(pmus, board);
        assert!(plans.iter().all(|plan| plan.starts_with("arm")), "{plans:?}");
        missing
            .iter()
            .map(|one| format!("{}: {}", one.what, one.why))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let core = ("armv8_cortex_a53", "");
    assert!(
        why(&[("software", "")], None)
            .starts_with("PMU of a core: the kernel has none of Arm; it has software.")
    );
    assert!(why(&[core, ("CCI_400_r1", "")], None).starts_with("CCI_400_r1: give --platform"));
    assert!(
        why(&[core], Some("zynqmp")).starts_with("zynqmp:cci: the kernel has no PMU of a cci400")
    );
    assert!(why(&[core], Some("agilex5")).starts_with("agilex5: has no interconnect"));
    assert_eq!(why(&[core], None), "");
}

#[test]
fn the_traffic_is_larger_than_the_caches() {
    let cache = "sys/devices/system/cpu/cpu0/cache";
    let root = system(&[
        (&format!("{cache}/index0/type"), "Data\n"),
        (&format!("{cache}/index0/size"), "32K\n"),
        (&format!("{cache}/index1/type"), "Instruction\n"),
        (&format!("{cache}/index1/size"), "48K\n"),
        (&format!("{cache}/index2/type"), "Unified\n"),
        (&format!("{cache}/index2/size"), "8M\n"),
        ("proc/meminfo", "MemTotal:  2 kB\nMemAvailable:    1048576 kB\n"),
    ]);
    let caches = plan::cache_bytes(root.path());
    assert_eq!(caches, Some((8 << 20) + (32 << 10)));
    assert_eq!(plan::bytes(caches, None), 129 << 20);
    assert_eq!(plan::bytes(caches, Some(100 << 20)), 50 << 20);
    assert_eq!(plan::held(caches, 129 << 20), 0x2_0200);
    assert_eq!(plan::free_bytes(root.path()), Some(1 << 30));
    let root = system(&[]);
    assert_eq!((plan::cache_bytes(root.path()), plan::free_bytes(root.path())), (None, None));
    assert_eq!((plan::bytes(None, None), plan::held(None, 64 << 20)), (64 << 20, 65_536));
    let size = |mebibytes| Arguments { platform: None, size: Some(mebibytes), json: false };
    let full = system(&[("proc/meminfo", "MemAvailable:    9000 kB\n")]);
    let error = check(&size(9), full.path()).expect_err("too much");
    assert_eq!(error.to_string(), "--size 9: 8 MiB of memory are available");
    assert!(check(&size(8), full.path()).is_ok());
}

/// Builds a report with these counts.
fn report(counts: &[(Quantity, Pass, &str, Option<u64>)]) -> Document {
    let rows = counts.iter().map(|(quantity, pass, event, counted)| {
        let Expected { low, count, high } = Expected { low: 900, count: 1_000, high: 1_500 };
        let is_core = quantity.bytes().is_none();
        Row {
            pmu: if is_core { "armv8_cortex_a53" } else { "CCI_400_r1" }.to_owned(),
            ip: is_core.then(|| "cortex-a53".to_owned()),
            cpu: 3,
            pass: *pass,
            event: (*event).to_owned(),
            quantity: *quantity,
            with_kernel: true,
            expected: count,
            low,
            high,
            counted: *counted,
            runs: vec![*counted; 3],
            idle: 7.0,
            seconds: 0.25,
            counted_bytes: counted.and_then(|count| Some(count * quantity.bytes()?)),
            verdict: Expected { low, count, high }
                .verdict(*counted)
                .or_hidden(*event == "LD_RETIRED"),
        }
    });
    let rows: Vec<_> = rows.collect();
    Document {
        tool: "arm-pmu 0".to_owned(),
        unix_seconds: 1,
        kernel: None,
        machine: "aarch64".to_owned(),
        board: Some("a board".to_owned()),
        platform: None,
        bytes: 64_000,
        lines: 1_000,
        cleaned: true,
        cache_bytes: Some(4096),
        all_right: all_right(&rows),
        rows,
        missing: vec![Missing::new("CCI_400_r1", "not allowed")],
    }
}

#[test]
fn the_report_has_each_count_with_its_limits() {
    let counts = [
        (Quantity::Instructions, Pass::Read, "INST_RETIRED", Some(1_200)),
        (Quantity::Refills, Pass::Read, "L1D_CACHE_REFILL", Some(0)),
        (Quantity::Loads, Pass::Read, "LD_RETIRED", Some(0)),
        (Quantity::WriteBacks, Pass::Write, "L1D_CACHE_WB", None),
        (Quantity::ReadRequests, Pass::Read, "S3:READ_REQUEST_ANY", Some(3_000)),
    ];
    let text = show::text(&report(&counts), Screen::FILE);
    let text = anstream::adapter::strip_str(&text).to_string();
    for line in [
        "armv8_cortex_a53 (cortex-a53), traffic of CPU 3, with the kernel's part",
        "pass   event             expected  from    to  counted  ratio",
        "read   INST_RETIRED          1000   900  1500     1200  1.200  right",
        "read   L1D_CACHE_REFILL      1000   900  1500        0  0.000  ZERO",
        "read   LD_RETIRED            1000   900  1500        0  0.000  hidden",
        "LD_RETIRED of armv8_cortex_a53 is not in the kernel's list: PMCEID does not",
        "write  L1D_CACHE_WB          1000   900  1500        -      -  not counted",
        "CCI_400_r1 (no tables), traffic of CPU 3",
        "read  S3:READ_REQUEST_ANY      1000   900  1500     3000  3.000  HIGH",
        "- CCI_400_r1: not allowed",
    ] {
        assert!(text.lines().any(|of| of == line), "{line}\n{text}");
    }
    let last = text.replace('\n', " ");
    let summary = "3 of 4 counts are not right; 1 is hidden; 1 could not be counted. 1 is zero: ";
    assert!(last.contains(summary), "{text}");
    assert!(!text.contains("Nothing of caches"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let quiet = show::text(&report(&counts[1..2]), Screen::FILE).replace('\n', " ");
    assert!(quiet.contains("Nothing of caches was counted"), "{quiet}");
    let right = show::text(&report(&counts[..1]), Screen::FILE).replace('\n', " ");
    assert!(right.contains("The one count is right; 1 could not be counted."), "{right}");
    assert!(
        all_right(&report(&[counts[0], counts[2]]).rows) && !all_right(&report(&counts[2..3]).rows)
    );
    let two = [counts[0], counts[0]];
    let mut all = Document { missing: Vec::new(), ..report(&two) };
    let right = show::text(&all, Screen::FILE);
    assert!(right.contains("All 2 counts are right. "), "{right}");
    all.cleaned = false;
    let line = "not cleaned: a program cannot clean caches on this processor";
    assert!(show::text(&all, Screen::FILE).replace("\n          ", " ").contains(line));
}

/// A check of a board also expects the interconnect.
#[test]
fn a_missing_interconnect_fails_the_board_check() {
    let count = [(Quantity::Instructions, Pass::Read, "INST_RETIRED", Some(1_200))];
    let of_core = report(&count);
    assert_eq!(status(&of_core), None);
    let of_board = Document { platform: Some("zynqmp".to_owned()), ..of_core };
    assert_eq!(status(&of_board), Some(NOT_FOUND));
    assert_eq!(status(&Document { missing: Vec::new(), ..of_board }), None);
}

#[test]
fn a_report_fits_its_schema() {
    let schema = serde_json::from_str(include_str!("../../../schema/check.json"));
    let schema = schema.expect("a schema");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let counted = report(&[(Quantity::Loads, Pass::Read, "LD_RETIRED", Some(1_000))]);
    assert!(schema.is_valid(&serde_json::to_value(counted).expect("JSON")));
    assert!(!schema.is_valid(&serde_json::json!({})));
}
