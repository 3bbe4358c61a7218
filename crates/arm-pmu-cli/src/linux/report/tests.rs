//! Tests on recordings of the real `perf`, complete and damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anstream::adapter::strip_str;
use arm_pmu_lookup::perf_name::PerfName;
use arm_pmu_tables::Pmu;
use proptest::prelude::*;

use super::compare::Comparison;
use super::model::{Given, Report};
use super::sample::{Sample, row};
use super::{csv, json, svg, table};
use crate::base::perf_stat::parse::parse;
use crate::base::perf_stat::recording::{Count, Number, ParseErrorKind, Recording, Row};
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
    ALL.get_or_init(read_all)
}

fn read_all() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for version in ["6.1", "6.12"] {
        for board in ["cci400-r0", "cci400-r1", "cci400-r1-two-cores", "cci500", "cci550"] {
            // The directory of an older version contains only the files that differ.
            for file in fs::read_dir(recordings().join(version).join(board)).into_iter().flatten() {
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
}

/// Human-readable recordings, and tables in the form of bug reports.
fn tables() -> &'static [String] {
    static ALL: OnceLock<Vec<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let strangers = recordings().with_file_name("strangers").join("perf");
        let own =
            ["6.12/cci400-r1", "6.12/cci400-r1-two-cores"].map(|board| recordings().join(board));
        let files =
            own.into_iter().chain([strangers]).flat_map(|of| fs::read_dir(of).expect("files"));
        let paths = files.map(|file| file.expect("a file").path());
        let paths = paths.filter(|path| path.extension().is_some_and(|ext| ext == "txt"));
        let texts = paths.map(|path| fs::read_to_string(path).expect("a text"));
        let mut all: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        all.sort();
        assert!(all.len() > 20, "{}", all.len());
        all
    })
}

fn given(ip: &str) -> Given {
    Given { pmu: Pmu::find(ip), ..Given::default() }
}

fn report(name: &str, ip: &str) -> Report {
    let recording = parse(&text_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    Report::new(&recording, &given(ip))
}

/// Text between two strings. The parser under test is not used.
fn between<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(behind)?.0)
}

/// Event and count of each row, as printed.
fn expected(text: &str) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for line in text.lines() {
        if let Some(count) = between(line, "\"counter-value\" : \"", "\"") {
            let event = between(line, "\"event\" : \"", "\"").expect("an event");
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

#[test]
fn every_recorded_row_is_read() {
    for (name, text) in all() {
        let Recording { rows, cut_off, .. } =
            parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let read: Vec<_> = rows.iter().map(|row| (row.event.clone(), as_text(row.count))).collect();
        assert!(!read.is_empty() && read == expected(text), "{name}: {read:?}");
        assert_eq!(cut_off, None, "{name}");
        let has_times = name.contains("intervals") || name.contains("bursts");
        let in_time = |row: &&Row| row.nanoseconds.is_some();
        assert_eq!(rows.iter().any(|row| in_time(&row)), has_times, "{name}");
    }
}

/// Compares the report with the recording; the test computes the sums independently.
#[test]
fn report_numbers_match_the_recording() {
    for (name, text) in all() {
        let report = Report::new(&parse(text).expect("rows"), &given("cci400:r1"));
        let expected = expected(text);
        let written = csv::write(&report);
        for counter in &report.counters {
            let of: Vec<&String> =
                expected.iter().filter(|row| row.0 == counter.perf).map(|row| &row.1).collect();
            let numbers = of.iter().filter_map(|count| count.parse::<u64>().ok());
            let total = match of[..] {
                [only] => only.clone(),
                _ if name.contains("summary") => of[of.len() - 1].clone(),
                _ => numbers.sum::<u64>().to_string(),
            };
            // Each core has its own count of the event.
            let same = report.counters.iter().filter(|other| other.perf == counter.perf);
            let counts = same.filter_map(|one| one.total.number()).reduce(Number::plus);
            let found = counts.map_or(counter.total.count, Count::Number);
            assert_eq!(as_text(found), total, "{name}: {}", counter.perf);
            for count in of.iter().filter(|count| count.parse::<u64>().is_ok()) {
                let cell = format!(",{count},");
                let event = if counter.perf.contains(',') {
                    format!("\"{}\"", counter.perf)
                } else {
                    counter.perf.clone()
                };
                let line =
                    |line: &&str| line.contains(&format!(",{event},")) && line.contains(&cell);
                assert!(
                    written.lines().any(|row| line(&row)),
                    "{name}: {count} of {event} in {written}"
                );
            }
        }
    }
}

#[test]
fn zeros_and_start_values_are_doubted() {
    let niden = text_of("6.12/cci400-r1/idle.csv").replace("0,,CYCLES", "12345,,CYCLES");
    let niden = Report::new(&parse(&niden).expect("rows"), &given("cci400:r1"));
    assert!(
        niden
            .notes
            .iter()
            .any(|note| note.contains("and no event") && note.contains("NIDEN is LOW")),
        "{:?}",
        niden.notes
    );
    let preset = text_of("6.12/cci400-r1/named.csv").replace("1234,", "2147483648,");
    let preset = Report::new(&parse(&preset).expect("rows"), &given("cci400:r1"));
    assert!(
        preset.notes.iter().any(|note| note.contains("before it starts")),
        "{:?}",
        preset.notes
    );
}

#[test]
fn a_single_device_gives_exact_stream_counts() {
    let note = |streams: [&str; 2]| {
        let row =
            |stream| format!("5,,mmu600:tbu.smmuv3_pmcg_5f320{stream}.TRANSACTION,500,50.00,,\n");
        let report =
            Report::new(&parse(&streams.map(row).concat()).expect("rows"), &Given::default());
        let note = report.notes.iter().find(|note| note.contains("is an estimate"));
        note.expect("a note").clone()
    };
    assert!(note([":0x42", ":all"]).contains("Count fewer events, or one device, at once"));
    assert!(note(["", ""]).contains("Count fewer events at once"));
}

#[test]
fn damaged_rows_are_named_and_the_others_used() {
    let good = text_of("6.12/cci400-r1/intervals.csv");
    let unread = |text: &str| {
        let unread = parse(text).expect("rows").unread;
        assert_eq!(unread.len(), 1, "{unread:?}");
        (unread[0].line, unread[0].why.clone())
    };
    let broken = good.replacen("100.00,,", "1x0.00,,", 2).replacen("1x0.00,,", "100.00,,", 1);
    assert_eq!(unread(&broken), (2, ParseErrorKind::Columns));
    let json = text_of("6.12/cci400-r1/named.json");
    let key = unread(&json.replacen("\"event\" : \"S3:READ_DATA", "\"vent\" : \"S3:READ_DATA", 1));
    assert_eq!(key, (2, ParseErrorKind::Key("event")));
    let count = unread(&json.replacen("987654", "98x654", 1));
    assert_eq!(count, (3, ParseErrorKind::Key("counter-value")));
    let syntax = unread(&json.replacen("\"unit\" :", "\"unit\" ", 1));
    assert!(matches!(syntax, (1, ParseErrorKind::Json(_))), "{syntax:?}");
    let report = Report::new(&parse(&broken).expect("rows"), &given("cci400:r1"));
    assert!(report.notes[0].starts_with("Line 2 cannot be read"), "{:?}", report.notes);
    // The recording is cut off in line 3, after two rows.
    let cut = parse(&json[..json.trim_end().len() - 20]).expect("two rows");
    assert_eq!((cut.rows.len(), cut.cut_off), (2, Some(3)));
    let report = Report::new(&cut, &given("cci400:r1"));
    assert!(report.notes[0].contains("cut off in line 3"), "{:?}", report.notes);
}

#[test]
fn files_without_rows_are_refused() {
    let error = |text: &str| parse(text).map(|recording| recording.rows).expect_err("no rows");
    assert_eq!(error("").kind, ParseErrorKind::NoRows(String::new()));
    for version in ["6.1", "6.12"] {
        let refused = error(&text_of(&format!("{version}/cci400-r1/unknown-event.txt")));
        assert!(refused.to_string().contains("it begins: event syntax error"), "{refused}");
    }
    let metrics =
        "\n Performance counter stats for './work':\n\n insn per cycle  GHz\n   0.78   1.2\n";
    assert_eq!((error(metrics).line, error(metrics).kind), (2, ParseErrorKind::NoCounts));
}

/// Each human-readable table has the rows of the CSV of the same command; the counts are from another run.
#[test]
fn readable_tables_have_the_rows_of_csv() {
    let mut tables = 0;
    for (name, text) in all().iter().filter(|(name, _)| name.ends_with(".csv")) {
        let older = name.replace("6.12/", "6.1/");
        let in_older = all().iter().any(|(csv, _)| *csv == older);
        let places = if in_older { vec![name] } else { vec![name, &older] };
        let csv = parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Interval times differ between runs, and perf prints rows without a count for cores without the PMU.
        let rows = |recording: &Recording| {
            let mut rows: Vec<_> = recording
                .rows
                .iter()
                .filter(|row| row.cores != Some(0))
                .map(|row| (row.event.clone(), row.scope.clone(), row.cores, row.unit.clone()))
                .collect();
            rows.sort();
            rows.dedup();
            rows
        };
        // Another core can read the interconnect in another run.
        let of_any_core = |recording: &Recording| {
            let mut recording = recording.clone();
            for row in &mut recording.rows {
                row.scope = row.scope.as_ref().map(|scope| scope.replace(char::is_numeric, ""));
            }
            rows(&recording)
        };
        for place in places {
            let path = recordings().join(place).with_extension("txt");
            let Ok(table) = fs::read_to_string(path) else { continue };
            let table = parse(&table).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert!(table.unread.is_empty(), "{place}: {:?}", table.unread);
            let compared = if place == name { &rows as &dyn Fn(_) -> _ } else { &of_any_core };
            assert_eq!(compared(&table), compared(&csv), "{place}");
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
        Report::new(&parse(&text).expect("rows"), &Given::default()).counters[0].total
    };
    let exact = total("6,,x,1,100.00");
    assert_eq!((as_text(exact.count).as_str(), exact.is_lower_bound), ("11", true));
    let scaled = total("6,,x,1,50.00");
    assert_eq!((scaled.is_lower_bound, scaled.is_estimate()), (false, true));
    assert_eq!(scaled.running_percent.round(), 50.0, "one third, and a half of the next");
}

#[test]
fn counters_of_one_name_stay_separate() {
    let text = "0.100000000,5,,x,1,100.00,,\n0.100000000,7,,x,1,100.00,,\n0.200000000,1,,x,1,100.00,,\n0.200000000,2,,x,1,100.00,,\n";
    let report = Report::new(&parse(text).expect("rows"), &Given::default());
    let totals: Vec<_> =
        report.counters.iter().map(|counter| as_text(counter.total.count)).collect();
    assert_eq!(totals, ["6", "9"]);
}

#[test]
fn pictures_have_a_panel_per_row() {
    let named = report("6.12/cci400-r1/named.csv", "cci400:r1");
    assert!(svg::draw(&named, None).is_none(), "no rows over time");
    let report = report("6.12/cci400-r1/intervals-not-counted.csv", "cci400:r1");
    let picture = svg::draw(&report, None).expect("a picture");
    for counter in &report.counters {
        assert!(picture.contains(&counter.full_name()));
    }
    let lacking = report.counters.iter().flat_map(|counter| &counter.intervals);
    let lacking =
        lacking.filter(|value| value.is_none_or(|value| value.number().is_none())).count();
    assert_eq!(picture.matches("class=\"gap\"").count(), lacking);
    assert!(
        lacking > 0
            && picture.contains("class=\"line count estimate\"")
            && !picture.contains("NaN"),
        "{picture}"
    );
}

#[test]
fn a_comparison_draws_both_runs() {
    let this = report("6.12/cci400-r1/intervals.csv", "cci400:r1");
    let other = report("6.12/cci400-r1/intervals-multiplexed.json", "cci400:r1");
    let picture = svg::draw(&this, Some(&other)).expect("a picture");
    let events =
        |report: &Report| report.counters.iter().map(|one| one.full_name()).collect::<Vec<_>>();
    let (own, others) = (events(&this), events(&other));
    let both = own.iter().filter(|name| others.contains(name)).count();
    assert!(both >= 2 && both < own.len());
    for name in own.iter().chain(&others) {
        assert_eq!(picture.matches(&format!(">{name}<")).count(), 1, "{name}");
    }
    assert!(picture.contains("thin: the other run"));
    let of_other = |class: &str| picture.matches(&format!("class=\"line {class}")).count();
    assert_eq!((of_other("count\"") >= own.len(), of_other("other") >= others.len()), (true, true));
    // Without intervals, the other run is drawn as one line at its mean.
    let whole = report("6.12/cci400-r1/named.csv", "cci400:r1");
    let picture = svg::draw(&this, Some(&whole)).expect("a picture");
    assert_eq!(picture.matches("class=\"line other").count(), 3 + 1, "{picture}");
}

#[test]
fn readme_picture_matches_its_recording() {
    let report = report("6.12/cci400-r1-two-cores/bursts.json", "");
    let picture = svg::draw(&report, None).expect("a picture");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bursts.svg");
    snapbox::assert_data_eq!(picture, snapbox::Data::read_from(&path, None).raw());
}

/// Checks that a text gives an answer in all formats, or an error in a line of the file.
fn survives(text: &str) {
    match parse(text) {
        Err(error) => assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}"),
        Ok(recording) => {
            let report = Report::new(&recording, &given("cci400:r1"));
            let other = Report::new(&recording, &given("mmu600"));
            let comparison = Comparison::new(&report, &other);
            let texts = [
                table::write(&report, Screen::terminal(40)),
                csv::write(&report),
                table::compare(&comparison, Screen::FILE),
                csv::compare(&comparison),
                serde_json::to_string(&json::report(&report)).expect("JSON"),
                serde_json::to_string(&json::against(&comparison)).expect("JSON"),
            ];
            assert!(
                texts.iter().all(|text| !text.is_empty() && !text.contains("NaN")),
                "{texts:?}"
            );
            let picture = svg::draw(&report, Some(&other)).unwrap_or_default();
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_tables_give_an_answer_or_an_error(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..5), 1..6),
    ) {
        let tables = tables();
        let mut lines: Vec<String> = which.get(tables).lines().map(str::to_owned).collect();
        for (at, from, how) in changes {
            let (at, from) = (at.index(lines.len()), from.index(lines.len()));
            match how {
                // A line is emptied, doubled, wrapped, joined with another, or cut off.
                0 => lines[at].clear(),
                1 => lines.insert(at, lines[from].clone()),
                2 => lines[at] = lines[at].replacen("  ", "\n", 2),
                3 => lines[at] = format!("{} {}", lines[at], lines[from]),
                _ => lines[at] = lines[at].chars().take(from).collect(),
            }
        }
        survives(&lines.join("\n"));
    }
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
        let runs = || (took(500), took(8000));
        // Other programs may disturb a run.
        let is_linear = (0..3).any(|_| {
            let (short, long) = runs();
            long < 0.05 + 48.0 * short
        });
        assert!(
            is_linear,
            "{name}: {:?} s of processor time, the second with 16 times the lines",
            runs()
        );
    }
}

/// `report` parses each name of `arm-pmu perf` as the same event.
#[test]
fn names_of_the_command_perf_are_known() {
    use crate::base::arguments::Perf;
    let mut names = 0;
    for pmu in Pmu::all().filter(|pmu| pmu.to_string() != "arm11:arm1156") {
        for selection in pmu.selections() {
            let arguments = Perf {
                ip: Some(pmu.to_string()),
                place: crate::base::arguments::Place::default(),
                events: vec![format!("{:#x}", selection.id())],
                metrics: Vec::new(),
                pmus: (pmu.ip.name == "mmu600")
                    .then(|| "smmuv3_pmcg_1".to_owned())
                    .into_iter()
                    .collect(),
                stream: None,
                json: true,
                command: Vec::new(),
            };
            // A number that several events have is ambiguous, and an error.
            let Ok(answer) = crate::linux::perf::run(&arguments, Screen::FILE) else {
                continue;
            };
            let document: serde_json::Value = serde_json::from_str(&answer.text).expect("JSON");
            let name = document["events"][0]["name"].as_str().expect("a name");
            let row = format!("1234,,{name},1000,100.00,,\n");
            let report = Report::new(&parse(&row).expect("a row"), &Given::default());
            assert_eq!(report.counters[0].name(), selection.to_string(), "{pmu} {name}");
            // The term without `name=` has only the kernel's name of the event.
            let term = document["events"][0]["term"].as_str().expect("a term");
            let term = term.replace(&format!(",name={name}"), "");
            let row = format!("1234,,{term},1000,100.00,,\n");
            let report = Report::new(&parse(&row).expect("a row"), &given(&pmu.to_string()));
            assert_eq!(report.counters[0].name(), selection.to_string(), "{pmu} {term}");
            names += 1;
        }
    }
    assert!(names > 900, "{names}");
}

/// `perf` calls `setlocale`, so it prints a share of 100.00 % as `100,00` in many languages.
#[test]
fn decimal_commas_are_named() {
    // Output of perf 6.1 with LC_ALL=de_DE.UTF-8.
    for line in [
        "0,78,msec,task-clock,784917,100,00,0,CPUs utilized",
        "<not supported>,,cycles,0,100,00,,",
        "0,78;msec;task-clock;784917;100,00;0;CPUs utilized",
        "{\"counter-value\" : \"0,759025\", \"unit\" : \"msec\", \"event\" : \"task-clock\", \"event-runtime\" : \
         759025, \"pcnt-running\" : 100,00, \"metric-value\" : 0,683329, \"metric-unit\" : \"CPUs utilized\"}",
    ] {
        let error = parse(&format!("{line}\n")).expect_err(line);
        assert_eq!((error.line, error.kind), (1, ParseErrorKind::DecimalComma), "{line}");
    }
    for name in
        ["6.12/cci400-r1/named.csv", "6.12/cci400-r1/intervals.csv", "6.12/cci400-r1/named.json"]
    {
        let text = text_of(name);
        assert!(!text.lines().any(crate::base::perf_stat::parse::has_decimal_comma), "{name}");
        let kind = |text: &str| parse(text).expect_err(name).kind;
        assert_eq!(kind(&text.replace("100.00", "100,00")), ParseErrorKind::DecimalComma, "{name}");
        if name.ends_with(".csv") {
            let semicolons = text.replace(',', ";").replace("100.00", "100,00");
            assert_eq!(kind(&semicolons), ParseErrorKind::DecimalComma, "{name}");
        }
    }
    for (name, text) in all() {
        assert!(!text.lines().any(crate::base::perf_stat::parse::has_decimal_comma), "{name}");
    }
}

#[test]
fn each_name_is_looked_up_once() {
    // The cache contains another event for the name, so the test detects a look-up that bypasses the cache.
    let name = "cci400:r1.S3:READ_REQUEST_ANY".to_owned();
    let other = PerfName::read("cci400:r1.S4:READ_REQUEST_ANY").expect("a name");
    let sample = Sample { count: Some(1), share: 1.0 };
    let rows = vec![row(name.clone(), sample, 1.0, None)];
    let recording = Recording { rows, ..Recording::default() };
    let read_before = [(name, other)].into_iter().collect();
    let report = Report::new(&recording, &Given { read_before, ..Given::default() });
    assert_eq!(report.counters[0].full_name(), "cci400:r1 S4:READ_REQUEST_ANY");
}

/// A report of these counts in a second, as `arm-pmu stat` makes it.
fn stated(counts: &[(&str, u64)]) -> Report {
    let rows = counts.iter().map(|(name, count)| {
        row((*name).to_owned(), Sample { count: Some(*count), share: 1.0 }, 1.0, None)
    });
    let recording = Recording { rows: rows.collect(), ..Recording::default() };
    Report::new(&recording, &Given::default())
}

#[test]
fn clusters_have_a_sum() {
    let report = stated(&[
        ("cortex-a53.INST_RETIRED", 1_000),
        ("cortex-a53.0x1234", 1),
        ("cortex-a72.INST_RETIRED", 9_000),
        ("cortex-a72.L1D_CACHE_RD", 7),
        ("cortex-a72.0x1234", 2),
        ("cci400:r1.CYCLES", 3),
        ("cci400:r0.CYCLES", 4),
    ]);
    let names: Vec<_> = report.counters.iter().map(|counter| counter.full_name()).collect();
    assert_eq!(names[7..], ["INST_RETIRED sum"], "numbers and interconnects have none");
    assert_eq!(report.counters[7].total.text(), "10,000");
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    let idle = stated(&[("cortex-a53.INST_RETIRED", 0), ("cortex-a72.INST_RETIRED", 9_000)]);
    let [note] = &idle.notes[..] else { panic!("{:?}", idle.notes) };
    assert!(note.starts_with("All counts of cortex-a53 are zero: the program did not run on its"));
}

/// Creates a report from counts of a Cortex-A78 with four slots.
fn level_1(counts: &[(&str, u64)]) -> Report {
    let rows = counts.iter().map(|(name, count)| {
        row((*name).to_owned(), Sample { count: Some(*count), share: 1.0 }, 1.0, None)
    });
    let recording = Recording { rows: rows.collect(), ..Recording::default() };
    let core = CorePmu { pmu: "cortex-a78".to_owned(), main_id: None, slots: Some(4) };
    Report::new(&recording, &Given { cores: vec![core], ..Given::default() })
}

#[test]
fn level_1_is_a_table_with_its_sum() {
    let counts = [
        ("cortex-a78.CYCLES", 1_000),
        ("cortex-a78.STALL_SLOT", 3_000),
        ("cortex-a78.STALL_SLOT_FRONTEND", 1_000),
        ("cortex-a78.STALL_SLOT_BACKEND", 2_000),
        ("cortex-a78.OP_RETIRED", 900),
        ("cortex-a78.OP_SPEC", 1_000),
    ];
    let report = level_1(&counts);
    let text = strip_str(&table::write(&report, Screen::FILE)).to_string();
    let expected = "
Top-down, level 1: shares of the slots, cortex-a78
 22.5 %  RETIRING         #########
  2.5 %  BAD_SPECULATION  #
 25.0 %  FRONTEND_BOUND   ##########
 50.0 %  BACKEND_BOUND    ####################
100.0 %  sum
BACKEND_BOUND is the largest. Next: arm-pmu stat -m memory -- PROGRAM
";
    assert!(text.contains(expected), "{text}");
    let json = serde_json::to_value(json::report(&report)).expect("JSON");
    assert_eq!(json["topdown"][0]["largest"], "BACKEND_BOUND");
    // QEMU counts cycles but no top-down events.
    let zeros = counts.map(|(name, n)| (name, if name.ends_with("CYCLES") { n } else { 0 }));
    let report = level_1(&zeros);
    assert!(report.shares.is_empty() && report.metrics.iter().all(|one| one.total.is_none()));
    let [note] = &report.notes[..] else { panic!("{:?}", report.notes) };
    assert!(note.starts_with("There is no top-down of cortex-a78: its events are 0"), "{note}");
    // If the machine's number of slots is unknown, a note names the option for it.
    let unknown = stated(&counts);
    assert!(unknown.shares.is_empty() && unknown.notes[0].contains("--set slots=N"));
}

#[test]
fn a_core_without_slots_has_stalled_cycles() {
    let report = stated(&[
        ("neoverse-n1.CYCLES", 1_000),
        ("neoverse-n1.STALL_FRONTEND", 125),
        ("neoverse-n1.STALL_BACKEND", 375),
    ]);
    let text = strip_str(&table::write(&report, Screen::FILE)).to_string();
    let expected = "
Stalled shares of the cycles, neoverse-n1
12.5 %  FRONT_END_STALL_SHARE   #####
37.5 %  BACK_END_STALL_SHARE    ###############
50.0 %  cycles without a stall  ####################
Slots are not counted, so discarded work is among the cycles without a stall.
BACK_END_STALL_SHARE is the largest. Next: arm-pmu stat -m memory -- PROGRAM
";
    assert!(text.contains(expected), "{text}");
}
