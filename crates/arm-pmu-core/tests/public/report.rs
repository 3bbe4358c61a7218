//! Reports as tables, CSV and JSON, read back by independent parsers.

use crate::support::{Of, Pmu, Running};
use arm_pmu_core::count::{Amount, Count, CountError, Scaling};
use arm_pmu_core::event::EventOrCycles;
use arm_pmu_core::measure::{CountSnapshot, Intervals, Measurement};
use arm_pmu_core::metric::Metric;
use arm_pmu_core::report::{Columns, Percent, Report, Row, Section};
use arm_pmu_core::schedule::EventSet;
use proptest::prelude::*;
use serde_json::{Value, json};

const HALF: Scaling = Scaling { time_running: 1, time_enabled: 2 };

fn csv_of(report: &Report<'_>) -> Vec<Vec<String>> {
    let mut text = String::new();
    report.csv(&mut text).unwrap();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|line| line.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn json_of(report: &Report<'_>) -> Value {
    let mut text = String::new();
    report.json(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn each_kind_of_row_has_each_form() {
    let over = Amount::invalid(1 << 33, CountError::Overflowed);
    let amounts = [
        ("READS", Amount::new(12)),
        ("WRITES", Amount::scaled(9, HALF).in_pass(1)),
        ("STALLS", over),
        ("MISSES", Amount::invalid(7, CountError::Disturbed)),
        ("HITS", Amount::NOT_COUNTED),
    ];
    let rows = [
        Row::percent(&"rate", Percent { part: Amount::new(1), whole: Amount::new(3) }),
        Row::percent(&"no rate", Percent { part: over, whole: Amount::new(3) }),
        Row::percent(&"of nothing", Percent { part: over.in_pass(0), whole: over }),
        Row::text(&"filter", &"all \"streams\""),
        Row::figure(&"instructions per cycle", &1.25),
    ];
    let sections = [
        Section { title: &"First", rows: &(amounts, rows) },
        Section { title: &"Second, empty", rows: &[] as &[Row<'_>; 0] },
    ];
    let report = Report::new(&sections).bars(10);
    let debug = "[Section { title: First, .. }, Section { title: Second, empty, .. }]";
    assert_eq!(format!("{report:?}"), format!("Report {{ sections: {debug}, bars: 10 }}"));
    let debug = rows.map(|row| format!("{row:?}"));
    assert_eq!(debug[3], "Row { name: filter, value: all \"streams\" }");
    let percent = Percent { part: over, whole: Amount::new(3) };
    assert_eq!(debug[1], format!("Row {{ name: no rate, value: {percent:?} }}"));
    let table = "\
First
           12  READS   pass 0
          ~18  WRITES  pass 1, 50.0 % of the time
>= 8589934592  STALLS  pass 0
    disturbed  MISSES  pass 0
            -  HITS    pass 0
       33.3 %  rate    ###.......
   overflowed  no rate
   overflowed  of nothing
               filter: all \"streams\"
         1.25  instructions per cycle

Second, empty
";
    let shown: Vec<String> =
        report.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    assert_eq!(shown, table.lines().collect::<Vec<_>>());
    // A row without a note has no trailing spaces.
    let plain = [Section { title: &"Plain", rows: &("READS", Amount::new(12)) }];
    assert_eq!(Report::new(&plain).to_string(), "Plain\n           12  READS\n");

    let csv = csv_of(&report);
    assert_eq!(
        csv[0].join(","),
        "pmu,name,value,unit,known,pass,time_running,time_enabled,slices,least,most,part,whole"
    );
    let line = |nth: usize| csv[nth].join(",");
    assert_eq!(line(1), "First,READS,12,events,exactly,0,,,,,,,");
    assert_eq!(line(2), "First,WRITES,18,events,estimated,1,1,2,,,,,");
    assert_eq!(line(3), "First,STALLS,,events,overflowed,0,,,,8589934592,,,", "no value");
    assert_eq!(line(4), "First,MISSES,,events,disturbed,0,,,,,,,");
    assert_eq!(line(5), "First,HITS,,events,not counted,0,,,,,,,");
    assert_eq!(line(6), "First,rate,33.3,percent,exactly,,,,,,,1,3");
    assert_eq!(line(7), "First,no rate,,percent,overflowed,,,,,,,,3");
    assert_eq!(line(9), "First,filter,all \"streams\",text,,,,,,,,,");
    assert_eq!(line(10), "First,instructions per cycle,1.25,figure,,,,,,,,,");
    assert_eq!(csv.len(), 11);

    let json = json_of(&report);
    assert_eq!(json[1], json!({ "pmu": "Second, empty", "rows": [] }));
    let row = |nth: usize| json[0]["rows"][nth].clone();
    let reads =
        json!({ "name": "READS", "value": 12, "unit": "events", "known": "exactly", "pass": 0 });
    assert_eq!(row(0), reads);
    assert_eq!(
        (&row(1)["time_running"], &row(1)["time_enabled"], &row(1)["value"]),
        (&json!(1), &json!(2), &json!(18))
    );
    assert_eq!((&row(2)["value"], &row(2)["least"]), (&Value::Null, &json!(1_u64 << 33)));
    assert_eq!(row(5)["value"], json!(33.3));
    assert_eq!(row(8)["value"], json!("all \"streams\""));
    assert_eq!((&row(9)["value"], &row(9)["unit"]), (&json!("1.25"), &json!("figure")));
    assert_eq!(row(9).as_object().unwrap().len(), 3);
}

#[test]
fn a_percentage_shows_whether_its_amounts_are_exact() {
    let exact = Amount::new;
    let percent = |part, whole| Percent { part, whole };
    assert_eq!(percent(exact(2), exact(3)).to_string(), "66.7 %");
    assert_eq!(percent(exact(1), exact(6)).to_string(), "16.7 %");
    assert_eq!(percent(exact(5), exact(2)).to_string(), "250.0 %");
    assert_eq!(percent(Amount::scaled(1, HALF), exact(4)).to_string(), "~50.0 %");
    assert_eq!(percent(exact(1), Amount::scaled(4, HALF)).to_string(), "~12.5 %");
    assert_eq!(percent(exact(1), Amount::NOT_COUNTED).per_mille(), Err(CountError::NotCounted));
    assert_eq!(percent(exact(u64::MAX), exact(1)).per_mille(), Ok(Some(u64::MAX)));
    assert_eq!(
        format!("{:>9}|{:<9}|", percent(exact(0), exact(0)), percent(exact(1), exact(8))),
        "undefined|12.5 %   |"
    );
    // The bar of a percentage above 100 is full. An unknown percentage has no bar.
    let rows = [
        Row::percent(&"a", percent(exact(5), exact(2))),
        Row::percent(&"b", percent(exact(0), exact(2))),
        Row::percent(&"c", percent(exact(0), exact(0))),
    ];
    let table = Report::new(&[Section { title: &"", rows: &rows }]).bars(4).to_string();
    let plain = Report::new(&[Section { title: &"", rows: &rows }]).to_string();
    assert_eq!(plain, "\n      250.0 %  a\n        0.0 %  b\n    undefined  c\n", "no bars");
    let estimate = Row::percent(&"d", percent(Amount::scaled(1, HALF), exact(4)));
    let lines = csv_of(&Report::new(&[Section { title: &"", rows: &estimate }]));
    assert_eq!(lines[1][2..5], ["50.0", "percent", "estimated"]);
    assert!(table.contains("a  ####\n") && table.contains("b  ....\n"), "{table}");
}

#[test]
fn metrics_are_rows() {
    let of = |numbers: [u64; 3]| numbers.map(Amount::new);
    let [one, eight, none] = of([1, 8, 0]);
    let lost = Amount::invalid(0, CountError::Disturbed);
    let rows = [
        Row::metric(&"rate", Of::<0>.compute(&of([1, 8, 0]))),
        Row::metric(&"more than all", Of::<0>.compute(&of([9, 8, 0]))),
        Row::metric(&"less than nothing", Of::<0>.compute(&of([1, 8, 3]))),
        Row::metric(&"a guess", Of::<0>.compute(&[Amount::scaled(1, HALF), eight, none])),
        Row::metric(&"per cycle", Of::<1>.compute(&of([11, 8, 0]))),
        Row::metric(&"times", Of::<2>.compute(&of([12, 1, 0]))),
        Row::metric(&"transferred", Of::<3>.compute(&of([25, 2, 0]))),
        Row::metric(&"of nothing", Of::<0>.compute(&of([1, 0, 0]))),
        Row::metric(&"of something lost", Of::<0>.compute(&[one, lost, none])),
        Row::metric(&"of two passes", Of::<0>.compute(&[one, eight.in_pass(1), none])),
        Row::metric(&"of less", Of::<0>.compute(&[one])),
    ];
    let sections = [Section { title: &"PMU", rows: &rows }];
    let expected = "\
PMU
      12.50 %  rate               #.......
     112.50 %  more than all      ########
     -25.00 %  less than nothing  ........
     ~25.00 %  a guess            ##......
        1.375  per cycle
           12  times
     13 bytes  transferred
    undefined  of nothing
      unknown  of something lost  input 2: the counter was stopped or reprogrammed, or rejected its setting
      unknown  of two passes      input 2 was counted in another pass over the work
      unknown  of less            input 2 was not counted
";
    assert_eq!(Report::new(&sections).bars(8).to_string(), expected);
    let plain = Report::new(&sections).to_string();
    assert!(!plain.contains('#') && plain.contains("of less            input 2"), "{plain}");

    assert!(plain.lines().all(|line| line.trim_end() == line), "{plain}");

    let report = Report::new(&sections);
    let csv = csv_of(&report);
    for (line, expected) in csv[1..].iter().zip([
        "12.50,percent,exactly,,,,,,,1,8",
        "112.50,percent,exactly,,,,,,,9,8",
        "-25.00,percent,exactly,,,,,,,,8",
        "25.00,percent,estimated,,,,,,,2,8",
        "1.375,ratio,exactly,,,,,,,11,8",
        "12,occurrences,exactly,,,,,,,,",
        "13,bytes,exactly,,,,,,,,",
        ",percent,undefined,,,,,,,,",
        ",percent,disturbed,,,,,,,,",
        ",percent,other pass,,,,,,,,",
        ",percent,not counted,,,,,,,,",
    ]) {
        assert_eq!(line[2..].join(","), expected, "{}", line[1]);
    }
    let none = Row::metric(&"none", Of::<4>.compute(&of([1, 8, 0])));
    let sections = [Section { title: &"PMU", rows: &(rows, none) }];
    let json = json_of(&Report::new(&sections));
    let row = |nth: usize| json[0]["rows"][nth].clone();
    let expected = json!({
        "name": "rate", "value": 12.5, "unit": "percent", "known": "exactly", "part": 1, "whole": 8
    });
    assert_eq!(row(0), expected);
    assert_eq!((&row(2)["value"], row(2).get("part")), (&json!(-25.0), None));
    assert_eq!((&row(5)["value"], &row(5)["unit"]), (&json!(12), &json!("occurrences")));
    assert_eq!((&row(8)["value"], &row(8)["known"]), (&Value::Null, &json!("disturbed")));
    assert_eq!(row(11)["known"], json!("not computable"));
}

#[test]
fn measurements_are_rows() {
    let measurement = Measurement {
        output: (),
        selections: [EventOrCycles::Event("SI3:READ"), EventOrCycles::Cycles],
        counts: [Count::new(12), Count::invalid(0, CountError::Overflowed)],
    };
    let table = Report::new(&[Section { title: &"CCI-550", rows: &measurement }]).to_string();
    assert_eq!(table, format!("CCI-550\n{measurement}\n"), "the same text as `Display`");
    assert_eq!(table, "CCI-550\n           12  SI3:READ\n>= 4294967296  cycles\n");
    let twice = [&measurement, &measurement];
    let table = Report::new(&[Section { title: &"Twice", rows: &twice }]).to_string();
    assert_eq!(table, format!("Twice\n{measurement}\n{measurement}\n"));

    let mut pmu = Pmu::<1, true>::new();
    let work = pmu.work.clone();
    let plan = EventSet::<char, 2>::of(['x', 'y']);
    let mut run = 0;
    let passes = plan.run(&mut pmu, || {
        run += 1;
        work.happens('c', 990 + 10 * run);
        work.happens('x', 5);
    });
    let table = Report::new(&[Section { title: &"Passes", rows: &passes.unwrap() }]).to_string();
    let expected = "\
Passes
            5  x             pass 0
            0  y             pass 1
         1000  reference: c  pass 0
         1010  reference: c  pass 1
               passes: differ by 1.0 %
";
    assert_eq!(table, expected);

    let one = EventSet::<char, 1>::of(['x']).run(&mut pmu, || work.happens('x', 5)).unwrap();
    let table = Report::new(&[Section { title: &"One pass", rows: &one }]).to_string();
    assert_eq!(table, "One pass\n            5  x\n", "a single pass has no spread");

    let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
    work.happens('c', 100);
    rotation.rotate(0);
    work.happens('c', 300);
    let (pmu, rotated) = rotation.stop(0);
    let expected = "\
Two slices
           ~0  x  pass 0, 25.0 % of the time, 1 slice
           ~0  y  pass 1, 75.0 % of the time, 1 slice
";
    let sections = [Section { title: &"Two slices", rows: &rotated }];
    assert_eq!(Report::new(&sections).to_string(), expected);

    let mut pmu = pmu.unwrap();
    let mut rotation = plan.schedule(&mut pmu).unwrap().rotate(pmu, 0);
    for times in [3, 0, 5] {
        work.happens('c', 100);
        work.happens('x', times);
        rotation.rotate(0);
    }
    work.happens('c', 100);
    let (_, rotated) = rotation.stop(0);
    let sections = [Section { title: &"Rotation", rows: &rotated }];
    let report = Report::new(&sections);
    let expected = "\
Rotation
          ~16  x  pass 0, 50.0 % of the time, 2 slices, like ~12 to ~20
           ~0  y  pass 1, 50.0 % of the time, 2 slices, like ~0 to ~0
";
    assert_eq!(report.to_string(), expected);
    let json = json_of(&report);
    let x = &json[0]["rows"][0];
    assert_eq!((&x["slices"], &x["least"], &x["most"]), (&json!(2), &json!(12), &json!(20)));
    assert_eq!(csv_of(&report)[1].join(","), "Rotation,x,16,events,estimated,0,200,400,2,12,20,,");
}

#[test]
fn columns_fit_their_widest_value() {
    let [none, one, many, most] = [0, 1, 10_u64.pow(13), u64::MAX].map(Amount::new);
    let wide = [
        (Row::events(&"wide", most), "18446744073709551615"),
        (Row::percent(&"wide", Percent { part: many, whole: one }), "1000000000000000.0 %"),
        (Row::metric(&"wide", Of::<3>.compute(&[most, one, none])), "18446744073709551615 bytes"),
        (Row::figure(&"wide", &"14 characters."), "14 characters."),
    ];
    for (row, text) in wide {
        let rows = (row, ("READS", Amount::new(12)));
        let table = Report::new(&[Section { title: &"PMU", rows: &rows }]).to_string();
        let expected = format!("PMU\n{text}  wide\n{:>width$}  READS\n", 12, width = text.len());
        assert_eq!(table, expected);
    }
}

const NAMES: [&str; 2] = ["A,B", "a name that is longer"];

#[test]
fn a_snapshot_prints_with_its_names() {
    let running = Running::of(NAMES, [Count::new(7), Count::invalid(0, CountError::Overflowed)]);
    let snapshot = CountSnapshot::<_, 4>::of(&running);
    let text = "            7  A,B\n>= 4294967296  a name that is longer";
    assert_eq!(snapshot.to_string(), text);
    assert!(snapshot.pairs().eq(NAMES.into_iter().zip(running.counts)));
    assert_eq!(snapshot.count("A,B"), Count::new(7));
    assert_eq!(snapshot.count("C"), Count::NOT_COUNTED);
    let sections = [Section { title: &"PMU", rows: &snapshot }];
    let table = "PMU\n            7  A,B\n>= 4294967296  a name that is longer\n";
    assert_eq!(Report::new(&sections).to_string(), table);
}

#[test]
fn intervals_are_lines() {
    let mut running = Running::of(NAMES, [Count::new(0); 2]);
    let mut intervals = Intervals::<_, 3>::of(&mut running, 0);
    let columns = Columns::of(&intervals);
    running.counts = [Count::new(5), Count::new(6)];
    let first = intervals.next(&mut running, 10);
    running.counts =
        [Count::invalid(5, CountError::Overflowed), Count::invalid(9, CountError::Disturbed)];
    let second = intervals.next(&mut running, 20);
    let (mut table, mut csv, mut json) = (String::new(), String::new(), String::new());
    columns.header(&mut table).unwrap();
    columns.csv_header(&mut csv).unwrap();
    for interval in [&first, &second] {
        columns.row(interval, &mut table).unwrap();
        columns.csv_row(interval, &mut csv).unwrap();
        columns.json_line(interval, &mut json).unwrap();
    }
    let sections = [Section { title: &"PMU", rows: &first }];
    let text = "PMU\n            5  A,B\n            6  a name that is longer\n";
    assert_eq!(Report::new(&sections).to_string(), text);
    let expected = [
        "        from           to            A,B  a name that is longer",
        "           0           10              5                      6",
        "          10           20  >= 4294967296              disturbed",
    ];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap(), vec!["from", "to", "A,B", "a name that is longer"]);
    let lines: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(lines[0], vec!["0", "10", "5", "6"]);
    assert!(lines[1][2].parse::<u64>().is_err(), "a disturbed count is not a number");
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["from"], &lines[0]["to"]), (&json!(0), &json!(10)));
    assert_eq!(lines[0]["rows"][1]["value"], json!(6));
    assert_eq!(lines[1]["rows"][0]["known"], json!("overflowed"));
}

#[test]
fn columns_reject_intervals_with_other_selections() {
    let mut running = Running::of(NAMES, [Count::new(0); 2]);
    let columns = Columns::of(&Intervals::<_, 2>::of(&mut running, 0));
    let mut running = Running::of(["A,B", "another"], [Count::new(0); 2]);
    let other = Intervals::<_, 2>::of(&mut running, 0).next(&mut running, 1);
    let mut text = String::new();
    assert!(columns.row(&other, &mut text).is_err());
    assert!(columns.csv_row(&other, &mut text).is_err());
    assert!(columns.json_line(&other, &mut text).is_err());
    assert_eq!(text, "");
}

#[test]
fn errors_of_the_writer_are_returned() {
    struct Full;
    impl std::fmt::Write for Full {
        fn write_str(&mut self, _: &str) -> std::fmt::Result {
            Err(std::fmt::Error)
        }
    }
    let sections = [Section { title: &"PMU", rows: &("READS", Amount::new(12)) }];
    assert!(Report::new(&sections).csv(&mut Full).is_err());
    assert!(Report::new(&sections).json(&mut Full).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Independent parsers read each name back unchanged.
    #[test]
    fn any_name_is_read_back(
        title in any::<String>(),
        name in "[\\x00-\\x7F]{0,12}|.{0,8}",
        events in any::<u64>(),
    ) {
        let row = (name.as_str(), Amount::new(events));
        let sections = [Section { title: &title, rows: &row }];
        let report = Report::new(&sections);
        let json = json_of(&report);
        prop_assert_eq!(&json[0]["pmu"], &json!(title));
        prop_assert_eq!(&json[0]["rows"][0]["name"], &json!(name));
        prop_assert_eq!(&json[0]["rows"][0]["value"], &json!(events));
        let csv = csv_of(&report);
        prop_assert_eq!(&csv[1][..3], &[title, name, events.to_string()]);
    }
}
