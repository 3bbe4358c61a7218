//! Tests on recordings of the real `perf`, complete and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anstream::adapter::strip_str;
use arm_pmu_lookup::perf::{Event, LinuxPmu};
use arm_pmu_lookup::perf_name::What;
use arm_pmu_tables::Pmu;

use super::compare::Comparison;
use super::model::{Given, Report};
use super::sample::{Sample, row};
use super::{csv, json, svg, table};
use crate::base::perf_stat::parse::{has_decimal_comma, parse};
use crate::base::perf_stat::recording::{Count, DECIMAL_COMMA, Number, Recording};
use crate::base::text::Screen;
use crate::linux::core_pmu::CorePmu;

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perf")
}

fn text_of(name: &str) -> String {
    fs::read_to_string(recordings().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All machine-readable recordings, with their names.
fn all() -> &'static [(String, String)] {
    static ALL: OnceLock<Vec<(String, String)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::new();
        for version in ["6.1", "6.12"] {
            for board in ["cci400-r0", "cci400-r1", "cci400-r1-two-cores", "cci500", "cci550"] {
                // The directory of an older version contains only the files that differ from the newest version.
                let files = fs::read_dir(recordings().join(version).join(board));
                for file in files.into_iter().flatten() {
                    let name = file.expect("a file").file_name().into_string().expect("a name");
                    if name.ends_with(".json") || name.ends_with(".csv") {
                        let name = format!("{version}/{board}/{name}");
                        all.push((name.clone(), text_of(&name)));
                    }
                }
            }
        }
        all.sort();
        let older = all.iter().filter(|(name, _)| name.starts_with("6.1/")).count();
        assert!(all.len() > 60 && older > 10, "{}, {older}", all.len());
        all
    })
}

fn given(ip: &str) -> Given {
    Given { pmu: Pmu::find(ip), ..Given::default() }
}

/// Report of a text that contains rows of counts.
fn of(text: &str, ip: &str) -> Report {
    Report::new(&parse(text).unwrap_or_else(|error| panic!("{error}: {text}")), &given(ip))
}

fn report(name: &str, ip: &str) -> Report {
    of(&text_of(name), ip)
}

/// Event and count of each row, as printed. Does not use the parser under test.
fn expected(text: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let json: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        if let (Some(event), Some(count)) = (json["event"].as_str(), json["counter-value"].as_str())
        {
            rows.push((event.to_owned(), count.trim_end_matches(".000000").to_owned()));
        } else if line.contains(",,") {
            // In a CSV row, the count precedes `,,` and the event follows.
            let (front, rest) = line.split_once(",,").expect("a unit");
            let count = front.rsplit(',').next().expect("a count");
            let event = if rest.contains('/') {
                rest[..=rest.rfind('/').expect("/")].to_owned()
            } else {
                rest.split(',').next().expect("an event").to_owned()
            };
            rows.push((event, count.to_owned()));
        }
    }
    rows
}

fn as_text(count: Count) -> String {
    match count {
        Count::Number(Number::Integer(value)) => value.to_string(),
        Count::Number(Number::Decimal(value)) => value.to_string(),
        Count::NotCounted => "<not counted>".to_owned(),
        Count::NotSupported => "<not supported>".to_owned(),
    }
}

/// Compares the parsed rows, and the lines of CSV, with the recording.
#[test]
fn report_numbers_match_the_recording() {
    for (name, text) in all() {
        let Recording { rows, cut_off, .. } = parse(text).expect(name);
        let read: Vec<_> = rows.iter().map(|row| (row.event.clone(), as_text(row.count))).collect();
        let expected = expected(text);
        assert!(!read.is_empty() && read == expected && cut_off.is_none(), "{name}: {read:?}");
        let has_times = name.contains("intervals") || name.contains("bursts");
        assert_eq!(rows.iter().any(|row| row.nanoseconds.is_some()), has_times, "{name}");
        let written = csv::write(&of(text, "cci400:r1"));
        for (event, count) in expected.iter().filter(|(_, count)| count.parse::<u64>().is_ok()) {
            let quote = if event.contains(',') { "\"" } else { "" };
            let cells = [format!(",{quote}{event}{quote},"), format!(",{count},")];
            let is = |line: &str| cells.iter().all(|cell| line.contains(cell));
            assert!(written.lines().any(is), "{name}: {cells:?} in {written}");
        }
    }
    let large = report("6.12/cci400-r1/intervals-large.csv", "cci400:r1");
    assert_eq!(
        large.counters[0].total.text(),
        "5,637,144,576",
        "a sum that needs more than 32 bits"
    );
}

#[test]
fn doubtful_rows_have_a_note() {
    let stream = |marks: [&str; 2]| {
        let row = |of| format!("5,,mmu600:tbu.smmuv3_pmcg_5f320{of}.TRANSACTION,500,50.00,,\n");
        marks.map(row).concat()
    };
    let (named, json) = (text_of("6.12/cci400-r1/named.csv"), text_of("6.12/cci400-r1/named.json"));
    let broken = |from: &str, to: &str| json.replacen(from, to, 1);
    for (text, note) in [
        (
            text_of("6.12/cci400-r1/idle.csv").replace("0,,CYCLES", "12345,,CYCLES"),
            "and no event: there was no traffic, or: NIDEN is LOW",
        ),
        (
            named.replace("1234,", "2147483648,"),
            "has the value that the kernel's driver writes at a start",
        ),
        (stream([":0x42", ":all"]), "Count fewer events, or one device, at once"),
        (stream(["", ""]), "Count fewer events at once"),
        (
            text_of("6.12/cci400-r1/intervals.csv").replacen(",100.00,,\n", ",1x0.00,,\n", 1),
            "Line 1 cannot be read, and is left out",
        ),
        (broken("\"event\" : \"S3:READ_DATA", "\"vent\" : \"S3:READ_DATA"), "(`event` is missing"),
        (broken("987654", "98x654"), "(`counter-value` is missing"),
        (broken("\"unit\" :", "\"unit\" "), "Line 1 cannot be read"),
        (json[..json.trim_end().len() - 20].to_owned(), "The file is cut off in line 3"),
    ] {
        let notes = of(&text, "cci400:r1").notes;
        assert!(notes.iter().any(|of| of.contains(note)), "{note}: {notes:?}");
    }
}

#[test]
fn files_without_rows_are_refused() {
    let error = |text: &str| parse(text).map(|recording| recording.rows).expect_err("no rows");
    assert_eq!(error("").why, "the file has no rows of perf stat");
    for version in ["6.1", "6.12"] {
        let refused = error(&text_of(&format!("{version}/cci400-r1/unknown-event.txt")));
        assert!(refused.to_string().contains("it begins: event syntax error"), "{refused}");
    }
    let metrics =
        "\n Performance counter stats for './work':\n\n insn per cycle  GHz\n   0.78   1.2\n";
    assert_eq!((error(metrics).line, error(metrics).why.contains("has no counts")), (2, true));
}

/// Each human-readable table has the rows of the same command's CSV, but the counts are from another run.
#[test]
fn readable_tables_have_the_rows_of_csv() {
    // Interval times differ between runs, and perf prints rows without a count for cores without the PMU. In a
    // recording of another version, the core that reads the interconnect can be a different one.
    let rows = |recording: &Recording, is_same_run: bool| {
        let rows = recording.rows.iter().filter(|row| row.cores != Some(0));
        let mut rows: Vec<_> = rows
            .map(|row| {
                let scope = row.scope.clone().unwrap_or_default();
                let scope = if is_same_run { scope } else { scope.replace(char::is_numeric, "") };
                (row.event.clone(), scope, row.cores, row.unit.clone())
            })
            .collect();
        rows.sort();
        rows.dedup();
        rows
    };
    let mut tables = 0;
    for (name, text) in all().iter().filter(|(name, _)| name.ends_with(".csv")) {
        let older = name.replace("6.12/", "6.1/");
        let in_older = all().iter().any(|(csv, _)| *csv == older);
        for place in [name, &older].into_iter().take(if in_older { 1 } else { 2 }) {
            let path = recordings().join(place).with_extension("txt");
            let Ok(table) = fs::read_to_string(path) else { continue };
            let (table, csv) = (parse(&table).expect(place), parse(text).expect(name));
            assert!(table.unread.is_empty(), "{place}: {:?}", table.unread);
            assert_eq!(rows(&table, place == name), rows(&csv, place == name), "{place}");
            tables += 1;
        }
    }
    assert!(tables > 20, "{tables}");
}

#[test]
fn other_separators_and_texts_between_rows_are_accepted() {
    let csv = text_of("6.12/cci400-r1/core.csv");
    for separator in [";", "\t", "|"] {
        let other = parse(&csv.replace(',', separator)).expect("rows");
        assert_eq!(other.rows.len(), 4);
        assert_eq!(other.rows[1].metrics, [(1.0, "insn per cycle".to_owned())]);
    }
    let mixed = format!("the program says, hello\n{csv}done\n");
    let mixed = parse(&mixed).expect("rows");
    assert_eq!(
        mixed.other_lines,
        [(1, "the program says, hello".to_owned()), (6, "done".to_owned())]
    );
    let padded = parse("     0.100131200,5,,x,1,100.00,,\n").expect("a row of 6.1");
    assert_eq!(padded.rows[0].nanoseconds, Some(100_131_200));
    let sockets = "S0,1,1234,,CCI_400_r1/si_rrq_hs_any,source=3/,1000,100.00,,\n";
    let sockets = parse(sockets).expect("a row");
    assert_eq!(sockets.rows[0].scope.as_deref(), Some("S0"));
    assert_eq!(as_text(sockets.rows[0].count), "1234");
    let metric = parse("12,,cycles,1000,100.00,1.50,GHz\n,,,,,0.48,stalled cycles per insn\n")
        .expect("a row");
    assert_eq!(metric.rows[0].metrics.len(), 2);
}

#[test]
fn unscaled_sums_with_gaps_are_lower_bounds() {
    let total = |second: &str| {
        let text = format!(
            "0.100000000,5,,x,1,100.00,,\n0.200000000,{second},,\n0.300000000,<not counted>,,x,0,0.00,,\n"
        );
        of(&text, "").counters[0].total
    };
    let exact = total("6,,x,1,100.00");
    assert_eq!((as_text(exact.count).as_str(), exact.is_lower_bound), ("11", true));
    let scaled = total("6,,x,1,50.00");
    assert_eq!((scaled.is_lower_bound, scaled.is_estimate()), (false, true));
    assert_eq!(scaled.running_percent.round(), 50.0, "one third, and a half of the next");
}

#[test]
fn counters_of_one_name_stay_separate() {
    let row = |(time, count)| format!("0.{time}00000000,{count},,x,1,100.00,,\n");
    let report = of(&[(1, 5), (1, 7), (2, 1), (2, 2), (3, 4)].map(row).concat(), "");
    let totals = report.counters.iter().map(|counter| as_text(counter.total.count));
    assert_eq!(totals.collect::<Vec<_>>(), ["10", "9"]);
    assert_eq!(format!("{:.1}", report.seconds()), "0.3", "the longer counter");
}

#[test]
fn pictures_have_a_panel_per_row() {
    let draw = |file: &str, other: Option<&str>| {
        let report = |name: &str| report(&format!("6.12/cci400-r1/{name}"), "cci400:r1");
        let other = other.map(report);
        svg::draw(&report(file), other.as_ref())
    };
    assert!(draw("named.csv", None).is_none(), "no rows over time");
    let gaps = draw("intervals-not-counted.csv", None).expect("a picture");
    assert_eq!(gaps.matches("class=\"gap\"").count(), 6);
    assert!(gaps.contains("class=\"line count estimate\"") && gaps.contains("; grey: no count"));
    // The runs have two events and a metric in common; the other run also has more events and metrics.
    let both = draw("intervals.csv", Some("intervals-multiplexed.json")).expect("a picture");
    assert_eq!(both.matches("class=\"title\"").count(), 13, "{both}");
    assert!(both.contains("thin: the other run") && both.contains("class=\"line other"));
    // Without intervals, the other run is drawn as one line at its mean.
    let whole = draw("intervals.csv", Some("named.csv")).expect("a picture");
    assert_eq!(whole.matches("class=\"line other").count(), 3 + 1, "{whole}");
}

#[test]
fn readme_picture_matches_its_recording() {
    let report = report("6.12/cci400-r1-two-cores/bursts.json", "");
    let picture = svg::draw(&report, None).expect("a picture");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bursts.svg");
    snapbox::assert_data_eq!(picture, snapbox::Data::read_from(&path, None).raw());
}

/// Processor time of this thread, in nanoseconds.
#[cfg(target_os = "linux")]
fn on_processor() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split(' ').next().and_then(|time| time.parse().ok()).expect("a time")
}

/// With quadratic growth, a file of 100,000 lines would take minutes.
#[cfg(target_os = "linux")]
#[test]
fn time_grows_with_the_length_of_a_text() {
    let title = " Performance counter stats for 'x':\n";
    let texts: &[(&str, &dyn Fn(usize) -> String)] = &[
        ("events", &|nth| format!(" {nth}  smmuv3_pmcg_{nth:x}/event=0x{:x}/\n", nth % 256)),
        ("one event", &|nth| format!(" {nth}  armv8_cortex_a53/cycles/u  (5.00%)\n")),
        ("scopes", &|nth| format!("CPU{nth}  0  armv8_cortex_a53/cycles/\n")),
        ("intervals", &|nth| format!(" {}.{:09}  5  CCI_400_r1/cycles/\n", nth / 9, nth % 9)),
        ("intervals of one event each", &|nth| format!(" {nth}.5  5  x{nth}/cycles/\n")),
        ("runs", &|nth| format!("{title} {nth}  cycles\n 0.1 seconds time elapsed\n")),
        ("verbose", &|nth| format!("cycles: {nth}: 5 500 100\n")),
        ("damaged", &|nth| format!(" {nth}x cycles\n 5  cycles\n")),
        ("metrics", &|nth| format!("  # {nth} GHz\n")),
        ("titles", &|_| " Performance counter stats for 'x\n".to_owned()),
        ("a line of metrics", &|_| "# 5 GHz ".to_owned()),
        ("a line of digits", &|_| "555 ".to_owned()),
        ("other", &|nth| format!("{nth} of 5,5,5,5,5 are 5.50 in /x/{nth}/\n")),
        ("names", &|nth| format!("{nth},,S{}:X{nth},5,100.00,,\n", nth % 5)),
    ];
    for (name, line) in texts {
        let first = if *name == "names" { "" } else { &format!("{title} 5  cycles\n 5  ") };
        let took = |lines: usize| {
            let text = (0..lines).map(line).fold(first.to_owned(), |text, line| text + &line);
            let start = on_processor();
            if let Ok(recording) = parse(&text) {
                let report = Report::new(&recording, &given("cci400:r1"));
                table::write(&report, Screen::FILE);
                Comparison::new(&report, &report);
            }
            (on_processor() - start) as f64 / 1e9
        };
        // Other programs may disturb a run.
        let is_linear = (0..10).any(|_| took(4000) < 0.02 + 14.0 * took(500));
        assert!(is_linear, "{name}: 8 times the lines take much more than 8 times as long");
    }
}

/// `report` finds the right event for each term that `arm-pmu perf` prints, even if the term's
/// `name=` is left out.
#[test]
fn names_of_the_command_perf_are_known() {
    let mut names = 0;
    for pmu in Pmu::all().filter(|pmu| pmu.to_string() != "arm11:arm1156") {
        let device = (pmu.ip.name == "mmu600").then_some("smmuv3_pmcg_1");
        // The kernel has no fixed name for the PMUs of other SMMUs, and of unknown cores.
        let Ok(linux) = LinuxPmu::new(pmu, device) else { continue };
        let row = |selection| {
            let event: Event = linux.term(What::Event(selection), None).expect("a term").into();
            let term = event.term.replace(&format!(",name={}", event.name), "");
            format!("1234,,{term},1000,100.00,,\n")
        };
        let report = of(&pmu.selections().map(row).collect::<String>(), &pmu.to_string());
        let known: Vec<_> = report.counters.iter().map(|counter| counter.name()).collect();
        let expected: Vec<_> = pmu.selections().map(|one| one.to_string()).collect();
        assert_eq!(known, expected, "{pmu}");
        names += expected.len();
    }
    assert!(names > 900, "{names}");
}

/// `perf` calls `setlocale`, so it prints a share of 100.00 % as `100,00` in many languages.
#[test]
fn decimal_commas_are_named() {
    let why = |text: &str| parse(text).expect_err(text).why;
    // Output of perf 6.1 with LC_ALL=de_DE.UTF-8.
    for line in [
        "0,78,msec,task-clock,784917,100,00,0,CPUs utilized",
        "<not supported>,,cycles,0,100,00,,",
        "0,78;msec;task-clock;784917;100,00;0;CPUs utilized",
        "{\"counter-value\" : \"0,759025\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : \
         759025, \"pcnt-running\" : 100,00, \"metric-value\" : 0,683329, \"metric-unit\" : \"CPUs utilized\"}",
    ] {
        assert_eq!(why(&format!("{line}\n")), DECIMAL_COMMA, "{line}");
    }
    for (name, text) in all() {
        assert!(!text.lines().any(has_decimal_comma), "{name}");
    }
    let csv = text_of("6.12/cci400-r1/intervals.csv");
    for text in [&csv, &csv.replace(',', ";"), &text_of("6.12/cci400-r1/named.json")] {
        assert_eq!(why(&text.replace("100.00", "100,00")), DECIMAL_COMMA);
    }
}

/// Returns the report that `arm-pmu stat` makes of these counts, measured for one second.
fn stated(counts: &[(&str, u64)], given: &Given) -> Report {
    let rows = counts.iter().map(|(name, count)| {
        row((*name).to_owned(), Sample { count: Some(*count), share: 1.0 }, 1.0, None)
    });
    Report::new(&Recording { rows: rows.collect(), ..Recording::default() }, given)
}

#[test]
fn clusters_have_a_sum() {
    let report = stated(
        &[
            ("cortex-a53.INST_RETIRED", 1_000),
            ("cortex-a53.0x1234", 1),
            ("cortex-a72.INST_RETIRED", 9_000),
            ("cortex-a72.L1D_CACHE_RD", 7),
            ("cortex-a72.0x1234", 2),
            ("cci400:r1.CYCLES", 3),
            ("cci400:r0.CYCLES", 4),
        ],
        &Given::default(),
    );
    let names: Vec<_> = report.counters.iter().map(|counter| counter.full_name()).collect();
    assert_eq!(
        names[7..],
        ["INST_RETIRED sum"],
        "only a core event with a name gets a row for the sum"
    );
    assert_eq!(report.counters[7].total.text(), "10,000");
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let counts = [("cortex-a53.INST_RETIRED", 0), ("cortex-a72.INST_RETIRED", 9_000)];
    let idle = stated(&counts, &Given::default());
    let [note] = &idle.notes[..] else { panic!("{:?}", idle.notes) };
    assert!(note.starts_with("All counts of cortex-a53 are zero: the program did not run on its"));
}

#[test]
fn level_1_needs_slots_and_their_events() {
    let counts = [
        ("cortex-a78.CYCLES", 1_000),
        ("cortex-a78.STALL_SLOT", 3_000),
        ("cortex-a78.STALL_SLOT_FRONTEND", 1_000),
        ("cortex-a78.STALL_SLOT_BACKEND", 2_000),
        ("cortex-a78.OP_RETIRED", 900),
        ("cortex-a78.OP_SPEC", 1_000),
    ];
    let core = CorePmu { pmu: "cortex-a78".to_owned(), main_id: None, slots: Some(4) };
    let four_slots = Given { cores: vec![core], ..Given::default() };
    // The README has the table.
    let report = stated(&counts, &four_slots);
    let json = serde_json::to_value(json::Report::new(&report)).expect("JSON");
    assert_eq!(json["topdown"][0]["largest"], "BACKEND_BOUND");
    assert_eq!(json["topdown"][0]["next"], "arm-pmu stat -m memory -- PROGRAM");
    // QEMU counts cycles but no top-down events.
    let zeros = counts.map(|(name, n)| (name, if name.ends_with("CYCLES") { n } else { 0 }));
    let report = stated(&zeros, &four_slots);
    assert!(report.shares.is_empty() && report.metrics.iter().all(|one| one.total.is_none()));
    let [note] = &report.notes[..] else { panic!("{:?}", report.notes) };
    assert!(note.starts_with("There is no top-down of cortex-a78: its events are 0"), "{note}");
    // If the machine's number of slots is unknown, a note names the option for it.
    let unknown = stated(&counts, &Given::default());
    assert!(unknown.shares.is_empty() && unknown.notes[0].contains("--set slots=N"));
}

#[test]
fn a_core_without_slots_has_stalled_cycles() {
    let report = stated(
        &[
            ("neoverse-n1.CYCLES", 1_000),
            ("neoverse-n1.STALL_FRONTEND", 125),
            ("neoverse-n1.STALL_BACKEND", 375),
        ],
        &Given::default(),
    );
    let text = strip_str(&table::write(&report, Screen::FILE)).to_string();
    let expected = "
Shares of stalled cycles, neoverse-n1
12.5 %  FRONT_END_STALL_SHARE   #####
37.5 %  BACK_END_STALL_SHARE    ###############
50.0 %  cycles without a stall  ####################
Slots are not counted, so discarded work is among the cycles without a stall.
BACK_END_STALL_SHARE is the largest. Next: arm-pmu stat -m memory -- PROGRAM
";
    assert!(text.contains(expected), "{text}");
}
