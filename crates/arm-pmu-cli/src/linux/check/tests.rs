//! Tests of plans (with a test directory as `/sys`), of verdicts on a simulated core, and of the
//! report.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use arm_pmu_linux::perf::{Error, Overflow};
use arm_pmu_linux::traffic::Executed;

use super::expect::Expected;
use super::machine::{Counts, Machine, Way};
use super::*;
use crate::base::made_up::{PMUS, System, system};
use crate::linux::report::sample::Sample;
use crate::linux::stat::{Counting, Wanted};

/// The planned counts, as `PMU EVENT CPUS`, and the missing PMUs.
fn planned(pmus: &[(&str, &str)], board: Option<&str>) -> (Vec<String>, String) {
    let system = pmus.iter().fold(System::new(), |system, (name, cpus)| match *name {
        "armv8_cortex_z9" => system.pmu(name, "events/inst_retired", "event=0x08\n").pmu(
            name,
            "events/l1d_cache_refill",
            "event=0x03\n",
        ),
        _ if cpus.is_empty() => system.file(&format!("{PMUS}/{name}/type"), "10\n"),
        _ => system.pmu(name, "cpus", cpus),
    });
    let platform = board.map(|name| platform::find(name).expect("a platform"));
    let (plans, missing) = plan::plans(&Sysfs::at(system.path()), platform);
    let line = |plan: &Plan| format!("{} {} {:?}", plan.pmu, plan.event, plan.cpus);
    let reasons: Vec<_> = missing.iter().map(|one| format!("{}: {}", one.what, one.why)).collect();
    (plans.iter().map(line).collect(), reasons.join("\n"))
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
    assert_eq!(missing, "");
    // The board's file does not say which of two interfaces the traffic passes.
    let (plans, _) = planned(&[("armv8_cortex_a53", ""), ("CCI_400", "")], Some("rk3368"));
    assert!(plans.contains(&"CCI_400 S3+S4:READ_REQUEST_ANY None".to_owned()), "{plans:?}");
}

#[test]
fn a_core_is_checked_with_its_events() {
    let of = |name: &str| {
        let (plans, missing) = planned(&[(name, "")], None);
        assert_eq!(missing, "");
        let events = plans.iter().filter_map(|plan| plan.split(' ').nth(1));
        events.map(str::to_owned).collect::<Vec<_>>()
    };
    let a53 = of("armv8_cortex_a53");
    assert_eq!(
        (&a53[..3], a53.len()),
        (&["INST_RETIRED", "CPU_CYCLES", "BR_IMMED_RETIRED"].map(str::to_owned)[..], 16)
    );
    // A Cortex-A72 has no `LD_RETIRED`; a Cortex-A8 has the event names of its manual.
    assert!(!of("armv8_cortex_a72").contains(&"LD_RETIRED".to_owned()));
    let a8 = "INSTRUCTION_EXECUTED CYCLE IMMEDIATE_BRANCH SOFTWARE_PC_CHANGE BRANCH_MISPREDICTED DATA_READ \
              DATA_WRITE DATA_CACHE_ACCESS DATA_CACHE_REFILL L2_CACHE_MISS DATA_TLB_REFILL";
    assert_eq!(of("armv7_cortex_a8").join(" "), a8);
    assert!(of("armv6_1176").contains(&"DATA_CACHE_MISS".to_owned()));
    // A Cortex-A9 has a counter of cycles, and an event that counts them too.
    let mut a9 = of_core("armv7_cortex_a9").into_iter();
    let cycles = a9.find(|plan| plan.quantity == Quantity::Cycles).expect("cycles");
    assert_eq!((cycles.event.as_str(), plan::number(&cycles.wanted)), ("CYCLES", Some(0x11)));
    // Without tables, events come from the list of the kernel. Cycles have a counter.
    assert_eq!(of("armv8_cortex_z9"), ["INST_RETIRED", "CYCLES", "L1D_CACHE_REFILL"]);
}

#[test]
fn uncountable_events_are_named() {
    let (core, software) = (("armv8_cortex_a53", ""), ("software", ""));
    for (pmus, board, why) in [
        (&[software][..], None, "PMU of a core: the kernel has no Arm PMU; it has software."),
        (&[core, ("CCI_400_r1", "")], None, "CCI_400_r1: give --platform"),
        (&[core], Some("zynqmp"), "zynqmp:cci: the kernel has no PMU of a cci400"),
        (&[core], Some("agilex5"), "agilex5: has no interconnect"),
    ] {
        let (plans, missing) = planned(pmus, board);
        assert!(plans.iter().all(|plan| plan.starts_with("arm")), "{plans:?}");
        assert!(missing.starts_with(why), "{missing}");
    }
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
    let size = |mebibytes| Arguments { size: Some(mebibytes), ..Arguments::default() };
    let full = system(&[("proc/meminfo", "MemAvailable:    9000 kB\n")]);
    let error = check(&size(9), full.path()).expect_err("too much");
    assert_eq!(error.to_string(), "--size 9: 8 MiB of memory are available");
    assert!(check(&size(8), full.path()).is_ok());
}

/// Builds a report with these counts.
fn report(counts: &[(Quantity, Work, &str, Option<u64>)]) -> Document {
    let rows = counts.iter().map(|(quantity, work, event, counted)| {
        let Expected { low, count, high } = Expected { low: 900, count: 1_000, high: 1_500 };
        let is_core = quantity.bytes().is_none();
        Row {
            pmu: if is_core { "armv8_cortex_a53" } else { "CCI_400_r1" }.to_owned(),
            ip: is_core.then(|| "cortex-a53".to_owned()),
            cpu: 3,
            work: *work,
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
                .or_hidden(*event == "LD_RETIRED", *counted),
        }
    });
    let rows: Vec<_> = rows.collect();
    let missing = vec![Missing::new("CCI_400_r1", "not allowed")];
    Document { all_right: all_right(&rows, &[]), rows, missing, cleaned: true, ..empty() }
}

/// A document without counts.
fn empty() -> Document {
    let board = Some("a board".to_owned());
    Document { board, ..Document::new(Path::new("/no/such"), None, 64 << 20) }
}

#[test]
fn the_report_has_each_count_with_its_limits() {
    let counts = [
        (Quantity::Instructions, Work::Read, "INST_RETIRED", Some(1_200)),
        (Quantity::Refills, Work::Read, "L1D_CACHE_REFILL", Some(0)),
        (Quantity::Loads, Work::Read, "LD_RETIRED", Some(0)),
        (Quantity::WriteBacks, Work::Write, "L1D_CACHE_WB", None),
        (Quantity::ReadRequests, Work::Read, "S3:READ_REQUEST_ANY", Some(3_000)),
    ];
    let text = show::text(&report(&counts), Screen::FILE);
    let text = anstream::adapter::strip_str(&text).to_string();
    for line in [
        "armv8_cortex_a53 (cortex-a53), work on CPU 3, with the kernel's part",
        "work   event             expected  from    to  counted  ratio",
        "read   INST_RETIRED          1000   900  1500     1200  1.200  right",
        "read   L1D_CACHE_REFILL      1000   900  1500        0  0.000  ZERO",
        "read   LD_RETIRED            1000   900  1500        0  0.000  hidden",
        "LD_RETIRED of armv8_cortex_a53 is not in the kernel's list: PMCEID does not",
        "write  L1D_CACHE_WB          1000   900  1500        -      -  not counted",
        "CCI_400_r1 (no tables), work on CPU 3",
        "read  S3:READ_REQUEST_ANY      1000   900  1500     3000  3.000  HIGH",
        "- CCI_400_r1: not allowed",
    ] {
        assert!(text.lines().any(|of| of == line), "{line}\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let quiet = Document { cleaned: false, ..report(&counts[2..3]) };
    let two = Document { missing: Vec::new(), ..report(&[counts[0], counts[0]]) };
    for (document, part) in [
        (
            report(&counts),
            "3 of 4 counts are not right; 1 is hidden; 1 could not be counted. 1 is zero: ",
        ),
        (quiet.clone(), "Only instructions and cycles were counted, as on an emulator"),
        (quiet, "not cleaned: a program cannot clean caches on this processor"),
        (report(&counts[..1]), "The one count is right; 1 could not be counted."),
        (two, "All 2 counts are right. "),
    ] {
        let text = show::text(&document, Screen::FILE);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ") + " ";
        assert!(words.contains(part), "{part}: {text}");
    }
    assert!(report(&[counts[0], counts[2]]).all_right && !report(&counts[2..3]).all_right);
}

/// A check of a board also expects the interconnect.
#[test]
fn a_missing_interconnect_fails_the_board_check() {
    let count = [(Quantity::Instructions, Work::Read, "INST_RETIRED", Some(1_200))];
    let of_core = report(&count);
    assert_eq!(status(&of_core), 0);
    let of_board = Document { platform: Some("zynqmp".to_owned()), ..of_core };
    assert_eq!(status(&of_board), NOT_FOUND);
    assert_eq!(status(&Document { missing: Vec::new(), ..of_board }), 0);
}

/// The plans for a core.
fn of_core(pmu: &str) -> Vec<Plan> {
    let system = system(&[(&format!("{PMUS}/{pmu}/type"), "10\n")]);
    plan::plans(&Sysfs::at(system.path()), None).0
}

fn of_a76() -> Vec<Plan> {
    of_core("armv8_cortex_a76")
}

/// A Cortex-A76 whose event numbers have known counts, and which has one planted fault.
struct Simulated {
    counts: Rc<RefCell<HashMap<u16, u64>>>,
    fault: Fault,
    random: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// A counter programmed with the first event number counts the event with the second number.
    Other(u16, u16),
    /// Factor for the counts of an event number, in units of 1/64.
    Scaled(u16, u64),
    /// A behaviour of the counters.
    Behaviour(&'static str),
}

/// The count of one event number.
struct Number {
    number: u16,
    start: u64,
    counts: Rc<RefCell<HashMap<u16, u64>>>,
    scale: u64,
}

impl Number {
    fn now(&self) -> u64 {
        self.counts.borrow().get(&self.number).copied().unwrap_or(0) * self.scale / 64
    }
}

impl Counting for Number {
    fn start(&mut self, _: u64) -> Result<(), Error> {
        self.start = self.now();
        Ok(())
    }

    fn take(&mut self, _: u64) -> Vec<Sample> {
        vec![Sample { count: Some(self.now() - self.start), share: 1.0 }]
    }

    fn stop(&mut self, now: u64) -> Vec<Sample> {
        self.take(now)
    }
}

impl Simulated {
    fn new(fault: Fault, seed: u64) -> Self {
        Self { counts: Rc::default(), fault, random: seed }
    }

    /// A number below `limit`.
    fn noise(&mut self, limit: u64) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.random >> 33) % limit
    }

    fn check(&mut self) -> Document {
        let mut document = empty();
        let clocks = |_| Some((1e9, 2.4e9));
        judge(self, of_a76(), &mut document, clocks, true).expect("counts");
        document
    }
}

impl Machine for Simulated {
    fn pin(&mut self, _: Option<&[u32]>) -> Option<u32> {
        Some(3)
    }

    fn open(&mut self, wanted: &Wanted) -> Result<(Box<dyn Counting>, bool), Failure> {
        let mut number = plan::number(wanted).expect("a core's event");
        let mut scale = 64;
        match self.fault {
            Fault::Other(of, other) if of == number => number = other,
            Fault::Scaled(of, times) if of == number => scale = times,
            _ => {}
        }
        let counts = self.counts.clone();
        Ok((Box::new(Number { number, start: 0, counts, scale }), false))
    }

    fn prepare(&mut self, _: Work) -> Result<(), &'static str> {
        Ok(())
    }

    fn run(&mut self, work: Work) -> Executed {
        let n = if matches!(work, Work::Read | Work::Write) { 1 << 20 } else { 100_000 };
        let mut of = Executed::default();
        (of.branches, of.taken, of.chain) = (n, n - 1, 0);
        match work {
            Work::Chain => of.chain = 62 * n,
            Work::Taken => (of.branches, of.taken) = (9 * n, 9 * n - 1),
            Work::NotTaken => of.branches = 9 * n,
            Work::Random => (of.branches, of.random, of.taken) = (2 * n, n, n + n / 2),
            Work::Store => of.stores = 8 * n,
            Work::Load => of.loads = 8 * n,
            Work::Write => (of.loads, of.stores) = (n, n),
            _ => of.loads = n,
        }
        of.instructions = Some(of.chain + of.loads + of.stores + of.branches + n);
        let traffic = if matches!(work, Work::Read | Work::Write) { n } else { 0 };
        let written = if work == Work::Write { n } else { 0 };
        let in_l2 = if work == Work::InL2 { n } else { traffic };
        let walks = if work == Work::Pages { n } else { 0 };
        let executed = of.instructions.unwrap_or(0);
        let wrong = if work == Work::Random { n / 2 } else { 0 };
        let (reads, all) = (of.loads, of.loads + of.stores);
        let pairs = [(0x08, executed), (0x11, of.chain + executed / 50), (0x21, of.branches)];
        let branches =
            [(0x10, wrong), (0x22, wrong), (0x05, walks), (0x34, walks), (0x71, of.stores)];
        let caches = [(0x70, reads), (0x40, reads), (0x41, of.stores), (0x04, all), (0x03, in_l2)];
        let l2 = [(0x17, traffic), (0x16, in_l2 + written), (0x15, written), (0x18, written)];
        let bus = [(0x19, 4 * (traffic + written)), (0x60, 4 * traffic), (0x61, 4 * written)];
        let counts = [&pairs[..], &branches, &caches, &l2, &bus].concat();
        for (number, count) in counts {
            let count = count + self.noise(900);
            *self.counts.borrow_mut().entry(number).or_default() += count;
        }
        of
    }

    fn count(
        &mut self,
        _: &str,
        events: &[u16],
        way: Way,
        turns: u32,
        _: Duration,
    ) -> Result<Counts, String> {
        let instructions = 64 * u64::from(turns);
        let is = |what| self.fault == Fault::Behaviour(what);
        let in_turn = way == Way::Alone(Overflow::AtEnd);
        let share = if in_turn || events.len() == 2 && is("group") { 0.5 } else { 1.0 };
        let count = match way {
            Way::Alone(Overflow::Every(lost)) if is("overflows") => instructions - lost,
            Way::Alone(Overflow::Once(after)) if !is("overflow interrupt") => after + 70,
            Way::Group if is("64 bits") => instructions & 0xFFFF_FFFF,
            _ => instructions,
        };
        let most = if in_turn { events.len() } else { 6 };
        let mut samples = vec![Sample { count: Some(count), share }; events.len().min(most)];
        match samples.get_mut(3) {
            Some(stuck) if is("each counter") && way == Way::Group => stuck.count = Some(0),
            Some(low) if is("estimates") && in_turn => low.count = Some(count / 2),
            _ => {}
        }
        let early = if is("user-mode reads") { count + 1_000 } else { count };
        let early = vec![Sample { count: Some(early), share: 1.0 }];
        let rate = if is("clock") { 4e9 } else { 2e9 };
        let time = Duration::from_secs_f64(instructions as f64 / rate);
        Ok(Counts { early, samples, instructions, time })
    }
}

/// Events and behaviours that are not right.
fn wrong(document: &Document) -> Vec<&str> {
    let all = document.events.iter().chain(&document.behaviours);
    all.filter(|one| one.outcome != Outcome::Right).map(|one| one.what.as_str()).collect()
}

#[test]
fn a_core_without_faults_is_right() {
    for seed in 0..20 {
        let document = Simulated::new(Fault::None, seed).check();
        assert!(document.all_right && wrong(&document).is_empty(), "{:?}", wrong(&document));
        assert_eq!((document.events.len(), document.behaviours.len()), (18, 8));
    }
}

#[test]
fn each_planted_fault_is_named() {
    for plan in of_a76() {
        let number = plan::number(&plan.wanted).expect("a core's event");
        let mut faults = vec![
            Fault::Other(number, number + 1),
            Fault::Scaled(number, 1),
            Fault::Scaled(number, 0),
        ];
        // For these events, the upper limit is more than twice the lower limit.
        let is_wide = ["BUS_", "L1D_TLB", "DTLB_"].iter().any(|name| plan.event.starts_with(name));
        if !is_wide {
            faults.extend([Fault::Scaled(number, 32), Fault::Scaled(number, 128)]);
        }
        for fault in faults {
            let document = Simulated::new(fault, 1).check();
            assert_eq!(wrong(&document), [plan.event.as_str()]);
            assert!(!document.all_right);
        }
    }
    let behaviours = Simulated::new(Fault::None, 1).check().behaviours;
    for one in &behaviours {
        let what: &'static str = one.what.clone().leak();
        let document = Simulated::new(Fault::Behaviour(what), 1).check();
        assert_eq!(wrong(&document), [what]);
        assert!(!document.all_right);
    }
}

#[test]
fn posted_reports_merge_into_a_table() {
    let right = Simulated::new(Fault::None, 1).check();
    let fault = Fault::Scaled(0x21, 128);
    let off = Document { board: Some("other".to_owned()), ..Simulated::new(fault, 1).check() };
    let json = [&right, &off].map(|document| serde_json::to_string(document).expect("JSON"));
    let root = system(&[("a.json", &json[0]), ("b.json", &json[1]), ("c.json", "{}")]);
    let file = |name: &str| root.path().join(name).display().to_string();
    let text = compare::run(&[file("a.json"), file("b.json")], Screen::FILE).expect("a table").text;
    let text = anstream::adapter::strip_str(&text).to_string();
    for line in [
        "1   a board, not known, arm-pmu 0.1.0",
        "2   other, not known, arm-pmu 0.1.0",
        "                     1      2",
        "INST_RETIRED         right  right",
        "BR_RETIRED           right  OFF 2.006 times",
        "overflow interrupt   right  right",
    ] {
        assert!(text.lines().any(|of| of == line), "{line}\n{text}");
    }
    assert!(
        text.contains("grade them M") && text.contains("INST_RETIRED, CPU_CYCLES, BR_MIS_PRED,"),
        "{text}"
    );
    let error = compare::run(&[file("c.json")], Screen::FILE).expect_err("no report");
    assert!(error.to_string().contains("not an output of `arm-pmu check --json`"), "{error}");
}
